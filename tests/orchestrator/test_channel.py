"""The state as LangGraph keeps it, and when a turn is saved."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple, empty_checkpoint

from orchestrator.channel import ROOT, Merged, gathered, holding, state_in
from orchestrator.checkpoints import open_sqlite, read_turns
from orchestrator.keep import Keep
from orchestrator.resume import resume
from orchestrator.runs import RunDirectory
from orchestrator.serializer import StateSerializer
from orchestrator.state import State

THREAD: RunnableConfig = {"configurable": {"thread_id": "a", "checkpoint_ns": ""}}


def test_updates_are_merged_and_readers_get_copies() -> None:
    channel = Merged(State, ROOT)
    assert not channel.update([{}])
    assert channel.update([{"turn": 1, "command": "look"}, {"turn": 2}])
    channel.get()["command"] = "changed by the reader"
    assert channel.copy().get() == {"turn": 2, "command": "look"}


def test_a_turn_is_saved_when_it_is_over(tmp_path: Path) -> None:
    with open_sqlite(tmp_path / "kept.sqlite", {}, Keep()) as saver:
        checkpoint = holding(empty_checkpoint(), {"turn": 3})
        with saver.held():
            saver.put(THREAD, checkpoint, {}, {})
            assert saver.turns("a") == []
        assert [kept.turn for kept in saver.turns("a")] == [3]


def test_what_breaks_off_is_saved_all_the_same(tmp_path: Path) -> None:
    with open_sqlite(tmp_path / "kept.sqlite", {}, Keep()) as saver:
        with suppress(KeyError), saver.held():
            saver.put(THREAD, holding(empty_checkpoint(), {"turn": 3}), {}, {})
            raise KeyError("a node's")
        assert [kept.turn for kept in saver.turns("a")] == [3]


def test_a_run_of_the_first_schema_is_played_on(half: Path, whole: Path) -> None:
    aged(half)
    assert resume(half, steps=8)["steps"] == 20
    assert (half / "transcript.txt").read_bytes() == (whole / "transcript.txt").read_bytes()


def test_what_a_broken_turn_of_the_first_schema_had_written_counts() -> None:
    written = [("task", "proposal", "p"), ("task", "branch:to:critic", None)]
    found = CheckpointTuple(THREAD, empty_checkpoint(), {}, None, written)
    assert gathered(found).pending_writes == [("task", ROOT, {"proposal": "p"}), written[1]]


def aged(run: Path) -> None:
    """Give the newest checkpoint the form of schema 1: a channel for every field."""
    directory = RunDirectory(run)
    record = directory.record()
    with read_turns(directory, record) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": record.thread}})
    assert found is not None
    old: dict[str, Any] = dict(found.checkpoint)
    versions = {name: version for name, version in old["channel_versions"].items() if name != ROOT}
    fields = state_in(found.checkpoint)
    newest = max(old["channel_versions"].values())
    old["channel_values"] = fields
    old["channel_versions"] = versions | dict.fromkeys(fields, newest)
    kind, content = StateSerializer().dumps_typed(old)
    row = (
        kind.replace("state3", "state1"),
        content,
        json.dumps({**found.metadata, "schema": 1}),
        found.checkpoint["id"],
    )
    with closing(sqlite3.connect(run / "checkpoints.sqlite")) as database:
        database.execute(
            "UPDATE checkpoints SET type = ?, checkpoint = ?, metadata = ? WHERE checkpoint_id = ?",
            row,
        )
        database.commit()
