"""A row of results played again, to see whether it comes out the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from environments.catalog import find_story
from environments.game import GameError
from orchestrator.errors import RunError
from orchestrator.evaluation.cells import Cell, Task, key_of, resolved
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.rows import Row, read_rows

FIGURES = ("score", "best_score", "turns", "deaths", "end_reason")


class Reproduction(NamedTuple):
    """What came of a row that was played again."""

    row: Row
    again: Row
    differing: list[str]
    """The figures that are not the same."""
    versions: list[str]
    """What has another version here than where the row was played."""
    exact: bool
    """Nothing in it can come out differently: it asked no model."""


def find_row(place: str) -> Row:
    """The row at `FILE#ROW`, counted from 1.

    Raises:
        RunError: there is no such row.
    """
    file, mark, number = place.rpartition("#")
    if not mark or not number.isdecimal():
        raise RunError(f"{place!r}: expected RESULTS#ROW, for instance runs/bench.jsonl#3")
    path = Path(file)
    if not path.is_file():
        raise RunError(f"no results file {file!r}")
    rows = read_rows(path)
    if not 1 <= int(number) <= len(rows):
        raise RunError(f"{file!r} has rows 1 to {len(rows)}, no row {number}")
    return rows[int(number) - 1]


def reproduce(row: Row, out: Path, game: str | None = None, *, trust: bool = False) -> Reproduction:
    """Play the cell of a row again, in a folder of its own.

    Args:
        row: what is to be reproduced.
        out: where it is played.
        game: where its story lies, if not where it was.
        trust: allow the code and the servers that it names, from now on.

    Raises:
        RunError: the row does not say enough, or story or graph are not the row's any more.
        GameError: its story is not there.
    """
    if "cell" not in row:
        raise RunError("the row is of an earlier version, which did not write down its cell")
    try:
        lists = {name: tuple(row["cell"][name]) for name in ("settings", "access")}
        cell = Cell(**{**row["cell"], **lists, "game": _game(row, game)})
        task = resolved(cell, trust=trust, source="the row")
        _check(row, task)
    except (KeyError, TypeError, AttributeError) as error:
        raise RunError(f"the row is not one of zork bench, or was changed: {error!r}") from error
    again = play_task(task, out)
    return Reproduction(
        row=row,
        again=again,
        differing=[name for name in FIGURES if row.get(name) != again.get(name)],
        versions=_changed(row["versions"], again["versions"]),
        exact=not row.get("llm_calls"),
    )


def _game(row: Row, game: str | None) -> str:
    """The story's place: the one given, or else the one it had, or its name in the catalog."""
    for place in (row.get("story_path"), row["game"]) if game is None else (game,):
        if place is not None:
            try:
                if find_story(str(place)).sha256 == row["story_sha256"]:
                    return str(place)
            except GameError:
                continue
    where = "is not where it was; say where it is: --game PATH"
    raise RunError(
        f"the story {row['story']} with SHA-256 {row['story_sha256'][:12]}... "
        + (where if game is None else f"is not what --game {game!r} names")
    )


def _check(row: Row, task: Task) -> None:
    if key_of(row).graph_id != task.key.graph_id:
        raise RunError(
            f"the graph {row['graph']} resolves to {task.key.graph_id} here, "
            f"in the row to {key_of(row).graph_id}: it was changed since"
        )


def _changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    names: Sequence[str] = sorted({*before, *after})
    return [
        f"{name} {before.get(name)} -> {after.get(name)}"
        for name in names
        if before.get(name) != after.get(name)
    ]
