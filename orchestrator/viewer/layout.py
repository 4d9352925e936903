"""Where rooms go on a compass grid: one cell for each, and none of them ever moves again.

A room goes where its ways to the rooms already placed are straight and short. Ways of
interactive fiction bend and contradict each other, so that this is a matter of least cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import NamedTuple

import networkx as nx

from orchestrator.viewer.chart import COMPASS, Cell, Chart, RoomWay

Cells = dict[str, Cell]

_REACH = 3
"""So many cells around a neighbour are looked at."""
_STANDS_ALONE = 5
"""So many rooms are a part of the map of their own, if no way of the compass leads there."""
_AROUND = (-1, 0, 1)
_CELL_SHAPE = 1.6
"""A cell is so much wider than high."""
_SMALLER = 0.01
"""What the shorter side of a map counts."""
_UPSIDE_DOWN = 12.0
"""What it costs that a way down leads up on the map."""
_ROUNDS = 4
"""How often rooms are put anew where they fit better."""
_LEANINGS: Mapping[str, Cell] = {"up": (0, -1), "down": (0, 1), "in": (1, 0), "out": (-1, 0)}
_BENT, _LONG, _THROUGH = 2.5, 0.8, 1.5
"""What a right angle costs, a cell of length, and a room that stands in a straight way."""
_LEANING, _SUPPOSED, _RANDOM = 0.3, 0.25, 0.3
"""How much a way counts that has no direction of the compass, was never walked, or is fickle."""


class Tie(NamedTuple):
    """A way between two rooms, as one of them sees it."""

    other: str
    step: Cell | None
    """Where the other one lies; None if anywhere."""
    weight: float
    compass: bool


Ties = Mapping[str, list[Tie]]


def placed(chart: Chart, before: Mapping[str, Cell] | None = None) -> Cells:
    """A cell for every room of a chart; those placed before stay where they are."""
    ties = _ties(chart)
    cells: Cells = {id: cell for id, cell in (before or {}).items() if id in ties}
    if cells:
        grid = _Grid(ties, cells)
        grid.arrange([id for id in ties if id not in cells])
        cells = grid.cells
    for part in _parts(ties, cells):
        grid = _Grid(ties, {part[0]: (0, 0)})
        grid.arrange(part[1:])
        cells |= _fitted(cells, {id: grid.cells[id] for id in part}, ties)
    return {place.id: cells[place.id] for place in chart.places}


def _ties(chart: Chart) -> Ties:
    ties: dict[str, list[Tie]] = {place.id: [] for place in chart.places}
    for way in chart.ways:
        if way.start != way.end and way.start in ties and way.end in ties:
            step, weight = _step(way), _weight(way)
            back = (-step[0], -step[1]) if step else None
            compass = way.command in COMPASS and way.walked and not way.random
            ties[way.start].append(Tie(way.end, step, weight, compass))
            ties[way.end].append(Tie(way.start, back, weight, compass))
    return ties


def _step(way: RoomWay) -> Cell | None:
    return COMPASS.get(way.command) or _LEANINGS.get(way.command)


def _weight(way: RoomWay) -> float:
    weight = 1.0 if way.command in COMPASS else _LEANING
    return weight * (_RANDOM if way.random else 1.0) * (1.0 if way.walked else _SUPPOSED)


def _parts(ties: Ties, done: Cells) -> list[list[str]]:
    """The rooms left to place, in parts that ways of the compass connect.

    A part too small to stand alone belongs to the one that another way leads to.
    """
    left = [id for id in ties if id not in done]
    ways: nx.Graph[str] = nx.Graph()
    ways.add_nodes_from(left)
    pairs = [(id, tie) for id in left for tie in ties[id] if tie.other not in done]
    ways.add_edges_from((id, tie.other) for id, tie in pairs if tie.compass)
    for id, tie in pairs:
        sizes = [len(nx.node_connected_component(ways, one)) for one in (id, tie.other)]
        if not tie.compass and min(sizes) < _STANDS_ALONE:
            ways.add_edge(id, tie.other)
    order = {id: number for number, id in enumerate(left)}
    return sorted(sorted(part, key=order.__getitem__) for part in nx.connected_components(ways))


def _fitted(cells: Cells, part: Cells, ties: Ties) -> Cells:
    """A part moved to where it touches nothing and its ways to the rest are short."""
    if not cells:
        return part
    full = {(x + dx, y + dy) for x, y in cells.values() for dx in _AROUND for dy in _AROUND}
    ends = [
        (part[id], cells[tie.other], tie.step[1] if tie.step else 0)
        for id in part
        for tie in ties[id]
        if tie.other in cells
    ]

    def cost(move: Cell) -> float:
        return _length(ends, move) if ends else _extent(cells, part, move)

    moves = sorted(_moves(cells, part), key=lambda move: (cost(move), move))
    dx, dy = next(
        (dx, dy) for dx, dy in moves if not any((x + dx, y + dy) in full for x, y in part.values())
    )
    return {id: (x + dx, y + dy) for id, (x, y) in part.items()}


def _extent(cells: Cells, part: Cells, move: Cell) -> float:
    """How large a map is to which a part is moved that no way leads to."""
    moved = [(x + move[0], y + move[1]) for x, y in part.values()]
    columns, rows = ({cell[axis] for cell in [*cells.values(), *moved]} for axis in (0, 1))
    width, height = _CELL_SHAPE * (max(columns) - min(columns)), max(rows) - min(rows)
    return max(width, height) + _SMALLER * (width + height)


def _moves(cells: Cells, part: Cells) -> list[Cell]:
    """All moves of a part that bring it to the rest or beside it."""
    spans = []
    for axis in (0, 1):
        here, there = ([cell[axis] for cell in some.values()] for some in (part, cells))
        spans.append(range(min(there) - max(here) - 2, max(there) - min(here) + 3))
    return [(dx, dy) for dx in spans[0] for dy in spans[1]]


def _length(ends: list[tuple[Cell, Cell, int]], move: Cell) -> float:
    """How far a part's ways lead to the rest once it is moved, sideways or upside down."""
    total = 0.0
    for (x, y), other, down in ends:
        across, along = abs(x + move[0] - other[0]), other[1] - y - move[1]
        total += 2 * across + abs(along) + (_UPSIDE_DOWN if along * down < 0 else 0)
    return total


class _Grid:
    """Rooms on cells while they are being placed."""

    def __init__(self, ties: Ties, cells: Mapping[str, Cell]) -> None:
        self.ties = ties
        self.cells: Cells = dict(cells)
        self._rooms: dict[Cell, str] = {cell: id for id, cell in cells.items()}

    def arrange(self, rooms: list[str]) -> None:
        """Place rooms around those that have a cell already, as far as ways lead there."""
        waiting, new = dict.fromkeys(rooms), []
        while id := next((one for one in waiting if self._neighbours(one)), ""):
            del waiting[id]
            self._put(id, self._best(id))
            new.append(id)
        for _ in range(_ROUNDS):
            if not any([self._moved(id) for id in new]):
                return

    def _put(self, id: str, cell: Cell) -> None:
        self.cells[id] = cell
        self._rooms[cell] = id

    def _moved(self, id: str) -> bool:
        """Put a room anew, now that all its neighbours are placed."""
        old = self.cells.pop(id)
        del self._rooms[old]
        new = self._best(id)
        better = self._cost(id, new) < self._cost(id, old) - 0.01
        self._put(id, new if better else old)
        return better

    def _neighbours(self, id: str) -> list[Cell]:
        return [self.cells[tie.other] for tie in self.ties[id] if tie.other in self.cells]

    def _best(self, id: str) -> Cell:
        """The free cell near a room's neighbours that costs least."""
        near, reach = self._neighbours(id), _REACH
        while True:
            span = range(-reach, reach + 1)
            around = {(x + dx, y + dy) for x, y in near for dx in span for dy in span}
            free = sorted(around - self._rooms.keys())
            if free:
                return min(free, key=lambda cell: self._cost(id, cell))
            reach += _REACH

    def _cost(self, id: str, cell: Cell) -> float:
        """How badly a cell suits the ways of a room, and those that pass through it."""
        total = 0.0
        for other, step, weight, _ in self.ties[id]:
            if other in self.cells:
                total += weight * self._bent(cell, self.cells[other], step)
        return total + _THROUGH * self._in_the_way(cell)

    def _bent(self, cell: Cell, other: Cell, step: Cell | None) -> float:
        dx, dy = other[0] - cell[0], other[1] - cell[1]
        length = max(abs(dx), abs(dy))
        cost = _LONG * (length - 1) + _THROUGH * self._between(cell, other)
        if step is None:
            return cost
        straight = (dx * step[0] + dy * step[1]) / (hypot(dx, dy) * hypot(*step))
        return cost + _BENT * (1 - straight)

    def _between(self, one: Cell, other: Cell) -> int:
        """So many rooms stand in a straight way from one cell to another."""
        dx, dy = other[0] - one[0], other[1] - one[1]
        length = max(abs(dx), abs(dy))
        if min(abs(dx), abs(dy)) not in (0, length):
            return 0
        steps = ((one[0] + dx * n // length, one[1] + dy * n // length) for n in range(1, length))
        return sum(cell in self._rooms for cell in steps)

    def _in_the_way(self, cell: Cell) -> int:
        """So many straight ways between other rooms pass through a cell."""
        x, y = cell
        count = 0
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            ahead = self._rooms.get((x + dx, y + dy))
            behind = self._rooms.get((x - dx, y - dy))
            count += bool(ahead and behind and self._tied(ahead, behind))
        return count

    def _tied(self, one: str, other: str) -> bool:
        return any(tie.other == other for tie in self.ties[one])
