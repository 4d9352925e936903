"""Beliefs: what is taken over, how strongly, and what gives way."""

from __future__ import annotations

import pytest

from managers.beliefs import (
    MOST_ACCOMPLISHED,
    MOST_FAILED,
    AgentBeliefs,
    BeliefUpdater,
    FailureAnalysis,
    ProgressReport,
    SituationUnderstanding,
)
from managers.reliability import OracleReliability
from managers.statements import addressing, opposed, same


def oracle(good: int = 0, bad: int = 0) -> BeliefUpdater:
    """An updater for an oracle with this record in every kind of answer."""
    reliability = OracleReliability()
    for kind in ("goal", "blocker"):
        for number in range(good + bad):
            getattr(reliability, f"update_{kind}")(number < good)
    return BeliefUpdater(reliability)


GAME = BeliefUpdater()


def told(**fields: object) -> SituationUnderstanding:
    return SituationUnderstanding.from_json({"confidence": 1.0, **fields})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("opened the window", "the window is open"),
        ("The grate isn't locked", "unlocked the grate"),
        ("taking the brass key", "you take a brass key"),
    ],
)
def test_statements_that_say_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert not opposed(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("the window is open", "the window is closed"), ("lamp is lit", "the lamp isn't lit")],
)
def test_statements_that_contradict_each_other(one: str, other: str) -> None:
    assert opposed(one, other)
    assert not same(one, other)


@pytest.mark.parametrize(
    ("command", "condition", "least", "most"),
    [
        ("stand up", "you have to get up first", 0.7, 1.0),
        ("unlock grate with key", "the grate is locked", 0.9, 1.0),
        ("take grate", "the grate is locked", 0.4, 0.6),
        ("open window", "the grate is locked", 0.0, 0.0),
        ("north", "open the north gate", 0.0, 0.0),
        ("examine grate", "the grate is locked", 0.0, 0.0),
    ],
)
def test_what_a_command_does_about_a_condition(
    command: str, condition: str, least: float, most: float
) -> None:
    assert least <= addressing(command, condition) <= most


def test_the_goal_is_the_best_founded_of_what_was_said() -> None:
    beliefs = AgentBeliefs()
    for goal in ("find the treasure", "marry the miller", "find treasures", "find the treasure"):
        beliefs = oracle().update_from_understanding(beliefs, told(overall_goal=goal))
    assert beliefs.overall_goal == "find the treasure"
    assert list(beliefs.goals) == ["find the treasure", "marry the miller"]


def test_a_reliable_oracle_is_believed_and_an_unreliable_one_is_not() -> None:
    claim = told(accomplished=["opened the gate"], blocking_condition="the bridge is up")
    believed = oracle(good=30).update_from_understanding(AgentBeliefs(), claim)
    doubted = oracle(bad=30).update_from_understanding(AgentBeliefs(), claim)
    assert believed.accomplished == ("opened the gate",)
    assert believed.blocking_condition == "the bridge is up"
    assert doubted.accomplished == ()
    assert doubted.blocking_condition is None


def test_what_is_said_often_enough_is_believed_in_the_end() -> None:
    beliefs = AgentBeliefs()
    for _ in range(20):
        claim = told(accomplished=["opened the gate"])
        beliefs = oracle(bad=8).update_from_understanding(beliefs, claim)
    assert beliefs.accomplished == ("opened the gate",)
    assert beliefs.claims == {}


def test_duplicates_are_merged_and_the_contrary_gives_way() -> None:
    beliefs = AgentBeliefs()
    for text in ("the gate is open", "opened the gate", "the gate is closed"):
        report = ProgressReport(made_progress=True, accomplishment=text)
        beliefs = GAME.update_from_progress(beliefs, report)
    assert beliefs.accomplished == ("the gate is closed",)


def test_failures_belong_to_their_place_and_the_oldest_give_way() -> None:
    beliefs = AgentBeliefs(location="L1 Hall")
    failure = FailureAnalysis(failure_reason="it is locked", prerequisite="unlock door")
    beliefs = GAME.update_from_failure_analysis(beliefs, "north", failure)
    assert beliefs.failed_actions == {"north in L1 Hall": "it is locked"}
    assert (beliefs.blocking_condition, beliefs.blocked_action) == (
        "unlock door",
        "north in L1 Hall",
    )
    for number in range(MOST_FAILED):
        beliefs = GAME.update_from_failure_analysis(
            beliefs, f"push button {number}", FailureAnalysis(failure_reason="nothing happens")
        )
    assert "north in L1 Hall" not in beliefs.failed_actions
    assert len(beliefs.failed_actions) == MOST_FAILED


def test_the_games_word_on_a_blocker_stands_against_an_oracles_until_progress_is_made() -> None:
    failure = FailureAnalysis(failure_reason="closed", prerequisite="open door")
    beliefs = GAME.update_from_failure_analysis(AgentBeliefs(location="L1"), "north", failure)
    claim = told(blocking_condition="the moment is not right")
    beliefs = oracle().update_from_understanding(beliefs, claim)
    assert beliefs.blocking_condition == "open door"
    beliefs = GAME.update_from_progress(beliefs, ProgressReport(made_progress=True))
    assert beliefs.blocking_condition is None
    assert beliefs.blocked_action == ""


def test_progress_that_an_oracle_saw_ends_what_only_an_oracle_saw() -> None:
    gone = told(progress_made=True)
    for updater, left in ((oracle(), None), (GAME, "it is late")):
        claim = told(blocking_condition="it is late")
        beliefs = updater.update_from_understanding(AgentBeliefs(), claim)
        assert beliefs.blocking_condition == "it is late"
        assert oracle().update_from_understanding(beliefs, told()) == beliefs
        after = oracle().update_from_understanding(beliefs, gone)
        assert after.blocking_condition == left


def test_what_is_accomplished_is_bounded() -> None:
    beliefs = AgentBeliefs()
    for number in range(3 * MOST_ACCOMPLISHED):
        report = ProgressReport(made_progress=True, accomplishment=f"found relic{number}")
        beliefs = GAME.update_from_progress(beliefs, report)
    assert len(beliefs.accomplished) == MOST_ACCOMPLISHED
    assert beliefs.accomplished[-1] == f"found relic{3 * MOST_ACCOMPLISHED - 1}"


def test_the_prompt_context_says_what_is_known_and_nothing_else() -> None:
    assert AgentBeliefs().to_prompt_context() == (
        "LOCATION: unknown\nINVENTORY: empty\nOVERALL GOAL: unknown\nCURRENT SUBGOAL: unknown"
    )
    beliefs = AgentBeliefs(
        location="L2 Cellar",
        inventory=("lamp",),
        accomplished=("found L2 Cellar",),
        blocking_condition="open door",
        blocked_action="north in L2 Cellar",
        failed_actions={"north in L2 Cellar": "closed"},
        tracked_state={"lit lamp": "true"},
        action_history=("down", "north"),
    )
    assert beliefs.to_prompt_context().splitlines()[4:] == [
        "ACCOMPLISHED: found L2 Cellar",
        "BLOCKED BY: open door (in the way of north in L2 Cellar)",
        "RECENT FAILURES: north in L2 Cellar (closed)",
        "TRACKED STATE: lit lamp=true",
        "RECENT ACTIONS: down, then north",
    ]
