"""Views as plain data for a page: names instead of positions, drawings in short lists."""

from __future__ import annotations

from typing import Any

from orchestrator.recap import Recap
from orchestrator.viewer.diagram import Diagram
from orchestrator.viewer.frames import Frame, ProposalView, TurnRow
from orchestrator.viewer.metrics import Point
from orchestrator.viewer.runs import RunView, head
from orchestrator.viewer.sketch import Sketch
from orchestrator.viewer.words import plain

Fields = dict[str, Any]

MOST_BEST = 8
"""So many highlights are shown before one asks for all."""


def plain_run(view: RunView) -> Fields:
    """A run with its overview and the few words that tell it."""
    known, (rows, reading) = head(view.run), view.since(0)
    return {
        "head": known,
        "recap": plain_recap(view.recap(known["status"])),
        "reading": reading,
        **plain_rows(rows, view.last),
    }


def plain_recap(recap: Recap) -> Fields:
    """A run in few words."""
    best = recap.best(MOST_BEST)
    told = [{**vars(one), "best": one in best} for one in recap.highlights]
    return {**vars(recap), "highlights": told, "then": [*map(vars, recap.then)]}


def plain_rows(rows: list[TurnRow], last: int) -> Fields:
    """The overview as a table, or the rows that have changed; there is no turn after the last."""
    return {"columns": TurnRow._fields, "rows": rows, "last": last}


def plain_frame(frame: Frame) -> Fields:
    """A turn with names for all that it tells."""
    return {
        **vars(frame),
        "proposals": [_plain_proposal(one) for one in frame.proposals],
        "reliability": [one._asdict() for one in frame.reliability],
        "hypotheses": [one._asdict() for one in frame.hypotheses],
        "changed_facts": [one._asdict() for one in frame.changed_facts],
    }


def _plain_proposal(proposal: ProposalView) -> Fields:
    voices = {
        name: [one._asdict() for one in getattr(proposal, name)]
        for name in ("chosen_from", "opinions")
    }
    return {**vars(proposal), **voices}


def plain_map(drawing: Sketch | None) -> Fields | None:
    """A map; numbers are pixels."""
    if drawing is None:
        return None
    return {
        "view": _rounded(drawing.view),
        "here": drawing.here,
        "rooms": [
            {
                "id": id,
                "box": _rounded(box),
                "title": plain(drawing.places[id].title),
                "things": [*map(plain, drawing.places[id].things)],
                "failed": drawing.places[id].failed,
                "dark": drawing.places[id].dark,
            }
            for id, box in drawing.boxes.items()
        ],
        "lines": [
            {**line._asdict(), "points": [*map(_rounded, line.points)]} for line in drawing.lines
        ],
        "stubs": [
            {**stub._asdict(), "start": _rounded(stub.start), "end": _rounded(stub.end)}
            for stub in drawing.stubs
        ],
        "labels": [{"text": one.text, "box": _rounded(one.box)} for one in drawing.labels],
    }


def plain_diagram(drawing: Diagram | None) -> Fields | None:
    """A diagram; numbers are pixels."""
    if drawing is None:
        return None
    return {
        "view": _rounded(drawing.view),
        "nodes": [
            {"id": id, "name": drawing.names[id], "box": _rounded(box)}
            for id, box in drawing.boxes.items()
        ],
        "edges": [
            {**edge._asdict(), "points": [*map(_rounded, points)]} for edge, points in drawing.lines
        ],
    }


def _rounded(numbers: Point | tuple[float, ...]) -> list[int]:
    return [round(number) for number in numbers]
