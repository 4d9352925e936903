"""The drawing of a map in boxes, lines and labels, for any means that can draw those."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from typing import Literal, NamedTuple

from orchestrator.viewer.chart import COMPASS, SHORT, Cell, Chart, Place
from orchestrator.viewer.layout import placed
from orchestrator.viewer.links import Link, Port, links, port
from orchestrator.viewer.metrics import PIXELS, Box, Metrics, Point, hull
from orchestrator.viewer.patches import Patches
from orchestrator.viewer.routing import LineRouter

_LONGEST = 18
_PATH = 10
"""So many of the last rooms are shown as a path."""


class SketchLine(NamedTuple):
    """A way, or a way there and back."""

    start: str
    end: str
    points: tuple[Point, ...]
    walked: bool
    """False where it is only supposed."""
    one_way: bool
    """Drawn with an arrow at its end: nobody has gone back."""
    compass: bool
    """It follows a direction of the compass."""
    random: bool
    on_path: bool
    """The player came this way in the last turns."""
    told: str
    """The way in words: `L1 north to L2, south back; also enter house`."""


class Label(NamedTuple):
    """The name of a way, at its beginning or, if it is long, on its line."""

    text: str
    box: Box


class Stub(NamedTuple):
    """A direction that leads nowhere yet, or nowhere else: a short line out of a box."""

    room: str
    start: Point
    end: Point
    kind: Literal["untried", "blocked", "loop"]
    why: str
    direction: str


class Sketch(NamedTuple):
    """All that is to be drawn; the player's room is the one named `here`."""

    view: Box
    """What holds all of it; a map grows in all directions, also beyond its origin."""
    boxes: Mapping[str, Box]
    places: Mapping[str, Place]
    lines: tuple[SketchLine, ...]
    labels: tuple[Label, ...]
    stubs: tuple[Stub, ...]
    here: str
    unwritten: tuple[str, ...]
    """Labels for which there was no room."""


def sketch(
    chart: Chart, before: Mapping[str, Cell] | None = None, metrics: Metrics = PIXELS
) -> Sketch:
    """Draw a chart; `before` are the cells of rooms already placed, also of those to come."""
    cells = placed(chart, before)
    router = LineRouter(metrics, {**(before or {}), **cells})
    boxes = {id: metrics.box(cell) for id, cell in cells.items()}
    drawing = _Drawing(chart, boxes, router)
    lines = tuple(drawing.lines())
    stubs = tuple(drawing.stubs())
    return Sketch(
        _view(boxes.values(), drawing.labels, lines, stubs),
        boxes,
        {place.id: place for place in chart.places},
        lines,
        tuple(drawing.labels),
        stubs,
        chart.here,
        tuple(drawing.unwritten),
    )


def _view(
    boxes: Iterable[Box],
    labels: list[Label],
    lines: tuple[SketchLine, ...],
    stubs: tuple[Stub, ...],
) -> Box:
    """What holds the whole drawing."""
    solid = [*boxes, *(label.box for label in labels)]
    corners = [point for box in solid for point in ((box.x, box.y), (box.right, box.bottom))]
    ends = [point for stub in stubs for point in (stub.start, stub.end)]
    return hull([*corners, *ends, *(point for line in lines for point in line.points)])


class _Drawing:
    def __init__(self, chart: Chart, boxes: Mapping[str, Box], router: LineRouter) -> None:
        self.chart, self.boxes, self.router = chart, boxes, router
        self.metrics = router.metrics
        self.labels: list[Label] = []
        self._solid: Patches[Box] = Patches(self.metrics)
        self._strokes: Patches[tuple[Point, Point]] = Patches(self.metrics)
        for box in boxes.values():
            self._solid.put(box, box)
        self.unwritten: list[str] = []
        self._path = frozenset(itertools.pairwise(chart.path[-_PATH:]))

    def lines(self) -> Iterator[SketchLine]:
        drawn: list[tuple[Link, tuple[Port, Port], tuple[Point, ...]]] = []
        for link in links(self.chart):
            ports = self._ports(link)
            points = tuple(self.router.line(*ports))
            drawn.append((link, ports, points))
            for ends in itertools.pairwise(points):
                self._strokes.put(ends, hull(ends))
            yield SketchLine(
                link.start,
                link.end,
                points,
                link.walked,
                link.one_way,
                link.there.command in COMPASS,
                link.there.random,
                self._is_on_path(link),
                link.told,
            )
        for link, ports, points in drawn:
            self._name(link, ports, points)

    def _is_on_path(self, link: Link) -> bool:
        """The player came along it, and did not only get from one of its rooms to the other."""
        back = link.back is not None and link.back.walked
        there = link.walked and (link.start, link.end) in self._path
        return there or (back and (link.end, link.start) in self._path)

    def stubs(self) -> Iterator[Stub]:
        for exit in self.chart.exits:
            yield self._stub(exit.room, exit.direction, exit.kind, exit.why)
        for way in self.chart.ways:
            if way.start == way.end and way.start in self.boxes:
                yield self._stub(way.start, way.command, "loop", f"{way.command} leads back here")

    def _stub(
        self, room: str, direction: str, kind: Literal["untried", "blocked", "loop"], why: str
    ) -> Stub:
        one = port(self.boxes[room], direction)
        if direction not in COMPASS:
            self._put(one.label, self._beside(one))
        return Stub(room, one.point, self.router.stub(one, 0.25), kind, why, direction)

    def _ports(self, link: Link) -> tuple[Port, Port]:
        start, end = self.boxes[link.start], self.boxes[link.end]
        one = port(start, link.there.command, end)
        if link.back is None:
            return one, port(end, "", start)
        return one, port(end, link.back.command, start)

    def _name(self, link: Link, ports: tuple[Port, Port], points: tuple[Point, ...]) -> None:
        """Write the names of a link's ways: short ones at its ends, others along it."""
        obvious = self.metrics.terse and _is_straight(*ports)
        for one, way in zip(ports, (link.there, link.back), strict=True):
            if way is None or (obvious and way.command in COMPASS):
                continue
            label = one.label if way.walked else f"{one.label}?"
            short = way.command in SHORT
            self._put(
                label, self._beside(one) if short else self._along(points, self._size(label)[0])
            )
        if link.also:
            more = f" +{len(link.also) - 1}" if len(link.also) > 1 else ""
            also = link.also[0] + more
            self._put(also, self._along(points, self._size(also)[0]))

    def _beside(self, one: Port) -> Iterator[Point]:
        """Places for a label at the beginning of a line, at its side."""
        (x, y), (dx, dy) = one.point, one.outward
        width, height = self._size(one.label)
        space = self.metrics.space
        for away in (0, height, 2 * height):
            for side in (1, -1):
                if dy:
                    right = side * (width / 2 + space) + dx * (away + 2 * space)
                    yield x + right, y + dy * (height / 2 + space / 2 + away)
                else:
                    yield x + dx * (width / 2 + space + away), y + side * (height / 2 + space)

    def _along(self, points: tuple[Point, ...], width: float) -> Iterator[Point]:
        """Places for a label beside a line or, last, on it; its longest stretch first."""
        stretches = sorted(
            itertools.pairwise(points),
            key=lambda ends: -abs(ends[1][0] - ends[0][0]) - abs(ends[1][1] - ends[0][1]),
        )
        height = self.metrics.letter[1]
        aside = width / 2 + self.metrics.space
        moves = [(0, height), (0, -height), (aside, 0), (-aside, 0), (0, 2 * height)]
        for (x1, y1), (x2, y2) in stretches:
            for share in (0.5, 0.35, 0.65, 0.2, 0.8):
                for dx, dy in [*moves, (0, -2 * height), (0, 0)]:
                    yield x1 + (x2 - x1) * share + dx, y1 + (y2 - y1) * share + dy

    def _put(self, text: str, centres: Iterable[Point]) -> None:
        """Write a label where nothing else stands, and off all lines if there is such a place."""
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        width, height = self._size(text)
        boxes = (Box(x - width / 2, y - height / 2, width, height) for x, y in centres)
        box = self._clear(one for one in boxes if not self._is_taken(one))
        if box is None:
            self.unwritten.append(text)
        else:
            self.labels.append(Label(text, box))
            self._solid.put(box, box)

    def _size(self, text: str) -> Point:
        return len(text) * self.metrics.letter[0], self.metrics.letter[1]

    def _is_taken(self, box: Box) -> bool:
        return any(box.overlaps(other) for other in self._solid.near(box))

    def _clear(self, boxes: Iterable[Box]) -> Box | None:
        """The first box through which no line passes; else the first one at all."""
        first = None
        for box in boxes:
            if not any(box.crosses(*ends) for ends in self._strokes.near(box)):
                return box
            first = first or box
        return first


def _is_straight(one: Port, other: Port) -> bool:
    """The line leads from one port to another without a bend."""
    (dx, dy), length = one.outward, hypot(*_difference(one.point, other.point))
    ahead = one.point[0] + dx * length / hypot(dx, dy), one.point[1] + dy * length / hypot(dx, dy)
    return hypot(*_difference(ahead, other.point)) < length / 2


def _difference(one: Point, other: Point) -> Point:
    return other[0] - one[0], other[1] - one[1]
