"""What sentences say, kept as data: the tables of this package, and their patterns compiled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

_PARTS = {
    "name": r"[^.;:!?\n]{2,160}?",
    "words": r"[\w'\ -]{2,50}?",
    "is": r"(?:is|are|lies?|sits?|rests?|stands?|hangs?)",
    "det": r"(?:the\ |your\ |an?\ |some\ )?",
    "end": r"(?=[.,;!?]|\ and\b|$)",
    # What a sentence may say before it comes to what happens: `you hear a click, and then`.
    "then": r"^(?:[^\"]{2,160}(?:,|,?\ and|;)\ )?(?:then,?\ |suddenly,?\ |slowly,?\ )?",
    # What opens: `top of the tank`, `doors hum as they`, and not `lever clicks and the door`.
    "opener": (
        r"[\w'-]+(?:\ (?!(?:the|an?|and|as)\b)[\w'-]+){0,4}?"
        r"(?:\ (?:in|on|of|to|at|by)\ the(?:\ [\w'-]+){1,3}?|\ as\ (?:they|it))?"
    ),
    # How doors and lids open and shut by themselves, and how one opens and shuts them.
    "moves": (
        r"(?:swing|slide|creak|squeak|spring|burst|grind|rumble|pop|snap|bang|clang|fall|slam"
        r"|fly|flie|crash|crashe)s?"
    ),
    "stays": r"(?:(?:is|are|stands?|hangs?|lies?|yawns?|was|were)(?:\ now|\ wide|\ slightly)?)",
    "force": r"(?:push|pull|force|pry|slide|swing|throw|wrench|flip|slam|yank|kick|shove)",
    # Behind these a full stop ends no sentence.
    "titled": "".join(rf"(?<!\b{title}\.)" for title in ("Mr", "Mrs", "Ms", "Dr", "St")),
}


def pattern(text: str, parts: Mapping[str, str] = MappingProxyType({})) -> re.Pattern[str]:
    """Compile a verbose pattern, case ignored, after filling in the parts of `<name>`."""
    for part, meaning in {**parts, **_PARTS}.items():
        text = text.replace(f"<{part}>", meaning)
    return re.compile(text, re.VERBOSE | re.IGNORECASE)


def rules(
    entries: Iterable[Mapping[str, Any]], parts: Mapping[str, str] = MappingProxyType({})
) -> Iterator[dict[str, Any]]:
    """The entries of a table, each as often as it has `patterns`, with one `pattern` compiled."""
    for entry in entries:
        told = {key: value for key, value in entry.items() if key != "patterns"}
        for text in entry["patterns"]:
            yield {**told, "pattern": pattern(text, parts)}


@cache
def table(name: str, package: str = __package__) -> Mapping[str, Any]:
    """A table of a package, `name.toml`, read once."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a section of `patterns.toml` by their names."""
    return {name: pattern(text) for name, text in table("patterns")[section].items()}
