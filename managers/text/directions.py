"""The directions of interactive fiction and the ways to write them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_OPPOSITES = {
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "northeast": "southwest",
    "northwest": "southeast",
    "southeast": "northwest",
    "southwest": "northeast",
    "up": "down",
    "down": "up",
    "in": "out",
    "out": "in",
}
_SHORT = {
    "north": "n",
    "south": "s",
    "east": "e",
    "west": "w",
    "northeast": "ne",
    "northwest": "nw",
    "southeast": "se",
    "southwest": "sw",
    "up": "u",
    "down": "d",
    "in": "in",
    "out": "out",
}
_OTHER = {
    "upstairs": "up",
    "upward": "up",
    "upwards": "up",
    "downstairs": "down",
    "downward": "down",
    "downwards": "down",
    "inside": "in",
    "outside": "out",
    "exit": "out",
    "leave": "out",
    "enter": "in",
    "ascend": "up",
    "descend": "down",
}
_VERBS = frozenset({"go", "walk", "run", "head", "move", "travel"})
_COMPOUNDS = ("north-east", "north-west", "south-east", "south-west")

DIRECTIONS: tuple[str, ...] = tuple(_OPPOSITES)
"""The canonical names, compass first."""

WORDS: Mapping[str, str] = MappingProxyType(
    {name: name for name in DIRECTIONS}
    | {short: name for name, short in _SHORT.items()}
    | {word: word.replace("-", "") for word in _COMPOUNDS}
    | _OTHER
)
"""Every word for a direction, with its canonical name."""


def direction_of(command: str) -> str | None:
    """The canonical direction a command goes, or None: `n`, `Go North` -> `north`."""
    words = command.lower().split()
    if len(words) == 2 and words[0] in _VERBS:
        words = words[1:]
    return WORDS.get(words[0]) if len(words) == 1 else None


def opposite(direction: str) -> str | None:
    """The way back, if the world were straight; None for what is no direction."""
    return _OPPOSITES.get(direction)
