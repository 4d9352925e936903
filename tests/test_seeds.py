"""Every symbol that docs/seeds.md names is there."""

from __future__ import annotations

import functools
import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "seeds.md"
SYMBOL = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*):([A-Za-z_][\w.]*)`")
SYMBOLS = sorted(set(SYMBOL.findall(PAGE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("module", "name"), SYMBOLS, ids=":".join)
def test_a_symbol_named_in_the_page_on_the_seeds_exists(module: str, name: str) -> None:
    found = importlib.import_module(module)
    owner, _, field = name.rpartition(".")
    parent = functools.reduce(getattr, owner.split("."), found) if owner else found
    fields = {**getattr(parent, "model_fields", {}), **getattr(parent, "__dataclass_fields__", {})}
    assert hasattr(parent, field) or field in fields


def test_the_page_names_symbols() -> None:
    assert len(SYMBOLS) > 40
