"""Our other packages, found as our own whatever else is called `agents` on this machine.

Names as plain as `agents` and `prompts` are taken by other distributions, too. An installed wheel
has these packages within `orchestrator`, so that no files get mixed; a checkout has them beside it.
From the first import of `orchestrator` on their names lead there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

OURS = ("agents", "environments", "game_files", "managers", "prompts", "testing")
_HERE = Path(__file__).resolve().parent
_WITHIN = _HERE / "packages"
ROOT = _WITHIN if _WITHIN.is_dir() else _HERE.parent
"""The folder that holds them."""


def folder_of(package: str) -> Path:
    """Where one of our packages is, `orchestrator` among them."""
    return _HERE if package == _HERE.name else ROOT / package


class _Finder:
    """Finds them before Python looks along `sys.path`."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [str(ROOT)]) if name in OURS else None


def claim() -> None:
    """Let the names of our packages mean ours.

    Raises:
        ImportError: one of them was imported from elsewhere before.
    """
    for name in OURS:
        if name in sys.modules and not _is_ours(module := sys.modules[name]):
            file = getattr(module, "__file__", None) or "elsewhere"
            where = next(iter(getattr(module, "__path__", [])), file)
            raise ImportError(
                f"zork-orchestrator has a package {name!r}, and another one of that name was "
                f"imported before it ({where}): import orchestrator first, and the other package "
                "in a process of its own"
            )
    if not any(finder is _Finder for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder)


def _is_ours(module: ModuleType) -> bool:
    places = [Path(place).resolve() for place in getattr(module, "__path__", [])]
    return folder_of(module.__name__).resolve() in places
