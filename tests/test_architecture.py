"""The import direction, the third parties' places, and the size of files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = {
    "orchestrator": {"orchestrator", "agents", "managers", "environments"},
    "agents": {"agents", "managers", "environments", "prompts"},
    "managers": {"managers", "environments"},
    "environments": {"environments"},
    "prompts": {"prompts"},
}
THIRD_PARTIES = {
    "jericho": ("environments",),
    "textworld": ("environments",),
    "langgraph": ("orchestrator",),
    "langchain_ollama": ("agents",),
    "jinja2": ("prompts",),
    "typer": ("orchestrator/cli",),
    "rich": ("orchestrator",),
    "prompt_toolkit": ("orchestrator/keyboard.py",),
    "starlette": ("orchestrator/viewer",),
    "textual": ("orchestrator/viewer",),
    "uvicorn": ("orchestrator/viewer",),
}
MAX_LINES = 400
SOURCES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_left_to_right(path: Path) -> None:
    place = path.relative_to(ROOT)
    for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
        if name in LAYERS:
            assert name in LAYERS[place.parts[0]], f"{place} imports {name}"
        if name in THIRD_PARTIES:
            homes = THIRD_PARTIES[name]
            assert str(place).startswith(homes), f"{place} imports {name}, which belongs to {homes}"


def test_no_file_of_ours_is_above_the_limit() -> None:
    ours = [
        path
        for folder in (*LAYERS, "tests", "benchmarks", "examples", "game_files")
        for pattern in ("*.py", "*.inf", "*.toml")
        for path in (ROOT / folder).rglob(pattern)
    ]
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in ours
    }
    assert {path: n for path, n in lengths.items() if n > MAX_LINES} == {}


def test_nothing_happens_at_import_time() -> None:
    """A module's top level holds definitions, constants and imports, no bare calls."""
    for path in SOURCES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            assert not call, f"{path.relative_to(ROOT)}:{node.lineno} calls something at import"
