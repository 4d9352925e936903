"""Every symbol that docs/seeds.md names is there."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "seeds.md"
SYMBOL = re.compile(
    r"`(?P<module>[a-z_]+(?:\.[a-z_]+)*)?(?:(?P<colon>:)|\.)(?P<name>[A-Za-z_][\w.]*)`"
)
FEWEST = 260
"""Systems of the specifications have so many symbols."""


def symbols(text: str) -> Iterator[tuple[str, str]]:
    """Every symbol with its module: of `a.b:C.d`, `.e` and `:F` a line names C.d, C.e and F."""
    for line in text.splitlines():
        module, owner = "", ""
        for one in SYMBOL.finditer(line):
            if one["colon"]:
                module = one["module"] or module
                owner = one["name"].partition(".")[0]
                yield module, one["name"]
            elif not one["module"]:
                yield module, f"{owner}.{one['name']}"


SYMBOLS = sorted(set(symbols(PAGE.read_text(encoding="utf-8"))))


def test_the_symbols_named_in_the_page_on_the_seeds_exist() -> None:
    assert [f"{module}:{name}" for module, name in SYMBOLS if not exists(module, name)] == []


def exists(module: str, name: str) -> bool:
    """Whether a module has what `Class.field` or the like names."""
    owner, _, field = name.rpartition(".")
    try:
        found = importlib.import_module(module)
        parent = functools.reduce(getattr, owner.split("."), found) if owner else found
    except (ImportError, AttributeError, ValueError):
        return False
    fields = {**getattr(parent, "model_fields", {}), **getattr(parent, "__dataclass_fields__", {})}
    return hasattr(parent, field) or field in fields


def test_the_page_leaves_none_of_them_out() -> None:
    assert len(SYMBOLS) >= FEWEST
