"""Traces in other formats: LangSmith records, a table, OpenTelemetry spans."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from orchestrator.parquet import as_parquet
from orchestrator.traces.reader import Record, Run, Trace
from orchestrator.traces.spans import as_old_otlp, as_otlp

COLUMNS = (
    *("id", "trace_id", "parent_run_id", "dotted_order", "name", "run_type", "session_name"),
    *("start_time", "end_time", "seconds", "error", "turn", "node", "model"),
    *("prompt_tokens", "completion_tokens", "tags", "inputs", "outputs", "metadata"),
)


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


FORMATS: dict[str, Callable[[Trace], Iterable[bytes]]] = {
    "jsonl": as_jsonl,
    "csv": as_csv,
    "parquet": as_parquet_table,
    "otlp": as_otlp,
    "otlp-old": as_old_otlp,
}


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
