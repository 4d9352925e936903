"""What sentences say, kept as data: the tables of this package, and their patterns compiled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str, package: str = __package__) -> Mapping[str, Any]:
    """A table of a package, `name.toml`, read once."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))


def pattern(text: str, name: str = "patterns") -> re.Pattern[str]:
    """Compile a verbose pattern, case ignored: `<part>` is one of its table or `patterns.toml`."""
    for part, meaning in {**table(name).get("parts", {}), **table("patterns")["parts"]}.items():
        text = text.replace(f"<{part}>", meaning)
    return re.compile(text, re.VERBOSE | re.IGNORECASE)


def rules(name: str, section: str) -> Iterator[dict[str, Any]]:
    """The entries of a section, each as often as it has `patterns`, with one `pattern` compiled."""
    for entry in table(name)[section]:
        told = {key: value for key, value in entry.items() if key != "patterns"}
        for text in entry["patterns"]:
            yield {**told, "pattern": pattern(text, name)}


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a section of `patterns.toml` by their names."""
    return {name: pattern(text) for name, text in table("patterns")[section].items()}
