"""The SQLite file of a run, opened as one that somebody else may have made.

What a database defines runs when it is read: a view in a table's place, a trigger, a column that
is computed. So nothing is read before it is known to hold our tables and nothing else.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from environments.plain_files import check_own, open_plain

PATIENCE_S = 60.0
"""How long one access may take; to look through a gigabyte takes five seconds."""
LONGEST = 16 << 20
"""Bytes of a row or value."""
_BESIDE = ("", "-wal", "-shm", "-journal")
_OPCODES = 20_000
"""Of SQLite's machine, between two looks at the clock; some milliseconds."""
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that names another file, which SQLite would delete."""
_MOST_PARTS = 20
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Clock:
    """Breaks off what takes too long."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._end = 0.0
        self.restart()
        connection.set_progress_handler(self._is_over, _OPCODES)

    def restart(self) -> None:
        """From now on."""
        self._end = time.monotonic() + PATIENCE_S

    def _is_over(self) -> bool:
        return time.monotonic() > self._end


@contextmanager
def connected(
    path: Path, known: Collection[str] = ()
) -> Iterator[tuple[sqlite3.Connection, Clock]]:
    """A database with no tables but those that the statements in `known` make.

    Raises:
        OSError: it is no file of its own, or cannot be read.
        ValueError: it defines something else, or is damaged.
        sqlite3.Error: it is none.
    """
    for ending in _BESIDE:
        check_own(path.with_name(f"{path.name}{ending}"))
    _check_journal(path.with_name(f"{path.name}-journal"))
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        clock = Clock(connection)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA cell_size_check=ON")
        for statement in definitions(connection):
            _check_definition(statement, known)
        yield connection, clock


def check_pages(connection: sqlite3.Connection) -> None:
    """Have SQLite compare all pages and indexes with each other.

    Raises:
        ValueError: they do not fit.
        sqlite3.Error: it takes too long, or cannot be done.
    """
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise ValueError(f"it is damaged: {found}")


def definitions(connection: sqlite3.Connection) -> list[str]:
    """The statements that made what a database holds, without the indexes of primary keys."""
    rows = connection.execute("SELECT type, sql FROM sqlite_master").fetchmany(_MOST_PARTS)
    return [str(sql or "") for kind, sql in rows if (kind, sql) != ("index", None)]


def _check_definition(statement: str, known: Collection[str]) -> None:
    """It is a table of ours, written with no word besides those of our own definitions."""
    words = _TOKEN.findall(statement)
    for own in known:
        ours = _TOKEN.findall(own)
        if words[:3] == ours[:3] and set(words) <= set(ours):
            return
    told = " ".join(statement.split())[:60]
    raise ValueError(f"it is no database of this program: it defines {told!r}")


def _check_journal(path: Path) -> None:
    if path.exists():
        with open_plain(path) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - len(_NAMES_ANOTHER)))
            if file.read() == _NAMES_ANOTHER:
                raise ValueError(f"{path.name} names another database, as none of ours does")
