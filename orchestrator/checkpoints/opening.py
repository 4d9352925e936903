"""Opens where turns are kept: the SQLite file of a run, as one that somebody else may have made.

What a database defines runs when it is read: a view in a table's place, a trigger, a column that
is computed. So nothing is read before it is known to hold our tables and nothing else.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from environments.extras import installing
from environments.plain_files import OddFile, check_own, open_plain
from orchestrator.checkpoints.saver import CheckpointRow, Keep, Stamp, TurnSaver
from orchestrator.checkpoints.serializer import TABLE, Own, SharingSerializer
from orchestrator.errors import ConfigError, RunError
from orchestrator.graph.fields import Fields, own_fields
from orchestrator.saved.record import POSTGRES, Record
from orchestrator.saved.runs import RunDirectory
from orchestrator.settings.trust import admit

PATIENCE_S = 60.0
"""How long one access may take; to look through a gigabyte takes five seconds."""
LONGEST = 16 << 20
"""Bytes of a row or value."""
_BESIDE = ("", "-wal", "-shm", "-journal")
_OPCODES = 20_000
"""Of SQLite's machine, between two looks at the clock; some milliseconds."""
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of an SQLite journal that names another file; SQLite would delete that file."""
_MOST_PARTS = 20
_TOKEN = re.compile(r"\w+|[^\w\s]")
NAMED_BY = "ZORK_CHECKPOINTS"
"""The variable in which a user says where a database is."""


class Clock:
    """Breaks off what takes too long."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._end = 0.0
        self.restart()
        connection.set_progress_handler(self._is_over, _OPCODES)

    def restart(self) -> None:
        """Count the time that may be taken from now on."""
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


def stamp_of(record: Record) -> Stamp:
    """What a checkpoint belongs to; it stands in the metadata of each."""
    seeds = [record.seed, record.emulator_seeds, record.agent_seed]
    memory = record.memory.sha256 if record.memory else ""
    return {
        "story": record.story_sha256[:16],
        "config": _digest(record.config.model_dump()),
        "seeds": _digest([*seeds, memory]),
    }


class SqliteTurns(TurnSaver, SqliteSaver):
    """One file per run."""

    serde: SharingSerializer
    failures = (sqlite3.Error, ValueError)

    def __init__(
        self,
        connection: sqlite3.Connection,
        stamp: Stamp,
        keep: Keep,
        own: Own = dict,
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or Clock(connection)
        sharing = SharingSerializer(connection, self.cursor, own)
        super().__init__(connection, stamp=stamp, keep=keep, serde=sharing)

    def setup(self) -> None:
        """Make the tables, where they are not there yet."""
        if not self.is_setup:
            self.conn.execute(TABLE)
            super().setup()

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """LangGraph's own, for a bounded time."""
        self._clock.restart()
        with super().cursor(transaction) as cursor:
            yield cursor

    def rows(self, thread_id: str, namespace: str) -> list[CheckpointRow]:
        query = (
            "SELECT checkpoint_id, parent_checkpoint_id, metadata FROM checkpoints "
            "WHERE thread_id = ? AND checkpoint_ns = ?"
        )
        with self.cursor(transaction=False) as cursor:
            found = cursor.execute(query, (thread_id, namespace)).fetchall()
        return [CheckpointRow(id, parent, json.loads(metadata)) for id, parent, metadata in found]

    def size(self, thread_id: str) -> int:
        with self.guarded("the checkpoints cannot be measured"), self.cursor(False) as cursor:
            return int(
                cursor.execute(
                    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
                ).fetchone()[0]
            )

    def delete(self, thread_id: str, checkpoints: Sequence[CheckpointRow]) -> None:
        with self.cursor() as cursor:
            for table in ("writes", "checkpoints"):
                cursor.executemany(
                    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = '' "
                    "AND checkpoint_id = ?",
                    [(thread_id, one.id) for one in checkpoints],
                )
            self.serde.sweep(cursor)


def open_turns(
    run: RunDirectory, record: Record, address: str = ""
) -> AbstractContextManager[TurnSaver]:
    """The checkpoints of a run, to play on; `address` is that of its database, if it has one."""
    stamp = stamp_of(record)
    keep = Keep.parse(record.keep)
    if record.checkpoints != POSTGRES:
        return open_sqlite(run.checkpoints, stamp, keep, own_types(record))
    address = address or database_of(record)
    opened: AbstractContextManager[TurnSaver] = postgres().open_postgres(
        address, stamp, keep, own_types(record)
    )
    return opened


def read_turns(run: RunDirectory, record: Record) -> AbstractContextManager[TurnSaver]:
    """The checkpoints of a run that is not to be changed.

    Raises:
        RunError: there are none, or they cannot be read.
    """
    if not record.checkpoints:
        raise RunError(f"run {record.run_id} was played without checkpoints")
    if record.checkpoints == POSTGRES:
        return open_turns(run, record)
    return read_sqlite(run.checkpoints, stamp_of(record), own_types(record))


def delete_turns(run: RunDirectory, record: Record, address: str = "") -> None:
    """Delete what a run has in a database, if it has anything there; `address` is that of it.

    Raises:
        RunError: it cannot be reached, or what it has under the run's name is of another run.
    """
    if record.checkpoints == POSTGRES:
        with open_turns(run, record, address) as saver:
            saver.turns(record.thread)  # Refuses those of another run.
            saver.delete_thread(record.thread)


def own_types(record: Record) -> Own:
    """The types of the fields that a run's graph adds; they may be a user's own code."""

    def told() -> Fields:
        if record.config.state:
            admit(record.config, record.folders, f"run {record.run_id}")
        return own_fields(record.config.state, record.config.where)

    return told


def database_of(record: Record) -> str:
    """The address of the database that a run's checkpoints are in; empty if they are in none.

    Raises:
        RunError: the user has not said where it is. A record may be anybody's.
    """
    if record.checkpoints != POSTGRES:
        return ""
    if address := os.environ.get(NAMED_BY):
        return address
    raise RunError(
        f"run {record.run_id} keeps its checkpoints in a PostgreSQL database, and only you can say "
        f"where that is: set {NAMED_BY}=postgresql://host/name"
    )


def postgres() -> Any:
    """The module `orchestrator.checkpoints.postgres`.

    Raises:
        ConfigError: what it needs is not installed.
    """
    try:
        return importlib.import_module("orchestrator.checkpoints.postgres")
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"checkpoints in PostgreSQL need {error.name!r}: {installing('postgres')}"
        ) from error


@contextmanager
def open_sqlite(path: Path, stamp: Stamp, keep: Keep, own: Own = dict) -> Iterator[SqliteTurns]:
    """The checkpoints of one run, safe against the death of the process.

    Raises:
        RunError: the file is damaged, or cannot be opened or written.
    """
    try:
        if not path.is_file():
            _make(path)
    except (OSError, sqlite3.Error) as error:
        raise RunError(f"{str(path)!r}: cannot keep checkpoints there: {error}") from error
    with _opened(path, f"{str(path)!r}: cannot keep checkpoints there") as (connection, clock):
        saver = SqliteTurns(connection, stamp, keep, own, clock)
        with saver.guarded(f"{str(path)!r}: cannot keep checkpoints there"):
            connection.execute("PRAGMA synchronous=NORMAL")
        with closing(saver.serde):
            yield saver


@contextmanager
def read_sqlite(path: Path, stamp: Stamp, own: Own = dict) -> Iterator[SqliteTurns]:
    """The checkpoints of a run that is not to be changed.

    Raises:
        RunError: the file is not there, damaged, or no database.
    """
    with reading(path) as (connection, clock):
        saver = SqliteTurns(connection, stamp, Keep(), own, clock)
        with closing(saver.serde):
            yield saver


@contextmanager
def reading(path: Path) -> Iterator[tuple[sqlite3.Connection, Clock]]:
    """A database that is not to be changed, wherever it lies.

    What a dead process has left half written is taken back first, as SQLite does when it opens a
    file that it may write. Where it may not, that is done with a copy.

    Raises:
        RunError: the file is not there, damaged, or no database of ours.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no checkpoints there")
    wrong = f"{str(path)!r}: cannot be read"
    with tempfile.TemporaryDirectory() as folder:
        if not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)):
            path = _copied(path, Path(folder))
        with _opened(path, wrong) as opened:
            yield opened


@contextmanager
def _opened(path: Path, wrong: str) -> Iterator[tuple[sqlite3.Connection, Clock]]:
    """The database, looked through; `wrong` begins the message where it is not whole and ours."""
    with ExitStack() as stack:
        try:
            connection, clock = stack.enter_context(connected(path, _known()))
            check_pages(connection)
        except OddFile as error:
            raise RunError(f"{error.filename!r}: {error.strerror}") from error
        except (OSError, sqlite3.Error, ValueError) as error:
            raise RunError(f"{wrong}: {' '.join(str(error).split())}") from error
        yield connection, clock


def _copied(path: Path, folder: Path) -> Path:
    """A database with what lies beside it, in a folder that can be written."""
    try:
        for part in path.parent.glob(f"{path.name}*"):
            with open_plain(part) as file, (folder / part.name).open("wb") as copy:
                shutil.copyfileobj(file, copy)
    except OSError as error:
        raise RunError(f"{error.filename!r}: cannot be read: {error.strerror}") from error
    return folder / path.name


@cache
def _known() -> tuple[str, ...]:
    """The statements that make our tables."""
    with closing(sqlite3.connect(":memory:")) as connection:
        SqliteTurns(connection, {}, Keep()).setup()
        return tuple(definitions(connection))


def _make(path: Path) -> None:
    """Make an empty database, elsewhere: a process that dies here leaves none at all."""
    draft = path.with_suffix(".part")
    for leftover in path.parent.glob(f"{draft.name}*"):
        leftover.unlink()
    with closing(sqlite3.connect(draft)) as connection:
        SqliteTurns(connection, {}, Keep()).setup()
    draft.replace(path)


def _digest(value: Any) -> str:
    plain = json.dumps(value, sort_keys=True, default=_plain)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
