"""What a checkpoint may hold, and what is refused."""

from __future__ import annotations

import copy
import pickle
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
import zstandard
from pydantic import BaseModel, ConfigDict, Field

from environments.game import Thing
from orchestrator import play
from orchestrator.checkpoints.opening import SqliteTurns, read_turns
from orchestrator.checkpoints.saver import CheckpointRow, Keep
from orchestrator.checkpoints.serializer import (
    SCHEMA,
    ForeignCheckpoint,
    StateSerializer,
    state_types,
)
from orchestrator.errors import ConfigError, RoleError, RunError
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.reducers import Rounds, of_turn
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.state import State


def states(run: Path) -> list[dict[str, Any]]:
    directory = RunDirectory(run)
    record = directory.record()
    with read_turns(directory, record) as saver:
        return [dict(state) for state in saver.states(record.thread)][::-1]


def test_every_state_comes_back_as_it_was(whole: Path) -> None:
    serializer = StateSerializer()
    for state in states(whole):
        assert state.keys() <= State.__annotations__.keys()
        assert serializer.loads_typed(serializer.dumps_typed(state)) == state
    assert {"Observation", "Option", "Ruling", "ObjectMention"} <= state_types().keys()


class Stranger:
    pass


@pytest.mark.parametrize("value", [Stranger(), 1j, lambda: 0, {"deep": [Stranger()]}])
def test_a_node_that_writes_something_else_is_told(value: Any) -> None:
    with pytest.raises(RoleError, match="plain data and the state's own types"):
        StateSerializer().dumps_typed(value)


class Score(BaseModel):
    """Named as one of the state's, with what makes a model hard to read back."""

    model_config = ConfigDict(extra="allow")
    turn: int = Field(alias="number")


def test_a_model_of_ones_own_comes_back_whatever_it_is_called() -> None:
    serializer = StateSerializer(lambda: {"mine": list[Score]})
    state = {"mine": [Score(number=3, more="x")], "score": state_types()["Line"](length=2)}
    assert serializer.loads_typed(serializer.dumps_typed(state)) == state
    earlier = typed("Stranger", {"text": "x"})
    kind = type("Stranger", (BaseModel,), {"__annotations__": {"text": str}})
    assert StateSerializer(lambda: {"one": kind}).loads_typed((OURS, earlier)).text == "x"


@pytest.mark.parametrize("value", [Stranger(), "x" * (8 << 20)])
def test_the_field_that_no_checkpoint_can_hold_is_named(value: Any) -> None:
    with pytest.raises(RoleError, match="can hold into 'odd'"):
        StateSerializer().dumps_typed({"channel_values": {"turn": 1, "odd": value, "map": {}}})


def typed(name: str, fields: dict[str, Any]) -> bytes:
    return zstandard.compress(ormsgpack.packb(ormsgpack.Ext(1, ormsgpack.packb((name, fields)))))


OURS = f"state{SCHEMA}+zstd"


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("pickle", pickle.dumps({"turn": 1}), "'pickle' is not one of this program"),
        ("msgpack", ormsgpack.packb({"turn": 1}), "'msgpack' is not one of this program"),
        (OURS, typed("Popen", {"args": "sh"}), "no type of the state"),
        (OURS, typed("Thing", {"id": "x", "name": 3}), "a Thing that does not fit"),
        (OURS, zstandard.compress(ormsgpack.packb(ormsgpack.Ext(5, b"\xc0"))), "an extension 5"),
        (OURS, b"not compressed", "damaged"),
        (OURS, zstandard.compress(b"\xc1"), "damaged"),
        (OURS, zstandard.compress(b"\xc0") + b"x", "damaged"),
        (OURS, zstandard.compress(bytes(300_000_000)), "larger than any state"),
        (f"{OURS}7", b"", "dictionary 7, which it needs, is not there"),
        ("state3+base1", b"", "'state3+base1' is not one of this program"),
        (f"state{SCHEMA + 1}+zstd", b"\xc0", f"this program reads {SCHEMA}"),
    ],
)
def test_foreign_bytes_are_refused(kind: str, content: bytes, message: str) -> None:
    with pytest.raises(ForeignCheckpoint) as caught:
        StateSerializer().loads_typed((kind, content))
    assert message in str(caught.value)


def test_turns_of_an_earlier_schema_are_refused_in_one_line(half: Path) -> None:
    with closing(sqlite3.connect(half / "checkpoints.sqlite")) as database:
        query = "UPDATE checkpoints SET metadata = json_set(metadata, '$.schema', 3)"
        database.execute(query)
        database.commit()
    said = f"it has schema 3, this program reads {SCHEMA}; play it on"
    with pytest.raises(RunError, match=said):
        resume(half, steps=1)
    run = RunDirectory(half)
    with read_turns(run, run.record()) as saver, pytest.raises(RunError, match=said):
        list(saver.list(None))


@pytest.mark.parametrize(
    ("rule", "left"),
    [("all", [0, 1, 2, 3, 4, 5, 6]), ("every:3", [0, 3, 6]), ("last:2", [5, 6])],
)
def test_checkpoints_expire_by_rule(rule: str, left: list[int]) -> None:
    kept = [CheckpointRow(str(turn), None, {"turn": turn}) for turn in range(7)]
    gone = Keep.parse(rule).expired(kept)
    assert [one.turn for one in kept if one not in gone] == left
    assert str(Keep.parse(rule)) == rule


def test_a_turn_that_breaks_off_does_not_cost_the_one_before_it() -> None:
    turns = [*range(8), 7]
    kept = [CheckpointRow(str(n), None, {"turn": turn}) for n, turn in enumerate(turns)]
    gone = Keep.parse("every:3").expired(kept)
    assert [one.turn for one in kept if one not in gone] == [0, 3, 6, 7, 7]


@pytest.mark.parametrize("rule", ["", "every", "every:0", "last:-1", "some:3"])
def test_an_unknown_rule_is_refused(rule: str) -> None:
    with pytest.raises(ConfigError, match="expected all, every:10 or last:20"):
        Keep.parse(rule)


@pytest.mark.slow
def test_pruning_bounds_the_file_and_the_run_goes_on(tmp_path: Path) -> None:
    sizes = []
    for steps in (10, 20):
        run = play("hollow", steps=steps, keep=Keep.parse("last:3"), out=tmp_path)["run_dir"]
        sizes.append(Path(run, "checkpoints.sqlite").stat().st_size)
    assert sizes[1] <= 1.5 * sizes[0]
    resume(run, steps=2)
    assert [state["turn"] for state in states(Path(run))] == [20, 21, 22]


def kinds(run: Path) -> list[str]:
    with closing(sqlite3.connect(run / "checkpoints.sqlite")) as database:
        rows = database.execute("SELECT type FROM checkpoints ORDER BY checkpoint_id").fetchall()
    return [kind for (kind,) in rows]


def test_turns_share_what_they_have_in_common(whole: Path) -> None:
    turns = states(whole)
    alone = sum(len(StateSerializer().dumps_typed(state)[1]) for state in turns)
    with closing(sqlite3.connect(whole / "checkpoints.sqlite")) as database:
        query = "SELECT sum(length(checkpoint)) FROM checkpoints"
        (turned,) = database.execute(query).fetchone()
        (shared,) = database.execute("SELECT sum(length(content)) FROM dictionaries").fetchone()
    assert turned + shared < 0.6 * alone


def test_every_turn_is_saved_as_it_was_played(tmp_path: Path) -> None:
    """Also by nodes that have not replaced what they changed."""
    played: list[dict[str, Any]] = []

    def note(event: Event) -> None:
        if isinstance(event, EpisodeStarted | TurnPlayed):
            state = event.after if isinstance(event, TurnPlayed) else event.state
            played.append(copy.deepcopy(dict(state)))

    run = play("hollow", steps=40, out=tmp_path, watchers=(note,))["run_dir"]
    saved = states(Path(run))
    empty = {"judgements": [], "opinions": [], "proposals": [], "rounds": Rounds()}
    assert [{**empty, **state} for state in saved] == played
    assert [list(state["dynamics"]) for state in saved] == [list(one["dynamics"]) for one in played]


@pytest.mark.slow
def test_dictionaries_go_with_the_last_turn_that_needs_them(tmp_path: Path) -> None:
    run = Path(play("workshop", steps=60, keep=Keep.parse("last:3"), out=tmp_path)["run_dir"])
    with closing(sqlite3.connect(run / "checkpoints.sqlite")) as database:
        numbers = [number for (number,) in database.execute("SELECT number FROM dictionaries")]
    assert {f"{OURS}{number}" for number in numbers} >= set(kinds(run))
    assert len(numbers) < max(numbers)


def test_a_missing_dictionary_is_told(half: Path) -> None:
    with closing(sqlite3.connect(half / "checkpoints.sqlite")) as database:
        database.execute("DELETE FROM dictionaries")
        database.commit()
    with pytest.raises(RunError, match=r"dictionary \d+, which it needs, is not there"):
        resume(half, steps=1)


def tamper(run: Path, fields: dict[str, Any]) -> None:
    """Write other fields into the newest state, with a checksum that fits."""
    directory = RunDirectory(run)
    record = directory.record()
    with read_turns(directory, record) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": record.thread}})
    assert found is not None
    values = {**found.checkpoint["channel_values"], **fields}
    kind, content = StateSerializer().dumps_typed({**found.checkpoint, "channel_values": values})
    with closing(sqlite3.connect(run / "checkpoints.sqlite")) as database:
        database.execute(
            "UPDATE checkpoints SET type = ?, checkpoint = ? WHERE checkpoint_id = ?",
            (kind, content, found.checkpoint["id"]),
        )
        database.commit()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turn": "many"}, "it holds another turn than its row says"),
        ({"world": 3}, "world: input should be a valid dictionary"),
        ({"observation": Thing(id=1, name="x")}, "observation: input should be"),
    ],
)
def test_a_tampered_state_is_refused(half: Path, changes: dict[str, Any], message: str) -> None:
    tamper(half, changes)
    with pytest.raises(RunError) as caught:
        resume(half, steps=1)
    assert message in str(caught.value)


def test_a_damaged_page_is_noticed_or_does_not_matter(half: Path, whole: Path) -> None:
    """Every page of the database in turn holds rubbish."""
    pristine = (half / "checkpoints.sqlite").read_bytes()
    record = (half / "episode.json").read_bytes()
    transcript = (half / "transcript.txt").read_bytes()
    refused = 0
    for page in range(0, len(pristine) // 4096, 7):
        rotten = bytearray(pristine)
        rotten[page * 4096 + 8 : (page + 1) * 4096] = b"\xa5" * 4088
        for name, content in (
            ("checkpoints.sqlite", bytes(rotten)),
            ("episode.json", record),
            ("transcript.txt", transcript),
        ):
            (half / name).write_bytes(content)
        for leftover in half.glob("checkpoints.sqlite-*"):
            leftover.unlink()
        try:
            resume(half, steps=1)
        except RunError:
            refused += 1
        else:
            expected = (whole / "transcript.txt").read_bytes()
            assert expected.startswith((half / "transcript.txt").read_bytes())
    assert refused > 0


@pytest.mark.slow
def test_many_threads_save_at_once() -> None:
    """As LangGraph may with subgraphs of a turn that broke off."""
    values = [
        {"channel_values": [random.Random(n).randrange(9) for _ in range(9000)], "n": n}
        for n in range(24)
    ]
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        serializer = SqliteTurns(connection, {}, Keep()).serde
        with ThreadPoolExecutor(8) as pool:
            saved = list(pool.map(serializer.dumps_typed, values))
        assert [serializer.loads_typed(one) for one in saved] == values
        (dictionaries,) = connection.execute("SELECT count(*) FROM dictionaries").fetchone()
        assert 1 < dictionaries < len(values)


def test_what_has_no_turn_is_not_joined_by_turns() -> None:
    with pytest.raises(RoleError, match="use append"):
        of_turn([], [{"advice": "wait"}])
