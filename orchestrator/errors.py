"""Errors a user can mend: printed in one line, exit status 2.

They are RuntimeErrors because LangGraph's server hides the words of any other kind from its client.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

SAVED = "what was played before is saved: "
"""What the note begins with that an error in play gets."""


class ConfigError(RuntimeError):
    """A graph config, option or reference is wrong; the message says what would work."""


class RoleError(RuntimeError):
    """A swapped-in part broke its contract while playing."""


class RunError(RuntimeError):
    """A run directory cannot be written or read."""


class DamageError(RunError):
    """The store of what was learned is damaged; it is to be set aside."""


class RunInUseError(RunError):
    """Another process is playing the run."""


@contextmanager
def writing(path: Path, option: str = "") -> Iterator[None]:
    """Tell which file cannot be written, behind the option that named it.

    Raises:
        RunError: it cannot.
    """
    try:
        yield
    except OSError as error:
        raise RunError(f"{option}{str(path)!r}: cannot be written: {error.strerror}") from error


def check_spared(target: Path, *sources: Path) -> None:
    """Refuse to write over what is read.

    Raises:
        RunError: the target is one of the sources.
    """
    if target.resolve() in [source.resolve() for source in sources]:
        raise RunError(f"{str(target)!r}: is read itself, and would be lost; name another file")


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """One line for a name that does not exist: the closest known one, and all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {what} {name!r}{hint} (known: {', '.join(names)})"
