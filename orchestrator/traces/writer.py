"""The local trace: the starts and ends of LangSmith runs, one a line, as they happen."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.env import get_runtime_environment
from langchain_core.load import dumpd
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tracers.base import BaseTracer
from langsmith.env import get_runtime_environment as sdk_environment

from agents.asking import CACHED
from orchestrator.traces.live import SESSION
from orchestrator.traces.log import RunLog
from orchestrator.traces.redaction import redact_keys
from orchestrator.traces.views import inputs_view, is_node, outputs_view

NOTHING: Mapping[str, Any] = MappingProxyType({})

NOT_METADATA = frozenset({"tools", "functions", "messages", "response_format"})
"""Parameters of a model call too large for the run's metadata; the official tracer's list."""

Record = dict[str, Any]


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


class OpenRun(NamedTuple):
    """What its children and its end need to know of a run that has started."""

    trace_id: str
    dotted_order: str
    events: list[Record]
    """Those since the start."""
    extra: Record
    of_node: bool

    @property
    def of_turn(self) -> bool:
        """Whether it has no parent."""
        return "." not in self.dotted_order


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
        self._session_name = session_name
        self._metadata = redact_keys(dict(metadata))
        self._runs: dict[UUID, OpenRun] = {}
        self._log = RunLog(path)

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
        **run: Any,
    ) -> Any:
        shown = inputs_view(inputs, run.get("name"), run.get("metadata"))
        fields = shown if isinstance(shown, dict) else {"input": shown}
        self._start(run_id, run_type or "chain", fields, serialized, **run)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        run = self._runs.get(run_id)
        if run is None:
            return
        shown = outputs_view(outputs, of_turn=run.of_turn, of_node=run.of_node)
        self._end(run_id, outputs=shown if isinstance(shown, dict) else {"output": shown})

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._end(run_id, error=self._get_stacktrace(error))

    def on_chat_model_start(
        self,
        serialized: Record,
        messages: Sequence[Sequence[BaseMessage]],
        *,
        run_id: UUID,
        **run: Any,
    ) -> Any:
        inputs = {"messages": [[dumpd(message) for message in batch] for batch in messages]}
        self._start_model(run_id, serialized, inputs, **run)

    def on_llm_start(
        self, serialized: Record, prompts: list[str], *, run_id: UUID, **run: Any
    ) -> Any:
        self._start_model(run_id, serialized, {"prompts": prompts}, **run)

    def on_llm_new_token(self, token: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        run = self._runs.get(run_id)
        if run is not None and not run.events:
            run.events.append({"name": "new_token", "time": _now()})

    def on_retry(self, retry_state: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        run = self._runs.get(run_id)
        if run is not None:
            attempt = {"attempt": retry_state.attempt_number, "slept": retry_state.idle_for}
            run.events.append({"name": "retry", "time": _now(), "kwargs": attempt})

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_kwargs: Any) -> Any:
        run = self._runs.get(run_id)
        if run is None:
            return
        outputs, usage, tool_calls = _answer(response)
        if usage:
            self.usage.add(usage)
            run.extra["metadata"]["usage_metadata"] = usage
        if tool_calls:
            run.extra["tool_call_count"] = tool_calls
        self._end(run_id, outputs=outputs, extra=run.extra)

    def on_llm_error(
        self,
        error: BaseException,
        *,
        run_id: UUID,
        response: LLMResult | None = None,
        **_kwargs: Any,
    ) -> Any:
        partial = {} if response is None else {"outputs": _answer(response)[0]}
        self._end(run_id, error=self._get_stacktrace(error), **partial)

    def on_tool_start(
        self,
        serialized: Record | None,
        input_str: str,
        *,
        run_id: UUID,
        inputs: Record | None = None,
        **run: Any,
    ) -> Any:
        fields = {"input": input_str} if inputs is None else inputs
        self._start(run_id, "tool", fields, serialized, **run)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._end(run_id, outputs={"output": output})

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._end(run_id, error=self._get_stacktrace(error))

    def on_retriever_start(
        self, serialized: Record | None, query: str, *, run_id: UUID, **run: Any
    ) -> Any:
        run["name"] = run.get("name") or "Retriever"
        self._start(run_id, "retriever", {"query": query}, serialized, **run)

    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, **_kwargs: Any
    ) -> Any:
        self._end(run_id, outputs={"documents": documents})

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **_kwargs: Any) -> Any:
        self._end(run_id, error=self._get_stacktrace(error))

    def _persist_run(self, run: Any) -> None:
        """Nothing is kept until the end of a trace."""

    def _start_model(self, run_id: UUID, serialized: Record, inputs: Record, **run: Any) -> None:
        self.usage.llm_calls += run.get("name") != CACHED
        parameters = run.get("invocation_params") or {}
        metadata = {key: parameters[key] for key in parameters if key not in NOT_METADATA}
        run["metadata"] = {**metadata, **(run.get("metadata") or {})}
        self._start(run_id, "llm", inputs, serialized, manifest=serialized, **run)

    def _start(
        self,
        run_id: UUID,
        run_type: str,
        inputs: Record,
        serialized: Record | None,
        *,
        name: str | None = None,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: Record | None = None,
        manifest: Record | None = None,
        **extra: Any,
    ) -> None:
        now, own_id = _now(), str(run_id)
        extra = redact_keys({**extra, "metadata": metadata or {}})
        order = f"{now[:26].translate(_NO_PUNCTUATION)}Z{own_id}"
        post: Record = {"id": own_id}
        parent = self._runs.get(parent_run_id) if parent_run_id else None
        if parent is None:
            trace_id = own_id
            extra["metadata"] = {**self._metadata, **extra["metadata"]}
            extra["runtime"] = {**sdk_environment(), **get_runtime_environment()}
        else:
            trace_id, order = parent.trace_id, f"{parent.dotted_order}.{order}"
            post["parent_run_id"] = str(parent_run_id)
        post |= {
            "trace_id": trace_id,
            "dotted_order": order,
            "name": name or _name(serialized),
            "run_type": run_type,
            "session_name": self._session_name,
            "start_time": now,
            "inputs": inputs,
            "tags": tags or [],
            "extra": extra,
        }
        if manifest is not None:
            post["serialized"] = manifest
        self._runs[run_id] = OpenRun(trace_id, order, [], extra, is_node(name, metadata))
        self._log.add({"post": post}, at_once=parent is None or run_type != "chain")

    def _end(self, run_id: UUID, **fields: Any) -> None:
        run = self._runs.pop(run_id, None)
        if run is None:
            return
        patch: Record = {"id": str(run_id), "end_time": _now(), **fields}
        if run.events:
            patch["events"] = run.events
        self._log.add({"patch": patch}, at_once=False)
        if run.of_turn:
            self._log.end_turn()


_NO_PUNCTUATION = str.maketrans("", "", "-:.")


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")


def _name(serialized: Record | None) -> str:
    manifest = serialized or {}
    return str(manifest.get("name") or manifest.get("id", ["Unnamed"])[-1])


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
