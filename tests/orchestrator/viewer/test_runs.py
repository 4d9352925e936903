"""Runs as views read them: finished, killed, growing, and played by a model."""

from __future__ import annotations

import gc
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.checkpoints.opening import SqliteTurns
from orchestrator.errors import RunError
from orchestrator.events import Event, TurnPlayed
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.turns.approval import Approval, Question
from orchestrator.viewer.drawings import chart_of
from orchestrator.viewer.plain import plain_run
from orchestrator.viewer.runs import RunView, heads
from testing.fake_ollama import FakeOllama
from tests.orchestrator.broken_off import broken_off


def opened(path: Path) -> RunView:
    view = RunView(RunDirectory(path))
    view.refresh()
    return view


def commands(path: Path) -> list[str]:
    text = (path / "transcript.txt").read_text(encoding="utf-8")
    return [line[2:] for line in text.splitlines() if line.startswith("> ")]


def test_the_overview_tells_every_turn_as_the_transcript_does(whole: Path) -> None:
    view = opened(whole)
    transcript = (whole / "transcript.txt").read_text(encoding="utf-8")
    assert [row.turn for row in view.rows] == list(range(21))
    assert [row.command for row in view.rows[1:]] == commands(whole)
    assert all(row.text.strip() in transcript for row in view.rows)
    results = json.loads((whole / "episode.json").read_text(encoding="utf-8"))
    assert view.rows[-1].score == results["score"]
    assert view.rows[-1].best == results["best_score"]
    assert view.active() is None


def test_a_turn_tells_what_each_node_made_of_it(whole: Path) -> None:
    view = opened(whole)
    for row in view.rows[1:]:
        frame = view.frame(row.turn)
        assert [node.name for node in frame.nodes][-3:] == ["game", "extractor", "learner"]
        assert frame.command == row.command == frame.proposals[-1].command
        assert frame.room == row.room
        assert frame.text == row.text
        assert frame.reading.turn == row.turn
        assert frame.mode.state == row.mode
        assert all(0 <= one.probability <= 1 for one in frame.options)
        assert frame.chosen == 0 or frame.options[frame.chosen - 1].command == row.command
        assert {one.kind for one in frame.reliability} >= {"recommendation", "goal"}
        assert all(one.low <= one.mean <= one.high for one in frame.reliability)


def test_rooms_stay_where_they_are_in_the_maps_of_all_turns(whole: Path) -> None:
    view = opened(whole)
    maps = [view.map(turn) for turn in range(1, 21)]
    boxes: dict[str, object] = {}
    for row, drawn in zip(view.rows[1:], maps, strict=True):
        assert drawn
        assert drawn.here == row.room.rpartition(" → ")[2].split()[0]
        for id, box in drawn.boxes.items():
            assert boxes.setdefault(id, box) == box
    assert {id: boxes[id] for id in maps[-1].boxes} == dict(maps[-1].boxes)  # type: ignore[union-attr]


def test_a_growing_trace_is_read_on_from_where_it_was(whole: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(whole, tmp_path / "growing"))
    trace = (copy / "trace.jsonl").read_bytes()
    (copy / "trace.jsonl").write_bytes(b"")
    view, told = opened(copy), []
    for start in range(0, len(trace), 50_001):
        with (copy / "trace.jsonl").open("ab") as file:
            file.write(trace[start : start + 50_001])
        told += [row.turn for row in view.refresh()]
        if view.rows and view.rows[-1].seconds is None:
            active = view.active()
            assert active is None or active.turn == view.rows[-1].turn
    assert view.rows == opened(whole).rows
    assert sorted(set(told)) == list(range(21))


def test_a_killed_run_shows_the_turn_it_died_in(whole: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(whole, tmp_path / "killed"))
    record = json.loads((copy / "episode.json").read_text(encoding="utf-8"))
    (copy / "episode.json").write_text(json.dumps({**record, "status": "running"}))
    lines = (copy / "trace.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "trace.jsonl").write_bytes(b"".join(lines[:-4]) + lines[-4][:70])
    view = opened(copy)
    assert heads(tmp_path)[0]["status"] == "killed"
    assert view.rows[-1].seconds is None
    assert view.frame(view.rows[-1].turn).seconds is None
    assert view.rows[-2].seconds is not None


def test_model_calls_are_told_word_for_word(fake: FakeOllama, tmp_path: Path) -> None:
    every = ["nodes.extractor.news=0"]
    result = play("hollow", graph="llm", seed=2, steps=3, out=tmp_path, fresh=True, settings=every)
    view = opened(Path(result["run_dir"]))
    calls = [call for turn in range(4) for call in view.frame(turn).calls]
    asked = [call for call in calls if not call.cached]
    assert len(asked) == result["llm_calls"]
    assert sum(call.prompt_tokens for call in asked) == result["prompt_tokens"]
    assert sum(row.calls for row in view.rows) == len(calls)
    assert {"actor", "extractor"} <= {call.role for call in calls}
    trace = Path(result["run_dir"], "trace.jsonl").read_text(encoding="utf-8")
    for call in calls:
        assert call.answer
        assert call.model == "llama3.1:8b"
        for _, said in call.messages:
            assert json.dumps(said, ensure_ascii=False)[1:-1] in trace


def test_who_decided_is_told(tmp_path: Path) -> None:
    answers = iter([Approval(do="edit", text="inventory", by="browser"), Approval(by="")])
    waiting = []

    def answer(_question: Question) -> Approval:
        (run,) = tmp_path.iterdir()
        view = opened(run)
        waiting.append((view.rows[-1], view.map(view.rows[-1].turn)))
        view.close()
        return next(answers)

    result = play(
        "morning",
        seed=2,
        steps=2,
        out=tmp_path,
        settings=["approve=true"],
        approver=answer,
    )
    view = opened(Path(result["run_dir"]))
    assert [(row.turn, row.text, row.seconds) for row, _ in waiting] == [
        (1, "", None),
        (2, "", None),
    ]
    assert all(drawn is not None for _, drawn in waiting)
    edited, unasked = (view.frame(turn).proposals[-1].decision for turn in (1, 2))
    assert (edited.by, edited.command) == ("browser", "inventory")
    assert edited.proposed != "inventory"
    assert (unasked.by, unasked.accept) == ("", True)


def test_a_turn_that_broke_off_and_went_on_is_one_row(tmp_path: Path) -> None:
    """Before its command was played, and behind it."""
    options: dict[str, Any] = {"out": tmp_path, "steps": 3, "fresh": True}
    calm = opened(Path(play("workshop", **options)["run_dir"]))
    for begun in broken_off(**options):
        view = opened(Path(resume(begun["run_dir"])["run_dir"]))
        told = [
            [(row.turn, row.command, row.text, row.error) for row in it.rows] for it in (calm, view)
        ]
        assert told[0] == told[1]
        assert len(view.frame(1).options) == len(calm.frame(1).options) > 0
        assert all(row.seconds is not None for row in view.rows)


def test_the_state_of_a_turn_is_there_as_soon_as_it_has_ended(tmp_path: Path) -> None:
    views: list[RunView] = []
    known: list[bool] = []

    def looking() -> RunView:
        (run,) = tmp_path.iterdir()
        views[:] = views or [RunView(RunDirectory(run))]
        views[0].refresh()
        return views[0]

    def asked(_question: Question) -> Approval:
        """The turn has begun and not ended: it has a row, and no state yet."""
        view = looking()
        assert view.state(view.rows[-1].turn) is not None
        return Approval()

    def looked(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            known.append(looking().state(event.after["turn"]) is not None)

    options: dict[str, Any] = {"settings": ["approve=true"], "approver": asked}
    play("workshop", steps=4, out=tmp_path, fresh=True, watchers=(looked,), **options)
    assert known == [True] * 4


def test_turns_that_a_resume_took_back_are_told_as_gone(whole: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(whole, tmp_path / "again"))
    trace = (copy / "trace.jsonl").read_bytes()
    view = opened(copy)
    assert plain_run(view)["last"] == 20
    begun = next(
        line
        for line in trace.splitlines(keepends=True)
        if b'"name":"turn"' in line and json.loads(line)["post"]["extra"]["metadata"]["turn"] == 10
    )
    id = json.loads(begun)["post"]["id"]
    with (copy / "trace.jsonl").open("ab") as file:
        file.write(begun.replace(id[:8].encode(), b"0" * 8))
    view.refresh()
    told = plain_run(view)
    assert (told["last"], len(told["rows"])) == (10, 11)


def test_forks_and_damaged_runs_are_listed(half: Path) -> None:
    out = half.parent
    forked = fork(half, 5, out=out, steps=1)
    broken = out / "broken"
    broken.mkdir()
    (broken / "episode.json").write_text("{", encoding="utf-8")
    found = {one["id"]: one for one in heads(out)}
    assert found[forked["run_id"]]["parent"]["turn"] == 5
    assert found["broken"]["status"] == "damaged"
    with pytest.raises(RunError, match="no turn 99"):
        opened(half).frame(99)


def test_words_of_the_prose_that_are_no_things_are_not_drawn(whole: Path) -> None:
    view = opened(whole)
    state = view.state(20)
    assert state is not None
    here = state["map"]["here"]
    known = {"at": here, "seen": 20, "how": "described", "sure": 0.85}
    told = {
        "T901": {**known, "name": "strangely enough"},
        "T902": {**known, "name": "brass lamp"},
        "T903": {**known, "name": "whatsit", "how": "listed", "sure": 0.95},
        "T904": {**known, "name": "gubbins", "taken": 1},
    }
    objects = {**state["world"]["objects"], **told}
    chart = chart_of({**state, "world": {**state["world"], "objects": objects}})
    things = next(place.things for place in chart.places if place.id == here)
    assert {"brass lamp", "whatsit", "gubbins"} <= {*things}
    assert "strangely enough" not in things


def test_a_run_that_is_looked_at_no_more_takes_no_memory(whole: Path) -> None:
    """At once: what the page has read is not searched for garbage."""

    def kept() -> int:
        return sum(isinstance(one, SqliteTurns) for one in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = kept()
        view = opened(whole)
        assert view.state(view.last)
        assert kept() == before + 1
        del view
        assert kept() == before
    finally:
        gc.enable()
