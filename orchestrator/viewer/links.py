"""The ways between rooms as lines to be drawn: there and back is one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.viewer.chart import COMPASS, OPPOSITE, SHORT, Cell, Chart, RoomWay
from orchestrator.viewer.metrics import Box, Point

_SIDES: Mapping[Cell, tuple[float, float]] = {
    (0, -1): (0.5, 0), (0, 1): (0.5, 1), (1, 0): (1, 0.5), (-1, 0): (0, 0.5),
    (1, -1): (1, 0), (-1, -1): (0, 0), (1, 1): (1, 1), (-1, 1): (0, 1),
}  # fmt: skip
"""Where on a box's edge the ways of the compass leave, as shares of its width and height."""
_OTHERS: Mapping[str, tuple[float, float, Cell]] = {
    "up": (0.8, 0, (0, -1)), "down": (0.8, 1, (0, 1)),
    "in": (1, 0.8, (1, 0)), "out": (0, 0.8, (-1, 0)),
}  # fmt: skip
_TOWARDS: Mapping[Cell, tuple[float, float]] = {
    (0, -1): (0.2, 0), (0, 1): (0.2, 1), (1, 0): (1, 0.2), (-1, 0): (0, 0.2),
}  # fmt: skip
"""Where ways by other commands leave, on the side that looks to where they lead."""


class Port(NamedTuple):
    """Where a line leaves a box."""

    point: Point
    outward: Cell
    label: str
    """The way's name, short; empty where no way is known that begins here."""


class Link(NamedTuple):
    """A line between two rooms, in the direction in which it was walked."""

    start: str
    end: str
    there: RoomWay
    back: RoomWay | None = None
    """None where no way back is known; one that was not walked is a guess."""
    also: tuple[str, ...] = ()
    """Other commands that lead the same way, such as `climb ladder`."""

    @classmethod
    def between(cls, one: RoomWay, other: RoomWay) -> Link:
        """The line of a way and one that leads back; it begins where it was walked from."""
        there, back = (other, one) if other.walked and not one.walked else (one, other)
        return cls(there.start, there.end, there, back)

    @property
    def walked(self) -> bool:
        """Somebody has gone there; a line that nobody has gone is a guess as a whole."""
        return self.there.walked

    @property
    def one_way(self) -> bool:
        """Nobody has gone back, as far as is known."""
        return self.back is None or (self.walked and not self.back.walked)

    @property
    def told(self) -> str:
        """In words, with all commands that lead the same way."""
        back = f", {_told(self.back)} back" if self.back else ", no way back known"
        also = f"; also {', '.join(self.also)}" if self.also else ""
        return f"{self.start} {_told(self.there)} to {self.end}{back}{also}"


def _told(way: RoomWay) -> str:
    return way.command if way.walked else f"perhaps {way.command}"


def links(chart: Chart) -> list[Link]:
    """All ways of a chart; a way and the one back are one link, opposite directions first.

    Commands and supposed ways between rooms that a line connects already get none of their own.
    """
    known = {place.id for place in chart.places}
    ways = [one for one in chart.ways if one.start != one.end and {one.start, one.end} <= known]
    left = dict.fromkeys(sorted(ways, key=_rank))
    paired: list[Link] = []
    for opposite in (True, False):
        for way in [*left]:
            backs = [one for one in left if _returns(one, way, opposite)] if way in left else []
            if backs:
                del left[way], left[backs[0]]
                paired.append(Link.between(way, backs[0]))
    single = [Link(way.start, way.end, way) for way in left]
    return _joined(sorted([*paired, *single], key=lambda link: _rank(link.there)))


def _rank(way: RoomWay) -> tuple[bool, bool]:
    """Directions before commands, what was walked before what is supposed."""
    return way.command not in OPPOSITE, not way.walked


def _returns(one: RoomWay, way: RoomWay, opposite: bool) -> bool:
    fits = not opposite or one.command == OPPOSITE.get(way.command)
    return fits and (one.start, one.end) == (way.end, way.start)


def _joined(found: list[Link]) -> list[Link]:
    """Without what only repeats another link between the same rooms."""
    kept: dict[frozenset[str], list[Link]] = {}
    for link in found:
        beside = kept.setdefault(frozenset((link.start, link.end)), [])
        walked = [one.command for one in (link.there, link.back) if one and one.walked]
        if not beside or any(one in OPPOSITE for one in walked):
            beside.append(link)
            continue
        also = dict.fromkeys([*beside[0].also, *walked])
        beside[0] = beside[0]._replace(also=tuple(also))
    return [link for beside in kept.values() for link in beside]


def port(box: Box, command: str, towards: Box | None = None) -> Port:
    """Where a way leaves a box; one that has no direction looks to where it leads."""
    label = SHORT.get(command, command)
    if command in COMPASS:
        return Port(_at(box, _SIDES[COMPASS[command]]), COMPASS[command], label)
    if command in _OTHERS:
        across, down, outward = _OTHERS[command]
        return Port(_at(box, (across, down)), outward, label)
    outward = _side(box, towards or box)
    return Port(_at(box, _TOWARDS[outward]), outward, label)


def _at(box: Box, share: tuple[float, float]) -> Point:
    return box.x + share[0] * box.width, box.y + share[1] * box.height


def _side(box: Box, other: Box) -> Cell:
    """The side of a box that looks to another one."""
    dx, dy = other.centre[0] - box.centre[0], other.centre[1] - box.centre[1]
    if abs(dx) * box.height >= abs(dy) * box.width:
        return (1, 0) if dx > 0 else (-1, 0)
    return (0, 1) if dy > 0 else (0, -1)
