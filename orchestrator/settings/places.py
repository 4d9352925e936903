"""Where the keys of TOML files stand, for messages that name the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

Key = tuple[str, ...]
Places = dict[Key, str]
"""Key -> `file:line`; a text within a value has a key of its own, its last part."""
EXTENDS = " (extends "
"""Between the place where a file is extended and the place in that file."""

_TOKEN = re.compile(
    r'"""(?:\\.|(?!""").)*"""|\'\'\'.*?\'\'\''
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\w-]+|\n|[^\w\s]',
    re.S,
)
_OPEN, _CLOSE = "[{", "]}"


class _Token(NamedTuple):
    text: str
    line: int


def places_in(text: str, name: str) -> Places:
    """Where every key of a valid TOML text stands; of two places the first."""
    return {key: f"{name}:{line}" for key, line in reversed(list(_keys(text)))}


def place_of(places: Places, *key: str) -> str:
    """`file:line: ` of a key, of what is in it, or of the table around it; empty if none is."""
    while key and key not in places:
        within = [place for one, place in places.items() if one[: len(key)] == key]
        if within:
            return f"{within[-1]}: "
        key = key[:-1]
    return f"{places[key]}: " if key else ""


def _keys(text: str) -> Iterator[tuple[Key, int]]:
    tokens = [token for token in _tokens(text) if not token.text.startswith("#")]
    table: Key = ()
    at = 0
    while at < len(tokens):
        if tokens[at].text == "\n":
            at += 1
        elif tokens[at].text == "[":
            table, at = _header(tokens, at)
            yield table, tokens[at - 1].line
        else:
            key, at = _name(tokens, at)
            yield (*table, *key), tokens[at - 1].line
            end = _end(tokens, at)
            yield from _within((*table, *key), tokens[at:end])
            at = end


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        yield _Token(match[0], line)
        line += match[0].count("\n")


def _header(tokens: list[_Token], at: int) -> tuple[Key, int]:
    """The key of `[a.b]` or `[[a.b]]`, and what follows it."""
    parts = []
    while tokens[at].text != "]":
        if tokens[at].text not in "[.":
            parts.append(_plain(tokens[at].text))
        at += 1
    while at < len(tokens) and tokens[at].text == "]":
        at += 1
    return tuple(parts), at


def _name(tokens: list[_Token], at: int) -> tuple[Key, int]:
    """The key before `=`, and what follows that."""
    parts = []
    while tokens[at].text != "=":
        if tokens[at].text != ".":
            parts.append(_plain(tokens[at].text))
        at += 1
    return tuple(parts), at + 1


def _end(tokens: list[_Token], at: int) -> int:
    """Where the value ends that begins here."""
    depth = 0
    while at < len(tokens) and (depth or tokens[at].text != "\n"):
        depth += (tokens[at].text in _OPEN) - (tokens[at].text in _CLOSE)
        at += 1
    return at


def _within(key: Key, value: list[_Token]) -> Iterator[tuple[Key, int]]:
    """The texts in a list, and the keys of a table, each after the key of the whole."""
    if not value or value[0].text not in _OPEN:
        return
    for token, following in zip(value, [*value[1:], _Token("", 0)], strict=True):
        if following.text == "=" or token.text[0] in "\"'":
            yield (*key, _plain(token.text)), token.line


def _plain(text: str) -> str:
    return text.strip("\"'")
