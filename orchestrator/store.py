"""LangGraph's long-term store in one SQLite file that many processes share.

Its tables are made elsewhere and moved into place, because LangGraph's own `setup` leaves a store
that cannot be used any more where it is killed halfway.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from langgraph.store.sqlite import SqliteStore

from environments.folders import make_private

_NEWEST = len(SqliteStore.MIGRATIONS) - 1
_COLUMNS = "prefix, key, value, created_at, updated_at"
"""Those that every version of the table has."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else uses the store in this file meanwhile."""
    make_private(path.parent)
    with path.with_suffix(".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def opened(path: Path) -> Iterator[SqliteStore]:
    """The store in a file, made or mended first if it is not whole; for one process at a time.

    Raises:
        OSError, sqlite3.Error: it cannot be read or written, or is damaged.
    """
    with locked(path):
        if _version(path) < _NEWEST:
            _make(path)
        with SqliteStore.from_conn_string(str(path)) as store:
            store.setup()
            yield store


def set_aside(path: Path) -> Path:
    """Move a store that cannot be read out of the way; returns where it is now.

    Raises:
        OSError: it cannot be moved.
    """
    with locked(path):
        number = 1
        while (aside := path.with_name(f"{path.stem}.damaged-{number}")).exists():
            number += 1
        path.replace(aside)
        _remove(path)
    return aside


def _version(path: Path) -> int:
    """The last of LangGraph's migrations that is done and noted; -1 for none."""
    if not path.is_file():
        return -1
    with closing(sqlite3.connect(path)) as database:
        try:
            (version,) = database.execute("SELECT max(v) FROM store_migrations").fetchone()
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return -1
    return -1 if version is None else int(version)


def _make(path: Path) -> None:
    """Make a whole store of what the file holds, beside it, and put it in its place."""
    rows = _rows(path)
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    _remove(draft)
    with SqliteStore.from_conn_string(str(draft)) as store:
        store.setup()
        store.conn.executemany(f"INSERT INTO store ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)", rows)
        store.conn.commit()
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)


def _rows(path: Path) -> list[tuple[str, ...]]:
    if not path.is_file():
        return []
    with closing(sqlite3.connect(path)) as database:
        try:
            return database.execute(f"SELECT {_COLUMNS} FROM store").fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return []


def _remove(path: Path) -> None:
    """The logs that SQLite left beside a file that is no more; another file is not to get them."""
    for ending in ("-wal", "-shm", "-journal"):
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)
