"""All English words in the data and the code that read and play stories."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from managers.language.actions import table
from managers.language.lexicon import word_list

ROOT = Path(__file__).parents[2]
_SHORTEST = 3
_ESCAPES = re.compile(r"\\[a-zA-Z]")
_TEMPLATE_CODE = re.compile(r"\{[%{#].*?[%}#]\}", re.DOTALL)
_WARDS = re.compile(r"(?:north|south|east|west|up|down)wards?")
"""Directions and their adverbs are a closed class, whoever uses which."""


@cache
def words() -> dict[str, set[str]]:
    """Word -> the files it stands in; names of classes, comments and docstrings do not count."""
    found: dict[str, set[str]] = {}
    names = {
        *word_list("things.txt"),
        *(kind for kinds in table().classes.values() for kind in kinds),
    }
    for path, text in _texts():
        for word in re.findall(r"[a-z]+", _ESCAPES.sub(" ", text).lower()):
            if len(word) >= _SHORTEST and word not in names and not _WARDS.fullmatch(word):
                found.setdefault(word, set()).add(str(path.relative_to(ROOT)))
    return found


def _texts() -> Iterator[tuple[Path, str]]:
    for path in _files("managers", "*.toml"):
        yield from ((path, text) for text in _strings(tomllib.loads(path.read_text("utf-8"))))
    for path in _files("managers/language/lexicon", "*.txt"):
        for line in path.read_text("utf-8").splitlines():
            yield path, "" if line.startswith("#") else line.partition(":")[2]
    for path in _files("prompts", "*.md"):
        yield path, _TEMPLATE_CODE.sub(" ", path.read_text("utf-8"))
    for path in (*_files("managers", "*.py"), ROOT / "agents" / "extractor.py"):
        yield from ((path, text) for text in _constants(path))


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((ROOT / folder).rglob(pattern))


def _constants(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "" if id(node) in docstrings else node.value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
