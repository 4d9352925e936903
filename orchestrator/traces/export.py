"""Traces in other formats: LangSmith records, a table, OpenTelemetry spans."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic_core import to_json

from orchestrator.parquet import as_parquet
from orchestrator.traces.reader import Record, Run, Trace

COLUMNS = (
    *("id", "trace_id", "parent_run_id", "dotted_order", "name", "run_type", "session_name"),
    *("start_time", "end_time", "seconds", "error", "turn", "node", "model"),
    *("prompt_tokens", "completion_tokens", "tags", "inputs", "outputs", "metadata"),
)
ERROR, OK = 2, 1
"""OpenTelemetry's status codes."""


def as_jsonl(trace: Trace) -> Iterator[bytes]:
    """LangSmith run records, whole, one a line."""
    for run in trace.walk():
        yield to_json(run.record) + b"\n"


def as_csv(trace: Trace) -> Iterator[bytes]:
    """One row a run; what is no plain value is JSON in its cell."""
    for row in ([*COLUMNS], *(map(_cell, _row(run).values()) for run in trace.walk())):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue().encode()


def as_parquet_table(trace: Trace) -> list[bytes]:
    """The same rows as a Parquet file, with times as such.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    rows = [_row(run) for run in trace.walk()]
    for row in rows:
        for name in ("start_time", "end_time"):
            row[name] = row[name] and datetime.fromisoformat(row[name])
    return [as_parquet(rows)]


def as_otlp(trace: Trace) -> Iterator[bytes]:
    """One `ExportTraceServiceRequest` in OTLP's JSON encoding, as `POST /v1/traces` takes it.

    The attributes are those of LangSmith's own exporter: `gen_ai.*` and `langsmith.*`.
    """
    resource = {"attributes": [_attribute("service.name", "zork-orchestrator")]}
    scope = {"name": "orchestrator.traces"}
    spans = [_span(run) for run in trace.walk() if not run.is_open]
    request = {"resourceSpans": [{"resource": resource, "scopeSpans": [_scoped(scope, spans)]}]}
    yield to_json(request) + b"\n"


FORMATS: dict[str, Callable[[Trace], Iterable[bytes]]] = {
    "jsonl": as_jsonl,
    "csv": as_csv,
    "parquet": as_parquet_table,
    "otlp": as_otlp,
}


def _scoped(scope: Record, spans: list[Record]) -> Record:
    return {"scope": scope, "spans": spans}


def _row(run: Run) -> Record:
    tokens = run.tokens
    cells = {
        **run.record,
        "seconds": run.seconds,
        "turn": run.about.turn,
        "node": run.about.langgraph_node or None,
        "model": run.about.ls_model_name or None,
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[1],
        "metadata": run.metadata,
    }
    return {column: cells.get(column) for column in COLUMNS}


def _cell(value: Any) -> Any:
    return to_json(value).decode() if isinstance(value, dict | list) else value


def _span(run: Run) -> Record:
    record = run.record
    span: Record = {
        "traceId": UUID(record["trace_id"]).hex,
        "spanId": _span_id(record["id"]),
        "name": run.name,
        "kind": 1,
        "startTimeUnixNano": _nanoseconds(record["start_time"]),
        "endTimeUnixNano": _nanoseconds(record["end_time"]),
        "attributes": [_attribute(key, value) for key, value in _attributes(run).items()],
        "status": {"code": ERROR, "message": run.error.partition("\n")[0]}
        if run.error
        else {"code": OK},
    }
    if not run.is_root:
        span["parentSpanId"] = _span_id(record["parent_run_id"])
    return span


def _attributes(run: Run) -> Record:
    attributes: Record = {
        "langsmith.span.kind": run.kind,
        "langsmith.trace.name": run.name,
        "langsmith.trace.session_name": run.record["session_name"],
        "langsmith.span.tags": ", ".join(run.record["tags"]),
        "gen_ai.operation.name": {"llm": "chat", "tool": "execute_tool"}.get(run.kind, run.kind),
        "gen_ai.prompt": to_json(run.inputs).decode(),
        "gen_ai.completion": to_json(run.outputs).decode(),
    }
    attributes |= {f"langsmith.metadata.{key}": _cell(run.metadata[key]) for key in run.metadata}
    if run.kind == "llm":
        prompt, completion = run.tokens
        attributes |= {
            "gen_ai.system": run.about.ls_provider or "langchain",
            "gen_ai.request.model": run.about.ls_model_name or run.name,
            "gen_ai.usage.input_tokens": prompt,
            "gen_ai.usage.output_tokens": completion,
            "gen_ai.usage.total_tokens": prompt + completion,
        }
    return attributes


def _attribute(key: str, value: Any) -> Record:
    match value:
        case bool():
            return {"key": key, "value": {"boolValue": value}}
        case int():
            return {"key": key, "value": {"intValue": str(value)}}
        case float():
            return {"key": key, "value": {"doubleValue": value}}
        case _:
            return {"key": key, "value": {"stringValue": str(value)}}


def _span_id(run_id: str) -> str:
    """The random half of the id; the other half is the time, which parallel runs share."""
    return UUID(run_id).hex[16:]


def _nanoseconds(time: str) -> str:
    moment = datetime.fromisoformat(time)
    return str(int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1000)
