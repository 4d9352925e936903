"""Where turns are kept: LangGraph's savers, strict, compressed, stamped and pruned."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shutil
import sqlite3
import tempfile
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    copy_checkpoint,
    get_checkpoint_id,
)
from langgraph.checkpoint.sqlite import SqliteSaver

from orchestrator.bases import TABLE, Bases, SharingSerializer
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, RunError
from orchestrator.keep import Keep, Kept
from orchestrator.record import Record
from orchestrator.runs import RunDirectory
from orchestrator.serializer import StateSerializer

Stamp = dict[str, str]
SQLITE = "sqlite"


def stamp_of(story_sha256: str, config: GraphConfig) -> Stamp:
    """What a checkpoint belongs to; it stands in the metadata of each."""
    plain = json.dumps(config.model_dump(), sort_keys=True, default=_plain)
    return {
        "story": story_sha256[:16],
        "config": hashlib.sha256(plain.encode()).hexdigest()[:16],
    }


class TurnSaver(BaseCheckpointSaver[Any]):
    """What a store of turns does besides LangGraph's own work.

    Every checkpoint is stamped with its turn, schema, story and config; one that belongs to
    something else is refused; those that `keep` gives up are deleted.
    """

    serde: StateSerializer
    stamp: Stamp
    keep: Keep
    failures: tuple[type[Exception], ...]
    """What the database and the reading of its contents raise."""
    _kept: list[Kept] | None = None
    _newest: CheckpointTuple | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # LangGraph saves a turn that broke off from several threads at once.
        self._saving = threading.Lock()

    @abstractmethod
    def turns(self, thread_id: str) -> list[Kept]:
        """The checkpoints of a run in the order of play."""

    @abstractmethod
    def delete(self, thread_id: str, checkpoints: Sequence[Kept]) -> None:
        """Delete some checkpoints of a run, with all that hangs on them."""

    @abstractmethod
    def size(self, thread_id: str) -> int:
        """Bytes that the checkpoints of a run take."""

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint.

        Raises:
            RunError: it is not saved; the earlier ones are untouched.
            RoleError: the state holds what no checkpoint can hold.
        """
        turn = checkpoint["channel_values"].get("turn", 0)
        stamped: Any = {**metadata, "turn": turn, "schema": self.serde.schema, **self.stamp}
        with self._saving, self.guarded(f"the checkpoint of turn {turn} is not saved"):
            self._newest = None
            saved = super().put(config, checkpoint, stamped, new_versions)
            self._newest = CheckpointTuple(saved, copy_checkpoint(checkpoint), stamped)
            self._prune(config["configurable"]["thread_id"], Kept(checkpoint["id"], turn))
        return saved

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what nodes of a turn that broke off have written.

        Raises:
            RunError: it is not saved.
        """
        with self._saving, self.guarded("the broken turn is not saved"):
            self._newest = None
            super().put_writes(config, writes, task_id, task_path)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that `config` names, or else the newest.

        The one just saved is not read back: this process is the only one that writes.

        Raises:
            RunError: it is damaged, or not one of this run.
        """
        newest = self._newest
        if newest and _names(config, newest.config):
            return newest._replace(checkpoint=copy_checkpoint(newest.checkpoint))
        with self.guarded("a checkpoint cannot be read"):
            found = super().get_tuple(config)
            return found and self._fitting(found)

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """Faults of the database and of its contents, in one line that says what is affected."""
        try:
            yield
        except self.failures as error:
            raise RunError(f"{what}: {' '.join(str(error).split())}") from error

    def _fitting(self, found: CheckpointTuple) -> CheckpointTuple:
        made: dict[str, Any] = dict(found.metadata)
        for part, value in self.stamp.items():
            if made.get(part) != value:
                raise ValueError(
                    f"it was made with another {part} ({made.get(part)}) than episode.json "
                    f"says ({value})"
                )
        if not isinstance(found.checkpoint, dict) or "channel_values" not in found.checkpoint:
            raise ValueError("it holds no state")
        for migration in self.serde.migrations[made["schema"] - 1 :]:
            values = migration.state(found.checkpoint["channel_values"])
            found.checkpoint["channel_values"] = values
        return found

    def _prune(self, thread_id: str, newest: Kept) -> None:
        if self.keep.rule == "all":
            return
        if self._kept is None:
            self._kept = self.turns(thread_id)
        else:
            self._kept.append(newest)
        if expired := self.keep.expired(self._kept):
            self.delete(thread_id, expired)
            self._kept = [one for one in self._kept if one not in expired]


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


def _names(wanted: RunnableConfig, saved: RunnableConfig) -> bool:
    """Whether the checkpoint saved last is the one that is wanted."""
    asked, has = wanted["configurable"], saved["configurable"]
    return bool(
        asked["thread_id"] == has["thread_id"]
        and asked.get("checkpoint_ns", "") == has["checkpoint_ns"]
        and get_checkpoint_id(wanted) in (None, has["checkpoint_id"])
    )


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
