"""What the site has besides the pages of this folder: it is made when the site is built.

MkDocs calls `on_files` and `on_page_markdown`. A page says by `<!-- made: NAME -->`, or with what
it is made of behind the name, what is put there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import itertools
import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from pydantic import BaseModel

ROOT = Path(__file__).parent.parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the repository that are pages of the site, too."""
MARK = re.compile(r"<!-- made: ([a-z]+) ?([\w.:]*) -->")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie beside this folder."""
    from mkdocs.structure.files import File

    for name in BESIDE:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put in what is made, and point at the pages that lie beside this folder where they are."""
    filled = MARK.sub(lambda mark: MADE[mark[1]](mark[2]), markdown)
    for name in BESIDE:
        filled = filled.replace(f"](../{name}", f"]({name}")
    return filled


def commands(_: str) -> str:
    """The help of every command, as it prints it."""
    os.environ.update(TYPER_USE_RICH="0", COLUMNS="100")
    _import_from_root()
    from orchestrator.cli.main import COMMANDS

    return "\n".join(text for name in COMMANDS for text in _helps(name))


def experiments(_: str) -> str:
    """The ledger as a table."""
    _import_from_root()
    from benchmarks import ledger

    return ledger.table(ledger.experiments())


def settings(name: str) -> str:
    """The keys of a table of graph files, of the class that `module:Class` names."""
    _import_from_root()
    module, _, kind = name.partition(":")
    model = getattr(importlib.import_module(module), kind)
    rows = [_setting(model, key, *told) for key, told in _attributes(model).items()]
    return "\n".join(["| key | type | default | says |", "|---|---|---|---|", *rows])


def parts(_: str) -> str:
    """What plays each role by a short name, with its options and their defaults."""
    _import_from_root()
    from orchestrator.roles import ROLES
    from orchestrator.settings.parts import load_part

    rows = [
        f"| `{role.name}` | `{use}` | {_options(load_part(use, role.parts, role.name, 'part'))} |"
        for role in ROLES.values()
        for use in role.parts
    ]
    return "\n".join(["| role | use | options |", "|---|---|---|", *rows])


MADE: dict[str, Callable[[str], str]] = {
    "commands": commands,
    "experiments": experiments,
    "parts": parts,
    "settings": settings,
}


def _options(part: Any) -> str:
    """Those that a graph file can say: not an object that stands in for another one."""
    found = [one for one in inspect.signature(part).parameters.values() if one.default is not None]
    return ", ".join(f"`{one.name}`{_default(one)}" for one in found)


def _default(option: inspect.Parameter) -> str:
    if option.default is option.empty or option.default == ():
        return ""
    return f" ({'default' if option.name == 'model' else json.dumps(option.default)})"


class _Plain(ast.NodeTransformer):
    """A type without what checks it."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        checked = ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple)
        return node.slice.elts[0] if checked else node


def _attributes(model: Any) -> dict[str, tuple[str, str]]:
    """The type of every field, as it is written, and what stands under it; inherited ones first."""
    if model.__module__.startswith("pydantic"):
        return {}
    (tree,) = ast.parse(inspect.getsource(model)).body
    statements = [*getattr(tree, "body", []), None]
    own = {
        one.target.id: (ast.unparse(_Plain().visit(one.annotation)), _docstring(below))
        for one, below in itertools.pairwise(statements)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    fields = {**_attributes(model.__base__), **own}
    return {key: told for key, told in fields.items() if key in model.model_fields}


def _docstring(statement: ast.stmt | None) -> str:
    """What a text that stands alone says; empty for any other statement."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return " ".join(str(value.value).split()) if isinstance(value, ast.Constant) else ""


def _setting(model: Any, key: str, kind: str, says: str) -> str:
    """A row of the table; tables within tables have no default of one line."""
    field = model.model_fields[key]
    default = "" if field.is_required() else field.get_default(call_default_factory=True)
    if isinstance(default, list | tuple):
        default = ", ".join(str(one) for one in default)
    if default is None or isinstance(default, dict | BaseModel):
        default = ""
    cells = [f"`{key}`", f"`{kind}`", f"`{default}`" if default != "" else "", says]
    return "| " + " | ".join(cell.replace(" | ", " or ") for cell in cells) + " |"


def _helps(name: str) -> list[str]:
    """The help of a command, and of all commands of a group."""
    from orchestrator.cli.main import loaded

    inner = getattr(loaded(name), "commands", {})
    called = [(name,), *((name, one) for one in inner)]
    return [f"## zork {' '.join(one)}\n\n```text\n{_help(*one)}\n```\n" for one in called]


def _help(*command: str) -> str:
    from orchestrator.cli.main import make_app

    with redirect_stdout(io.StringIO()) as printed:
        make_app()([*command, "--help"], prog_name="zork", standalone_mode=False)
    return printed.getvalue().strip()


def _import_from_root() -> None:
    """The program and its benchmarks are imported from this checkout."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
