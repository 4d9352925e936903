"""Lines from room to room that pass through no third one."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from math import ceil, floor

from orchestrator.viewer.chart import Cell
from orchestrator.viewer.links import Port
from orchestrator.viewer.metrics import Box, Metrics, Point

Node = tuple[int, int]
"""A point of the lattice: even numbers run between rooms, odd ones through their middle."""

_TURN, _USED = 1.5, 2.5
"""What a corner costs, and a stretch where another line runs; a step costs 1."""
_MARGIN = 3
"""So many nodes beyond both ends a detour may go."""
_LANES = (0, 1, -1, 2, -2)
"""Beside each other in the same gap, in sixths of it."""


class LineRouter:
    """Draws one line after the other around the boxes."""

    def __init__(self, metrics: Metrics, cells: Mapping[str, Cell]) -> None:
        self.metrics = metrics
        self.boxes = [metrics.box(cell) for cell in cells.values()]
        self._full = {(2 * x + 1, 2 * y + 1) for x, y in cells.values()}
        self._lanes: dict[tuple[Node, Node], Counter[int]] = {}

    def line(self, start: Port, end: Port) -> list[Point]:
        """The points of a line: straight where nothing stands in its way."""
        direct = self._direct(start, end)
        return direct if self._is_free(direct) else self._around(start, end)

    def stub(self, port: Port, share: float = 0.5) -> Point:
        """The point in front of a port, so far into the gap."""
        (x, y), (dx, dy) = port.point, port.outward
        return x + dx * share * self.metrics.across, y + dy * share * self.metrics.down

    def _direct(self, start: Port, end: Port) -> list[Point]:
        return [start.point, self.stub(start, 0.3), self.stub(end, 0.3), end.point]

    def _is_free(self, points: list[Point]) -> bool:
        _, one, other, _ = points
        near = Box(
            min(one[0], other[0]),
            min(one[1], other[1]),
            abs(one[0] - other[0]) + 0.01,
            abs(one[1] - other[1]) + 0.01,
        )
        return not any(box.overlaps(near) and box.crosses(one, other) for box in self.boxes)

    def _around(self, start: Port, end: Port) -> list[Point]:
        first, last = self.stub(start), self.stub(end)
        nodes = _corners(self._search(self._node(first, last), self._node(last, first)))
        lane = self._lane(nodes)
        middle = [self._point(node, lane) for node in nodes]
        return _straight([start.point, *_squared(first, middle, last), end.point])

    def _search(self, start: Node, end: Node) -> list[Node]:
        """The cheapest way over the lattice (A*)."""
        low = [min(start[axis], end[axis]) - _MARGIN for axis in (0, 1)]
        high = [max(start[axis], end[axis]) + _MARGIN for axis in (0, 1)]
        queue: list[tuple[float, Node, Node]] = [(0.0, start, (0, 0))]
        best: dict[tuple[Node, Node], float] = {(start, (0, 0)): 0.0}
        came: dict[tuple[Node, Node], tuple[Node, Node]] = {}
        while queue:
            _, node, heading = heappop(queue)
            if node == end:
                return _traced(came, (node, heading))
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                there = (node[0] + step[0], node[1] + step[1])
                inside = low[0] <= there[0] <= high[0] and low[1] <= there[1] <= high[1]
                if not inside or (there in self._full and there != end):
                    continue
                cost = (
                    best[node, heading] + 1 + _USED * len(self._lanes.get(_edge(node, there), ()))
                )
                cost += _TURN * (heading not in ((0, 0), step))
                if cost < best.get((there, step), float("inf")):
                    best[there, step], came[there, step] = cost, (node, heading)
                    left = abs(there[0] - end[0]) + abs(there[1] - end[1])
                    heappush(queue, (cost + left, there, step))
        return [start, end]

    def _lane(self, nodes: list[Node]) -> int:
        """A lane where no other line runs beside, if there is one."""
        edges = [edge for pair in itertools.pairwise(nodes) for edge in _edges(*pair)]
        used: Counter[int] = Counter()
        for edge in edges:
            used.update(self._lanes.get(edge, ()))
        lane = min(_LANES, key=lambda one: (used[one], abs(one)))
        for edge in edges:
            self._lanes.setdefault(edge, Counter())[lane] += 1
        return lane

    def _node(self, point: Point, towards: Point) -> Node:
        """The node nearest to a point in a gap, on the side of the line's other end."""
        size = self.metrics.size((1, 1))
        x, y = (_rounded(2 * point[n] / size[n], towards[n] < point[n]) for n in (0, 1))
        return x, y

    def _point(self, node: Node, lane: int) -> Point:
        """Where a node is drawn; between rooms it gives way to the side."""
        width, height = self.metrics.size((1, 1))
        x, y = node[0] * width / 2, node[1] * height / 2
        return (
            x + (lane * self.metrics.across / 6 if node[0] % 2 == 0 else 0),
            y + (lane * self.metrics.down / 6 if node[1] % 2 == 0 else 0),
        )


def _rounded(number: float, down: bool) -> int:
    """A whole number; one that is not, up or down."""
    near = round(number)
    if abs(number - near) < 0.01:
        return near
    return floor(number) if down else ceil(number)


def _edge(one: Node, other: Node) -> tuple[Node, Node]:
    return min(one, other), max(one, other)


def _edges(one: Node, other: Node) -> Iterator[tuple[Node, Node]]:
    """The steps of a straight stretch."""
    length = max(abs(other[0] - one[0]), abs(other[1] - one[1])) or 1
    step = (other[0] - one[0]) // length, (other[1] - one[1]) // length
    for n in range(length):
        here = one[0] + n * step[0], one[1] + n * step[1]
        yield _edge(here, (here[0] + step[0], here[1] + step[1]))


def _traced(
    came: Mapping[tuple[Node, Node], tuple[Node, Node]], last: tuple[Node, Node]
) -> list[Node]:
    found = [last]
    while found[-1] in came:
        found.append(came[found[-1]])
    return [node for node, _ in reversed(found)]


def _corners(nodes: list[Node]) -> list[Node]:
    """Without the nodes in the middle of straight stretches."""
    inner = [
        here
        for before, here, after in zip(nodes, nodes[1:], nodes[2:], strict=False)
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1])
    ]
    return [nodes[0], *inner, *nodes[-1:]] if len(nodes) > 1 else nodes


def _squared(first: Point, middle: list[Point], last: Point) -> Iterable[Point]:
    """The line from stub to stub; its first and last stretch begin where the stubs are."""
    yield first
    if len(middle) > 1:
        yield _beside(first, middle[0], middle[1])
        yield from middle[1:-1]
        yield _beside(last, middle[-1], middle[-2])
    else:
        yield from middle
    yield last


def _straight(points: list[Point]) -> list[Point]:
    """Without points on straight stretches, also those that a line runs back from."""
    kept = points[:1]
    for here, after in itertools.pairwise(points[1:]):
        if not any(kept[-1][axis] == here[axis] == after[axis] for axis in (0, 1)):
            kept.append(here)
    return [*kept, points[-1]]


def _beside(stub: Point, node: Point, following: Point) -> Point:
    """Where a stretch begins that a stub leads into at a right angle."""
    level = abs(node[1] - following[1]) < abs(node[0] - following[0])
    return (stub[0], node[1]) if level else (node[0], stub[1])
