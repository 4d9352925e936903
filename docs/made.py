"""What the site has besides the pages of this folder: it is made when the site is built.

MkDocs calls `on_files` and `on_page_markdown`. A page says by `<!-- made: NAME -->` what is put there.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the repository that are pages of the site, too."""
MARK = re.compile(r"<!-- made: ([a-z]+) -->")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie beside this folder."""
    from mkdocs.structure.files import File

    for name in BESIDE:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put in what is made, and point at the pages that lie beside this folder where they are."""
    filled = MARK.sub(lambda mark: MADE[mark[1]](), markdown)
    for name in BESIDE:
        filled = filled.replace(f"](../{name}", f"]({name}")
    return filled


def commands() -> str:
    """The help of every command, as it prints it."""
    os.environ.update(TYPER_USE_RICH="0", COLUMNS="100")
    _import_from_root()
    from orchestrator.cli.main import COMMANDS

    return "\n".join(text for name in COMMANDS for text in _helps(name))


def experiments() -> str:
    """The ledger as a table."""
    _import_from_root()
    from benchmarks import ledger

    return ledger.table(ledger.experiments())


MADE: dict[str, Callable[[], str]] = {"commands": commands, "experiments": experiments}


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
