"""The state as LangGraph keeps it: one channel, into which the updates of nodes are merged.

LangGraph handles every channel of a graph in every step; with one for each field that took more
time than most nodes do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self, cast

from langgraph.channels.base import BaseChannel
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple

from orchestrator.state import State, Update

ROOT = "__root__"
"""What LangGraph calls the only channel of a state."""


class Merged(BaseChannel[State, Update, State]):
    """Holds all fields; every update replaces some of them."""

    __slots__ = ("_fields",)

    def __init__(self, typ: Any, key: str = "", fields: Mapping[str, Any] | None = None) -> None:
        super().__init__(typ, key)
        self._fields: Mapping[str, Any] = fields or {}

    @property
    def ValueType(self) -> Any:
        return self.typ

    @property
    def UpdateType(self) -> Any:
        return self.typ

    def copy(self) -> Self:
        return self.__class__(self.typ, self.key, self._fields)

    def from_checkpoint(self, checkpoint: Any) -> Self:
        saved = isinstance(checkpoint, Mapping)
        return self.__class__(self.typ, self.key, checkpoint if saved else None)

    def get(self) -> State:
        """The reader's own copy: what it does to it changes nothing here."""
        return cast(State, {**self._fields})

    def is_available(self) -> bool:
        return True

    def update(self, values: Sequence[Update]) -> bool:
        updates = [update for update in values if update]
        for update in updates:
            self._fields = {**self._fields, **update}
        return bool(updates)


SHARED = cast(type[State], Annotated[State, Merged])
"""The state's type, as LangGraph is told it."""


def state_in(checkpoint: Checkpoint) -> dict[str, Any]:
    """The state that a checkpoint holds; empty before the first turn."""
    return dict(checkpoint["channel_values"].get(ROOT, {}))


def holding(checkpoint: Checkpoint, state: Mapping[str, Any]) -> Checkpoint:
    """The checkpoint with another state."""
    values = {**checkpoint["channel_values"], ROOT: dict(state)}
    return cast(Checkpoint, {**checkpoint, "channel_values": values})


def gathered(found: CheckpointTuple) -> CheckpointTuple:
    """A checkpoint of schema 1, which had a channel for each field, with the one channel."""
    fields = State.__annotations__.keys()
    values, versions = found.checkpoint["channel_values"], found.checkpoint["channel_versions"]
    checkpoint = {
        **found.checkpoint,
        "channel_values": {
            **{name: value for name, value in values.items() if name not in fields},
            ROOT: {name: value for name, value in values.items() if name in fields},
        },
        "channel_versions": {
            **{name: version for name, version in versions.items() if name not in fields},
            ROOT: max(versions.values(), default=None),
        },
    }
    writes = [
        (task, ROOT, {channel: value}) if channel in fields else (task, channel, value)
        for task, channel, value in found.pending_writes or ()
    ]
    return found._replace(checkpoint=cast(Checkpoint, checkpoint), pending_writes=writes)
