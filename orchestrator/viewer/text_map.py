"""A map in characters, for terminals and text files."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import floor

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from orchestrator.viewer.chart import Cell, Chart
from orchestrator.viewer.metrics import CHARACTERS, Box, Point
from orchestrator.viewer.sketch import Sketch, SketchLine, Stub, sketch
from orchestrator.viewer.words import plain, thing_lines, title_lines

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_STROKES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the sum of the sides that meet in a character."""
_FRAME, _HERE = "╭╮╰╯─│", "╔╗╚╝═║"
_PATH, _WAY, _OTHER, _SUPPOSED = "bold dark_orange", "white", "medium_purple1", "grey50"


def map_text(
    chart: Chart, before: dict[str, Cell] | None = None, size: tuple[int, int] | None = None
) -> Text:
    """The map; with a size in columns and rows, the part around the player that fits."""
    drawing = sketch(chart, before, CHARACTERS)
    sheet = _Sheet(drawing)
    return sheet.text(sheet.window(size) if size else sheet.whole)


class _Sheet:
    def __init__(self, drawing: Sketch) -> None:
        self.drawing = drawing
        self.whole = drawing.view
        self._strokes: dict[Cell, int] = {}
        self._styles: dict[Cell, str] = {}
        self._characters: dict[Cell, str] = {}
        for line in sorted(drawing.lines, key=lambda one: one.on_path):
            self._line(line)
        for stub in drawing.stubs:
            self._stub(stub)
        for id in drawing.boxes:
            self._room(id)
        for label in drawing.labels:
            _, y = label.box.centre
            self._write(floor(label.box.x), floor(y), plain(label.text), "cyan")

    def window(self, size: tuple[int, int]) -> Box:
        """The part of a given size with the player in the middle, or all of a smaller map."""
        here, whole = self.drawing.boxes.get(self.drawing.here, self.whole), self.whole
        x = _shifted(here.centre[0], size[0], whole.x, whole.right)
        y = _shifted(here.centre[1], size[1], whole.y, whole.bottom)
        return Box(x, y, size[0] - 1, size[1] - 1)

    def text(self, view: Box) -> Text:
        """What is seen in a part of the sheet."""
        text = Text(no_wrap=True)
        for y in range(floor(view.y), floor(view.bottom) + 1):
            row = Text()
            skip = 0
            for x in range(floor(view.x), floor(view.right) + 1):
                if skip:
                    skip -= 1
                    continue
                shown = self._shown((x, y))
                row.append(shown, self._styles.get((x, y), ""))
                skip = cell_len(shown) - 1
            row.rstrip()
            text.append_text(row).append("\n")
        return text

    def _shown(self, cell: Cell) -> str:
        return self._characters.get(cell) or _STROKES[self._strokes.get(cell, 0)]

    def _line(self, line: SketchLine) -> None:
        style = _PATH if line.on_path else _WAY if line.compass else _OTHER
        style = style if line.walked or line.on_path else _SUPPOSED
        cells = [*_squared([_cell(point) for point in line.points])]
        for one, other in itertools.pairwise(cells):
            self._stroke(one, other, style)
        for id, end in ((line.start, cells[0]), (line.end, cells[-1])):
            self._join(self.drawing.boxes[id], end)
        box = self.drawing.boxes[line.end]
        outside = [cell for cell in cells if not _holds(box, cell)]
        if line.one_way and outside:
            x, y = outside[-1]
            mark = "▶" if x < box.x else "◀" if x >= box.right else "▼" if y < box.y else "▲"
            self._characters[x, y], self._styles[x, y] = mark, style

    def _stroke(self, one: Cell, other: Cell, style: str) -> None:
        dx, dy = other[0] - one[0], other[1] - one[1]
        there = {(1, 0): _RIGHT, (-1, 0): _LEFT, (0, 1): _DOWN, (0, -1): _UP}[dx, dy]
        back = {_RIGHT: _LEFT, _LEFT: _RIGHT, _DOWN: _UP, _UP: _DOWN}[there]
        for cell, side in ((one, there), (other, back)):
            self._strokes[cell] = self._strokes.get(cell, 0) | side
            self._styles[cell] = style

    def _join(self, box: Box, end: Cell) -> None:
        """Let a line that ends at a box touch its frame."""
        side = (_LEFT if end[0] >= box.right else 0) | (_UP if end[1] >= box.bottom else 0)
        self._strokes[end] = self._strokes.get(end, 0) | side

    def _stub(self, stub: Stub) -> None:
        x, y = _cell(stub.end)
        box = self.drawing.boxes[stub.room]
        if _holds(box, (x, y)):
            x += (stub.start[0] >= box.right) - (stub.start[0] <= box.x)
            y += (stub.start[1] >= box.bottom) - (stub.start[1] <= box.y)
        mark, style = {"untried": ("o", "bright_blue"), "blocked": ("x", "red"), "loop": ("@", "")}[
            stub.kind
        ]
        self._write(x, y, mark, style)

    def _room(self, id: str) -> None:
        box, place = self.drawing.boxes[id], self.drawing.places[id]
        here = id == self.drawing.here
        corner, inner = _cell((box.x, box.y)), int(box.width) - 2
        a, b, c, d, flat, side = (*(_HERE if here else _FRAME),)
        style = "bold yellow" if here else "grey50" if place.dark else ""
        rows = [(one, "bold") for one in title_lines(place, inner, 2)]
        left = int(box.height) - 2 - len(rows)
        rows += [(one, "green") for one in thing_lines(place, inner, left)] if left > 0 else []
        rows += [("", "")] * (int(box.height) - 2 - len(rows))
        self._write(*corner, a + flat * inner + b, style)
        for n, (text, kind) in enumerate(rows, start=1):
            self._write(corner[0], corner[1] + n, side, style)
            padding = " " * max(0, (inner - cell_len(text)) // 2)
            self._write(corner[0] + 1, corner[1] + n, set_cell_size(padding + text, inner), kind)
            self._write(corner[0] + inner + 1, corner[1] + n, side, style)
        self._write(corner[0], corner[1] + len(rows) + 1, c + flat * inner + d, style)

    def _write(self, x: int, y: int, text: str, style: str) -> None:
        for one in text:
            self._characters[x, y] = one
            self._styles[x, y] = style
            x += cell_len(one)


def _cell(point: Point) -> Cell:
    return floor(point[0]), floor(point[1])


def _holds(box: Box, cell: Cell) -> bool:
    return (
        floor(box.x) <= cell[0] < floor(box.x) + box.width
        and floor(box.y) <= cell[1] < floor(box.y) + box.height
    )


def _shifted(centre: float, size: int, low: float, high: float) -> float:
    """Where a window begins that shows the centre and nothing beyond the map, if it can."""
    return low if high - low < size else min(max(centre - size / 2, low), high - size + 1)


def _squared(points: list[Cell]) -> Iterator[Cell]:
    """The line through points in steps up, down, left and right."""
    x, y = points[0]
    yield x, y
    for end in points[1:]:
        middle = (y + end[1]) // 2
        for target in ((x, middle), (end[0], middle), end):
            while (x, y) != target:
                x += (target[0] > x) - (target[0] < x)
                y += (target[1] > y) - (target[1] < y) if x == target[0] else 0
                yield x, y
