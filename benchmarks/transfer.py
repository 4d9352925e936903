"""Whether what was learned on other stories helps on a story never played: leave one out.

Usage: python -m benchmarks.transfer [--games zork1,detective,...] [--seeds 1-3] [--steps 100,400]
       [--lessons 2] [--lesson-steps 200] [--out FILE]
For every story the agent starts with the general part of what it learned in a few episodes of each
of the others, and is paired by seed with itself without; rows are appended to FILE, so that a
stopped run goes on. Positive: what was learned helps.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.generality import EMBEDDED, STORIES, append, played, row_of, stage
from managers.memory.distilling import merge
from managers.memory.general import general
from orchestrator import memory
from orchestrator.batch import play_episodes
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.statistics import interval

_LESSON_SEED = 51


def lesson(game: str, episodes: int, steps: int, folder: Path) -> dict[str, Any]:
    """The general part of what some episodes of a story teach; kept in a file."""
    file = folder / f"{Path(game).stem}-{episodes}-{steps}.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as out:
            store = Path(out) / "memory.sqlite"
            setup = Cell(game, "offline", _LESSON_SEED, steps).setup(Path(out))
            play_episodes(replace(setup, fresh=False, store=store), episodes)
            subject = memory.Subject(setup.story.sha256, setup.config.name)
            file.write_bytes(memory.packed(general(memory.load(subject, store))))
    return memory.unpacked(file.read_bytes(), file)


def taught(cell: Cell, learned: dict[str, Any], marks: Sequence[int]) -> dict[str, Any]:
    """The row of an episode that starts with what was learned."""
    with tempfile.TemporaryDirectory() as folder:
        store, setup = Path(folder) / "memory.sqlite", cell.setup(Path(folder))
        memory.remember(memory.Subject(setup.story.sha256, setup.config.name), learned, store)
        return played(cell, replace(setup, fresh=False, store=store), marks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join((*STORIES, *EMBEDDED)))
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--steps", default="100,400")
    parser.add_argument("--lessons", type=int, default=2)
    parser.add_argument("--lesson-steps", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("runs/transfer.jsonl"))
    given = parser.parse_args()
    marks, games = sorted(map(int, given.steps.split(","))), given.games.split(",")
    shares: list[float] = []
    for game in games:
        learned: dict[str, Any] = {}
        for other in (one for one in games if one != game):
            more = lesson(other, given.lessons, given.lesson_steps, given.out.with_suffix(""))
            learned = merge(learned, more)
        pairs = [
            (_row(cell, None, marks, given.out), _row(cell, learned, marks, given.out))
            for seed in seed_range(given.seeds)
            for cell in [Cell(game, "offline", seed, marks[-1])]
        ]
        for mark in marks:
            print(_line(game, mark, pairs), flush=True)
        shares += [_share(with_it) - _share(without) for without, with_it in pairs]
    print(f"all: {interval([100 * share for share in shares])} % of the maximum")


def _row(
    cell: Cell, learned: dict[str, Any] | None, marks: Sequence[int], out: Path
) -> dict[str, Any]:
    """The row of an episode with or without what was learned; played unless it has been."""
    kind = {"taught": learned is not None}
    row = row_of(cell, out, kind)
    if row is None:
        row = _played(cell, marks) if learned is None else taught(cell, learned, marks)
        append({**row, **kind}, out)
    return row


def _played(cell: Cell, marks: Sequence[int]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return played(cell, cell.setup(Path(folder)), marks)


def _share(row: dict[str, Any]) -> float:
    """The best score at the end, of the maximum."""
    last = list(row["reached"].values())[-1]
    return max(last["best"], 0) / row["max_score"] if row["max_score"] else 0.0


def _line(game: str, mark: int, pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    ends = [(a["reached"][str(mark)], b["reached"][str(mark)]) for a, b in pairs]
    points = interval([with_it["score"] - without["score"] for without, with_it in ends])
    stages = interval([stage(game, b["rooms"]) - stage(game, a["rooms"]) for a, b in ends])
    return f"{Path(game).stem:<12}{mark:>5}  {points!s:<22} points  {stages} stages"


if __name__ == "__main__":
    main()
