"""The local trace: the starts and ends of LangSmith runs, one a line, as they happen."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.load import dumpd
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tracers.base import BaseTracer

from agents.asking import CACHED
from orchestrator.traces.live import SESSION
from orchestrator.traces.log import RunLog
from orchestrator.traces.records import Happened, Record, Records, RunEnded, Started
from orchestrator.traces.views import inputs_view, is_node, outputs_view

NOTHING: Mapping[str, Any] = MappingProxyType({})

NOT_METADATA = frozenset({"tools", "functions", "messages", "response_format"})
"""Parameters of a model call too large for the run's metadata; the official tracer's list."""


@dataclass
class Usage:
    """Model calls and tokens so far."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @classmethod
    def of(cls, roles: Iterable[Mapping[str, Any]]) -> Usage:
        """The sum of what the roles asked, where no trace is written."""
        total = cls()
        for role in roles:
            total.llm_calls += role["calls"]
            total.add(role)
        return total

    def add(self, usage: Mapping[str, Any]) -> None:
        """Count the tokens of one answer, as LangChain's `usage_metadata` gives them."""
        self.prompt_tokens += usage.get("input_tokens", 0)
        self.completion_tokens += usage.get("output_tokens", 0)


class TraceWriter(BaseTracer):
    """A LangChain callback handler that appends to one file; many threads may share it.

    A line is `{"post": run}` when a run starts and `{"patch": rest of it}` when it ends;
    merged by their id, as `traces.reader` does, they are a LangSmith run record.
    `metadata` goes into the metadata of root runs. See docs/traces.md.
    """

    run_inline = True
    raise_error = True

    def __init__(
        self, path: Path, *, session_name: str = SESSION, metadata: Mapping[str, Any] = NOTHING
    ) -> None:
        """Open the trace for appending.

        Raises:
            RunError: the file cannot be opened.
        """
        super().__init__()
        self.path = path
        self.usage = Usage()
        self._log = RunLog(path, Records(session_name, metadata))
        self._nodes: set[UUID] = set()
        self._first_token: set[UUID] = set()

    def close(self) -> None:
        """Close the file. Runs that have not ended stay open in the trace."""
        self._log.close()

    def on_chain_start(
        self,
        serialized: Record | None,
        inputs: Any,
        *,
        run_id: UUID,
        run_type: str | None = None,
        **details: Any,
    ) -> Any:
        name, metadata = details.get("name"), details.get("metadata")
        if is_node(name, metadata):
            self._nodes.add(run_id)
        shown = inputs_view(inputs, name, metadata)
        fields = shown if isinstance(shown, dict) else {"input": shown}
        self._log.add(Started(_now(), run_id, run_type or "chain", fields, serialized, details))

    def on_chain_end(
        self, outputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **_kwargs: Any
    ) -> Any:
        of_turn, of_node = parent_run_id is None, run_id in self._nodes
        self._nodes.discard(run_id)
        shown = outputs_view(outputs, of_turn=of_turn, of_node=of_node)
        self._end(run_id, outputs=shown if isinstance(shown, dict) else {"output": shown})
        if of_turn:
            self._log.end_turn()

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._nodes.discard(run_id)
        self._fail(run_id, error)

    def on_chat_model_start(
        self,
        serialized: Record,
        messages: Sequence[Sequence[BaseMessage]],
        *,
        run_id: UUID,
        **details: Any,
    ) -> Any:
        inputs = {"messages": [[dumpd(message) for message in batch] for batch in messages]}
        self._start_model(run_id, inputs, serialized, details)

    def on_llm_start(
        self, serialized: Record, prompts: list[str], *, run_id: UUID, **details: Any
    ) -> Any:
        self._start_model(run_id, {"prompts": prompts}, serialized, details)

    def on_llm_new_token(self, token: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        if run_id not in self._first_token:
            self._first_token.add(run_id)
            self._log.add(Happened(_now(), run_id, {"name": "new_token"}))

    def on_retry(self, retry_state: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        attempt = {"attempt": retry_state.attempt_number, "slept": retry_state.idle_for}
        self._log.add(Happened(_now(), run_id, {"name": "retry", "kwargs": attempt}))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._first_token.discard(run_id)
        outputs, usage, tool_calls = _answer(response)
        self.usage.add(usage)
        metadata = {"usage_metadata": usage} if usage else {}
        extra = {"tool_call_count": tool_calls} if tool_calls else {}
        ended = RunEnded(_now(), run_id, {"outputs": outputs}, metadata, extra)
        self._log.add(ended, at_once=True)

    def on_llm_error(
        self,
        error: BaseException,
        *,
        run_id: UUID,
        response: LLMResult | None = None,
        **_kwargs: Any,
    ) -> Any:
        self._first_token.discard(run_id)
        self._fail(run_id, error, **({"outputs": _answer(response)[0]} if response else {}))

    def on_tool_start(
        self,
        serialized: Record | None,
        input_str: str,
        *,
        run_id: UUID,
        inputs: Record | None = None,
        **details: Any,
    ) -> Any:
        fields = {"input": input_str} if inputs is None else inputs
        started = Started(_now(), run_id, "tool", fields, serialized, details)
        self._log.add(started, at_once=True)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._end(run_id, outputs={"output": output})

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._fail(run_id, error)

    def on_retriever_start(
        self, serialized: Record | None, query: str, *, run_id: UUID, **details: Any
    ) -> Any:
        details["name"] = details.get("name") or "Retriever"
        started = Started(_now(), run_id, "retriever", {"query": query}, serialized, details)
        self._log.add(started, at_once=True)

    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, **_kwargs: Any
    ) -> Any:
        self._end(run_id, outputs={"documents": documents})

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._fail(run_id, error)

    def _persist_run(self, run: Any) -> None:
        """Nothing is kept until the end of a trace."""

    def _start_model(
        self, run_id: UUID, inputs: Record, serialized: Record, details: Record
    ) -> None:
        self.usage.llm_calls += details.get("name") != CACHED
        parameters = details.get("invocation_params") or {}
        metadata = {key: parameters[key] for key in parameters if key not in NOT_METADATA}
        details["metadata"] = {**metadata, **(details.get("metadata") or {})}
        started = Started(_now(), run_id, "llm", inputs, serialized, details)
        self._log.add(started, at_once=True)

    def _end(self, run_id: UUID, **fields: Any) -> None:
        self._log.add(RunEnded(_now(), run_id, fields, {}, {}))

    def _fail(self, run_id: UUID, error: BaseException, **fields: Any) -> None:
        fields["error"] = self._get_stacktrace(error)
        self._log.add(RunEnded(_now(), run_id, fields, {}, {}), at_once=True)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _answer(response: LLMResult) -> tuple[Record, Record, int]:
    """Outputs, token usage and number of tool calls of a model's answer."""
    outputs = response.model_dump()
    usage: Record = {}
    tool_calls = 0
    for shown, generations in zip(outputs["generations"], response.generations, strict=True):
        for entry, generation in zip(shown, generations, strict=True):
            if not isinstance(generation, ChatGeneration):
                continue
            entry["message"] = dumpd(generation.message)
            usage = usage or dict(getattr(generation.message, "usage_metadata", None) or {})
            tool_calls += len(getattr(generation.message, "tool_calls", ()))
    return outputs, usage, tool_calls
