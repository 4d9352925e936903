"""Errors a user can mend: printed in one line, exit status 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ConfigError(Exception):
    """A graph config, option or reference is wrong; the message says what would work."""


class RoleError(Exception):
    """A swapped-in part broke its contract while playing."""


class RunError(Exception):
    """A run directory cannot be written or read."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """One line for a name that does not exist: the closest known one, and all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {what} {name!r}{hint} (known: {', '.join(names)})"
