"""The model answers of a recorded run, read from its trace."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, convert_to_messages

from agents.models.faults import ModelError
from agents.models.trace_files import TraceFiles

RECORDING = "recording"
"""Stands before the trace in the name of an embedded model."""
Said = tuple[tuple[str, str], ...]
ROLES = {"human": "user", "ai": "assistant"}
_KEPT = ("content", "additional_kwargs", "response_metadata", "tool_calls", "usage_metadata")


def read_recording(trace: Path) -> dict[Said, list[AIMessage]]:
    """What a run's models answered to which prompt, in order.

    Calls that failed are left out, and those of nodes that were not finished: they were asked
    again when the run was resumed.

    Args:
        trace: A trace file, whose older parts may lie beside it compressed, or the
            directory of a run.

    Raises:
        ModelError: the trace cannot be read, or holds no answer.
    """
    runs: dict[str, dict[str, Any]] = {}
    for run in _read(trace):
        runs.setdefault(str(run.get("id")), {}).update(run)
    answers: dict[Said, list[AIMessage]] = {}
    for run in runs.values():
        try:
            answer = _answer(run.get("outputs") or {}) if run.get("run_type") == "llm" else None
            if answer is not None and _counts(run, runs):
                answers.setdefault(said(run["inputs"]["messages"][0]), []).append(answer)
        except (LookupError, TypeError, AttributeError, ValueError):
            continue  # An LLM run of somebody else's form.
    if not answers:
        raise ModelError(f"recording {str(trace)!r} holds no model answers")
    return answers


def recorded_model(trace: Path) -> str:
    """The name of the model that a recorded run asked first; empty where nobody says.

    Raises:
        ModelError: the trace cannot be read.
    """
    for run in _read(trace):
        told = (run.get("extra") or {}).get("metadata") or {}
        if run.get("run_type") == "llm" and told.get("ls_model_name"):
            return str(told["ls_model_name"])
    return ""


def said(messages: Sequence[Mapping[str, Any]]) -> Said:
    """(role, text) of each serialised message."""
    plain = [{"role": m["kwargs"]["type"], **_message(m["kwargs"])} for m in messages]
    return tuple((ROLES.get(m.type, m.type), str(m.text)) for m in convert_to_messages(plain))


def _message(fields: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("content", "tool_calls", "tool_call_id")
    return {name: fields[name] for name in kept if fields.get(name) is not None}


def _lines(trace: Path) -> Iterator[bytes]:
    files, rest = TraceFiles(trace), b""
    if not trace.is_file():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(trace))
    for piece in files.pieces():
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    if files.faults:
        raise OSError(errno.EINVAL, files.faults[0], str(trace))
    yield rest


def _read(trace: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from _runs(_lines(trace / "trace.jsonl" if trace.is_dir() else trace))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError(f"recording {str(trace)!r} cannot be read: {reason}") from error


def _runs(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """One run record a line, bare or the body of a post or patch; a torn last line is no run."""
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            run = record.get("post") or record.get("patch") or record
            if isinstance(run, dict) and "id" in run:
                yield run


def _counts(run: Mapping[str, Any], runs: Mapping[str, Mapping[str, Any]]) -> bool:
    """The turn came to an end, maybe in an error, and everything else that asked without one."""
    above: Mapping[str, Any] | None = run
    while above is not None:
        parent = runs.get(str(above.get("parent_run_id")))
        if "end_time" not in above or (parent is not None and above.get("error")):
            return False
        above = parent
    return True


def _answer(outputs: Mapping[str, Any]) -> AIMessage | None:
    """The message of a call; None where it failed."""
    generations = (outputs.get("generations") or [[]])[0]
    if not generations:
        return None
    fields = generations[0]["message"]["kwargs"]
    return AIMessage(**{name: fields[name] for name in _KEPT if fields.get(name) is not None})
