"""The long-term store: what episodes of a story have learned, in SQLite under `ZORK_HOME`."""

from __future__ import annotations

import hashlib
import json
import reprlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, cast

from langgraph.store.sqlite import SqliteStore
from pydantic import TypeAdapter, ValidationError

from environments.folders import data_folder
from managers.core.handover import FORMAT, Memory, both_memories
from orchestrator.errors import DamageError, RunError
from orchestrator.saved.runs import RunDirectory
from orchestrator.store import opened

_MEMORY = TypeAdapter(Memory)
_WHOLE = Memory.__annotations__.keys() - {"of"}
"""What a memory has that is not empty."""
_SHOWN, _MOST = 60, 200
"""Characters of a name, and of a fault, that are told."""
SET_ASIDE = "set it aside with `zork memory clear`"
ELSEWHERE = "set ZORK_HOME to a folder that can be written"
"""What helps against a damaged store, and against one that cannot be written."""
_KEY = "learned"
_ROOT = "memory"


class Subject(NamedTuple):
    """What a memory is of."""

    story_sha256: str
    graph: str


def load(subject: Subject, store: Path | None = None) -> Memory:
    """What is remembered; empty if nothing is. `store` is a file, if not the usual one.

    Raises:
        RunError: the store cannot be read, or nothing could be left in it later.
    """
    path = store or store_path()
    with _opened(path) as kept:
        return _value(kept, subject, path)


def remember(subject: Subject, learned: Memory, store: Path | None = None) -> None:
    """Merge what an episode learned into what is remembered by now.

    Raises:
        RunError: the store cannot be written, or could not be read any more.
    """
    path = store or store_path()
    with _opened(path) as kept:
        both = both_memories(_value(kept, subject, path), learned)
        unpacked(packed(both), path)
        kept.put(_namespace(subject), _KEY, {**both})


def remember_later(runs: Iterable[RunDirectory], subject: Subject, store: Path | None) -> None:
    """Merge what earlier episodes had to keep beside their runs.

    What cannot be merged now, because somebody plays that run or the store is full, stays.
    """
    for run in runs:
        if run.learned.is_file():
            with suppress(RunError), run.locked():
                record = run.record()
                if Subject(record.story_sha256, record.graph) == subject:
                    remember(subject, unpacked(run.read(run.learned), run.learned), store)
                    run.learned.unlink()


def forget(subject: Subject, store: Path | None = None) -> bool:
    """Clear what is remembered, readable or not; False if there was nothing."""
    path = store or store_path()
    if not path.is_file():
        return False
    with _opened(path) as kept:
        known = kept.get(_namespace(subject), _KEY) is not None
        kept.delete(_namespace(subject), _KEY)
    return known


def fault(store: Path | None = None) -> RunError | None:
    """What is wrong with the store; None if nothing is, or nothing is there."""
    path = store or store_path()
    try:
        if path.is_file():
            with _opened(path):
                pass
    except RunError as error:
        return error
    return None


def packed(memory: Memory) -> bytes:
    """The copy of a memory that a run keeps."""
    return json.dumps(memory, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def unpacked(content: bytes, source: Path) -> Memory:
    """What `packed` made.

    Raises:
        RunError: it is no memory that this program can read.
    """
    try:
        memory = _MEMORY.validate_json(content, strict=True)
        missing = sorted(_WHOLE - memory.keys()) if memory else []
    except ValidationError as error:
        raise RunError(
            f"{str(source)!r}: is no memory that this program can read ({_explained(error)}); "
            "see zork memory clear"
        ) from error
    if missing:
        raise RunError(
            f"{str(source)!r}: is no memory that this program can read (it has no "
            f"{', '.join(missing)}); see zork memory clear"
        )
    return memory


def _explained(error: ValidationError) -> str:
    """The first fault, or the one that explains all others."""
    faults = error.errors()
    for fault in faults:
        if fault["loc"] == ("format",):
            return f"format {reprlib.repr(fault['input'])}, wanted {FORMAT}"
    where = ".".join(str(part)[:_SHOWN] for part in faults[0]["loc"])
    return f"{where}: {faults[0]['msg']}"[:_MOST].removeprefix(": ")


def digest(content: bytes) -> str:
    """The SHA-256 of a packed memory."""
    return hashlib.sha256(content).hexdigest()


def store_path() -> Path:
    """The file of the store; it appears with the first episode that is remembered."""
    return data_folder() / "memory.sqlite"


def _namespace(subject: Subject) -> tuple[str, str, str]:
    # The store allows no full stop in a name.
    graph = subject.graph.replace("%", "%25").replace(".", "%2E")
    return (_ROOT, subject.story_sha256, graph)


def _value(store: SqliteStore, subject: Subject, path: Path) -> Memory:
    item = store.get(_namespace(subject), _KEY)
    if item is None:
        return {}
    try:
        return unpacked(packed(cast(Memory, item.value)), path)
    except RunError as error:
        hint = "forget it with `zork memory clear --game STORY`, or play with --fresh"
        raise RunError(f"{error}; {hint}") from error


@contextmanager
def _opened(path: Path) -> Iterator[SqliteStore]:
    try:
        with opened(path) as store:
            yield store
    except (OSError, sqlite3.Error) as error:
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.OperationalError
        )
        kind = DamageError if damaged else RunError
        hint = SET_ASIDE if damaged else ELSEWHERE
        raise kind(f"memory {str(path)!r}: {error}; {hint}, or play with --fresh") from error
