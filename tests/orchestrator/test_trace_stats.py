"""`zork trace stats`: what is counted in a trace agrees with what happened."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agents.asking import CACHED
from managers.belief.calibration import CRITIC, CriticCalibration
from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.events import Event, TurnPlayed
from orchestrator.resume import resume
from orchestrator.traces.forecasts import critic_curve, curve, of_oracle
from orchestrator.traces.outcomes import objective_stats, rulings, trust_over_time
from orchestrator.traces.reader import read_trace
from orchestrator.traces.stats import role_stats
from orchestrator.traces.turns import TracedTurn, read_turns
from testing.fake_ollama import FakeOllama, random_faults
from tests.orchestrator.broken_off import broken_off


def turns_of(result: dict[str, Any]) -> list[TracedTurn]:
    return list(read_turns(read_trace(Path(result["run_dir"], "trace.jsonl")).roots))


def shown(result: dict[str, Any]) -> str:
    asked = CliRunner().invoke(make_app(), ["trace", "stats", result["run_dir"]])
    assert asked.exit_code == 0, asked.output
    return " ".join(asked.stdout.split())


def test_roles_are_counted_as_in_the_record_of_the_run(fake: FakeOllama, tmp_path: Path) -> None:
    fake.plan = random_faults(0.6, 5, ["error", "cut_json", "wrong_schema"])
    settings = ("models.default.backoff=0", "models.default.retries=6")
    options: dict[str, Any] = {"graph": "llm", "steps": 14, "seed": 3, "settings": settings}
    result = play("hollow", out=tmp_path, fresh=True, cache=False, **options)
    while result["end_reason"] == "paused":
        result = resume(result["run_dir"], cache=False)
    told = {role.name: role for role in role_stats(turns_of(result))}
    for name, usage in result["roles"].items():
        role = told[name]
        assert role.llm_calls == usage["calls"]
        assert role.repaired == usage["repaired"]
        assert (role.prompt_tokens, role.completion_tokens) == (
            usage["input_tokens"],
            usage["output_tokens"],
        )
    retried = sum(role.retries for role in told.values() if role.kind == "node")
    failed = sum(usage["faults"].get("server", 0) for usage in result["roles"].values())
    assert 0 < retried <= failed
    fallbacks = sum(role.fallbacks for role in told.values())
    assert 0 < fallbacks <= sum(usage["failed"] for usage in result["roles"].values())
    for heading in ("retries", "repaired", "fallbacks"):
        assert heading in shown(result)
    asked = CliRunner().invoke(
        make_app(), ["trace", "show", result["run_dir"], "--node", "ask actor"]
    )
    assert "tokens  answered" in asked.stdout
    assert "tokens  repaired (" in asked.stdout


def test_a_turn_that_broke_off_and_went_on_is_one(tmp_path: Path) -> None:
    """Before its command was played, and behind it."""
    options: dict[str, Any] = {"out": tmp_path, "steps": 3, "fresh": True}
    told = {turn.number: turn.gained for turn in turns_of(play("workshop", **options))}
    assert told[1] > 0
    for begun in broken_off(**options):
        assert shown(begun).startswith(f"{begun['steps']} turns and 1 opening in ")
        result = resume(begun["run_dir"])
        assert (begun["end_reason"], result["end_reason"]) == ("stopped", "steps")
        assert {turn.number: turn.gained for turn in turns_of(result)} == told
        roots = [root.about.turn for turn in turns_of(result) for root in turn.roots]
        assert roots == [0, 1, 1, 2, 3]
        assert shown(result).startswith("3 turns and 1 opening in ")
        assert "accepted at once 3 " in shown(result)


def test_a_turn_that_was_killed_and_played_again_is_one(half: Path, tmp_path: Path) -> None:
    lines = (half / "trace.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    second = read_trace(half / "trace.jsonl").roots[1].record["id"]
    own = [line for line in lines if second in line]
    place = lines.index(own[0])
    killed = [line.replace(second[:8], "0" * 8) for line in own[:-1]]
    trace = tmp_path / "trace.jsonl"
    trace.write_text("".join([*lines[:place], *killed, *lines[place:]]), encoding="utf-8")
    assert [turn.number for turn in read_turns(read_trace(trace).roots)][:4] == [0, 1, 1, 2]
    whole, again = (shown({"run_dir": str(where)}) for where in (half, trace))
    assert again.startswith("12 turns and 1 opening in ")
    for table in ("objections", "options: chance that it works, of turns that showed it"):
        assert again.partition(table)[2] == whole.partition(table)[2]


def test_remembered_answers_are_no_calls(fake: FakeOllama, tmp_path: Path) -> None:
    for _ in range(2):
        result = play("hollow", graph="llm", steps=4, out=tmp_path, fresh=True)
    told = {role.name: role for role in role_stats(turns_of(result))}
    questions = result["roles"]["actor"]["questions"]
    assert questions >= 4
    assert (told["actor"].llm_calls, told["actor"].cached) == (0, questions)
    assert told[CACHED].calls == sum(role.cached for role in told.values() if role.kind == "node")


def test_objectives_are_counted_as_they_happened(tmp_path: Path) -> None:
    events: list[Event] = []
    result = play("hollow", steps=20, out=tmp_path, fresh=True, watchers=(events.append,))
    changes = [
        (change.source, change.event)
        for event in events
        if isinstance(event, TurnPlayed)
        for change in event.after["objective_changes"]
    ]
    counted = objective_stats(turns_of(result))
    happened = Counter(changes)
    assert happened == {
        (source, event): count
        for source, events in counted.items()
        for event, count in events.items()
        if count
    }
    assert happened["discovery", "added"]
    assert "objectives, by who wanted them declared added" in shown(result)


@pytest.mark.slow
def test_what_became_of_advice_is_told_from_the_trace(tmp_path: Path) -> None:
    settings = (
        "nodes.oracle.use=walkthrough",
        "nodes.oracle.commands=game_files/hollow.walkthrough.txt",
    )
    events: list[Event] = []
    options: dict[str, Any] = {"graph": "oracle", "settings": settings, "fresh": True}
    result = play("hollow", steps=40, seed=3, out=tmp_path, watchers=(events.append,), **options)
    turns = turns_of(result)
    last = events[-2].after  # type: ignore[union-attr]
    told = last["reliability"].records["recommendation"]
    judged, good = told.judged, told.right
    over_time = trust_over_time(turns)
    assert (over_time[-1].turn, over_time[-1].followed, over_time[-1].helped) == (40, judged, good)
    assert 1 < len(over_time) <= 8
    followed = list(of_oracle(turns))
    assert (len(followed), sum(helped for _, helped in followed)) == (judged, good)
    assert judged > 5
    assert "oracle: how far it is trusted" in shown(result)


@pytest.mark.slow
def test_what_became_of_verdicts_is_told_from_the_trace(tmp_path: Path) -> None:
    events: list[Event] = []
    critic = "nodes.critic.use=tests.orchestrator.critics:Against"
    result = play(
        "hollow", steps=60, seed=3, out=tmp_path, fresh=True, watchers=(events.append,),
        settings=[critic, "nodes.critic.command=west"],
    )  # fmt: skip
    turns = turns_of(result)
    whole = rulings(turns)[0]
    assert whole.source == CRITIC
    judged = sum(any(attempt.verdict for attempt in turn.attempts) for turn in turns)
    assert 30 < whole.accepted + whole.objected <= judged
    last = events[-2].after  # type: ignore[union-attr]
    assert whole.weight == CriticCalibration(last["calibration"]).weight()
    points = critic_curve([turns, turns])
    assert sum(point.plays for point in points) == 2 * (whole.accepted + whole.objected)
    failed = sum(round(point.plays * point.observed) for point in points)
    assert failed == 2 * (whole.accepted_failed + whole.objected_failed)
    root = turns[-1].roots[0]
    broken_off = replace(turns[-1], roots=(replace(root, children=root.children[:2]),))
    assert rulings([*turns, broken_off]) == rulings(turns)
    assert critic_curve([[*turns, broken_off]] * 2) == points
    assert "critic: what it said and what came of it" in shown(result)


def test_a_curve_holds_every_forecast_once() -> None:
    forecasts = [(0.0, False), (0.19, True), (0.2, True), (0.5, True), (1.0, True)]
    bins = curve(forecasts)
    assert [(point.low, point.plays, point.observed) for point in bins] == [
        (0.0, 2, 0.5),
        (0.2, 1, 1.0),
        (0.4, 1, 1.0),
        (0.8, 1, 1.0),
    ]
