"""The same agent, unchanged, on every story: the score and how far along the walkthrough it came.

Usage: python -m benchmarks.generality [--games zork1,detective,...] [--seeds 1-5]
       [--steps 100,400] [--out FILE]
Each line is appended to FILE when its episode ends, so that a stopped run goes on. A stage is a
room of the story's walkthrough, by the name in the status line, in the order of the first visit;
an episode's stage is the furthest one it has seen.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.truth import replay
from orchestrator.episode import play_setup
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.rows import read_lines
from orchestrator.evaluation.scores import maximum
from orchestrator.evaluation.statistics import interval
from orchestrator.events import Event, TurnPlayed
from orchestrator.setup import Setup

STORIES = ("zork1", "detective", "905", "advent", "library", "pentari", "temple")
EMBEDDED = ("hollow", "morning", "workshop")


class Milestones:
    """Watches an episode: its score and its rooms after so many commands."""

    def __init__(self, marks: Sequence[int]) -> None:
        self.reached: dict[int, dict[str, Any]] = {mark: {} for mark in marks}
        self._rooms: list[str] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, TurnPlayed):
            state = event.after
            room = state["observation"].room
            if room and room not in self._rooms:
                self._rooms.append(room)
            now = {
                "score": state["score"].last.score,
                "best": state["score"].best,
                "deaths": state["score"].deaths,
                "rooms": list(self._rooms),
                "turn": state["turn"],
            }
            self.reached |= {mark: now for mark in self.reached if state["turn"] <= mark}


def played(cell: Cell, setup: Setup, marks: Sequence[int]) -> dict[str, Any]:
    """The row of an episode of the cell, set up like this."""
    milestones = Milestones(marks)
    result = play_setup(replace(setup, watchers=(milestones,)))
    reached = {str(mark): now for mark, now in milestones.reached.items()}
    keep = ("end_reason", "wall_s")
    top = maximum(setup.story, result["max_score"])
    return {**asdict(cell), **{key: result[key] for key in keep}, **top, "reached": reached}


def row_of(cell: Cell, out: Path, more: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row of a cell, with whatever else tells it from others, if it has been played."""
    wanted = {"game": cell.game, "seed": cell.seed, "steps": cell.steps, **more}
    rows = (row for row in read_lines(out) if wanted.items() <= row.items())
    return next(rows, None)


def append(row: Mapping[str, Any], out: Path) -> None:
    """Write a row to the end of the results."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


@cache
def stages(game: str) -> tuple[str, ...]:
    """The rooms of a story's walkthrough in the order of the first visit; none without one."""
    if game.startswith("textworld:"):
        return ()
    rooms = (frame.observation.room for frame in replay(game).frames)
    return tuple(dict.fromkeys(room for room in rooms if room))


def stage(game: str, rooms: Sequence[str]) -> int:
    """How far along the walkthrough these rooms lie, counted from 1; 0 for not at all."""
    return max((number for number, room in enumerate(stages(game), 1) if room in rooms), default=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join((*STORIES, *EMBEDDED)))
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--steps", default="100,400")
    parser.add_argument("--out", type=Path, default=Path("runs/generality.jsonl"))
    given = parser.parse_args()
    marks = sorted(map(int, given.steps.split(",")))
    for game in given.games.split(","):
        rows = [
            _row(Cell(game, "offline", seed, marks[-1]), marks, given.out)
            for seed in seed_range(given.seeds)
        ]
        for mark in marks:
            print(_line(game, rows, mark), flush=True)


def _row(cell: Cell, marks: Sequence[int], out: Path) -> dict[str, Any]:
    """The row of a cell, played now unless it has been."""
    row = row_of(cell, out, {})
    if row is None:
        with tempfile.TemporaryDirectory() as folder:
            row = played(cell, cell.setup(Path(folder)), marks)
        append(row, out)
    return row


def _line(game: str, rows: Sequence[dict[str, Any]], mark: int) -> str:
    reached = [row["reached"][str(mark)] for row in rows]
    finals = interval([one["score"] for one in reached])
    shares = [
        max(one["best"], 0) / row["max_score"]
        for one, row in zip(reached, rows, strict=True)
        if row["max_score"]
    ]
    share = f"{sum(shares) / len(shares):6.1%}" if shares else "     -"
    won = sum(
        row["end_reason"] == "won" and one["turn"] < mark
        for one, row in zip(reached, rows, strict=True)
    )
    deaths = sum(one["deaths"] for one in reached) / len(reached)
    furthest = max(stage(game, one["rooms"]) for one in reached)
    known = stages(game)
    where = f"{furthest} of {len(known)} ({known[furthest - 1]})" if furthest else "-"
    start = f"{Path(game).stem:<40}{mark:>5}  {finals!s:<22}"
    return f"{start} best/max {share}  won {won}/{len(rows)}  deaths {deaths:.1f}  stage {where}"


if __name__ == "__main__":
    main()
