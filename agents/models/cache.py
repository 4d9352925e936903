"""Answers that were already given, in SQLite.

LangChain's own caches store an answer before anybody has seen whether it is whole and
usable, so that a bad one would come back for ever; this one is told only good ones.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from agents.models.config import ModelConfig
from environments.folders import make_private

MAX_ANSWERS = 100_000
BUSY_SECONDS = 5.0

log = logging.getLogger(__name__)

_SETUP = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL);
"""
_UNASKED = frozenset(
    "timeout keep_alive retries backoff tokens_per_minute input_price output_price".split()
)


class AnswerCache:
    """Answers by question; safe with many threads and processes.

    A cache that fails is reported once and then done without.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection = self._guarded(self._open)

    def get(self, key: str) -> str | None:
        """The answer to a question, if it was ever given."""
        row = self._execute("SELECT answer FROM answers WHERE key = ?", (key,))
        return str(row[0]) if row else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        self._execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer))

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        make_private(self.path.parent)
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
        )
        connection.executescript(_SETUP)
        connection.execute(
            "DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ?",
            (MAX_ANSWERS,),
        )
        return connection

    def _execute(self, statement: str, values: Sequence[str]) -> Any:
        with self._lock:
            connection = self._connection
            if connection is None:
                return None
            row = self._guarded(lambda: _first_row(connection, statement, values), default=_FAILED)
            if row is _FAILED:
                connection.close()
                self._connection = None
                return None
            return row

    def _guarded(self, action: Any, default: Any = None) -> Any:
        try:
            return action()
        except (sqlite3.Error, OSError) as error:
            log.warning("answer cache %s is not used: %s", self.path, error)
            return default


_FAILED = object()


def question_key(
    config: ModelConfig, messages: Sequence[BaseMessage], schema: dict[str, Any], served: str = ""
) -> str:
    """Everything that the answer depends on: model, parameters, prompt and schema.

    `served` is what a server has loaded that answers to any name.
    """
    parts = [
        *([served] if served else []),
        config.model_dump(mode="json", exclude=set(_UNASKED)),
        [[message.type, message.content] for message in messages],
        schema,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _first_row(connection: sqlite3.Connection, statement: str, values: Sequence[str]) -> Any:
    with closing(connection.execute(statement, values)) as cursor:
        return cursor.fetchone()
