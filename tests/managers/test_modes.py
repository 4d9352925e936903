"""What the game shows changes the play mode."""

from __future__ import annotations

import pytest

from managers.belief.beliefs import AgentBeliefs, BeliefUpdater
from managers.core.mode import STALLED, Circumstances, Mode, PlayMode, advance, chart
from managers.core.scene import Scene
from managers.language.reading import FailureAnalysis
from managers.planning.objectives import Objective
from managers.skills import all_skills
from tests.managers.told import Told

HALL = """Great Hall
A cold hall. Doors lead north and east.

There is a wooden chest here.
"""
YARD = """Yard
Weeds. The hall is back to the south.

A guard dog is here.
"""
DARK = "It is pitch dark."
PLAN = Objective(id="O1", text="open the gate in L2", source="agent", updated=1)


def now(
    told: Told, *objectives: Objective, last_progress: int | None = None, blocked_in: int = -1
) -> Circumstances:
    """What a turn shows; since turn `blocked_in` the game says that a gate is locked."""
    beliefs = AgentBeliefs(turn=max(blocked_in, 0))
    if blocked_in >= 0:
        locked = FailureAnalysis(failure_reason="locked", prerequisite="the gate is locked")
        beliefs = BeliefUpdater().update_from_failure_analysis(beliefs, "open gate", locked)
    progress = told.turn - 1 if last_progress is None else last_progress
    beliefs = beliefs.model_copy(update={"turn": told.turn, "last_progress": progress})
    return Circumstances(told.turn, Scene(told.knowledge, all_skills()), beliefs, objectives)


@pytest.fixture
def told() -> Told:
    return Told(HALL).say("north", YARD)


EXPLORING = Mode()


def test_nothing_in_particular_changes_nothing(told: Told) -> None:
    assert advance(EXPLORING, now(told)) == EXPLORING


def test_an_attack_comes_first_and_ends(told: Told) -> None:
    told.say("look", "The guard dog lunges at your throat!")
    fighting = advance(EXPLORING, now(told, PLAN, blocked_in=2))
    assert (fighting.state, fighting.trigger, fighting.since) == (PlayMode.FIGHTING, "attack", 2)
    told.say("south", HALL)
    calm = advance(fighting, now(told))
    assert (calm.state, calm.trigger) == (PlayMode.EXPLORING, "calm")


def test_in_the_dark_it_is_lost_until_it_sees_again(told: Told) -> None:
    told.say("north", DARK)
    lost = advance(EXPLORING, now(told))
    assert lost.state is PlayMode.LOST
    told.say("south", YARD)
    assert advance(lost, now(told, PLAN)).options == (PlayMode.PURSUING, PlayMode.EXPLORING)


def test_a_refusal_leaves_a_choice_while_there_is_somewhere_to_go(told: Told) -> None:
    refused = now(told, blocked_in=1)
    mode = advance(EXPLORING, refused)
    assert (mode.state, mode.trigger) == (PlayMode.SOLVING, "refusal")
    assert mode.options == (PlayMode.SOLVING, PlayMode.EXPLORING)


def test_an_adviser_decides_where_the_chart_leaves_a_choice(told: Told) -> None:
    refused = now(told, blocked_in=1)
    assert advance(EXPLORING, refused, lambda _: PlayMode.EXPLORING).state is PlayMode.EXPLORING
    asked = advance(EXPLORING, refused, lambda _: PlayMode.FIGHTING)
    assert asked.state is PlayMode.SOLVING


def test_an_adviser_is_not_asked_where_there_is_no_choice(told: Told) -> None:
    told.say("look", "The guard dog lunges at your throat!")
    asked: list[Mode] = []

    def choose(mode: Mode) -> PlayMode:
        asked.append(mode)
        return PlayMode.LOST

    assert advance(EXPLORING, now(told), choose).state is PlayMode.FIGHTING
    assert asked == []


def test_a_plan_is_pursued_until_it_rests(told: Told) -> None:
    pursuing = advance(EXPLORING, now(told, PLAN))
    assert (pursuing.state, pursuing.trigger) == (PlayMode.PURSUING, "plan")
    done = PLAN.model_copy(update={"status": "done"})
    assert advance(pursuing, now(told, done)).state is PlayMode.EXPLORING


def test_without_anything_new_it_is_stuck_until_there_is(told: Told) -> None:
    for _ in range(STALLED):
        told.say("wait", "Time passes.")
    stuck = advance(EXPLORING, now(told, last_progress=1))
    assert (stuck.state, stuck.trigger) == (PlayMode.STUCK, "stall")
    assert advance(stuck, now(told, last_progress=told.turn)).state is PlayMode.EXPLORING


def test_every_mode_can_be_reached_and_left_and_is_described() -> None:
    for mode in PlayMode:
        assert any(one.source is mode for one in chart().transitions)
        assert any(one.target is mode for one in chart().transitions)
        assert mode.description
