"""`LANGSMITH_TRACING=true`: the same runs, sent by the official client."""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Mapping
from typing import Any

from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.tracers.schemas import Run
from langsmith import Client
from langsmith.utils import get_tracer_project, tracing_is_enabled
from urllib3.util import Retry

from orchestrator.traces.policy import inputs_view, outputs_view
from orchestrator.traces.redaction import redact

SESSION = "zork-orchestrator"
CONNECT_MS, READ_MS = 3_000, 10_000
EXIT_S = 5.0
"""How long the end of the process waits for what has not been sent."""


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
        run.extra = redact(run.extra)
        super()._start_trace(run)

    def _get_chain_inputs(self, inputs: Any) -> Any:
        return super()._get_chain_inputs(inputs_view(inputs))

    def _get_chain_outputs(self, outputs: Any) -> Any:
        return super()._get_chain_outputs(outputs_view(outputs))


@functools.cache
def _client() -> Client:
    """One for the process. Its threads must not outlive play where nobody answers."""
    os.environ.setdefault("LANGSMITH_USE_DAEMON", "true")
    client = Client(
        anonymizer=redact,
        timeout_ms=(CONNECT_MS, READ_MS),
        retry_config=Retry(total=1, backoff_factor=0.5),
    )
    atexit.register(client.close, EXIT_S)
    return client
