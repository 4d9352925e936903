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
