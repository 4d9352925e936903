"""What stands where on a drawing, so that only what is near is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Generic, TypeVar

from orchestrator.viewer.chart import Cell
from orchestrator.viewer.metrics import Box, Metrics

T = TypeVar("T")


class Patches(Generic[T]):
    """Things of one kind by the patches of the drawing that they reach into."""

    def __init__(self, metrics: Metrics) -> None:
        self._pitch = metrics.size((1, 1))
        self._on: dict[Cell, list[T]] = {}

    def put(self, one: T, box: Box) -> None:
        """Something that lies within a box."""
        for cell in self._cells(box):
            self._on.setdefault(cell, []).append(one)

    def near(self, box: Box) -> Iterator[T]:
        """All that may touch a box."""
        for cell in self._cells(box):
            yield from self._on.get(cell, ())

    def _cells(self, box: Box) -> Iterator[Cell]:
        (across, down), (right, bottom) = self._pitch, (box.right, box.bottom)
        for x in range(floor(box.x / across), floor(right / across) + 1):
            for y in range(floor(box.y / down), floor(bottom / down) + 1):
                yield x, y
