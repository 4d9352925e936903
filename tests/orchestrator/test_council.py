"""The council: advocates propose at the same time, an arbiter chooses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.answers import AgentResponse
from agents.briefing import Bid
from agents.council import NEW_GROUND, Advocate, Arbiter, Cause, causes
from orchestrator import play
from orchestrator.traces.reader import Run, read_trace
from testing.fake_ollama import FakeOllama
from tests.agents.asked import Asked
from tests.briefings import briefing, issues

GATE = Cause(kind="objective", text="open the gate", about="O1")
PROPOSALS = (
    Bid(command="east", thinking="Nobody went there."),
    Bid(command="open gate", thinking="It is unlocked."),
)


def test_what_is_worth_arguing_for() -> None:
    told = briefing()
    found = causes(told.objectives, issues())
    assert found[0] == Cause(kind="exploration", text=NEW_GROUND)
    assert [one.about for one in found if one.kind == "objective"] == ["O1", "O2"]
    assert [one.text for one in found if one.kind == "issue"] == [
        one.issue.content for one in issues() if one.issue.kind != "found"
    ]
    assert [one.kind for one in causes((), ())] == ["exploration"]


def test_an_advocate_argues_for_its_cause() -> None:
    model = Asked({"thinking": "It is unlocked.", "action": "open gate"})
    answer = Advocate(model=model.model).propose(briefing(item=GATE))
    assert "Yours is: open the gate" in model.questions[0].text
    assert answer == AgentResponse(thinking="[open the gate] It is unlocked.", action="open gate")


def test_the_arbiter_chooses_by_number() -> None:
    model = Asked({"thinking": "It is near.", "number": 2})
    picked = Arbiter(model=model.model).choose(briefing(proposals=PROPOSALS), PROPOSALS)
    assert picked == {"number": 1, "reason": "It is near."}
    assert "2. `open gate`: It is unlocked." in model.questions[0].text


def test_where_all_propose_the_same_nobody_is_asked() -> None:
    model = Asked({"thinking": "", "number": 1})
    same = PROPOSALS[:1] * 3
    assert Arbiter(model=model.model).choose(briefing(proposals=same), same)["number"] == 0
    assert not model.questions


def test_a_number_of_no_proposal_is_asked_for_again_and_then_given_up() -> None:
    model = Asked({"thinking": "", "number": 9})
    picked = Arbiter(model=model.model).choose(briefing(proposals=PROPOSALS), PROPOSALS)
    assert len(model.questions) == 2
    assert picked["number"] in (0, 1)


@pytest.fixture
def turns(fake: FakeOllama, tmp_path: Path) -> list[Run]:
    """Four turns of the council on a server that is somewhat slow."""
    fake.latency = 0.15
    options: dict[str, Any] = {"fresh": True, "cache": False, "out": tmp_path / "runs", "seed": 3}
    result = play("hollow", graph="council", steps=4, **options)
    assert result["steps"] == 4
    return read_trace(Path(result["run_dir"]) / "trace.jsonl").roots[1:]


def nodes(turn: Run, name: str) -> list[Run]:
    return sorted((one for one in turn.children if one.name == name), key=lambda one: one.started)


def test_advocates_are_runs_of_their_own_and_asked_at_the_same_time(turns: list[Run]) -> None:
    """Of turns in which nobody objected: after an objection they are asked once more."""
    once = [turn for turn in turns if len(nodes(turn, "judge")) == 1]
    several = [nodes(turn, "advocate") for turn in once if len(nodes(turn, "advocate")) > 1]
    assert several
    for first, second, *_ in several:
        assert (second.started - first.started).total_seconds() < (first.seconds or 0)
    for advocates in several:
        assert all(any(run.kind == "llm" for run in one.walk()) for one in advocates)


def test_what_is_played_was_proposed_by_an_advocate(turns: list[Run]) -> None:
    for turn in turns:
        said = str([one.outputs for one in nodes(turn, "advocate")])
        assert nodes(turn, "judge")[-1].outputs["proposal"]["command"] in said
