"""Traces sent to LangSmith, or to any server that takes its runs, with the official client."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from langsmith import Client
from pydantic import BaseModel, ConfigDict, ValidationError

from environments.plain_files import read_whole, write_whole
from environments.secrets import learn_secret
from orchestrator.errors import RunError
from orchestrator.traces.reader import Record, Run, Trace
from orchestrator.traces.sending import OneServer, quiet_client, reason

BATCH = 100
"""Runs a request, as LangSmith recommends. A trace is noted as sent when all of its runs are."""
TIMEOUT_MS = (5_000, 60_000)


class Pushed(BaseModel):
    """What has been sent to one project of one server; kept beside the trace."""

    model_config = ConfigDict(frozen=True)

    shift_s: float = 0.0
    """Added to every time."""
    traces: tuple[str, ...] = ()
    """Ids of the traces that arrived whole."""


class Target(NamedTuple):
    """Where a trace goes."""

    url: str
    project: str
    api_key: str | None = None


class Report(NamedTuple):
    """What a push did."""

    sent: int
    """Runs."""
    known: int
    """Runs of traces that had arrived earlier."""
    open: int
    """Runs of traces that have not ended; left out."""
    shift_s: float


def push(
    trace: Trace,
    target: Target,
    beside: Path,
    *,
    shift_time: bool = False,
    progress: Callable[[int], None] = lambda _count: None,
) -> Report:
    """Send all traces that have ended and have not arrived yet; what arrives is noted at once.

    So a push can be repeated and, where it broke off, resumed. With `shift_time` the first
    push moves all times so that the newest is now, and later ones by just as much: the
    hosted LangSmith refuses runs older than 24 hours.

    Raises:
        RunError: the server cannot be reached or refused the runs; what was sent is noted.
    """
    note = _note_path(beside, target)
    done = _read(note)
    if shift_time and not done.traces:
        done = Pushed(shift_s=_age(trace))
    errors: list[Exception] = []
    learn_secret(target.api_key)
    client = Client(
        api_url=target.url,
        api_key=target.api_key,
        session=OneServer(),
        auto_batch_tracing=False,
        omit_traced_runtime_info=True,
        timeout_ms=TIMEOUT_MS,
        tracing_error_callback=errors.append,
    )
    sent = 0
    try:
        for traces in _batches(trace, set(done.traces)):
            records = [
                _prepared(run, target.project, done.shift_s)
                for root in traces
                for run in root.walk()
            ]
            for start in range(0, len(records), BATCH):
                with quiet_client():
                    client.multipart_ingest(create=records[start : start + BATCH])
                if errors:
                    raise RunError(f"push to {target.url}: {reason(errors[0])}") from errors[0]
            done = done.model_copy(
                update={"traces": (*done.traces, *(root.record["id"] for root in traces))}
            )
            write_whole(note, done.model_dump_json().encode())
            sent += len(records)
            progress(sent)
    finally:
        client.close(timeout=0)
    return _report(trace, sent, done)


def _batches(trace: Trace, known: set[str]) -> Iterator[list[Run]]:
    """Whole traces, together as many runs as fit a request; a larger trace comes alone."""
    batch: list[Run] = []
    size = 0
    for root in trace.roots:
        if root.is_open or root.record["id"] in known:
            continue
        count = sum(1 for _ in root.walk())
        if batch and size + count > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(root)
        size += count
    if batch:
        yield batch


def _report(trace: Trace, sent: int, done: Pushed) -> Report:
    known = unfinished = 0
    for root in trace.roots:
        count = sum(1 for _ in root.walk())
        if root.is_open:
            unfinished += count
        elif root.record["id"] in done.traces:
            known += count
    return Report(sent, known - sent, unfinished, done.shift_s)


def _prepared(run: Run, project: str, shift_s: float) -> Record:
    record = {**run.record, "session_name": project}
    return shifted(record, datetime.timedelta(seconds=shift_s)) if shift_s else record


def shifted(record: Record, by: datetime.timedelta) -> Record:
    """The record with all of its times moved, those in its dotted order too."""
    moved = {**record, "dotted_order": _shifted_order(record["dotted_order"], by)}
    for key in ("start_time", "end_time"):
        if key in record:
            moved[key] = _shifted_time(record[key], by)
    moved["events"] = [
        {**event, "time": _shifted_time(event["time"], by)} for event in record["events"]
    ]
    return moved


def _shifted_time(time: str, by: datetime.timedelta) -> str:
    return (datetime.datetime.fromisoformat(time) + by).isoformat(timespec="microseconds")


def _shifted_order(order: str, by: datetime.timedelta) -> str:
    parts = []
    for part in order.split("."):
        stamp, _, run_id = part.partition("Z")
        parts.append(f"{_shifted_stamp(stamp, by)}Z{run_id}")
    return ".".join(parts)


def _shifted_stamp(stamp: str, by: datetime.timedelta) -> str:
    """The time that a part of an order begins with; what is none stays as it is."""
    try:
        return f"{datetime.datetime.strptime(stamp, _STAMP) + by:{_STAMP}}"
    except (ValueError, OverflowError):
        return stamp


_STAMP = "%Y%m%dT%H%M%S%f"


def _age(trace: Trace) -> float:
    """Seconds since the newest run started."""
    newest = max((run.started for run in trace.walk()), default=None)
    if newest is None:
        return 0.0
    return (datetime.datetime.now(datetime.UTC) - newest).total_seconds()


def _note_path(beside: Path, target: Target) -> Path:
    named = f"{target.url}\n{target.project}".encode("utf-8", "backslashreplace")
    name = hashlib.sha256(named).hexdigest()[:12]
    return beside.with_name(f"{beside.stem}.pushed-{name}.json")


def _read(note: Path) -> Pushed:
    if not note.exists():
        return Pushed()
    try:
        return Pushed.model_validate_json(read_whole(note))
    except (OSError, ValidationError) as error:
        raise RunError(
            f"{str(note)!r} notes what was pushed and cannot be read; remove it to push anew"
        ) from error
