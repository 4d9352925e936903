"""A run as one file that can be opened from disk and sent around."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from orchestrator.errors import check_spared, writing
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.page import whole_page
from orchestrator.viewer.plain import plain_diagram, plain_frame, plain_map, plain_run
from orchestrator.viewer.runs import RunView


def export(run: RunDirectory, path: Path) -> int:
    """Write a run as a page of its own; returns its size in bytes.

    Raises:
        RunError: the run cannot be read, or the file not be written, or it is one of the run's.
    """
    check_spared(path, *run.files())
    view = RunView(run)
    view.refresh()
    content = whole_page(_told(view)).encode()
    view.close()
    with writing(path, "--export "):
        path.write_bytes(content)
    return len(content)


def _told(view: RunView) -> dict[str, Any]:
    """All that the page may ask for; maps are side by side, so that they pack well."""
    turns = [row.turn for row in view.rows]
    return {
        "run": plain_run(view),
        "turns": {turn: plain_frame(view.frame(turn)) for turn in turns},
        "maps": {turn: plain_map(view.map(turn)) for turn in turns},
        "puzzles": {"last": plain_diagram(view.puzzles(turns[-1])) if turns else None},
        "graph": plain_diagram(view.graph()),
    }
