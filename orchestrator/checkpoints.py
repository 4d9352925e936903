"""Where turns are kept: LangGraph's savers, strict, compressed, stamped and pruned."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from orchestrator.bases import TABLE, Bases, SharingSerializer
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, RunError
from orchestrator.keep import Keep, Kept
from orchestrator.record import Record
from orchestrator.runs import RunDirectory
from orchestrator.saver import Stamp, TurnSaver

SQLITE = "sqlite"


def stamp_of(story_sha256: str, config: GraphConfig) -> Stamp:
    """What a checkpoint belongs to; it stands in the metadata of each."""
    plain = json.dumps(config.model_dump(), sort_keys=True, default=_plain)
    return {
        "story": story_sha256[:16],
        "config": hashlib.sha256(plain.encode()).hexdigest()[:16],
    }


class SqliteTurns(TurnSaver, SqliteSaver):
    """One file per run."""

    failures = (sqlite3.Error, ValueError)

    def __init__(self, connection: sqlite3.Connection, stamp: Stamp, keep: Keep) -> None:
        self._bases = Bases(connection)
        super().__init__(connection, serde=SharingSerializer(self._bases))
        self.stamp, self.keep = stamp, keep

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Plain numbers: a run has one line of play, so that versions need no random tails."""
        return f"{int((current or '0').split('.')[0]) + 1:08}"

    def turns(self, thread_id: str) -> list[Kept]:
        query = (
            "SELECT checkpoint_id, metadata FROM checkpoints "
            "WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id"
        )
        with self.guarded("the checkpoints cannot be listed"), self.cursor(False) as cursor:
            rows = cursor.execute(query, (thread_id,)).fetchall()
            return [Kept(id, json.loads(metadata).get("turn", 0)) for id, metadata in rows]

    def size(self, thread_id: str) -> int:
        with self.guarded("the checkpoints cannot be measured"), self.cursor(False) as cursor:
            return int(
                cursor.execute(
                    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
                ).fetchone()[0]
            )

    def delete(self, thread_id: str, checkpoints: Sequence[Kept]) -> None:
        with self.cursor() as cursor:
            for table in ("writes", "checkpoints"):
                cursor.executemany(
                    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = '' "
                    "AND checkpoint_id = ?",
                    [(thread_id, one.id) for one in checkpoints],
                )
            self._bases.sweep()


def open_turns(
    run: RunDirectory, record: Record, address: str = ""
) -> AbstractContextManager[TurnSaver]:
    """The checkpoints of a run, to play on; `address` is that of its database, if it has one."""
    stamp = stamp_of(record.story_sha256, record.config)
    keep = Keep.parse(record.keep)
    if record.checkpoints == SQLITE:
        return open_sqlite(run.checkpoints, stamp, keep)
    opened: AbstractContextManager[TurnSaver] = postgres().open_postgres(
        address or address_of(record), stamp, keep
    )
    return opened


def read_turns(run: RunDirectory, record: Record) -> AbstractContextManager[TurnSaver]:
    """The checkpoints of a run that is not to be changed.

    Raises:
        RunError: there are none, or they cannot be read.
    """
    if not record.checkpoints:
        raise RunError(f"run {record.run_id} was played without checkpoints")
    if record.checkpoints != SQLITE:
        return open_turns(run, record)
    return read_sqlite(run.checkpoints, stamp_of(record.story_sha256, record.config))


def address_of(record: Record) -> str:
    """Where a run's database is: `ZORK_CHECKPOINTS`, or else as recorded, without a password."""
    return os.environ.get("ZORK_CHECKPOINTS") or record.checkpoints


def postgres() -> Any:
    """The module `orchestrator.postgres`.

    Raises:
        ConfigError: what it needs is not installed.
    """
    try:
        return importlib.import_module("orchestrator.postgres")
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"checkpoints in PostgreSQL need {error.name!r}: make install EXTRAS=postgres, "
            "or pip install 'zork-orchestrator[postgres]'"
        ) from error


@contextmanager
def open_sqlite(path: Path, stamp: Stamp, keep: Keep) -> Iterator[SqliteTurns]:
    """The checkpoints of one run, safe against the death of the process.

    Raises:
        RunError: the file cannot be opened or written.
    """
    try:
        connection = sqlite3.connect(path, check_same_thread=False)
    except sqlite3.Error as error:
        raise RunError(f"{str(path)!r}: cannot keep checkpoints there: {error}") from error
    with closing(connection):
        saver = SqliteTurns(connection, stamp, keep)
        with saver.guarded(f"{str(path)!r}: cannot keep checkpoints there"):
            connection.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {TABLE}")
            saver.setup()
        yield saver


@contextmanager
def read_sqlite(path: Path, stamp: Stamp) -> Iterator[SqliteTurns]:
    """The checkpoints of a run that is not to be changed.

    None are there yet where the process was killed while it made the file.

    Raises:
        RunError: the file is not there or no database.
    """
    with reading(path) as connection, closing(sqlite3.connect(":memory:")) as nothing:
        saver = SqliteTurns(connection, stamp, Keep())
        with saver.guarded(f"{str(path)!r}: cannot be read"):
            saver.is_setup = _has_tables(connection)
        yield saver if saver.is_setup else SqliteTurns(nothing, stamp, Keep())


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A database that is not to be changed, wherever it lies.

    SQLite wants to write beside a database in WAL mode even for reading; where it may not, a
    copy is read.

    Raises:
        RunError: the file is not there.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no checkpoints there")
    with tempfile.TemporaryDirectory() as folder:
        if not os.access(path.parent, os.W_OK):
            for part in path.parent.glob(f"{path.name}*"):
                shutil.copyfile(part, Path(folder) / part.name)
            path = Path(folder) / path.name
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, check_same_thread=False)) as connection:
            yield connection


def _has_tables(connection: sqlite3.Connection) -> bool:
    """They are made one after the other; this is the last one."""
    query = "SELECT 1 FROM sqlite_master WHERE name = 'writes'"
    return connection.execute(query).fetchone() is not None


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
