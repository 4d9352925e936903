"""What sentences say, kept as data: the tables of this package, their patterns and phrases."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_table(name: str, package: str = __package__) -> Mapping[str, Any]:
    """A table of a package, `name.toml`, read once."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))


def pattern(text: str, name: str = "patterns", flags: int = re.VERBOSE) -> re.Pattern[str]:
    """Compile a pattern, case ignored: `<part>` is one of its table or of `patterns.toml`."""
    for part, meaning in {
        **read_table(name).get("parts", {}),
        **read_table("patterns")["parts"],
    }.items():
        text = text.replace(f"<{part}>", meaning)
    return re.compile(text, flags | re.IGNORECASE)


@cache
def rules(name: str, section: str, flags: int = re.VERBOSE) -> Sequence[Mapping[str, Any]]:
    """The entries of a section, each as often as it has `patterns`, with one `pattern` compiled."""
    return [
        {**entry, "pattern": pattern(text, name, flags)}
        for entry in read_table(name)[section]
        for text in entry["patterns"]
    ]


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a section of `patterns.toml` by their names."""
    return {name: pattern(text) for name, text in read_table("patterns")[section].items()}


def phrases(*words: str) -> re.Pattern[str]:
    """A pattern that finds any of the words as whole words, in letters of either case.

    Each of `words` is a regular expression.
    """
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


HURT = phrases(
    "badly hurt",
    "(?:badly|seriously|gravely) (?:wounded|injured)",
    "you are (?:wounded|bleeding)",
    "opens your (?:arm|leg|side|chest|cheek|shoulder|thigh|throat|skin|flesh|guard)",
    "catches you",
    "you stagger",
    "draws blood",
    "ouch",
    "out of breath",
    "blood (?:runs|starts|wells|flows|streams|trickles|drips|pours)",
    "you(?:'re| are) (?:losing|hurt)",
    r"(?:nicks?|skins|gash(?:es|ing)?|slash(?:es|ing)?|pierces|grazes|scratches|wounds"
    r"|(?:deep|ugly) (?:wound|cut|gash) (?:in|on)) (?:\w+ ){0,2}you(?:r \w+)?",
)
"""The player is hurt."""
LADEN = phrases(
    "(?:your|the) load is too",
    "your load",
    "carrying too",
    "carry any ?more",
    "holding too",
    "hands? (?:is|are) full",
    "arms are full",
)
"""Too much is carried already."""
