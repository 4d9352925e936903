"""Where in TOML files a key stands, for messages about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_TABLE = re.compile(r"\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'\- ]+?)\s*=")


def place(files: Iterable[Path], location: Sequence[str | int]) -> str:
    """`FILE line N` of the last file that names a key; empty where none does."""
    wanted = [str(part) for part in location]
    found = ""
    for file in files:
        for number, keys in _lines(file):
            if keys and keys[: len(wanted)] == wanted:
                found = f"{file} line {number}"
                break
    return found


def _lines(file: Path) -> Iterable[tuple[int, list[str]]]:
    """Each line with the whole name of the table or key that it begins."""
    table: list[str] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if header := _TABLE.fullmatch(line):
            table = _names(header[1])
            yield number, table
        elif key := _KEY.match(line):
            yield number, [*table, *_names(key[1])]


def _names(dotted: str) -> list[str]:
    return [name.strip(" \"'") for name in dotted.split(".")]
