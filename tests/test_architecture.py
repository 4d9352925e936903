"""The import direction, the third parties' places, and the size of files."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from types import FrameType

import networkx as nx

from orchestrator import play
from orchestrator.events import Event, TurnPlayed

ROOT = Path(__file__).parent.parent
LAYERS = {
    "orchestrator": {"orchestrator", "agents", "managers", "environments"},
    "agents": {"agents", "managers", "environments", "prompts"},
    "managers": {"managers", "environments"},
    "environments": {"environments"},
    "prompts": {"prompts"},
    "testing": {"testing", "agents", "managers", "environments"},
}
THIRD_PARTIES = {
    "jericho": ("environments",),
    "textworld": ("environments",),
    "langgraph": ("orchestrator",),
    "langchain_ollama": ("agents/models",),
    "langchain_openai": ("agents/models",),
    "ollama": ("agents/models",),
    "openai": ("agents/models",),
    "jinja2": ("prompts",),
    "typer": ("orchestrator/cli",),
    "rich": ("orchestrator",),
    "prompt_toolkit": ("orchestrator/screen/keyboard.py",),
    "starlette": ("orchestrator/viewer",),
    "textual": ("orchestrator/viewer",),
    "uvicorn": ("orchestrator/viewer",),
}
MIND = {"language", "world", "planning", "belief", "memory", "core", "skills"}
MOST_ARROWS = 14
"""From one package of the mind to another."""
MAX_LINES = 800
SOURCES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield (node.module or "").split(".")[0]


def modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""


@cache
def imports() -> dict[Path, set[str]]:
    """Every file of ours -> the packages that it imports."""
    return {path.relative_to(ROOT): set(imported(parsed(path))) for path in SOURCES}


def test_imports_point_left_to_right() -> None:
    backwards = [
        f"{place} imports {name}"
        for place, names in imports().items()
        for name in names
        if name in LAYERS and name not in LAYERS[place.parts[0]]
    ]
    assert backwards == []


def test_a_third_party_stays_in_its_place() -> None:
    astray = [
        f"{place} imports {name}, which belongs to {THIRD_PARTIES[name]}"
        for place, names in imports().items()
        for name in names
        if name in THIRD_PARTIES and not str(place).startswith(THIRD_PARTIES[name])
    ]
    assert astray == []


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
    """A module's top level holds definitions, constants and imports, no bare calls.

    But for one, which has to come before any other import: the names of our packages are claimed.
    """
    for path in set(SOURCES) - {ROOT / "orchestrator" / "__init__.py"}:
        for node in parsed(path).body:
            call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            assert not call, f"{path.relative_to(ROOT)}:{node.lineno} calls something at import"


def test_the_mind_has_its_packages_and_few_arrows_between_them() -> None:
    managers = ROOT / "managers"
    assert {path.parent.name for path in managers.glob("*/__init__.py")} == MIND
    assert {path.name for path in managers.glob("*.py")} == {"__init__.py"}
    arrows = {
        (path.parent.name, module.split(".")[1])
        for path in managers.glob("*/*.py")
        for module in modules(parsed(path))
        if module.startswith("managers.")
    }
    assert len({(one, other) for one, other in arrows if one != other}) <= MOST_ARROWS


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    graph = nx.DiGraph(
        (name, other)
        for name, path in names.items()
        for other in imported_at_once(parsed(path))
        if other in names
    )
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph)]
    assert [circle for circle in circles if len(circle) > 1] == []


def imported_at_once(tree: ast.Module) -> Iterator[str]:
    """The modules, or what stands in them, that are imported when this one is."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def public(body: list[ast.stmt]) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def test_every_public_class_has_a_name_of_its_own() -> None:
    """Nobody need ask which of two is meant, wherever one reads of it."""
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in public(parsed(path).body):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_whatever_the_mind_offers_says_what_it_is() -> None:
    """Every public definition has a docstring; properties are named for what they are."""
    silent = []
    for path in sorted((ROOT / "managers").rglob("*.py")):
        tree = parsed(path)
        places = [tree.body, *(one.body for one in public(tree.body) if is_class(one))]
        silent += [
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            for body in places
            for node in public(body)
            if not ast.get_docstring(node)
        ]
    assert silent == []


def is_class(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef)


def test_one_turn_of_the_mind_can_be_followed(
    story_path: Callable[[str], Path], tmp_path: Path
) -> None:
    """Five turns run through 480 of its functions and 68 of its files in the mean, or fewer."""
    looked_at = range(10, 51, 10)
    called: set[tuple[str, str, int]] = set()
    turns: list[set[tuple[str, str, int]]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT / "managers")):
            called.add((code.co_filename, code.co_qualname, code.co_firstlineno))

    def look(event: Event) -> None:
        if not isinstance(event, TurnPlayed):
            return
        turn = int(event.after["turn"])
        if turn in looked_at:
            turns.append({one for one in called if not one[1].endswith(">")})
        called.clear()
        watch = note if turn + 1 in looked_at else None
        sys.setprofile(watch)
        threading.setprofile(watch)

    try:
        story = story_path("zork1.z5")
        play(story, steps=50, seed=1, out=tmp_path, watchers=(look,), checkpoints=False)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert len(turns) == len(looked_at)
    assert fmean(len(one) for one in turns) <= 480
    assert fmean(len({file for file, *_ in one}) for one in turns) <= 68
