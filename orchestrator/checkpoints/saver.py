"""A store of turns: LangGraph's own saver, with stamps, refusals and pruning."""

from __future__ import annotations

import json
import re
import zlib
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, cast

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

from orchestrator.checkpoints.serializer import SCHEMA, StateSerializer
from orchestrator.errors import ConfigError, RunError
from orchestrator.state import State

Stamp = dict[str, str]
SEALED = ("turn", "step", "schema", "costs")
"""What a checkpoint's seal covers besides the stamp and the names of its row."""

DAMAGE = (ValueError, TypeError, KeyError, AttributeError)
"""What reading the contents of a damaged database raises, LangGraph's own reading included."""


class CheckpointRow(NamedTuple):
    """A checkpoint in the store, without its state."""

    id: str
    parent: str | None
    metadata: Mapping[str, Any]

    @property
    def turn(self) -> int:
        """The last one that was played when it was saved."""
        return int(self.metadata.get("turn", 0))

    @property
    def age(self) -> tuple[int, int]:
        """Its place in the order of play. LangGraph counts the steps along the line of parents."""
        return self.turn, int(self.metadata.get("step", -1))


@dataclass(frozen=True)
class Keep:
    """Which checkpoints stay: `all`, `every:N` turns or the `last:N`; always the newest turn's."""

    rule: str = "all"
    number: int = 1

    @classmethod
    def parse(cls, text: str) -> Keep:
        """Read the rule from the command line or a record.

        Raises:
            ConfigError: it is none of the three.
        """
        rule, _, number = text.partition(":")
        if text == "all":
            return cls()
        if rule in ("every", "last") and re.fullmatch("[1-9][0-9]*", number):
            return cls(rule, int(number))
        raise ConfigError(f"--keep {text!r}: expected all, every:10 or last:20")

    def __str__(self) -> str:
        return self.rule if self.rule == "all" else f"{self.rule}:{self.number}"

    def expired(self, kept: Sequence[CheckpointRow]) -> list[CheckpointRow]:
        """Those that may go, of checkpoints in the order of play."""
        if not kept or self.rule == "all":
            return []
        newest = kept[-1].turn
        if self.rule == "last":
            return [one for one in kept if one.turn <= newest - self.number]
        return [one for one in kept if one.turn % self.number and one.turn != newest]


class TurnSaver(BaseCheckpointSaver[Any]):
    """What a store of turns does besides LangGraph's own work.

    Every checkpoint is stamped with its turn, its schema, what it belongs to and what play has
    cost so far, under a checksum. One that belongs to something else or is damaged is refused;
    those that `keep` gives up are deleted. The newest is the one that play has come to last,
    whatever the clock said when it was saved.
    """

    serde: StateSerializer
    failures: tuple[type[Exception], ...]
    """What the database raises."""

    def __init__(
        self, *database: Any, stamp: Stamp, keep: Keep, serde: StateSerializer, **options: Any
    ) -> None:
        super().__init__(*database, serde=serde, **options)
        self.stamp = stamp
        self.keep = keep
        self.costs: Callable[[], Mapping[str, Any]] = dict
        """What play has cost so far, as plain data."""
        self._newest: CheckpointTuple | None = None
        self._kept: list[CheckpointRow] | None = None

    @abstractmethod
    def rows(self, thread_id: str, namespace: str) -> list[CheckpointRow]:
        """The checkpoints of a run, or of a subgraph of a turn that broke off, in any order."""

    @abstractmethod
    def delete(self, thread_id: str, checkpoints: Sequence[CheckpointRow]) -> None:
        """Delete some checkpoints of a run, with all that hangs on them."""

    @abstractmethod
    def size(self, thread_id: str) -> int:
        """Bytes that the checkpoints of a run take."""

    def turns(self, thread_id: str, namespace: str = "") -> list[CheckpointRow]:
        """The checkpoints of a run in the order of play.

        Raises:
            RunError: they cannot be read, one is damaged, or one is not of this run.
        """
        with self.guarded("the checkpoints cannot be listed", *DAMAGE):
            rows = self.rows(thread_id, namespace)
            for row in rows:
                self._check(thread_id, namespace, row)
        return sorted(rows, key=lambda row: row.age)

    def state(self, thread_id: str, row: CheckpointRow) -> State:
        """What a checkpoint of a run holds.

        Raises:
            RunError: it is damaged.
        """
        names = {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": row.id}
        found = self.get_tuple({"configurable": names})
        if found is None:
            raise RunError(f"turn {row.turn} was deleted while it was read")
        return cast(State, found.checkpoint["channel_values"])

    def states(self, thread_id: str, until: int | None = None) -> Iterator[State]:
        """What the checkpoints of a run hold, up to a turn, newest first."""
        for row in reversed(self.turns(thread_id)):
            if until is None or row.turn <= until:
                yield self.state(thread_id, row)

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
        names = config["configurable"]
        thread_id, namespace = str(names["thread_id"]), names.get("checkpoint_ns", "")
        turn = checkpoint["channel_values"].get("turn", 0)
        stamped: Any = {**metadata, "turn": turn, "schema": SCHEMA, **self.stamp}
        stamped["costs"] = self.costs()
        row = CheckpointRow(checkpoint["id"], names.get("checkpoint_id"), stamped)
        stamped["seal"] = self._seal(thread_id, namespace, row)
        with self.guarded(f"the checkpoint of turn {turn} is not saved"):
            self._newest = None
            saved = super().put(config, checkpoint, stamped, new_versions)
            if not namespace:
                self._newest = CheckpointTuple(saved, copy_checkpoint(checkpoint), stamped)
                self._prune(thread_id, row)
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
        named = [(channel, [task_id, channel, value]) for channel, value in writes]
        with self.guarded("the broken turn is not saved"):
            self._newest = None
            super().put_writes(config, named, task_id, task_path)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that `config` names, or else the newest.

        The one just saved is not read back: this process is the only one that writes.

        Raises:
            RunError: it is damaged, or not one of this run.
        """
        names = config["configurable"]
        thread_id, namespace = str(names["thread_id"]), names.get("checkpoint_ns", "")
        wanted, newest = get_checkpoint_id(config), self._newest
        if newest is not None and not namespace:
            has = newest.config["configurable"]
            if thread_id == has["thread_id"] and wanted in (None, has["checkpoint_id"]):
                return newest._replace(checkpoint=copy_checkpoint(newest.checkpoint))
        if wanted is None:
            turns = self.turns(thread_id, namespace)
            if not turns:
                return None
            wanted = turns[-1].id
        named = {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": wanted}
        with self.guarded("a checkpoint cannot be read", *DAMAGE):
            found = super().get_tuple({"configurable": named})
            return found and self._fitting(found)

    def list(self, config: RunnableConfig | None, **options: Any) -> Iterator[CheckpointTuple]:
        """The checkpoints of a thread as LangGraph lists them, checked like those that it gets.

        Raises:
            RunError: one is damaged, or not one of this run.
        """
        with self.guarded("a checkpoint cannot be read", *DAMAGE):
            for found in super().list(config, **options):
                yield self._fitting(found)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> Self:
        """This very saver, strict from now on: what it knows of its run stays in one place."""
        self.serde = self.serde.with_msgpack_allowlist(extra_allowlist)
        return self

    @contextmanager
    def guarded(self, what: str, *more: type[Exception]) -> Iterator[None]:
        """Faults of the database, and `more`, in one line that says what is affected."""
        try:
            yield
        except (*self.failures, *more) as error:
            raise RunError(f"{what}: {' '.join(str(error).split())}") from error

    def _fitting(self, found: CheckpointTuple) -> CheckpointTuple:
        names = found.config["configurable"]
        parent = (
            found.parent_config["configurable"]["checkpoint_id"] if found.parent_config else None
        )
        row = CheckpointRow(names["checkpoint_id"], parent, found.metadata)
        self._check(str(names["thread_id"]), names["checkpoint_ns"], row)
        checkpoint = found.checkpoint
        if not isinstance(checkpoint, dict) or "channel_values" not in checkpoint:
            raise ValueError("it holds no state")
        if (
            checkpoint.get("id") != row.id
            or checkpoint["channel_values"].get("turn", 0) != row.turn
        ):
            raise ValueError("it is damaged: it holds another turn than its row says")
        return found._replace(pending_writes=[_named(*one) for one in found.pending_writes or ()])

    def _check(self, thread_id: str, namespace: str, row: CheckpointRow) -> None:
        made = row.metadata
        if made.get("schema") != SCHEMA:
            raise ValueError(
                f"it has schema {made.get('schema')}, this program reads {SCHEMA}; "
                "play it on with the version that made it"
            )
        if made.get("seal") != self._seal(thread_id, namespace, row):
            raise ValueError(f"it is damaged: the checksum of turn {row.turn} does not fit")
        for part, value in self.stamp.items():
            if made.get(part) != value:
                raise ValueError(
                    f"it was made with another {part} ({made.get(part)}) than episode.json "
                    f"says ({value})"
                )

    def _seal(self, thread_id: str, namespace: str, row: CheckpointRow) -> str:
        """A checksum of what stands beside the state, which has one of its own."""
        told = {name: row.metadata.get(name) for name in (*SEALED, *self.stamp)}
        names = [thread_id, namespace, row.id, row.parent]
        return f"{zlib.crc32(json.dumps([names, told], sort_keys=True).encode()):08x}"

    def _prune(self, thread_id: str, newest: CheckpointRow) -> None:
        if self.keep.rule == "all":
            return
        if self._kept is None:
            self._kept = self.turns(thread_id)
        else:
            self._kept.append(newest)
        if expired := self.keep.expired(self._kept):
            self.delete(thread_id, expired)
            self._kept = [one for one in self._kept if one not in expired]


def _named(task_id: str, channel: str, value: Any) -> tuple[str, str, Any]:
    """A write of a broken turn; it is stored with the names of its row."""
    match value:
        case [str(task), str(name), written] if (task, name) == (task_id, channel):
            return task_id, channel, written
    raise ValueError(f"it is damaged: what was written to {channel!r} belongs elsewhere")
