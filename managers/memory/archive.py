"""Promising points of earlier episodes, each with the shortest list of steps that led there.

An episode of an exploration is sent to one of them (`Quest`).

A point is (score, room, what is carried). Besides, it has the line of every command that led
there, if the emulator's seed is the same in all episodes. Lists and lines are branches of trees,
so that what they have in common is kept once; all of it is plain data.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import Field

from environments.game import Value

MOST_CELLS = 400
_KEPT_FOR_SCORE = 0.5
"""The share of the places that goes to the best scores; the rest goes to the latest finds."""
_MOST_ALIKE = 8
"""How many are kept of one score and room."""
_LENGTH_PRICES = (0.0, 0.05, 0.2)
"""Per step, in hundredths of the best score: some episodes start far out, some near."""
_SHORTENING = 0.25
"""How often the steps are followed where a line takes very much longer: it gets shorter by that."""
_LITERAL = 0.75
"""What a trajectory with all its steps promises, compared with the steps it seems to need: on
the way to no purpose things go wrong."""
_VISITED = 5.0
"""What visits with a score to a room cost it, in hundredths of the best score."""
_DOUBT = 1.0
"""How many episodes the score a point was found with counts for."""
SUPPOSED = -1
"""Stands for what is carried where nobody has been yet with so few steps."""


class PlayedCommand(NamedTuple):
    """A command that was played."""

    place: str
    """The room it was played in; empty if nothing came of it."""
    command: str
    points: int
    reply: int
    """A number for what the game answered."""


Line = tuple[PlayedCommand, ...]
"""All commands from the opening on."""


class Standpoint(NamedTuple):
    """Where an episode stood, the same in every episode."""

    score: int
    place: str
    """The room's key."""
    held: int
    """A number for what was carried."""


class ArchiveCell(NamedTuple):
    """A point with the way there, and what became of those who were sent there."""

    point: Standpoint
    steps: tuple[tuple[str, str, int], ...]
    """The place, the command, the points it brought."""
    times: int = 0
    """How many episodes followed the path."""
    total: int = 0
    """The sum of the scores they ended with."""
    line: Line = ()
    """Every command of an episode that came here, with the replies; empty if it is unknown."""
    visits: int = 0
    """How many episodes were sent to explore from here."""

    @property
    def path(self) -> tuple[tuple[str, str, int], ...]:
        """What is to be followed: whatever had an effect along the line, or else the steps."""
        effective = ((one.place, one.command, one.points) for one in self.line if one.place)
        return tuple(effective) if self.line else self.steps

    @property
    def promise(self) -> float:
        """The score to be hoped for of an episode that follows the path."""
        return self.expected(1.0)

    def expected(self, held: float) -> float:
        """The score of an episode that follows the path, if others kept that share of theirs."""
        return (self.total + _DOUBT * held * self.point.score) / (self.times + _DOUBT)

    @property
    def reach(self) -> float:
        """The score with which an episode that is sent there is likely to arrive."""
        return self.point.score if self.line else min(self.promise, self.point.score)


def packed(cells: Iterable[ArchiveCell]) -> dict[str, Any]:
    """The cells as plain data: places and commands by number, what lists have in common once."""
    places: dict[str, int] = {}
    commands: dict[str, int] = {}
    nodes: dict[tuple[Any, ...], int] = {}
    lines: dict[tuple[Any, ...], int] = {}
    rows = []
    for (score, place, held), steps, times, total, line, visits in cells:
        way = _leaf(nodes, ((_number(places, at), command, gain) for at, command, gain in steps))
        entries = (
            (_number(places, at), _number(commands, command), gain, reply)
            for at, command, gain, reply in line
        )
        end = _leaf(lines, entries)
        rows.append([score, _number(places, place), held, way, times, total, end, visits])
    return {
        "places": list(places),
        "nodes": [list(key) for key in nodes],
        "commands": list(commands),
        "lines": [list(key) for key in lines],
        "cells": rows,
    }


def unpacked(data: Mapping[str, Any]) -> list[ArchiveCell]:
    """What `packed` made; a memory of an older program has no lines."""
    places, nodes = data["places"], data["nodes"]
    commands, lines = data.get("commands", ()), data.get("lines", ())
    cells = []
    for score, place, held, leaf, times, total, *rest in data["cells"]:
        end, visits = rest or (-1, times)
        steps = tuple((places[at], command, gain) for at, command, gain in _branch(nodes, leaf))
        line = tuple(
            PlayedCommand(places[at], commands[number], gain, reply)
            for at, number, gain, reply in _branch(lines, end)
        )
        cells.append(
            ArchiveCell(Standpoint(score, places[place], held), steps, times, total, line, visits)
        )
    return cells


def _number(table: dict[str, int], name: str) -> int:
    return table.setdefault(name, len(table))


def _leaf(nodes: dict[tuple[Any, ...], int], path: Iterable[tuple[Any, ...]]) -> int:
    """The node of a tree at which a path ends; the tree grows by what is new of it."""
    node = -1
    for step in path:
        node = nodes.setdefault((node, *step), len(nodes))
    return node


def _branch(nodes: Sequence[Sequence[Any]], leaf: int) -> list[Sequence[Any]]:
    """The path that ends at a node."""
    path: list[Sequence[Any]] = []
    while leaf >= 0:
        leaf, *step = nodes[leaf]
        path.append(step)
    return path[::-1]


def joined(old: Sequence[ArchiveCell], new: Sequence[ArchiveCell]) -> list[ArchiveCell]:
    """Both, each point once with its shortest list; the least promising ones are forgotten."""
    table = {cell.point: cell for cell in old}
    for cell in new:
        before = table.pop(cell.point, None)
        table[cell.point] = cell if before is None else _both(before, cell)
    return _pruned(_varied(list(table.values())))


def risked(cells: Sequence[ArchiveCell], way: ArchiveCell) -> list[ArchiveCell]:
    """The cells after an episode has died on the way to one of them.

    It might have been on the way to any other that lies beyond: each counts it as its own.

    Args:
        cells: of the archive.
        way: its steps end with the one that was deadly, its total is the score reached.
    """
    length = len(way.steps)
    return [
        cell._replace(times=cell.times + 1, total=cell.total + way.total)
        if cell.point != way.point and cell.path[:length] == way.steps
        else cell
        for cell in cells
    ]


def _both(old: ArchiveCell, new: ArchiveCell) -> ArchiveCell:
    return ArchiveCell(
        old.point,
        min(old.steps, new.steps, key=len),
        old.times + new.times,
        old.total + new.total,
        min(filter(None, (old.line, new.line)), key=len, default=()),
        old.visits + new.visits,
    )


def _varied(cells: list[ArchiveCell]) -> list[ArchiveCell]:
    """The best of every score and room, in the order they had."""
    kept: set[int] = set()
    groups: dict[tuple[int, str], list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault(cell.point[:2], []).append(number)
    for group in groups.values():
        kept |= set(sorted(group, key=lambda n: _merit(cells[n]))[:_MOST_ALIKE])
    return [cell for number, cell in enumerate(cells) if number in kept]


def _merit(cell: ArchiveCell) -> tuple[float, int, int]:
    return -cell.reach, len(cell.line), len(cell.steps)


def _pruned(cells: list[ArchiveCell]) -> list[ArchiveCell]:
    """The best by reach and length, and of the others the latest; in the order they had."""
    if len(cells) <= MOST_CELLS:
        return cells
    best = sorted(range(len(cells)), key=lambda n: _merit(cells[n]))
    kept = set(best[: int(MOST_CELLS * _KEPT_FOR_SCORE)])
    latest = [number for number in range(len(cells)) if number not in kept]
    kept |= set(latest[len(latest) - (MOST_CELLS - len(kept)) :])
    return [cell for number, cell in enumerate(cells) if number in kept]


def proven(cells: Sequence[ArchiveCell]) -> list[ArchiveCell]:
    """Those where an episode has been, or was sent."""
    return [cell for cell in cells if cell.point.held != SUPPOSED or cell.times]


def best(cells: Sequence[ArchiveCell], literal: float = 1.0) -> ArchiveCell | None:
    """The one that promises the highest score, the shortest of equals; None where none scored.

    Only points at which something scored count: those further on share their risks, and would
    each have to be found out to be as bad.

    Args:
        cells: of the archive.
        literal: what the score counts that something was found with, if one went there step by
            step, compared with the steps that seem to be needed.
    """
    scored = [cell for cell in cells if cell.point.score > 0 and cell.steps[-1][2] > 0]

    def promise(cell: ArchiveCell) -> float:
        return cell.expected(1.0 if cell.point.held == SUPPOSED else literal)

    return min(scored, key=lambda cell: (-promise(cell), len(cell.steps)), default=None)


def promising(cells: Sequence[ArchiveCell], length_price: float) -> ArchiveCell | None:
    """Where to explore from: reach, less the length of the way and what was spent there.

    Args:
        cells: of the archive.
        length_price: per step, in hundredths of the best score.
    """
    top = max((cell.point.score for cell in cells), default=0)
    if top <= 0:
        return None

    visits: Counter[tuple[int, str]] = Counter()
    for cell in cells:
        visits[cell.point[:2]] += cell.visits

    def value(cell: ArchiveCell) -> tuple[float, int]:
        length = len(cell.line or cell.steps)
        spent = _VISITED * math.log1p(visits[cell.point[:2]])
        return 100 * cell.reach / top - length_price * length - spent, -cell.visits

    return max(proven(cells), key=value)


class Quest(Value):
    """Exploration: an episode returns to a point of the archive and plays on from there."""

    target: Literal["promising", "best"] = "promising"
    """The point: promising ones in turn, or the one with the highest score to be expected."""
    turns: int = Field(default=150, ge=0)
    """How many it plays on."""
    bonus: int = Field(default=75, ge=0)
    """How many more for every new score."""
    lives: int = Field(default=1, ge=1)
    """It ends with so many deaths."""
    rehearse: int = Field(default=0, ge=0)
    """Of so many episodes, the last only follows the best trajectory, with a seed of its own."""

    def of_episode(self, number: int) -> Quest:
        """What one of several episodes is sent for, counted from 1."""
        if not self.rehearse or number % self.rehearse:
            return self
        return Quest(target="best", turns=0, bonus=0, lives=2)

    def is_over(self, guide: Mapping[str, Any], turn: int, deaths: int) -> bool:
        """Whether the episode has done what it was sent for.

        Args:
            guide: the plain data of the guide.
            turn: the last one.
            deaths: that the episode has met.
        """
        if deaths >= self.lives:
            return True
        if guide["arrived"] is None:
            return False
        return bool(turn >= guide["arrived"] + self.turns + self.bonus * guide["finds"])


def target_of(memory: Mapping[str, Any], quest: Quest | None, seed: int) -> ArchiveCell | None:
    """The point of the archive to return to; None where nothing has scored yet."""
    cells = unpacked(memory["archive"]) if memory else []
    if quest is None or quest.target == "best":
        return best(cells, _LITERAL)
    draw = random.Random(f"{seed}/target")
    cell = promising(cells, draw.choice(_LENGTH_PRICES))
    if cell is None:
        return None
    detour = _SHORTENING * (1 - len(cell.steps) / max(1, len(cell.line)))
    return cell._replace(line=()) if draw.random() < detour else cell
