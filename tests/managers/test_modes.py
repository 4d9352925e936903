"""What the game shows changes the play mode; mode and profile lean the choice."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from managers.beliefs import AgentBeliefs
from managers.candidates import rank
from managers.candidates.leanings import MODES, NEUTRAL, PROFILES, Leaning, leaning_of
from managers.candidates.stance import Stance
from managers.candidates.utility import TERMS
from managers.modes.chart import STALLED, Circumstances, advanced, chart
from managers.modes.mode import Mode, PlayMode
from managers.planning.objectives import Objective
from managers.policy.scene import Scene
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


def now(told: Told, *objectives: Objective, **beliefs: object) -> Circumstances:
    known = {"last_progress": told.turn - 1, **beliefs}
    return Circumstances(
        told.turn,
        Scene.of(told.knowledge),
        AgentBeliefs(turn=told.turn, **known),  # type: ignore[arg-type]
        objectives,
    )


@pytest.fixture
def told() -> Told:
    return Told(HALL).say("north", YARD)


EXPLORING = Mode()


def test_nothing_in_particular_changes_nothing(told: Told) -> None:
    assert advanced(EXPLORING, now(told)) == EXPLORING


def test_an_attack_comes_first_and_ends(told: Told) -> None:
    told.say("look", "The guard dog lunges at your throat!")
    fighting = advanced(EXPLORING, now(told, PLAN, blocking_condition="x", blocked_since=2))
    assert (fighting.state, fighting.trigger, fighting.since) == (PlayMode.FIGHTING, "attack", 2)
    told.say("south", HALL)
    calm = advanced(fighting, now(told))
    assert (calm.state, calm.trigger) == (PlayMode.EXPLORING, "calm")


def test_in_the_dark_it_is_lost_until_it_sees_again(told: Told) -> None:
    told.say("north", DARK)
    lost = advanced(EXPLORING, now(told))
    assert lost.state is PlayMode.LOST
    told.say("south", YARD)
    assert advanced(lost, now(told, PLAN)).options == (PlayMode.PURSUING, PlayMode.EXPLORING)


def test_a_refusal_leaves_a_choice_while_there_is_somewhere_to_go(told: Told) -> None:
    refused = now(told, blocking_condition="the gate is locked", blocked_since=1)
    mode = advanced(EXPLORING, refused)
    assert (mode.state, mode.trigger) == (PlayMode.SOLVING, "refusal")
    assert mode.options == (PlayMode.SOLVING, PlayMode.EXPLORING)


def test_an_adviser_decides_what_the_last_turn_left_open(told: Told) -> None:
    refused = now(told, blocking_condition="the gate is locked", blocked_since=1)
    open_ = advanced(EXPLORING, refused)
    told.say("look", YARD)
    quiet = now(told, blocking_condition="the gate is locked", blocked_since=1, last_progress=0)
    assert advanced(open_, quiet, PlayMode.EXPLORING).state is PlayMode.EXPLORING
    assert advanced(open_, quiet, PlayMode.FIGHTING).state is PlayMode.SOLVING
    assert advanced(open_, quiet).state is PlayMode.SOLVING
    assert advanced(open_, quiet).options == ()


def test_a_plan_is_pursued_until_it_rests(told: Told) -> None:
    pursuing = advanced(EXPLORING, now(told, PLAN))
    assert (pursuing.state, pursuing.trigger) == (PlayMode.PURSUING, "plan")
    done = PLAN.model_copy(update={"status": "done"})
    assert advanced(pursuing, now(told, done)).state is PlayMode.EXPLORING


def test_without_anything_new_it_is_stuck_until_there_is(told: Told) -> None:
    for _ in range(STALLED):
        told.say("wait", "Time passes.")
    stuck = advanced(EXPLORING, now(told, last_progress=1))
    assert (stuck.state, stuck.trigger) == (PlayMode.STUCK, "stall")
    assert advanced(stuck, now(told, last_progress=told.turn)).state is PlayMode.EXPLORING


def test_every_mode_can_be_reached_and_left_and_is_described() -> None:
    for mode in PlayMode:
        assert any(t.source is mode for t in chart().transitions)
        assert mode.description


# -- what they do to the choice -------------------------------------------------


def commands(told: Told, leaning: Leaning) -> list[str]:
    ranked = rank(told.knowledge, stance=Stance(1, leaning=leaning), limit=200)
    return [one.route[-1] for one in ranked]


def test_the_table_names_terms_of_the_utility() -> None:
    for terms in (*MODES.values(), *(profile.terms for profile in PROFILES.values())):
        assert terms.keys() <= TERMS.keys()


def test_what_leans_nowhere_changes_nothing(told: Told) -> None:
    stance = Stance(1, leaning=leaning_of(None))
    assert rank(told.knowledge, stance=stance) == rank(told.knowledge, stance=Stance(1))
    assert leaning_of(None) == NEUTRAL


def test_a_term_counts_as_much_as_the_leaning_says(told: Told) -> None:
    told.say("south", HALL)
    plain = {one.route: one.utility for one in rank(told.knowledge, stance=Stance(1), limit=200)}
    homely = rank(
        told.knowledge, stance=Stance(1, leaning=Leaning((("nearness", 1.0),))), limit=200
    )
    checked = 0
    for one in homely:
        if plain.get(one.route, 0.0) > 0.1:
            lost = len(one.route) ** -0.8
            assert math.isclose(one.utility, plain[one.route] * lost, rel_tol=0.02, abs_tol=2e-3)
            checked += len(one.route) > 1
    assert checked
    assert all(one.utility >= two.utility for one, two in pairwise(homely))


def test_the_cautious_shun_the_fight_that_the_bold_seek(told: Told) -> None:
    told.say("look", "The guard dog lunges at your throat!")
    ranks = {name: commands(told, leaning_of(None, name)).index("attack dog") for name in PROFILES}
    assert ranks["bold"] <= ranks["even"] < ranks["cautious"]
