"""Where a report's episodes can be looked at: their transcripts, or pages of the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from orchestrator.errors import RunError
from orchestrator.evaluation.scores import Row
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.export import export

MOST = 2000
"""So many episodes are listed; the results file has them all."""


def transcripts(rows: Sequence[Row], source: Path, target: Path) -> dict[int, str]:
    """Links to the transcripts of rows, counted from 1, as seen from the report."""
    return {
        number: _address(run / "transcript.txt", target.resolve().parent)
        for number, run in _runs(rows, source)
    }


def viewed(rows: Sequence[Row], source: Path, target: Path) -> dict[int, str]:
    """Links to pages of the viewer, which are written into a folder beside the report.

    Episodes that were played without a trace have none.

    Raises:
        RunError: a page cannot be written.
    """
    folder = target.with_name(f"{target.stem}-episodes")
    pages: dict[int, str] = {}
    for number, path in _runs(rows, source):
        run = RunDirectory(path)
        if run.trace.is_file():
            folder.mkdir(exist_ok=True)
            export(run, folder / f"{number}.html")
            pages[number] = quote(f"{folder.name}/{number}.html")
    if not pages:
        raise RunError(
            "--episodes: none of them has a trace to be looked at; play with zork bench --trace"
        )
    return pages


def _runs(rows: Sequence[Row], source: Path) -> list[tuple[int, Path]]:
    """The run of each row that is a single episode."""
    return [
        (number, _found(row["run_dir"], source).resolve())
        for number, row in enumerate(rows[:MOST], start=1)
        if row.get("run_dir") and not row.get("series")
    ]


def _found(run: str, source: Path) -> Path:
    """A run as seen from where the bench was played: from here, or else from above its results."""
    seen = [Path(run), *(folder / run for folder in source.resolve().parents)]
    return next((path for path in seen if path.is_dir()), seen[0])


def _address(path: Path, at: Path) -> str:
    return quote(path.relative_to(at).as_posix()) if path.is_relative_to(at) else path.as_uri()
