"""The long-term store: what episodes of a story have learned, in SQLite under `ZORK_HOME`."""

from __future__ import annotations

import fcntl
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from langgraph.store.sqlite import SqliteStore

from environments.folders import data_folder, make_private
from managers.memory.distilling import FORMAT, merge
from orchestrator.errors import RunError

_KEY = "learned"
_ROOT = "memory"


class Subject(NamedTuple):
    """What a memory is of."""

    story_sha256: str
    graph: str


def load(subject: Subject, store: Path | None = None) -> dict[str, Any]:
    """What is remembered; empty if nothing is. `store` is a file, if not the usual one.

    Raises:
        RunError: the store cannot be read.
    """
    path = store or store_path()
    if not path.is_file():
        return {}
    with _opened(path) as opened:
        return _value(opened, subject, path)


def remember(subject: Subject, learned: Mapping[str, Any], store: Path | None = None) -> None:
    """Merge what an episode learned into what is remembered by now.

    Raises:
        RunError: the store cannot be written.
    """
    path = store or store_path()
    with _opened(path) as opened:
        known = _value(opened, subject, path)
        opened.put(_namespace(subject), _KEY, merge(known, learned))


def forget(subject: Subject) -> bool:
    """Clear what is remembered, readable or not; False if there was nothing."""
    if not store_path().is_file():
        return False
    with _opened(store_path()) as opened:
        known = opened.get(_namespace(subject), _KEY) is not None
        opened.delete(_namespace(subject), _KEY)
    return known


def packed(memory: Mapping[str, Any]) -> bytes:
    """The copy of a memory that a run keeps."""
    return json.dumps(memory, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def unpacked(content: bytes, source: Path) -> dict[str, Any]:
    """What `packed` made.

    Raises:
        RunError: it is no memory that this program can read.
    """
    try:
        memory = json.loads(content)
    except ValueError as error:
        raise RunError(f"{str(source)!r}: is no memory: {error}") from error
    found = memory.get("format") if isinstance(memory, dict) else None
    if memory and found != FORMAT:
        raise RunError(
            f"{str(source)!r}: is no memory that this program can read "
            f"(format {found}, wanted {FORMAT}); see zork memory clear"
        )
    return dict(memory)


def digest(content: bytes) -> str:
    """The SHA-256 of a packed memory."""
    return hashlib.sha256(content).hexdigest()


def store_path() -> Path:
    """The file of the store; it appears with the first episode that is remembered."""
    return data_folder() / "memory.sqlite"


def _namespace(subject: Subject) -> tuple[str, str, str]:
    # The store allows no full stop in a name.
    return (_ROOT, subject.story_sha256, subject.graph.replace(".", "_"))


def _value(store: SqliteStore, subject: Subject, path: Path) -> dict[str, Any]:
    item = store.get(_namespace(subject), _KEY)
    if item is None:
        return {}
    try:
        return unpacked(packed(item.value), path)
    except RunError as error:
        hint = "forget it with `zork memory clear --game STORY`, or play with --fresh"
        raise RunError(f"{error}; {hint}") from error


@contextmanager
def _opened(path: Path) -> Iterator[SqliteStore]:
    """The store, with all other processes and threads waiting."""
    try:
        make_private(path.parent)
        with path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.is_file():
                _make(path)
            with SqliteStore.from_conn_string(str(path)) as store:
                store.setup()
                yield store
    except (OSError, sqlite3.Error) as error:
        raise RunError(
            f"memory {str(path)!r}: {error}; set ZORK_HOME to a folder that can be written, "
            "or play with --fresh"
        ) from error


def _make(path: Path) -> None:
    """Make an empty store, elsewhere: a process that dies here leaves none at all."""
    draft = path.with_suffix(".part")
    for leftover in path.parent.glob(f"{draft.name}*"):
        leftover.unlink()
    with SqliteStore.from_conn_string(str(draft)) as store:
        store.setup()
    draft.replace(path)
