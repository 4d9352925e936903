"""Run directories: what an episode leaves on disk, written as play goes."""

from __future__ import annotations

import datetime
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from orchestrator.errors import RunError

FORMAT = 1
VERSIONED = ("zork-orchestrator", "jericho", "langgraph", "langchain-core", "pydantic")


class RunDirectory:
    """`runs/<run id>/`: episode.json, transcript.txt, trace.jsonl, checkpoints.sqlite."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, out: Path, label: str) -> RunDirectory:
        """A new directory under `out`, named by time and label; never an existing one.

        Raises:
            RunError: the directory cannot be made.
        """
        stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
        base = f"{stamp}-{re.sub(r'[^A-Za-z0-9]+', '-', label).strip('-').lower()}"
        for number in range(1, 1000):
            path = out / (base if number == 1 else f"{base}-{number}")
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise RunError(
                    f"--out {str(out)!r}: cannot make a run directory: {error}"
                ) from error
            return cls(path)
        raise RunError(f"--out {str(out)!r}: too many runs named {base!r}")

    @property
    def run_id(self) -> str:
        """The directory's name."""
        return self.path.name

    @property
    def trace(self) -> Path:
        """LangSmith run records, one a line."""
        return self.path / "trace.jsonl"

    @property
    def checkpoints(self) -> Path:
        """LangGraph checkpoints, one a turn."""
        return self.path / "checkpoints.sqlite"

    @property
    def transcript(self) -> Path:
        """Commands and replies."""
        return self.path / "transcript.txt"

    def write_episode(self, record: dict[str, Any]) -> None:
        """Replace episode.json atomically."""
        write_json(self.path / "episode.json", {"format": FORMAT, "versions": versions(), **record})


def versions() -> dict[str, str]:
    """Of the packages that influence play."""
    return {name: version(name) for name in VERSIONED}


def write_json(path: Path, content: Any) -> None:
    """Written beside and moved into place, so that a reader never sees half a file."""
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)
