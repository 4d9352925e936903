"""Beliefs: what is taken over from whom, how strongly, and what gives way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.trust import believes, believes_newcomer, per_hundred
from managers.belief.beliefs import (
    MOST_ACCOMPLISHED,
    MOST_FAILED,
    MOST_RIVALS,
    STALE,
    AgentBeliefs,
    BeliefUpdater,
    observe,
    oracle_goals,
)
from managers.belief.reliability import OracleReliability
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding


def oracle(good: int = 0, bad: int = 0) -> BeliefUpdater:
    """An updater for an oracle with this record in every kind of answer."""
    reliability = OracleReliability()
    for number in range(good + bad):
        reliability.update_goal(number < good)
        reliability.update_blocker(number < good)
        reliability.update("progress", number < good)
    return BeliefUpdater(reliability)


GAME = BeliefUpdater()
FRESH = AgentBeliefs()
GOOD, BAD = oracle(good=18, bad=2), oracle(good=2, bad=18)


def told(**fields: object) -> SituationUnderstanding:
    return SituationUnderstanding.from_json({"confidence": 1.0, **fields})


def done(text: str) -> ProgressReport:
    return ProgressReport(made_progress=True, accomplishment=text)


def later(beliefs: AgentBeliefs, turns: int = 1, text: str = "") -> AgentBeliefs:
    """The beliefs some turns later, with something new seen unless `text` is none."""
    turn = beliefs.turn + turns
    return observe(beliefs, turn, "look", text or f"Turn {turn}.", brought_new=not text)


# -- repetition ----------------------------------------------------------------


def test_what_an_oracle_repeats_is_one_piece_of_evidence() -> None:
    once = GOOD.update_from_understanding(FRESH, told(blocking_condition="the bridge is up"))
    again = once
    for _ in range(7):
        again = GOOD.update_from_understanding(again, told(blocking_condition="bridge is up"))
    assert again == once
    later_on = GOOD.update_from_understanding(later(once), told(blocking_condition="bridge is up"))
    assert later_on.blocking_weight == once.blocking_weight


def test_an_oracle_that_is_mostly_wrong_is_not_believed_however_often_it_repeats_itself() -> None:
    beliefs = FRESH
    for _ in range(50):
        claim = told(accomplished=["opened the gate"], blocking_condition="the bridge is up")
        beliefs = later(BAD.update_from_understanding(beliefs, claim))
    assert beliefs.accomplished == ()
    assert beliefs.blocking_condition is None


@pytest.mark.slow
def test_false_claims_of_a_bad_oracle_are_hardly_ever_believed_and_of_a_good_one_mostly() -> None:
    """In simulations of 100, the oracles judged 5 to 60 times."""
    assert per_hundred(lambda seed: believes(0.1, seed), 100) <= 5
    assert per_hundred(lambda seed: believes(0.1, seed, whimsical=True), 100) <= 5
    assert per_hundred(lambda seed: believes_newcomer(0.1, seed), 100) <= 5
    assert per_hundred(lambda seed: believes(0.9, seed), 100) >= 90


def test_who_lies_about_blockers_is_believed_in_the_rest() -> None:
    reliability = OracleReliability()
    for _ in range(20):
        reliability.update_blocker(False, 0.9)
        reliability.update("progress", True, 0.9)
        reliability.update_goal(True, 0.9)
    claim = told(
        accomplished=["opened the gate"], blocking_condition="fog", immediate_goal="cross the moor"
    )
    beliefs = BeliefUpdater(reliability).update_from_understanding(FRESH, claim)
    assert beliefs.accomplished == ("opened the gate",)
    assert beliefs.blocking_condition is None
    assert oracle_goals(beliefs, reliability)[0].weight > 0.8


# -- retraction ------------------------------------------------------------------


def test_a_claim_is_taken_back_by_its_source_and_by_what_denies_it() -> None:
    beliefs = GOOD.update_from_understanding(FRESH, told(accomplished=["the gate is open"]))
    assert beliefs.accomplished == ("the gate is open",)
    denied = GOOD.update_from_understanding(beliefs, told(accomplished=["the gate is closed"]))
    assert denied.accomplished == ("the gate is closed",)


def test_the_games_word_stands_against_every_oracles() -> None:
    beliefs = GOOD.update_from_understanding(FRESH, told(accomplished=["the gate is open"]))
    beliefs = GAME.update_from_progress(beliefs, done("the gate is closed"))
    assert beliefs.accomplished == ("the gate is closed",)
    for _ in range(9):
        claim = told(accomplished=["the gate is open"])
        beliefs = later(GOOD.update_from_understanding(beliefs, claim))
    assert beliefs.accomplished == ("the gate is closed",)


def test_what_was_believed_on_the_word_of_a_bad_oracle_is_no_longer_once_it_is_known() -> None:
    beliefs = GOOD.update_from_understanding(FRESH, told(accomplished=["opened the gate"]))
    assert BAD.update_from_understanding(beliefs, told()).accomplished == ()


# -- blockers --------------------------------------------------------------------


def blocked() -> AgentBeliefs:
    failure = FailureAnalysis(failure_reason="closed", prerequisite="open door")
    return GAME.update_from_failure_analysis(AgentBeliefs(location="L1"), "north", failure)


@pytest.mark.parametrize("updater", [oracle(), GOOD, BAD, oracle(good=99)])
def test_no_oracle_removes_a_blocker_that_the_game_has_set(updater: BeliefUpdater) -> None:
    beliefs = updater.update_from_progress(blocked(), done("got past it"))
    beliefs = updater.update_from_understanding(beliefs, told(progress_made=True))
    beliefs = updater.update_from_understanding(
        beliefs, told(blocking_condition="the moment is not right")
    )
    assert (beliefs.blocking_condition, beliefs.blocked_action) == ("open door", "north in L1")


def test_the_game_removes_it_by_progress_and_by_what_is_done() -> None:
    assert GAME.update_from_progress(blocked(), done("met a cat")).blocking_condition is None
    resolved = GOOD.update_from_understanding(blocked(), told(accomplished=["opened the door"]))
    assert resolved.blocking_condition == "open door"
    solved = GAME.update_from_progress(FRESH, done("opened the door"))
    again = GOOD.update_from_understanding(solved, told(blocking_condition="open door"))
    assert again.blocking_condition is None


def test_an_oracles_blocker_is_removed_by_its_own_word() -> None:
    beliefs = GOOD.update_from_understanding(FRESH, told(blocking_condition="the bridge is up"))
    assert GOOD.update_from_understanding(beliefs, told()) == beliefs
    gone = GOOD.update_from_understanding(beliefs, told(progress_made=True))
    assert gone.blocking_condition is None


def test_a_blocker_that_nobody_speaks_of_any_more_is_forgotten() -> None:
    beliefs = GAME.update_from_progress(later(blocked(), STALE), ProgressReport())
    assert beliefs.blocking_condition is None
    assert beliefs.claims == ()


def test_of_blockers_the_latest_counts_that_the_game_names() -> None:
    failure = FailureAnalysis(prerequisite="light lamp")
    beliefs = GAME.update_from_failure_analysis(later(blocked()), "down", failure)
    assert beliefs.blocking_condition == "light lamp"


def test_an_oracle_says_how_likely_its_blocker_is_and_the_game_knows() -> None:
    claim = told(blocking_condition="the bridge is up")
    assert "BLOCKED BY: the bridge is up (33% likely)" in (
        oracle().update_from_understanding(FRESH, claim).to_prompt_context()
    )
    assert "BLOCKED BY: open door (in the way of north in L1)\n" in blocked().to_prompt_context()


# -- goals -----------------------------------------------------------------------


def test_the_goal_is_the_best_founded_of_what_was_said() -> None:
    beliefs = FRESH
    for goal in ("find the treasure", "marry the miller", "find treasures", "find the treasure"):
        beliefs = oracle().update_from_understanding(later(beliefs), told(overall_goal=goal))
    assert beliefs.overall_goal == "find the treasure"


def test_goals_weigh_what_goals_of_such_confidence_have_turned_out_to_be_worth() -> None:
    reliability = OracleReliability()
    for number in range(40):
        reliability.update_goal(number % 2 == 0, 0.9 if number % 2 == 0 else 0.2)
    weights = {}
    for sure in (0.9, 0.2):
        understanding = told(immediate_goal="cross the moor", confidence=sure)
        beliefs = BeliefUpdater(reliability).update_from_understanding(FRESH, understanding)
        (goal,) = oracle_goals(beliefs, reliability)
        weights[sure] = goal.weight
    assert weights[0.9] > 0.8
    assert weights[0.2] < 0.2


def test_goals_lose_weight_with_time_and_those_that_are_reached_are_none() -> None:
    reliability = OracleReliability()
    understanding = told(overall_goal="save the mill", immediate_goal="cross the moor")
    beliefs = BeliefUpdater(reliability).update_from_understanding(FRESH, understanding)
    goals = oracle_goals(beliefs, reliability)
    assert {goal.text: goal.lasting for goal in goals} == {
        "save the mill": True,
        "cross the moor": False,
    }
    old = {goal.text: goal.weight for goal in oracle_goals(later(beliefs, 20), reliability)}
    assert old["cross the moor"] < 0.4
    assert old["save the mill"] == 0.5
    beliefs = GAME.update_from_progress(beliefs, done("crossed the moor"))
    assert [goal.text for goal in oracle_goals(beliefs, reliability)] == ["save the mill"]


def test_the_goal_of_the_story_is_all_that_a_new_episode_begins_with() -> None:
    understanding = told(
        overall_goal="save the mill", immediate_goal="cross the moor", accomplished=["ate"]
    )
    beliefs = GOOD.update_from_understanding(later(FRESH, 9), understanding)
    anew = beliefs.for_new_episode()
    assert anew.overall_goal == "save the mill"
    assert [claim.kind for claim in anew.claims] == ["overall_goal"]
    assert (anew.turn, anew.current_subgoal, anew.accomplished) == (0, "unknown", ())
    assert GOOD.update_from_understanding(anew, told()).overall_goal == "save the mill"
    given_one = AgentBeliefs(overall_goal="win")
    assert GOOD.update_from_understanding(given_one, told()).overall_goal == "win"


# -- progress --------------------------------------------------------------------


def test_progress_counts_as_such_if_who_sees_it_is_believed_in_this() -> None:
    now, report = later(FRESH, 5, "Time passes."), ProgressReport(made_progress=True)
    assert GOOD.update_from_progress(now, report).last_progress == 5
    assert GOOD.update_from_understanding(now, told(progress_made=True)).last_progress == 5
    assert BAD.update_from_progress(now, report).last_progress == 0
    assert oracle().update_from_progress(now, report).last_progress == 0
    assert GAME.update_from_progress(now, report).last_progress == 5


# -- bounds ----------------------------------------------------------------------


def test_failures_belong_to_their_place_and_the_oldest_give_way() -> None:
    beliefs = blocked()
    assert beliefs.failed_actions == {"north in L1": "closed"}
    for number in range(MOST_FAILED):
        beliefs = GAME.update_from_failure_analysis(
            beliefs, f"push button {number}", FailureAnalysis(failure_reason="nothing happens")
        )
    assert "north in L1" not in beliefs.failed_actions
    assert len(beliefs.failed_actions) == MOST_FAILED


def test_what_is_accomplished_is_bounded_and_the_latest_stays() -> None:
    beliefs = FRESH
    for number in range(3 * MOST_ACCOMPLISHED):
        beliefs = GAME.update_from_progress(beliefs, done(f"found relic{number}"))
    assert len(beliefs.accomplished) == MOST_ACCOMPLISHED
    assert beliefs.accomplished[-1] == f"found relic{3 * MOST_ACCOMPLISHED - 1}"


TEXTS = st.sampled_from(
    ["the gate is open", "the gate is closed", "opened the gate", "lit the lamp", "lamp is dark"]
)
SAYINGS = st.lists(
    st.tuples(
        st.sampled_from(["good", "bad", "game", "wait"]),
        st.sampled_from(["overall_goal", "immediate_goal", "accomplished", "blocking_condition"]),
        TEXTS,
        st.booleans(),
    ),
    max_size=40,
)
UPDATERS = {"good": GOOD, "bad": BAD, "game": GAME}


def after(sayings: list[tuple[str, str, str, bool]]) -> AgentBeliefs:
    beliefs = FRESH
    for who, field, text, progress in sayings:
        if who == "wait":
            beliefs = later(beliefs, 7, text)
            continue
        value: object = [text] if field == "accomplished" else text
        understanding = told(**{field: value, "progress_made": progress})
        beliefs = UPDATERS[who].update_from_understanding(beliefs, understanding)
    return beliefs


@settings(max_examples=50, deadline=None)
@given(SAYINGS)
def test_beliefs_stay_bounded_consistent_and_storable(
    sayings: list[tuple[str, str, str, bool]],
) -> None:
    beliefs = after(sayings)
    assert AgentBeliefs.model_validate_json(beliefs.model_dump_json()) == beliefs
    assert len(beliefs.claims) <= MOST_ACCOMPLISHED + 3 * MOST_RIVALS
    assert 0.0 <= beliefs.blocking_weight <= 1.0
    gates = {"the gate is open", "opened the gate"} & {*beliefs.accomplished}
    assert not (gates and "the gate is closed" in beliefs.accomplished)
    later_on = GAME.update_from_understanding(beliefs, told())  # What is stale is forgotten now.
    assert GAME.update_from_understanding(later_on, told()) == later_on, "nothing new, no change"


@settings(max_examples=50, deadline=None)
@given(SAYINGS)
def test_the_games_last_word_is_believed_whatever_was_said_before_and_after(
    sayings: list[tuple[str, str, str, bool]],
) -> None:
    beliefs = GAME.update_from_progress(after(sayings), done("the gate is closed"))
    assert "the gate is closed" in beliefs.accomplished
    for who, field, text, _ in sayings:
        if who in ("good", "bad") and field == "accomplished":
            claim = told(accomplished=[text])
            beliefs = UPDATERS[who].update_from_understanding(beliefs, claim)
    assert "the gate is closed" in beliefs.accomplished
    assert "the gate is open" not in beliefs.accomplished


def test_the_prompt_context_says_what_is_known_and_nothing_else() -> None:
    assert FRESH.to_prompt_context() == (
        "LOCATION: unknown\nINVENTORY: empty\nOVERALL GOAL: unknown\nCURRENT SUBGOAL: unknown"
    )
    beliefs = AgentBeliefs(
        location="L2 Cellar",
        inventory=("lamp",),
        accomplished=("found L2 Cellar",),
        blocking_condition="open door",
        failed_actions={"north in L2 Cellar": "closed"},
        tracked_state={"lit lamp": "true"},
        action_history=("down", "north"),
    )
    assert beliefs.to_prompt_context().splitlines()[4:] == [
        "ACCOMPLISHED: found L2 Cellar",
        "BLOCKED BY: open door",
        "RECENT FAILURES: north in L2 Cellar (closed)",
        "TRACKED STATE: lit lamp=true",
        "RECENT ACTIONS: down, then north",
    ]
