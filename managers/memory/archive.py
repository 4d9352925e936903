"""Promising points of earlier episodes, each with the shortest list of steps that led there.

A point is (score, room, what is carried). The lists are branches of one tree, so that what
they have in common is kept once; all of it is plain data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

MOST_CELLS = 400
_KEPT_FOR_SCORE = 0.5
"""The share of the places that goes to the best scores; the rest goes to the latest finds."""
_DOUBT = 1.0
"""How many episodes the score a point was found with counts for."""


SUPPOSED = -1
"""Stands for what is carried where nobody has been yet with so few steps."""


class Point(NamedTuple):
    """Where an episode stood, the same in every episode."""

    score: int
    place: str
    """The room's key."""
    held: int
    """A number for what was carried."""


class Cell(NamedTuple):
    """A point with the way there, and what became of those who were sent there."""

    point: Point
    steps: tuple[tuple[str, str, int], ...]
    """The place, the command, the points it brought."""
    times: int = 0
    """How many episodes were sent there."""
    total: int = 0
    """The sum of the best scores they reached."""

    @property
    def promise(self) -> float:
        """The score to be expected of an episode that is sent there."""
        return (self.total + _DOUBT * self.point.score) / (self.times + _DOUBT)


def packed(cells: Iterable[Cell]) -> dict[str, Any]:
    """The cells as plain data: places and steps by number."""
    places: dict[str, int] = {}
    nodes: dict[tuple[int, int, str, int], int] = {}
    rows = []
    for cell in cells:
        node = -1
        for place, command, points in cell.steps:
            key = (node, places.setdefault(place, len(places)), command, points)
            node = nodes.setdefault(key, len(nodes))
        score, place, held = cell.point
        number = places.setdefault(place, len(places))
        rows.append([score, number, held, node, cell.times, cell.total])
    return {"places": list(places), "nodes": [list(key) for key in nodes], "cells": rows}


def unpacked(data: Mapping[str, Any]) -> list[Cell]:
    """What `packed` made."""
    places, ways = data["places"], _ways(data)
    return [
        Cell(Point(score, places[place], held), ways[node] if node >= 0 else (), times, total)
        for score, place, held, node, times, total in data["cells"]
    ]


def _ways(data: Mapping[str, Any]) -> list[tuple[tuple[str, str, int], ...]]:
    """Every node's list of steps; a parent always stands before its children."""
    ways: list[tuple[tuple[str, str, int], ...]] = []
    for parent, place, command, points in data["nodes"]:
        step = (data["places"][place], command, points)
        ways.append((*(ways[parent] if parent >= 0 else ()), step))
    return ways


def joined(old: Sequence[Cell], new: Sequence[Cell]) -> list[Cell]:
    """Both, each point once with its shortest list; the least promising ones are forgotten."""
    table = {cell.point: cell for cell in old}
    for cell in new:
        before = table.pop(cell.point, None)
        table[cell.point] = cell if before is None else _both(before, cell)
    return _pruned(list(table.values()))


def risked(cells: Sequence[Cell], way: Cell) -> list[Cell]:
    """The cells after an episode has died on the way to one of them.

    It might have been on the way to any other that lies beyond: each counts it as its own.

    Args:
        cells: of the archive.
        way: its steps end with the one that was deadly, its total is the score reached.
    """
    length = len(way.steps)
    return [
        cell._replace(times=cell.times + 1, total=cell.total + way.total)
        if cell.point != way.point and cell.steps[:length] == way.steps
        else cell
        for cell in cells
    ]


def _both(old: Cell, new: Cell) -> Cell:
    steps = min(old.steps, new.steps, key=len)
    return Cell(old.point, steps, old.times + new.times, old.total + new.total)


def _pruned(cells: list[Cell]) -> list[Cell]:
    """The best by promise and length, and of the others the latest; in the order they had."""
    if len(cells) <= MOST_CELLS:
        return cells
    best = sorted(range(len(cells)), key=lambda n: (-cells[n].promise, len(cells[n].steps)))
    kept = set(best[: int(MOST_CELLS * _KEPT_FOR_SCORE)])
    latest = [number for number in range(len(cells)) if number not in kept]
    kept |= set(latest[len(latest) - (MOST_CELLS - len(kept)) :])
    return [cell for number, cell in enumerate(cells) if number in kept]


def proven(cells: Sequence[Cell]) -> list[Cell]:
    """Those where an episode has been, or was sent."""
    return [cell for cell in cells if cell.point.held != SUPPOSED or cell.times]


def best(cells: Sequence[Cell], literal: float = 1.0) -> Cell | None:
    """The one that promises the highest score, the shortest of equals; None where none scored.

    Only points at which something scored count: those further on share their risks, and would
    each have to be found out to be as bad.

    Args:
        cells: of the archive.
        literal: what the score counts that something was found with, if one went there step by
            step, compared with the steps that seem to be needed.
    """
    scored = [cell for cell in cells if cell.point.score > 0 and cell.steps[-1][2] > 0]

    def promise(cell: Cell) -> float:
        rest = 0.0 if cell.point.held == SUPPOSED else 1.0 - literal
        return cell.promise - rest * _DOUBT * cell.point.score / (cell.times + _DOUBT)

    return min(scored, key=lambda cell: (-promise(cell), len(cell.steps)), default=None)


def promising(cells: Sequence[Cell], length_price: float) -> Cell | None:
    """Where to explore from: promise, less the length of the way and what was spent there.

    Args:
        cells: of the archive.
        length_price: per step, in hundredths of the best score.
    """
    top = max((cell.promise for cell in cells), default=0.0)
    if top <= 0:
        return None

    def value(cell: Cell) -> float:
        share = 100 * min(cell.promise, cell.point.score) / top
        return share - length_price * len(cell.steps) - _VISITED * math.log1p(cell.times)

    return max(proven(cells), key=value)


_VISITED = 5.0
"""What a visit to a point costs its neighbours' advantage, in hundredths of the best score."""
