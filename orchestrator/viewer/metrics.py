"""The measures of a drawn map: pixels in a picture, characters in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from orchestrator.viewer.chart import Cell

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    def overlaps(self, other: Box) -> bool:
        """They share more than an edge."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def around(self, margin: float) -> Box:
        """A larger one, by so much on every side."""
        return Box(
            self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin
        )

    def crosses(self, one: Point, other: Point) -> bool:
        """The straight line between two points passes through it."""
        near, far = 0.0, 1.0
        sides = ((self.x, self.right), (self.y, self.bottom))
        for (low, high), start, end in zip(sides, one, other, strict=True):
            step = end - start
            if not step:
                if not low < start < high:
                    return False
                continue
            enters, leaves = sorted(((low - start) / step, (high - start) / step))
            near, far = max(near, enters), min(far, leaves)
        return near < far


def hull(points: Iterable[Point]) -> Box:
    """The smallest box that holds all points; an empty one for none."""
    xs, ys = zip(*points, strict=True) if (points := [*points]) else ((0,), (0,))
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


class Metrics(NamedTuple):
    """How large a room is drawn, and how far from the next one."""

    width: float
    height: float
    across: float
    """From the right edge of a room to the left edge of the next."""
    down: float
    letter: Point
    """Width of a letter and height of a line of a label."""
    space: float
    """Between a label and what it stands beside."""
    terse: bool = False
    """Straight ways of the compass get no label."""

    def box(self, cell: Cell) -> Box:
        """The box of a cell; that of the first room is near the origin."""
        width, height = self.size(cell)
        return Box(width + self.across / 2, height + self.down / 2, self.width, self.height)

    def size(self, cells: Cell) -> Point:
        """Width and height of so many columns and rows."""
        return cells[0] * (self.width + self.across), cells[1] * (self.height + self.down)


PIXELS = Metrics(width=152, height=72, across=50, down=52, letter=(7.5, 14), space=5)
CHARACTERS = Metrics(width=17, height=4, across=6, down=2, letter=(1, 1), space=0.5, terse=True)
