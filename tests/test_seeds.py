"""Every symbol that docs/seeds.md names is there."""

from __future__ import annotations

import functools
import importlib
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "seeds.md"
SYMBOL = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*):([A-Za-z_][\w.]*)`")
SYMBOLS = sorted(set(SYMBOL.findall(PAGE.read_text(encoding="utf-8"))))


def test_the_symbols_named_in_the_page_on_the_seeds_exist() -> None:
    assert [f"{module}:{name}" for module, name in SYMBOLS if not exists(module, name)] == []


def exists(module: str, name: str) -> bool:
    """Whether a module has what `Class.field` or the like names."""
    owner, _, field = name.rpartition(".")
    try:
        found = importlib.import_module(module)
        parent = functools.reduce(getattr, owner.split("."), found) if owner else found
    except (ImportError, AttributeError):
        return False
    fields = {**getattr(parent, "model_fields", {}), **getattr(parent, "__dataclass_fields__", {})}
    return hasattr(parent, field) or field in fields


def test_the_page_names_symbols() -> None:
    assert len(SYMBOLS) > 40
