"""Texts fitted into the boxes of a map."""

from __future__ import annotations

import textwrap
import unicodedata

from orchestrator.viewer.chart import Place

TITLE_COLUMNS, TITLE_LINES = 17, 2
THING_COLUMNS, THING_LINES = 21, 2


def title_lines(place: Place, columns: int = TITLE_COLUMNS, most: int = TITLE_LINES) -> list[str]:
    """A room's id and title in lines that fit its box."""
    return fitted(f"{place.id} {place.title or ('darkness' if place.dark else '?')}", columns, most)


def thing_lines(place: Place, columns: int = THING_COLUMNS, most: int = THING_LINES) -> list[str]:
    """What lies in a room, in lines that fit its box; how many more there are at the end."""
    shown = list(place.things)
    while shown:
        more = len(place.things) - len(shown)
        text = ", ".join(shown) + (f" +{more}" if more else "")
        lines = textwrap.wrap(plain(text), columns)
        if len(lines) <= most:
            return lines
        shown.pop()
    return fitted(place.things[0], columns, most) if place.things else []


def fitted(text: str, columns: int, most: int) -> list[str]:
    """At most so many lines of so many characters; what is cut off ends in an ellipsis."""
    return textwrap.wrap(plain(text), columns, max_lines=most, placeholder="…") or [""]


def plain(text: str) -> str:
    """Without control and format characters, which neither XML nor a terminal can bear."""
    shown = (" " if unicodedata.category(one)[0] == "C" else one for one in text)
    return " ".join("".join(shown).split())
