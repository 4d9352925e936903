"""What the story printed in one turn, taken apart into the running text and the upper window."""

from __future__ import annotations

import re
from typing import NamedTuple

from environments.plain_text import storable

LONGEST = 1 << 16
"""Letters of a reply that are handed on."""
_EDGE = 3
"""So many columns are the edge of the screen."""
COLUMNS = 128
"""The width of the screen that libfrotz shows to a story."""

_V3_STATUS = re.compile(r"^ .*?(Score: +-?\d+ +Moves: +\d+|Time: +\d{1,2}:\d\d [ap]m) *\n?")
_MARGIN = re.compile(r" {3,}")
_POINTS = r"Score|Punkte|Points|Puntos|Punti|Punteggio|Pontos|Poäng|Punten|Очки|Счёт"
_TURNS = r"Moves|Turns|Züge|Coups|Tours|Turnos|Jugadas|Mosse|Turni|Lances|Drag|Beurten|Ходы"
_SCORE = re.compile(rf"\b(?:(?:{_POINTS})\s*:?|S:)\s*(-?\d+)", re.IGNORECASE)
_MOVES = re.compile(rf"\b(?:(?:{_TURNS})\s*:?|M:|T:)\s*(\d+)", re.IGNORECASE)
_PAIR = re.compile(r"(?<![:\d/-])\s*(-?\d+)\s*/\s*(\d+)\s*$")
_CLOCK = r"(?:time:?\s*)?(?:\w+day,?\s+)?\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s*(?:[ap]\.?m\.?)?"
_ROSE = (
    r"(?-i:(?:NORTH|SOUTH|[NS]?[EW]|[NSUD]|UP|DOWN|IN|OUT|Up|Down|In|Out|[-+*|/\\.<>^]+)(?:\s+|$))+"
)
_LETTER = re.compile(r"[^\W\d_]")
_NO_TITLE = re.compile(rf"{_CLOCK}|{_ROSE}|exits?\b.*", re.IGNORECASE)
"""A clock, a compass rose or a list of ways: what stands where others have the room."""
_DO = r"(?:(?:do|would) you (?:want|wish|like) to|(?:shall|should) (?:i|we|you)|will you) do"
_PROMPT = re.compile(
    r"\n\s*\n[ \t]*(?:(?:ok(?:ay)?|well|so|and|now),? )?"
    rf"(?:what (?:now|next|{_DO})|now what|(?:tell me )?what to do)(?: now| next)? ?[?:]$",
    re.IGNORECASE,
)
"""What some stories ask in a line of its own before every command; the answer is any command."""


class Screen:
    """Marks of one turn: where in the output the story moved to another window or place."""

    def __init__(self) -> None:
        self.marks: list[tuple[int, int, int]] = []
        """(offset in the output, row, column), both from 1; row 0 is the lower window."""

    def shift(self, cut: int) -> None:
        """So many letters at the beginning of the output are cut away."""
        self.marks = [(max(0, start - cut), row, column) for start, row, column in self.marks]

    def divide(self, raw: str) -> tuple[str, dict[int, str]]:
        """Split a turn's output into the lower window's text and the upper window's rows."""
        if not self.marks:
            return raw, {}
        lower = [raw[: self.marks[0][0]]]
        rows: dict[int, list[str]] = {}
        ends = [mark[0] for mark in self.marks[1:]] + [len(raw)]
        for (start, row, column), end in zip(self.marks, ends, strict=True):
            if not row:
                lower.append(raw[start:end])
            elif start < end:
                _draw(rows, row, column, raw[start:end])
        self.marks.clear()
        return "".join(lower), {row: "".join(cells) for row, cells in rows.items()}


def _draw(rows: dict[int, list[str]], row: int, column: int, text: str) -> None:
    for line in text.split("\n"):
        cells = rows.setdefault(row, [" "] * COLUMNS)
        cells[column - 1 : column - 1 + len(line)] = line
        row, column = row + 1, 1


def strip_status(text: str) -> str:
    """Remove the status line that the interpreter draws before a version 3 reply."""
    return _V3_STATUS.sub("", text, count=1)


def clean(lower: str, upper: dict[int, str]) -> str:
    """The reply as a reader wants it: no prompt, a quotation box first, no ragged white space."""
    text = _bounded(_PROMPT.sub("", storable(lower).rstrip().removesuffix(">").strip()).rstrip())
    if len(upper) <= (1 in upper):
        return text
    rows = (storable(row) for n, row in sorted(upper.items()) if n > 1)
    box = (" ".join(row.split()) for row in rows if row.strip() and not _is_status(row))
    return "\n".join([*box, text]).strip()


def _bounded(text: str) -> str:
    """The text, or where it is longer than anybody reads its beginning and its end."""
    if len(text) <= LONGEST:
        return text
    left_out = f"[... {len(text) - LONGEST} letters are left out here ...]"
    return f"{text[: LONGEST // 2]}\n{left_out}\n{text[-LONGEST // 2 :]}"


def _is_status(row: str) -> bool:
    """A row below the first one that goes on with the status: counters, a compass rose.

    Or what stands at the left edge with something far to the right of it; a box is in the middle.
    """
    if row[:_EDGE].strip() and len(_MARGIN.split(row.strip())) > 1:
        return True
    row = " ".join(row.split())
    rest = _MOVES.sub("", _SCORE.sub("", row)).strip()
    return not rest or _NO_TITLE.fullmatch(rest) is not None


class Status(NamedTuple):
    """What a status line says: the room's title, and score and moves where it counts them."""

    room: str | None = None
    score: int | None = None
    moves: int | None = None


def read_status(line: str) -> Status:
    """Read a status line as drawn: title at the left, counters at the right."""
    parts = [part.strip() for part in _MARGIN.split(line.strip()) if part.strip()]
    while parts and (_NO_TITLE.fullmatch(parts[0]) or not _LETTER.search(parts[0])):
        parts.pop(0)
    if not parts:
        return Status()
    title, counters = parts[0], " ".join(parts[1:])
    if score := _SCORE.match(title):
        return Status(None, int(score[1]), _number(_MOVES.search(line)))
    if match := _PAIR.search(counters):
        return Status(title, int(match[1]), int(match[2]))
    return Status(title, _number(_SCORE.search(counters)), _number(_MOVES.search(counters)))


def _number(match: re.Match[str] | None) -> int | None:
    return int(match[1]) if match else None
