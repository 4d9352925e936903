"""`LANGSMITH_TRACING=true`: the same runs, sent by the official client."""

from __future__ import annotations

import atexit
import functools
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.tracers.schemas import Run
from langsmith import Client
from langsmith.utils import get_tracer_project, tracing_is_enabled
from urllib3.util import Retry

from environments.secrets import told
from orchestrator.traces.redaction import redact, redact_manifest
from orchestrator.traces.sending import OneServer, reason, refuses_key
from orchestrator.traces.views import inputs_view, is_node, outputs_view

SESSION = "zork-orchestrator"
CONNECT_MS, READ_MS = 3_000, 10_000
PATIENCE_S = 1.5
"""So long the end of the process waits while nothing more arrives."""
BOUNDS = {
    "LANGSMITH_TRACING_QUEUE_MAX_SIZE": "1000",
    "LANGSMITH_MAX_INGEST_MEMORY_BYTES": "16000000",
}
"""What waits to be sent, in runs and in bytes; what is more is dropped, and stays in the trace."""
LATER = "what it does not get stays in trace.jsonl, and `zork trace push` sends it later"


def session_name() -> str:
    """The LangSmith project of all runs, the user's own where one is set."""
    return get_tracer_project(return_default_value=False) or SESSION


def live_tracers(metadata: Mapping[str, Any]) -> list[LangChainTracer]:
    """The official tracer where the user's environment asks for it, else nothing.

    `metadata` goes into the metadata of root runs, as with `TraceWriter`.
    """
    if not tracing_is_enabled():
        return []
    return [LiveTracer(metadata, client=_client(), project_name=session_name())]


class LiveTracer(LangChainTracer):
    """The official tracer, shown the same views of the state and no secrets."""

    def __init__(self, root_metadata: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.root_metadata = root_metadata or {}

    def copy_with_metadata_defaults(self, **defaults: Any) -> LiveTracer:
        copy = super().copy_with_metadata_defaults(**defaults)
        assert isinstance(copy, LiveTracer)
        copy.root_metadata = self.root_metadata
        return copy

    def _start_trace(self, run: Run) -> None:
        if run.parent_run_id is None:
            run.extra["metadata"] = {**self.root_metadata, **run.extra.get("metadata", {})}
        run.extra, run.serialized = redact(run.extra), redact_manifest(run.serialized)
        super()._start_trace(run)

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> Run:
        shown = inputs_view(inputs, kwargs.get("name"), kwargs.get("metadata"))
        return super().on_chain_start(serialized, shown, **kwargs)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> Run:
        run = self.run_map[str(run_id)]
        of_turn, of_node = run.parent_run_id is None, is_node(run.name, run.metadata)
        shown = outputs_view(outputs, of_turn=of_turn, of_node=of_node)
        return super().on_chain_end(shown, run_id=run_id, **kwargs)


class OneLine(logging.Handler):
    """Says once that a server does not take the runs; what the client logs is long and repeated."""

    url = ""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said = False

    def emit(self, record: logging.LogRecord) -> None:
        """Much that the client warns of loses nothing: a server without compression, say."""
        if "Dropped" in record.getMessage():
            self.say("does not take the traces as fast as they come")

    def failed(self, error: Exception) -> None:
        """Runs were not taken."""
        self.say(
            "refuses the key"
            if refuses_key(error)
            else f"does not take the traces: {reason(error)}"
        )

    def say(self, what: str) -> None:
        """The line, unless it has been said."""
        if not self.said:
            self.said = True
            sys.stderr.write(f"zork: LangSmith at {told(self.url)} {what}; {LATER}\n")


@functools.cache
def _client() -> Client:
    """One for the process. Its threads must not outlive play where nobody answers."""
    for name, value in {"LANGSMITH_USE_DAEMON": "true", **BOUNDS}.items():
        os.environ.setdefault(name, value)
    line, log = OneLine(), logging.getLogger("langsmith")
    log.addHandler(line)
    log.propagate = False
    line.acquire()  # The client's thread may have to say something before its address is known.
    try:
        client = Client(
            anonymizer=redact,
            session=OneServer(),
            tracing_error_callback=line.failed,
            timeout_ms=(CONNECT_MS, READ_MS),
            retry_config=Retry(total=1, backoff_factor=0.5),
        )
        line.url = client.api_url
    finally:
        line.release()
    atexit.register(_leave, client, line)
    return client


def _leave(client: Client, line: OneLine) -> None:
    """Wait for what has not been sent, as long as it gets less."""
    left = _unsent(client)
    while left:
        client.flush(PATIENCE_S)
        before, left = left, _unsent(client)
        if left >= before:
            line.say("does not answer")
            break
    client.close(0)


def _unsent(client: Client) -> int:
    waiting = client.tracing_queue.unfinished_tasks if client.tracing_queue else 0
    frame = client.compressed_traces.trace_count if client.compressed_traces else 0
    with client._futures_lock:
        return waiting + frame + sum(not future.done() for future in client._futures)
