"""A layered drawing of nodes and what leads from one to the other: a turn's graph, a puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import networkx as nx
from fast_sugiyama import from_edges

from orchestrator.viewer.elements import document, path, rectangle, text
from orchestrator.viewer.metrics import Box, Point, hull
from orchestrator.viewer.words import fitted

_WIDTH, _HEIGHT, _ACROSS, _DOWN = 164, 44, 36, 48
_COLUMNS, _LINES = 22, 2
_LOOP, _BESIDE = 30, 12
"""How far a line from a box to itself goes to the right, and how far from the box's middle."""
_ARROW = "#4a5568"
_STYLE = """
.node { fill: #ffffff; stroke: #4a5568; stroke-width: 1.4 }
.edge { fill: none; stroke: #718096; stroke-width: 1.6 }
.unsure { stroke-dasharray: 5 4 }
.name { font-size: 12px; fill: #1a202c; text-anchor: middle }
"""


class DrawnEdge(NamedTuple):
    """What leads from one node to another."""

    start: str
    end: str
    label: str = ""
    sure: bool = True


class Diagram(NamedTuple):
    """Boxes with their texts, and lines between them, downwards."""

    view: Box
    boxes: Mapping[str, Box]
    names: Mapping[str, str]
    lines: tuple[tuple[DrawnEdge, tuple[Point, ...]], ...]


def diagram(names: Mapping[str, str], edges: Iterable[DrawnEdge]) -> Diagram:
    """Lay out named nodes in layers, so that few edges cross."""
    edges = list(edges)
    pairs = ((edge.start, edge.end) for edge in edges if edge.start != edge.end)
    spots, steps = _spots(_downwards(pairs))
    right = max((x for x, _ in spots.values()), default=-_WIDTH)
    lonely = [name for name in names if name not in spots]
    spots |= {name: (right + _WIDTH + _ACROSS, n * 1.0) for n, name in enumerate(lonely)}
    boxes = {
        id: Box(x - _WIDTH / 2, y * (_HEIGHT + _DOWN) - _HEIGHT / 2, _WIDTH, _HEIGHT)
        for id, (x, y) in spots.items()
    }
    lines = tuple((edge, _points(edge, boxes, steps)) for edge in edges)
    shown = {id: boxes[id] for id in names}
    corners = [p for box in shown.values() for p in ((box.x, box.y), (box.right, box.bottom))]
    view = hull([*corners, *(point for _, points in lines for point in points)])
    return Diagram(view, shown, names, lines)


def _downwards(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same pairs, but those turned round that lead back to where one has come through."""
    graph = nx.DiGraph(pairs)
    left = {node: number for number, node in enumerate(nx.dfs_postorder_nodes(graph))}
    turned = ((a, b) if left[b] < left[a] else (b, a) for a, b in graph.edges)
    return list(dict.fromkeys(turned))


Spots = dict[str, Point]
Steps = dict[str, list[str]]


def _spots(pairs: list[tuple[str, str]]) -> tuple[Spots, Steps]:
    """Where nodes and the bends of edges are, in columns of pixels and rows; and what follows."""
    spots: Spots = {}
    steps: Steps = {}
    right = 0.0
    spacing = _WIDTH + _ACROSS
    found = from_edges(pairs, vertex_spacing=spacing, check_layout=False) if pairs else ()
    layouts: list[Any] = [*found]
    for number, (places, width, _, ways) in enumerate(layouts):
        rows = sorted({y for _, (_, y) in places}, reverse=True)
        name = {id: id if isinstance(id, str) else f"\0{number}.{id}" for id, _ in places}
        spots |= {name[id]: (right + x, float(rows.index(y))) for id, (x, y) in places}
        for start, end in ways:
            steps.setdefault(name[start], []).append(name[end])
        right += width + 2 * (_WIDTH + _ACROSS)
    return spots, steps


def _points(edge: DrawnEdge, boxes: Mapping[str, Box], steps: Steps) -> tuple[Point, ...]:
    """From box to box by way of the edge's bends; back to the same box at its right side."""
    if edge.start == edge.end:
        return _loop(boxes[edge.start])
    way = _way(edge.start, edge.end, steps) or [*reversed(_way(edge.end, edge.start, steps))]
    middle = [boxes[id].centre for id in way[1:-1]]
    start, end = boxes[edge.start], boxes[edge.end]
    up = start.y > end.y
    aside = _WIDTH / 4 if up and not middle else 0
    first = (start.centre[0] + aside, start.y if up else start.bottom)
    last = (end.centre[0] + aside, end.bottom if up else end.y)
    return (first, *middle, last)


def _loop(box: Box) -> tuple[Point, ...]:
    above, below = box.centre[1] - _BESIDE, box.centre[1] + _BESIDE
    beside = box.right + _LOOP
    return ((box.right, above), (beside, above), (beside, below), (box.right, below))


def _way(start: str, end: str, steps: Steps) -> list[str]:
    """The bends between two nodes; nothing where no line was laid out in this direction."""
    for step in steps.get(start, ()):
        way = [start, step]
        while way[-1].startswith("\0"):
            way += steps[way[-1]][:1]
        if way[-1] == end:
            return way
    return []


def diagram_svg(drawing: Diagram) -> str:
    """The diagram as a whole SVG document."""
    parts = [
        *(path("edge" if edge.sure else "edge unsure", way, _ARROW) for edge, way in drawing.lines),
        *(part for id in drawing.boxes for part in _node(drawing.boxes[id], drawing.names[id])),
        *(text("label", _middle(way), edge.label) for edge, way in drawing.lines if edge.label),
    ]
    return document(drawing.view, _STYLE, (_ARROW,), parts)


def _node(box: Box, name: str) -> Iterator[str]:
    x, y = box.centre
    yield rectangle("node", box)
    lines = fitted(name, _COLUMNS, _LINES)
    for n, said in enumerate(lines):
        yield text("name", (x, y + 4 + (n - (len(lines) - 1) / 2) * 15), said)


def _middle(points: tuple[Point, ...]) -> Point:
    """The middle of the first stretch, where a label goes."""
    (x1, y1), (x2, y2) = points[:2]
    return (x1 + x2) / 2, (y1 + y2) / 2 + 4
