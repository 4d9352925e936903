"""A map as an SVG file."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.viewer.elements import circle, document, path, rectangle, text, title
from orchestrator.viewer.sketch import Label, Sketch, SketchLine, Stub
from orchestrator.viewer.words import thing_lines, title_lines

_ARROW, _ON_PATH = "#4a5568", "#dd6b20"
_STYLE = """
.room { fill: #ffffff; stroke: #4a5568; stroke-width: 1.4 }
.dark { fill: #cbd5e0 }
.here { fill: #fff3c4; stroke: #b7410e; stroke-width: 3.5 }
.title { font-size: 12.5px; font-weight: bold; fill: #1a202c; text-anchor: middle }
.thing { font-size: 11.5px; fill: #22543d; text-anchor: middle }
.way { fill: none; stroke: #718096; stroke-width: 1.8; stroke-linejoin: round }
.other { stroke: #805ad5 }
.supposed { stroke-dasharray: 5 4 }
.random { stroke-dasharray: 1.5 4; stroke-width: 2.4; stroke-linecap: round }
.path { stroke: #dd6b20; stroke-width: 4 }
.untried { stroke: #2b6cb0; stroke-width: 2.2; fill: #ffffff }
.blocked { stroke: #c53030; stroke-width: 2.2 }
.loop { stroke: #718096; fill: none }
.player { fill: #b7410e }
"""


def map_svg(drawing: Sketch) -> str:
    """The map as a whole SVG document."""
    parts = [
        *map(_line, sorted(drawing.lines, key=lambda line: line.on_path)),
        *map(_stub, drawing.stubs),
        *(part for id in drawing.boxes for part in _room(drawing, id)),
        *map(_label, drawing.labels),
    ]
    return document(drawing.view, _STYLE, (_ARROW, _ON_PATH), parts)


def _line(line: SketchLine) -> str:
    kinds = {
        "way": True,
        "other": not line.compass,
        "random": line.random,
        "supposed": not line.walked and not line.random,
        "path": line.on_path,
    }
    arrow = (_ON_PATH if line.on_path else _ARROW) if line.one_way else ""
    return path(" ".join(kind for kind in kinds if kinds[kind]), line.points, arrow, line.told)


def _room(drawing: Sketch, id: str) -> Iterator[str]:
    box, place = drawing.boxes[id], drawing.places[id]
    here = id == drawing.here
    yield f"<g>{title(f'{id} {place.title}: ' + ', '.join(place.things))}"
    yield rectangle("room" + " dark" * place.dark + " here" * here, box)
    titles, things = title_lines(place), thing_lines(place)
    x, y = box.centre
    y -= (len(titles) * 15 + len(things) * 13) / 2 + 3
    for kind, step, lines in (("title", 15, titles), ("thing", 13, things)):
        for said in lines:
            y += step
            yield text(kind, (x, y), said)
    if here:
        yield circle("player", (box.x + 9, box.y + 9), 5)
    yield "</g>"


def _label(label: Label) -> str:
    return text("label", (label.box.centre[0], label.box.bottom - 3), label.text)


def _stub(stub: Stub) -> str:
    x, y = stub.end
    line = path(stub.kind, (stub.start, stub.end))
    if stub.kind == "blocked":
        mark = path("blocked", ((x - 4, y - 4), (x + 4, y + 4)))
        mark += path("blocked", ((x + 4, y - 4), (x - 4, y + 4)))
    else:
        mark = circle(stub.kind, stub.end, 4)
    return f"<g>{title(stub.why or stub.kind)}{line}{mark}</g>"
