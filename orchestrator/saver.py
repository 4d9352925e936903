"""A store of turns: what it does besides LangGraph's own work."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
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

from orchestrator.channel import state_in
from orchestrator.errors import RunError
from orchestrator.keep import Keep, Kept
from orchestrator.serializer import StateSerializer

Stamp = dict[str, str]


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
        self._held: list[Callable[[], object]] | None = None
        # Not held, LangGraph saves a turn that broke off from several threads at once.
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

    @contextmanager
    def held(self) -> Iterator[None]:
        """What LangGraph saves meanwhile is saved at the end, by the caller's thread.

        LangGraph saves in other threads, one or several for each turn: a new thread, to which
        the state is strange, takes twice as long.
        """
        held: list[Callable[[], object]] = []
        self._held = held
        try:
            yield
        finally:
            self._held = None
            for save in held:
                save()

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
        if self._held is not None:
            self._held.append(partial(self.put, config, checkpoint, metadata, new_versions))
            names = config["configurable"]
            return {"configurable": {**names, "checkpoint_id": checkpoint["id"]}}
        turn = state_in(checkpoint).get("turn", 0)
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
        if self._held is not None:
            self._held.append(partial(self.put_writes, config, writes, task_id, task_path))
            return
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
            found = migration.checkpoint(found)
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


def _names(wanted: RunnableConfig, saved: RunnableConfig) -> bool:
    """Whether the checkpoint saved last is the one that is wanted."""
    asked, has = wanted["configurable"], saved["configurable"]
    return bool(
        asked["thread_id"] == has["thread_id"]
        and asked.get("checkpoint_ns", "") == has["checkpoint_ns"]
        and get_checkpoint_id(wanted) in (None, has["checkpoint_id"])
    )
