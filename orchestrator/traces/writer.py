"""The local trace: the starts and ends of LangSmith runs, one a line, as they happen.

What happened waits in a log and is written together; what has grown large is compressed.
"""

from __future__ import annotations

import datetime
import gzip
import io
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.load import dumpd
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tracers.base import BaseTracer

from agents.asking import CACHED
from agents.models.trace_files import TooLarge, TraceFiles, next_part
from environments.plain_files import open_plain, write_whole
from orchestrator.errors import RunError
from orchestrator.traces.live import SESSION
from orchestrator.traces.records import Event, Happened, Record, Records, RunEnded, Started
from orchestrator.traces.redaction import dumps, redact_json
from orchestrator.traces.views import inputs_view, is_node, outputs_view

SEGMENT_BYTES = 8_000_000
COMPRESSION = 1
"""Gzip's fastest; run records shrink tenfold all the same."""
DELAY_S = 0.05
"""Nothing waits longer. A turn worked off as one costs half of event by event."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
NOT_METADATA = frozenset({"tools", "functions", "messages", "response_format"})
"""Parameters of a model call too large for the run's metadata; the official tracer's list."""


class SegmentedFile:
    """`trace.jsonl`, with older parts of a long run beside it as `trace.0001.jsonl.gz`, ..."""

    def __init__(self, path: Path, segment_bytes: int = SEGMENT_BYTES) -> None:
        """Open for appending, after a torn last line on a new one.

        Raises:
            RunError: the file cannot be written.
        """
        self.path = path
        self._segment_bytes = segment_bytes
        try:
            self._file = open_plain(path, "ab+")
            self._torn = _is_torn(self._file)
        except OSError as error:
            raise self._unwritable(error) from error

    def append(self, lines: bytes) -> None:
        """Write whole lines, after a torn one on a new one; after `close` they are dropped."""
        if self._file.closed:
            return
        left = memoryview(b"\n" + lines if self._torn else lines)
        self._torn = True
        try:
            while left:  # A disk that is nearly full takes a part.
                left = left[self._file.write(left) :]
        except OSError as error:
            raise self._unwritable(error) from error
        self._torn = False

    def rotate(self) -> None:
        """Compress what has been written, if it is large enough.

        A death in between leaves the same lines twice, which readers merge by id.
        """
        if self._file.closed or self._file.tell() < self._segment_bytes:
            return
        try:
            self._file.seek(0)
            write_whole(next_part(self.path), gzip.compress(self._file.read(), COMPRESSION))
            self._file.truncate(0)
        except OSError as error:
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        self._file.close()

    def _unwritable(self, error: OSError) -> RunError:
        return RunError(f"trace {str(self.path)!r}: cannot be written: {error}")


def _is_torn(file: IO[bytes]) -> bool:
    if not file.tell():
        return False
    file.seek(-1, io.SEEK_END)
    return file.read(1) != b"\n"


def read_segments(path: Path, faults: list[str] | None = None) -> Iterator[bytes]:
    """The contents of all files of a trace, oldest first, in pieces.

    What is damaged is told in `faults`, where that is given, and the rest is read.

    Raises:
        RunError: there is no such trace, it cannot be read, or is no trace of ours.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no trace there")
    yield from read_on(TraceFiles(path), faults)


def read_on(files: TraceFiles, faults: list[str] | None = None) -> Iterator[bytes]:
    """What has been written to a trace since it was read last, in pieces.

    Raises:
        RunError: it cannot be read, or is no trace of ours.
    """
    try:
        for piece in files.pieces():
            if faults is None and files.faults:
                raise RunError(files.faults[0])
            yield piece
    except TooLarge as error:
        raise RunError(
            f"trace {error.filename!r}: {error.strerror}; no trace of ours does"
        ) from error
    except OSError as error:
        raise RunError(f"trace {str(files.path)!r}: cannot be read: {error.strerror}") from error
    if faults is not None:
        faults[:0] = files.faults


class RunLog:
    """Appends to a trace; many threads may share it."""

    def __init__(self, path: Path, records: Records) -> None:
        """Open the trace.

        Raises:
            RunError: the file cannot be written.
        """
        self._file = SegmentedFile(path)
        self._records = records
        self._waiting: deque[Event] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._failure: RunError | None = None
        threading.Thread(target=self._flush_late, name="trace", daemon=True).start()

    def add(self, event: Event, *, at_once: bool = False) -> None:
        """Take an event; written at once, or soon with those that follow.

        Raises:
            RunError: the file could not be written, now or earlier.
        """
        self._waiting.append(event)
        if at_once:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            if self._failure:
                raise self._failure
            events = [self._waiting.popleft() for _ in range(len(self._waiting))]
            operations = map(self._records.operation, events)
            lines = [dumps(operation) for operation in operations if operation is not None]
            if lines:
                self._file.append(redact_json(b"\n".join(lines)) + b"\n")

    def end_turn(self) -> None:
        """Write what waits, and compress what has grown large."""
        self.flush()
        with self._lock:
            self._file.rotate()

    def close(self) -> None:
        """Write what waits and close the file; what comes later is dropped."""
        if not self._closed.is_set():
            self._closed.set()
            try:
                self.flush()
            finally:
                self._file.close()

    def _flush_late(self) -> None:
        while not self._closed.wait(DELAY_S):
            try:
                self.flush()
            except RunError as error:
                self._failure = error
                return


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
