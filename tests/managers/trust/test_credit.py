"""Which answers are counted as right, by what the game has shown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from managers.belief.beliefs import AgentBeliefs, BeliefUpdater, observe, oracle_goals
from managers.belief.deliberation import Advice, Deliberation, value_of_advice
from managers.belief.reliability import SORTS, OracleReliability
from managers.core.credit import Aftermath, Reward, judge
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding

REPORT = ProgressReport(made_progress=True)


class Play:
    """An episode in which only the oracle's answers and their outcomes matter."""

    def __init__(self, reliability: OracleReliability | None = None) -> None:
        self.reliability = reliability or OracleReliability()
        self.beliefs = AgentBeliefs(location="L1")
        self.turn = 0

    def __call__(
        self,
        command: str,
        *,
        progress: ProgressReport | None = None,
        failure: FailureAnalysis | None = None,
        outcome: dict[str, object] | None = None,
        **answer: object,
    ) -> None:
        """One turn: what the oracle says, if anything, what is played, and what it brings."""
        self.turn += 1
        advice = None
        updater = BeliefUpdater(self.reliability)
        if answer or progress or failure:
            understanding = SituationUnderstanding.from_json(answer)
            advice = Advice(
                turn=self.turn,
                number=1,
                deliberation=Deliberation(worth=1.0, price=0.5),
                understanding=understanding,
                progress=progress,
                failure=failure,
            )
            self.beliefs = updater.update_from_understanding(self.beliefs, understanding)
        if failure is not None:
            last = self.beliefs.action_history[-1]
            self.beliefs = updater.update_from_failure_analysis(self.beliefs, last, failure)
        shown = {"reward": Reward(), **(outcome or {})}
        happened = Aftermath(self.turn, command, **shown)  # type: ignore[arg-type]
        self.beliefs = judge(self.reliability, self.beliefs, happened, advice)
        helped, reply = happened.reward.helped, f"Reply {self.turn}."
        self.beliefs = observe(self.beliefs, self.turn, command, reply, brought_new=helped)

    def wait(self, turns: int) -> None:
        for _ in range(turns):
            self("wait")

    @property
    def recommended(self) -> tuple[int, int]:
        known = self.reliability
        return known.recommendations_helped, known.recommendations_followed


def found(**more: object) -> dict[str, object]:
    """A new room, and what else a turn brought."""
    return {"reward": Reward(room="L2 Hall", **more), "changed": True}  # type: ignore[arg-type]


FOUND = found()
MOVED: dict[str, object] = {"changed": True}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([("north", FOUND)], (1, 1)),
        ([("north", {})], (0, 1)),
        ([("north", MOVED), ("east", MOVED), ("up", FOUND)], (3, 3)),
        ([("north", MOVED), ("east", MOVED), ("up", MOVED)], (0, 1)),
        ([("north", MOVED), ("up", {"reward": Reward(died=True)})], (0, 2)),
        ([("attack ogre", {})] * 5, (0, 0)),
        ([("attack ogre", {}), ("attack ogre", FOUND)], (1, 1)),
    ],
)
def test_a_recommendation_is_right_if_it_or_one_of_the_next_brought_something(
    turns: Sequence[tuple[str, dict[str, object]]], expected: tuple[int, int]
) -> None:
    play = Play()
    for command, outcome in turns:
        play(command, outcome=outcome, recommended_action=command)
    assert play.recommended == expected


def test_what_was_not_followed_or_left_before_its_end_is_not_judged() -> None:
    play = Play()
    play("north", outcome=MOVED, recommended_action="go north")
    play("take lamp", outcome=FOUND, recommended_action="south")
    play("up", recommended_action="up")
    assert play.recommended == (0, 1)
    play("wait", recommended_action="n", outcome={"refuted": True})
    assert play.recommended == (0, 2), "it was known to fail"


def test_what_the_agent_undoes_at_once_did_not_help() -> None:
    play = Play()
    play("drop all", outcome=MOVED, recommended_action="drop all")
    play("take lamp", outcome={"changed": True, "undone": True})
    assert play.recommended == (0, 1)


def test_what_is_taken_back_is_worth_ever_less_on_the_same_word() -> None:
    play, worth = Play(), []
    for _ in range(3):
        play("drop all", outcome=MOVED, recommended_action="drop all")
        play("take lamp", outcome={"changed": True, "undone": True})
        rates = dict.fromkeys(SORTS, 0.5)
        worth.append(value_of_advice(play.reliability, rates, "vague", "drop all"))
    assert worth[0] > worth[1] > worth[2]
    assert worth[0] < value_of_advice(play.reliability, rates, "vague", "drop lamp") / 5


def test_a_part_of_a_command_is_not_the_command() -> None:
    play = Play()
    play("open window", outcome=FOUND, recommended_action="n")
    assert play.recommended == (0, 0)


def test_commands_that_do_nothing_are_remembered_until_they_do_something() -> None:
    play = Play()
    play("rub lamp", outcome={"idle": True}, recommended_action="rub lamp")
    play("open door", recommended_action="open door")
    assert play.reliability.is_ineffective("rub the lamp")
    assert not play.reliability.is_ineffective("open door"), "it was refused for some reason"
    play("rub lamp", outcome=FOUND, recommended_action="rub lamp")
    assert not play.reliability.is_ineffective("rub lamp")


def test_a_goal_is_right_when_the_game_shows_it_reached() -> None:
    play = Play()
    play("north", overall_goal="win", immediate_goal="find the lamp")
    play("take lamp", outcome=found(objectives=("find lamp",)))
    assert (play.reliability.goals_achieved, play.reliability.goals_pursued) == (1, 1)
    assert "find the lamp" in play.beliefs.accomplished
    assert [goal.text for goal in oracle_goals(play.beliefs, play.reliability)] == ["win"]


def test_a_goal_is_right_if_pursuing_it_brought_something_and_not_if_something_else_did() -> None:
    play = Play()
    play("look", immediate_goal="feel the atmosphere")
    play("take lamp", outcome=FOUND)
    assert play.reliability.goals_pursued == 0
    play("dig", outcome={**FOUND, "pursued": ("feel the atmosphere",)})
    assert play.reliability.goals_achieved == 1


def test_a_goal_that_nothing_comes_of_is_wrong_once_and_no_goal_for_a_while() -> None:
    play = Play()
    for _ in range(60):
        play("wait", immediate_goal="feel the atmosphere")
    assert (play.reliability.goals_achieved, play.reliability.goals_pursued) == (0, 1)
    assert oracle_goals(play.beliefs, play.reliability) == []
    assert play.beliefs.current_subgoal == "unknown"


def test_an_oracle_cannot_escape_judgement_by_always_naming_something_else() -> None:
    play = Play()
    for number in range(20):
        play("wait", immediate_goal=f"seek omen{number}", blocking_condition=f"curse{number}")
    assert play.reliability.goals_pursued >= 10
    assert play.reliability.blockers_identified >= 10
    assert play.reliability.goal_accuracy < 0.2


def test_the_goal_of_the_story_has_longer_and_is_right_when_it_scores() -> None:
    play = Play()
    play("look", overall_goal="collect coins")
    play.wait(100)
    assert play.reliability.goals_pursued == 0
    scored = {**found(scored=5), "pursued": ("collect coins",)}
    play("take purse", outcome=scored)
    assert play.reliability.goals_achieved == 1


def test_a_goal_of_one_episode_is_not_judged_in_the_next() -> None:
    play = Play()
    play("north", immediate_goal="find the lamp", recommended_action="north", outcome=MOVED)
    anew = Play(play.reliability.for_new_episode())
    anew.beliefs = play.beliefs.for_new_episode()
    anew("east", outcome=found(objectives=("find the lamp",)))
    anew.wait(60)
    assert anew.reliability.goals_pursued == 0
    assert anew.recommended == (0, 0)


def test_a_blocker_is_right_if_what_it_blocked_works_now_or_dealing_with_it_helped() -> None:
    play = Play()
    failure = FailureAnalysis(failure_reason="closed")
    play("north")
    play("open door", failure=failure.model_copy(update={"prerequisite": "open door"}))
    play("north", outcome={"reward": Reward(unblocked="north in L1")})
    assert (play.reliability.blockers_resolved, play.reliability.blockers_identified) == (1, 1)
    play("oil hinge", outcome=FOUND, blocking_condition="the hinge is rusty")
    assert play.reliability.blockers_resolved == 2
    play("east", outcome=FOUND, blocking_condition="the moment is not right")
    play.wait(41)
    assert (play.reliability.blockers_resolved, play.reliability.blockers_identified) == (2, 3)


def test_progress_of_the_game_elsewhere_does_not_save_a_false_blocker_from_judgement() -> None:
    play = Play()
    for _ in range(45):
        play("east", outcome=FOUND, blocking_condition="the moment is not right")
        play.beliefs = BeliefUpdater().update_from_progress(play.beliefs, REPORT)
    assert (play.reliability.blockers_resolved, play.reliability.blockers_identified) == (0, 1)


def test_progress_is_right_if_the_game_has_shown_some() -> None:
    play = Play()
    play("north", outcome=FOUND)
    play("look", progress=REPORT)
    assert play.reliability.posterior("progress").mean > 0.6
    play.wait(3)
    play("look", progress_made=True)
    play("look", progress=ProgressReport(made_progress=False), progress_made=True)
    assert play.reliability.record("progress").judged == 2
    assert play.reliability.record("progress").right == 1


def test_confidence_is_calibrated_by_what_came_of_the_answers() -> None:
    play = Play()
    for number in range(40):
        sure = number % 2 == 0
        outcome = FOUND if sure else {}
        command = f"push stone {number}"
        play(command, outcome=outcome, recommended_action=command, confidence=0.9 if sure else 0.3)
    assert play.reliability.rate("recommendation", 0.9) > 0.8
    assert play.reliability.rate("recommendation", 0.3) < 0.2
