"""Maps and puzzle graphs as SVG, laid out without a drawing library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

import networkx as nx

Point = tuple[float, float]

_ACROSS, _DOWN, _MARGIN = 170, 80, 90
_STEP: Mapping[str, Point] = {
    "north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0),
    "northeast": (1, -1), "northwest": (-1, -1), "southeast": (1, 1), "southwest": (-1, 1),
    "up": (0.5, -1), "down": (-0.5, 1), "in": (1, 0.5), "out": (-1, -0.5),
}  # fmt: skip
_BOX = 140
_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#888"/></marker></defs>'
)


class Line(NamedTuple):
    """A connection of two boxes."""

    start: str
    end: str
    sure: bool
    directed: bool


def draw_map(graph: nx.MultiDiGraph[str]) -> str:
    """Rooms where the compass puts them; supposed passages dashed, one-way ones with an arrow."""
    labels = {id: f"{id} {graph.nodes[id]['title']}" for id in graph}
    lines = [
        Line(start, end, bool(data["seen"]), data["one_way"])
        for start, end, data in graph.edges(data=True)
    ]
    return _svg(_compass(graph), labels, lines)


def draw_puzzles(graph: nx.DiGraph[str]) -> str:
    """What needs what, from the left to the right; what is only supposed is dashed."""
    labels = {id: str(graph.nodes[id]["name"]) for id in graph}
    lines = [
        Line(need, goal, data["sure"] >= 1, True) for goal, need, data in graph.edges(data=True)
    ]
    return _svg(_layers(graph), labels, lines)


def _compass(graph: nx.MultiDiGraph[str]) -> dict[str, Point]:
    """Every room one step from a room that leads to it; the next free place if that is taken."""
    places: dict[str, Point] = {}
    for first in graph:
        if first in places:
            continue
        _put(places, first, (0, len(places)))
        queue = [first]
        while queue:
            room = queue.pop(0)
            x, y = places[room]
            for _, other, command in graph.out_edges(room, keys=True):
                if other not in places:
                    across, down = _STEP.get(str(command), (1, 1))
                    _put(places, other, (x + across, y + down))
                    queue.append(other)
    return places


def _put(places: dict[str, Point], room: str, place: Point) -> None:
    taken = set(places.values())
    while place in taken:
        place = (place[0] + 0.25, place[1] + 1)
    places[room] = place


def _layers(graph: nx.DiGraph[str]) -> dict[str, Point]:
    """What needs nothing at the left; a circle of needs is one layer."""
    groups = nx.condensation(graph.reverse(copy=True))
    places: dict[str, Point] = {}
    for column, generation in enumerate(nx.topological_generations(groups)):
        members = [node for group in generation for node in sorted(groups.nodes[group]["members"])]
        places |= {node: (column, row) for row, node in enumerate(members)}
    return places


def _svg(places: Mapping[str, Point], labels: Mapping[str, str], lines: Iterable[Line]) -> str:
    left = min((x for x, _ in places.values()), default=0)
    top = min((y for _, y in places.values()), default=0)
    spots = {
        id: (_MARGIN + (x - left) * _ACROSS, _MARGIN / 2 + (y - top) * _DOWN)
        for id, (x, y) in places.items()
    }
    width = max((x for x, _ in spots.values()), default=0) + _MARGIN
    height = max((y for _, y in spots.values()), default=0) + _MARGIN / 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            'font-family="sans-serif" font-size="11" text-anchor="middle">',
            '<rect width="100%" height="100%" fill="white"/>',
            _ARROW,
            *(_line(spots, line) for line in lines),
            *(_box(spots[id], labels[id]) for id in spots),
            "</svg>\n",
        ]
    )


def _line(spots: Mapping[str, Point], line: Line) -> str:
    (x1, y1), (x2, y2) = spots[line.start], spots[line.end]
    dash = "" if line.sure else ' stroke-dasharray="4 4"'
    arrow = ' marker-mid="url(#arrow)"' if line.directed else ""
    middle = f"{(x1 + x2) / 2:.0f},{(y1 + y2) / 2:.0f}"
    points = f"{x1:.0f},{y1:.0f} {middle} {x2:.0f},{y2:.0f}"
    return f'<polyline points="{points}" fill="none" stroke="#888"{dash}{arrow}/>'


def _box(spot: Point, label: str) -> str:
    x, y = spot
    shown = label if len(label) <= 24 else f"{label[:23]}…"
    return (
        f'<rect x="{x - _BOX / 2:.0f}" y="{y - 14:.0f}" width="{_BOX}" height="28" rx="5" '
        f'fill="#eef" stroke="#446"/><text x="{x:.0f}" y="{y + 4:.0f}">{escape(shown)}</text>'
    )
