"""The parts that a report is made of: tables, figures with their intervals, charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from orchestrator.evaluation.statistics import Interval


class Html(str):
    """A text that is HTML already; all others are escaped."""


def html(text: str) -> Html:
    """The text as HTML."""
    return text if isinstance(text, Html) else Html(escape(text))


def link(text: str, place: str | None) -> Html:
    """The text, leading to a place where there is one."""
    told = html(text)
    return told if place is None else Html(f"<a href='{escape(place)}'>{told}</a>")


def interval(told: Interval, place: str | None = None) -> Html:
    """An estimate, leading to a place, with its interval in small letters under it."""
    mean, _, spread = str(told).partition(" ")
    return Html(
        f"{link(mean, place)}<small>{escape(spread)}</small>" if spread else link(mean, place)
    )


def known(told: float | None) -> str:
    """A figure that may not be known."""
    return "-" if told is None else f"{told:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], ids: Iterable[str] = ()) -> str:
    """A table; rows may have ids, so that links lead to them."""
    titles = "".join(f"<th scope=col>{html(title)}" for title in head)
    named = iter(ids)
    body = "".join(
        f"<tr{_id(next(named, ''))}>" + "".join(f"<td>{html(one)}" for one in cells)
        for cells in rows
    )
    return f"<div class=wide><table><thead><tr>{titles}<tbody>{body}</table></div>"


def _id(name: str) -> str:
    return f" id={name}" if name else ""


def figure(svg: str, caption: str) -> str:
    """A chart with its caption."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
