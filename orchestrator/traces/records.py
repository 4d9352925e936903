"""LangSmith's run operations, made from what happened to runs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.env import get_runtime_environment
from langsmith.env import get_runtime_environment as sdk_environment

from orchestrator.traces.redaction import redact_keys, redact_manifest

Record = dict[str, Any]


class Started(NamedTuple):
    """A run has started."""

    time: datetime
    run_id: UUID
    run_type: str
    inputs: Record
    serialized: Record | None
    """LangChain's manifest of what runs."""
    details: Record
    """The rest of what LangChain tells: name, parent_run_id, tags, metadata, ..."""


class Happened(NamedTuple):
    """Something happened to an open run: a first token, a retry."""

    time: datetime
    run_id: UUID
    event: Record


class RunEnded(NamedTuple):
    """A run has ended, with `outputs` or `error`, and what its `extra` gained."""

    time: datetime
    run_id: UUID
    fields: Record
    metadata: Record
    extra: Record


Event = Started | Happened | RunEnded


class _Open(NamedTuple):
    id: str
    trace_id: str
    dotted_order: str
    extra: Record
    events: list[Record]


class Records:
    """Remembers the open runs, so that the runs below them find their place."""

    def __init__(self, session_name: str, metadata: Mapping[str, Any]) -> None:
        self._session_name = session_name
        self._metadata = redact_keys(dict(metadata))
        self._open: dict[UUID, _Open] = {}

    def operation(self, event: Event) -> Record | None:
        """The line of the trace for an event, if it has one."""
        if isinstance(event, Started):
            return {"post": self._post(event)}
        if event.run_id not in self._open:
            return None
        if isinstance(event, RunEnded):
            return {"patch": self._patch(event)}
        self._open[event.run_id].events.append({**event.event, "time": _iso(event.time)})
        return None

    def _post(self, event: Started) -> Record:
        details, time, own_id = {**event.details}, _iso(event.time), str(event.run_id)
        name, tags = details.pop("name", None), details.pop("tags", None)
        parent_id = details.pop("parent_run_id", None)
        details["metadata"] = details.get("metadata") or {}
        extra = redact_keys(details)
        order = f"{time[:26].translate(_NO_PUNCTUATION)}Z{own_id}"
        parent = self._open.get(parent_id) if parent_id else None
        if parent is None:
            trace_id = own_id
            extra["metadata"] = {**self._metadata, **extra["metadata"]}
            extra["runtime"] = {**sdk_environment(), **get_runtime_environment()}
        else:
            trace_id, order = parent.trace_id, f"{parent.dotted_order}.{order}"
        self._open[event.run_id] = _Open(own_id, trace_id, order, extra, [])
        post: Record = {
            "id": own_id,
            "trace_id": trace_id,
            "dotted_order": order,
            "name": name or _name(event.serialized),
            "run_type": event.run_type,
            "session_name": self._session_name,
            "start_time": time,
            "inputs": event.inputs,
            "tags": tags or [],
            "extra": extra,
        }
        if parent is not None:
            post["parent_run_id"] = parent.id
        if event.run_type == "llm":
            post["serialized"] = redact_manifest(event.serialized)
        return post

    def _patch(self, event: RunEnded) -> Record:
        run = self._open.pop(event.run_id)
        patch: Record = {"id": run.id, "end_time": _iso(event.time), **event.fields}
        if run.events:
            patch["events"] = run.events
        if event.metadata or event.extra:
            metadata = {**run.extra["metadata"], **event.metadata}
            patch["extra"] = {**run.extra, **event.extra, "metadata": metadata}
        return patch


_NO_PUNCTUATION = str.maketrans("", "", "-:.")


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="microseconds")


def _name(serialized: Record | None) -> str:
    manifest = serialized or {}
    return str(manifest.get("name") or manifest.get("id", ["Unnamed"])[-1])
