"""Where turns are kept: LangGraph's SQLite saver, compressed and strict about types."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agents.answers import AgentResponse, NewObjective, Verdict
from agents.briefing import RecentTurn
from environments.game import Facts, Observation, Tally, Thing
from managers.candidates import Candidate
from managers.extraction import (
    ActionResult,
    ObjectMention,
    RoomView,
    StateChange,
    TurnExtraction,
)
from managers.objectives import Objective
from orchestrator.errors import RunError
from orchestrator.state import Judgement, Proposal, Score

STATE_TYPES = (
    *(Observation, Facts, Thing, Tally, Score, Candidate, Objective, RecentTurn),
    *(TurnExtraction, RoomView, ObjectMention, StateChange, ActionResult),
    *(Proposal, AgentResponse, NewObjective, Judgement, Verdict),
)
"""The only types a checkpoint may hold besides plain data."""

COMPRESSED = "+z"
SMALL = 512


class CompressedSerializer(JsonPlusSerializer):
    """Compresses what is worth it; restores only the state's own types, never pickles."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=STATE_TYPES)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = super().dumps_typed(obj)
        if len(data) < SMALL:
            return kind, data
        return kind + COMPRESSED, zlib.compress(data, 1)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, content = data
        if kind.endswith(COMPRESSED):
            kind, content = kind.removesuffix(COMPRESSED), zlib.decompress(content)
        return super().loads_typed((kind, content))


def open_saver(path: Path) -> SqliteSaver:
    """The checkpoints of one run, safe against the death of the process.

    Raises:
        RunError: the file cannot be opened or written.
    """
    try:
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
        saver = SqliteSaver(connection, serde=CompressedSerializer())
        saver.setup()
    except sqlite3.Error as error:
        raise RunError(f"{str(path)!r}: cannot keep checkpoints there: {error}") from error
    return saver
