"""Traces as OpenTelemetry spans, named by its GenAI conventions or as these were named before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic_core import to_json

from orchestrator.traces.calls import ToldWords
from orchestrator.traces.reader import Record, Run, Trace
from orchestrator.traces.views import is_node

ERROR, OK = 2, 1
"""OpenTelemetry's status codes."""
INTERNAL, CLIENT = 1, 3
"""Its kinds of spans."""
ROLES = {"human": "user", "ai": "assistant"}
"""Who says a message, where OpenTelemetry has another word than LangChain."""


def as_otlp(trace: Trace) -> Iterator[bytes]:
    """One `ExportTraceServiceRequest` in OTLP's JSON encoding, as `POST /v1/traces` takes it."""
    return _request(trace, _named, _attributes)


def as_old_otlp(trace: Trace) -> Iterator[bytes]:
    """The same with the attributes of LangSmith's own exporter: `gen_ai.prompt` and so on."""
    return _request(trace, lambda run: run.name, _old_attributes)


def _request(
    trace: Trace, name: Callable[[Run], str], attributes: Callable[[Run], Record]
) -> Iterator[bytes]:
    resource = {"attributes": [_attribute("service.name", "zork-orchestrator")]}
    scope = {"name": "orchestrator.traces"}
    spans = [
        {**_span(run), "name": name(run), "attributes": _listed(attributes(run))}
        for run in trace.walk()
        if not run.is_open
    ]
    scoped = {"scope": scope, "spans": spans}
    yield to_json({"resourceSpans": [{"resource": resource, "scopeSpans": [scoped]}]}) + b"\n"


def _span(run: Run) -> Record:
    record = run.record
    span: Record = {
        "traceId": UUID(record["trace_id"]).hex,
        "spanId": _span_id(record["id"]),
        "kind": CLIENT if run.kind == "llm" else INTERNAL,
        "startTimeUnixNano": _nanoseconds(record["start_time"]),
        "endTimeUnixNano": _nanoseconds(record["end_time"]),
        "status": {"code": ERROR, "message": run.error.partition("\n")[0]}
        if run.error
        else {"code": OK},
    }
    if not run.is_root:
        span["parentSpanId"] = _span_id(record["parent_run_id"])
    return span


# -- by the conventions --------------------------------------------------------


def _operation(run: Run) -> str:
    """What the conventions call it; empty for what they have no name for."""
    if run.kind in ("llm", "tool"):
        return {"llm": "chat", "tool": "execute_tool"}[run.kind]
    if run.is_root:
        return "invoke_workflow"
    return "invoke_agent" if is_node(run.name, run.metadata) else ""


def _named(run: Run) -> str:
    """The operation and what it is done with, for instance `chat llama3.1:8b`."""
    return f"{_operation(run)} {_model(run) if run.kind == 'llm' else run.name}".strip()


def _attributes(run: Run) -> Record:
    operation, thread = _operation(run), run.metadata.get("thread_id")
    attributes = _langsmith(run)
    attributes |= {"gen_ai.operation.name": operation} if operation else {}
    attributes |= {"gen_ai.conversation.id": thread} if thread else {}
    if run.error:
        attributes["error.type"] = run.error.partition("(")[0].strip()[:80] or "error"
    return attributes | _OF_OPERATIONS.get(operation, _of_state)(run)


def _of_chat(run: Run) -> Record:
    prompt, completion = run.tokens
    asked, answers = run.asked, run.generated
    said = [_message(one.words) for batch in asked.messages for one in batch]
    said += [{"role": "user", "parts": [_text(one)]} for one in asked.prompts]
    answered = [
        {**_message(one.message.words, one.text), "role": "assistant", "finish_reason": one.ended}
        for batch in answers.generations
        for one in batch
    ]
    return {
        "gen_ai.provider.name": run.about.ls_provider or "langchain",
        "gen_ai.request.model": _model(run),
        "gen_ai.usage.input_tokens": prompt,
        "gen_ai.usage.output_tokens": completion,
        "gen_ai.input.messages": to_json(said).decode(),
        "gen_ai.output.messages": to_json(answered).decode(),
    }


def _of_tool(run: Run) -> Record:
    return {
        "gen_ai.tool.name": run.name,
        "gen_ai.tool.call.arguments": to_json(run.inputs).decode(),
        "gen_ai.tool.call.result": to_json(run.outputs).decode(),
    }


def _of_agent(run: Run) -> Record:
    return {"gen_ai.agent.name": run.name, **_of_state(run)}


def _of_workflow(run: Run) -> Record:
    return {"gen_ai.workflow.name": run.about.graph or run.name, **_of_state(run)}


def _of_state(run: Run) -> Record:
    """What a node was told and what it wrote, which no convention has a name for."""
    told = {"zork.inputs": run.inputs, "zork.outputs": run.outputs}
    return {name: to_json(value).decode() for name, value in told.items()}


_OF_OPERATIONS: dict[str, Callable[[Run], Record]] = {
    "chat": _of_chat,
    "execute_tool": _of_tool,
    "invoke_agent": _of_agent,
    "invoke_workflow": _of_workflow,
}


def _message(words: ToldWords, text: str = "") -> Record:
    said = text or words.text
    thought = words.additional_kwargs.reasoning_content
    parts = [{"type": "reasoning", "content": thought}] if thought else []
    parts += [_text(said)] if said else []
    parts += [
        {"type": "tool_call", "name": one.name, "arguments": one.args} for one in words.tool_calls
    ]
    return {"role": ROLES.get(words.type, words.type or "user"), "parts": parts}


def _text(content: str) -> Record:
    return {"type": "text", "content": content}


# -- as before -----------------------------------------------------------------


def _old_attributes(run: Run) -> Record:
    attributes: Record = {
        **_langsmith(run),
        "gen_ai.operation.name": {"llm": "chat", "tool": "execute_tool"}.get(run.kind, run.kind),
        "gen_ai.prompt": to_json(run.inputs).decode(),
        "gen_ai.completion": to_json(run.outputs).decode(),
    }
    if run.kind == "llm":
        prompt, completion = run.tokens
        attributes |= {
            "gen_ai.system": run.about.ls_provider or "langchain",
            "gen_ai.request.model": _model(run),
            "gen_ai.usage.input_tokens": prompt,
            "gen_ai.usage.output_tokens": completion,
            "gen_ai.usage.total_tokens": prompt + completion,
        }
    return attributes


# -- for both ------------------------------------------------------------------


def _langsmith(run: Run) -> Record:
    """What LangSmith looks at."""
    return {
        "langsmith.span.kind": run.kind,
        "langsmith.trace.name": run.name,
        "langsmith.trace.session_name": run.record["session_name"],
        "langsmith.span.tags": ", ".join(run.record["tags"]),
        **{f"langsmith.metadata.{key}": _plain(value) for key, value in run.metadata.items()},
    }


def _model(run: Run) -> str:
    return run.about.ls_model_name or run.name


def _plain(value: Any) -> Any:
    return to_json(value).decode() if isinstance(value, dict | list) else value


def _listed(attributes: Record) -> list[Record]:
    return [_attribute(key, value) for key, value in attributes.items()]


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
