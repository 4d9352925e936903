"""The choice among candidates, when to ask the oracle, and the credit it gets."""

from __future__ import annotations

import random

import pytest

from managers.beliefs import AgentBeliefs, SituationUnderstanding
from managers.candidates import Candidate
from managers.credit import OPEN, Answered, judge
from managers.deliberation import Advice, Deliberation, Tariff, deliberate
from managers.evidence import Evidence
from managers.promise import IDEAS, Promise
from managers.reliability import OracleReliability
from managers.selection import InformedActionSelector, with_recommended
from managers.transitions import DynamicsModel

HERE = AgentBeliefs(turn=10, location="L1 Hall")


def candidate(command: str, utility: float, **fields: object) -> Candidate:
    plain = {"kind": "use", "purpose": "see", "probability": 0.5, "route": (command,)}
    return Candidate(command=command, utility=utility, **{**plain, **fields})  # type: ignore[arg-type]


CHOICES = tuple(
    candidate(command, utility)
    for command, utility in (("open chest", 3.0), ("north", 2.5), ("take rope", 2.0), ("wait", 0.1))
)


def reliable(good: int, bad: int) -> OracleReliability:
    """Recommendations that brought a point or nothing; plans that were worth 1 brought 0.3."""
    reliability = OracleReliability()
    for number in range(good + bad):
        for idea in IDEAS:
            reliability.update(idea, number < good)
            reliability.note_followed(float(number < good))
        reliability.note_own(1.0, 0.3)
    return reliability


def choice(reliability: OracleReliability, told: SituationUnderstanding | None = None) -> str:
    selector = InformedActionSelector(reliability, DynamicsModel())
    return selector.select_action(HERE, CHOICES, told)[0]


def test_without_advice_the_best_plan_is_chosen() -> None:
    assert choice(OracleReliability()) == "open chest"
    selector = InformedActionSelector(OracleReliability(), DynamicsModel())
    assert selector.select_action(HERE, ()) == ("look", "nothing else is known")


def test_a_good_oracle_is_followed_and_a_bad_one_ignored() -> None:
    told = SituationUnderstanding(recommended_action="get rope")
    assert choice(reliable(30, 3), told) == "take rope"
    assert choice(reliable(1, 30), told) == "open chest"


@pytest.mark.parametrize("recommended", ["n", "in", "open", "o"])
def test_a_recommendation_is_no_substring(recommended: str) -> None:
    told = SituationUnderstanding(recommended_action=recommended)
    expected = "north" if recommended == "n" else "open chest"
    assert choice(reliable(14, 1), told) == expected


def test_an_unknown_recommendation_becomes_a_candidate() -> None:
    told = SituationUnderstanding(recommended_action="Sing to  the bird", action_reasoning="why")
    extended = with_recommended(CHOICES, told)
    assert [one.command for one in extended[4:]] == ["sing to the bird"]
    assert (extended[4].purpose, extended[4].utility) == ("why", 1.9)
    known = SituationUnderstanding(recommended_action="GO NORTH")
    assert with_recommended(CHOICES, known) == CHOICES
    selector = InformedActionSelector(reliable(30, 3), DynamicsModel())
    assert selector.select_action(HERE, extended, told) == (
        "sing to the bird",
        "the oracle recommends it",
    )


def test_a_command_that_never_does_anything_loses_its_promise_and_others_keep_theirs() -> None:
    reliability = OracleReliability()
    for turn in range(1, 4):
        for command, idle in (("sing", True), ("pray", False)):
            told = answered(turn, command, command, Evidence(), changed=False)
            judge(reliability, told._replace(idle=idle, planned=False), HERE)
    promise = reliability.promise()
    assert promise.discredited("Sing")
    assert not promise.discredited("pray")
    assert promise.of("sing", planned=False) < promise.of("pray", planned=False) / 4
    assert promise.of("wave rope", planned=False) > promise.of("pray", planned=False)
    worked = answered(9, "sing", "sing", Evidence(scored=5))
    judge(reliability, worked._replace(planned=False), HERE)
    assert reliability.promise().of("sing", planned=False) > promise.of("sing", planned=False)


def test_nobody_goes_away_from_where_a_good_oracle_has_more_to_say() -> None:
    away = (candidate("north", 3.0), candidate("open chest", 2.0))
    told = SituationUnderstanding(recommended_action="sing")
    trusted, ignored = (
        InformedActionSelector(Promise(high, high, 0.0), DynamicsModel()) for high in (20.0, 0.0)
    )
    assert trusted.select_action(HERE, away, told)[0] == "open chest"
    assert trusted.select_action(HERE, away)[0] == "north"
    assert ignored.select_action(HERE, away, told)[0] == "north"
    back = SituationUnderstanding(recommended_action="n")
    assert trusted.select_action(HERE, away, back)[0] == "north"
    flight = (candidate("north", 3.0, kind="escape"), away[1])
    assert trusted.select_action(HERE, flight, told)[0] == "north"


@pytest.mark.parametrize("command", ["jump", "drink potion", "sing"])
def test_nobody_risks_their_neck_for_an_oracle_that_has_earned_nothing_yet(command: str) -> None:
    told = SituationUnderstanding(recommended_action=command)
    calm = with_recommended(CHOICES, told)
    attacked = (candidate("south", 2.0, kind="escape"), *calm)
    hoped, proven = OracleReliability(), reliable(30, 3)
    for oracle, choices in ((hoped, attacked), (hoped, calm), (proven, attacked)):
        risky = choices is attacked or command != "sing"
        selector = InformedActionSelector(oracle, DynamicsModel())
        chosen = selector.select_action(HERE, choices, told)[0]
        assert chosen == ("open chest" if risky and oracle is hoped else command)


def test_what_deals_with_the_blocker_is_preferred_as_far_as_it_is_likely_one() -> None:
    for weight, chosen in ((1.0, "take rope"), (0.5, "open chest")):
        blocked = HERE.model_copy(
            update={"blocking_condition": "the hatch needs a rope", "blocking_weight": weight}
        )
        selector = InformedActionSelector(OracleReliability(), DynamicsModel())
        assert selector.select_action(blocked, CHOICES)[0] == chosen


def test_what_failed_in_this_state_is_avoided_and_what_scored_preferred() -> None:
    model = DynamicsModel()
    for _ in range(4):
        model.observe(HERE, "open chest", "failure: locked")
    selector = InformedActionSelector(OracleReliability(), model)
    assert selector.select_action(HERE, CHOICES)[0] == "north"
    model.observe(HERE, "take rope", "success", 5.0)
    assert selector.select_action(HERE, CHOICES)[0] == "take rope"


def test_the_state_includes_the_variables_that_matter() -> None:
    model = DynamicsModel()
    model.propose({"lit lamp": "rules"}, 1)
    for turn in range(12):
        lit = "true" if turn % 2 else "false"
        state = HERE.model_copy(update={"tracked_state": {"lit lamp": lit}})
        model.observe(state, "open chest", "success" if turn % 2 else "failure: dark")
        model.review(turn)
    dark, light = (
        HERE.model_copy(update={"tracked_state": {"lit lamp": v}}) for v in ("false", "true")
    )
    selector = InformedActionSelector(OracleReliability(), model)
    assert selector.select_action(light, CHOICES)[0] == "open chest"
    assert selector.select_action(dark, CHOICES)[0] != "open chest"


def test_curiosity_prefers_what_was_seldom_tried() -> None:
    model = DynamicsModel()
    for _ in range(6):
        model.observe(HERE, "sing", "success")
    both = (candidate("sing", 1.0, probability=0.99), candidate("dance", 1.0, probability=0.99))
    bold = InformedActionSelector(OracleReliability(), model, exploration_rate=0.2)
    assert bold.select_action(HERE, both)[0] == "dance"
    timid = InformedActionSelector(OracleReliability(), model, exploration_rate=0.0)
    assert timid.select_action(HERE, both)[0] == "sing"


# -- deliberation ---------------------------------------------------------------


def advice(turn: int, told: SituationUnderstanding) -> Advice:
    asked = Deliberation(worth=1.0, price=0.0)
    return Advice(turn=turn, deliberation=asked, number=1, understanding=told)


def worth(reliability: OracleReliability, asked: int | None, progress: int, best: float) -> float:
    told = SituationUnderstanding()
    last = None if asked is None else advice(asked, told)
    beliefs = HERE.model_copy(update={"last_progress": progress})
    choices = (candidate("open chest", best), *CHOICES[1:])
    return deliberate(beliefs, reliability.promise(), choices, last, Tariff()).worth


def test_an_answer_is_worth_more_when_it_promises_more_is_news_and_is_needed() -> None:
    good, bad = reliable(30, 3), reliable(0, 30)
    assert worth(good, 10, 10, 3.0) > 1.0
    assert worth(bad, 10, 10, 3.0) == 0.0
    assert worth(good, 10, 10, 3.0) > worth(good, 10, 5, 3.0)
    assert worth(good, 2, 1, 3.0) > worth(good, 10, 1, 3.0)
    assert worth(good, 10, 10, 30.0) == 0.0


def test_in_peril_an_answer_is_worth_no_more_than_can_be_trusted() -> None:
    promise = Promise(9.0, 9.0, 9.0, rates=(0.5, 0.5, 0.5))
    attacked = (candidate("south", 2.0, kind="escape"), *CHOICES)
    assert deliberate(HERE, promise, CHOICES, None, Tariff()).worth > 0.0
    assert deliberate(HERE, promise, attacked, None, Tariff()).worth == 0.0


def test_the_price_decides() -> None:
    cheap, dear = Tariff(tokens=1000, price=0.1), Tariff(tokens=100_000, price=0.1)
    assert deliberate(HERE, Promise(4.0, 4.0, 4.0), CHOICES, None, cheap).ask
    assert not deliberate(HERE, Promise(4.0, 4.0, 4.0), CHOICES, None, dear).ask
    assert deliberate(HERE, Promise(0.0, 0.0, 0.0), CHOICES, None, Tariff(price=0.0)).ask


# -- credit -----------------------------------------------------------------------


def test_a_way_to_something_is_credited_with_what_lies_at_its_end() -> None:
    reliability = OracleReliability()
    for turn, evidence in enumerate((Evidence(), Evidence(), Evidence(scored=5)), start=1):
        judge(reliability, answered(turn, "north", "n", evidence), HERE)
    assert (reliability.recommendations_followed, reliability.recommendations_helped) == (3, 3)
    assert reliability.payoff.gained == pytest.approx(5.0, rel=0.05)


def test_recommendations_that_lead_nowhere_do_not_help() -> None:
    reliability = OracleReliability()
    for turn in range(1, 11):
        judge(reliability, answered(turn, "wait", "wait", Evidence()), HERE)
    assert (reliability.recommendations_followed, reliability.recommendations_helped) == (8, 0)
    judge(reliability, answered(11, "wait", "wait", Evidence(), changed=False), HERE)
    assert reliability.recommendations_followed == 10
    assert reliability.promise().planned < 1.0


def test_ones_own_plans_are_held_against_what_was_expected_of_them() -> None:
    reliability = OracleReliability()
    for turn in range(1, 41):
        evidence = Evidence(room="L2 Cave") if turn % 4 == 0 else Evidence()
        judge(reliability, answered(turn, "north", "wait", evidence, expected=3.0), HERE)
    assert reliability.payoff.realism == pytest.approx(0.25, abs=0.05)
    assert reliability.recommendations_followed == 0


def test_death_is_no_help_whatever_came_with_it() -> None:
    reliability = OracleReliability()
    judge(reliability, answered(1, "jump", "jump", Evidence(scored=5, died=True)), HERE)
    assert (reliability.recommendations_followed, reliability.recommendations_helped) == (1, 0)


def test_what_was_not_followed_is_not_judged_unless_it_is_known_to_fail() -> None:
    reliability = OracleReliability()
    judge(reliability, answered(1, "south", "north", Evidence(scored=5)), HERE)
    assert reliability.recommendations_followed == 0
    judge(reliability, answered(2, "south", "open door", Evidence(), refuted=True), HERE)
    assert (reliability.recommendations_followed, reliability.recommendations_helped) == (1, 0)


def test_goals_and_blockers_are_judged_by_what_comes_of_them() -> None:
    reliability = OracleReliability()
    told = SituationUnderstanding(immediate_goal="open the gate", blocking_condition="gate locked")
    blocked = HERE.model_copy(update={"blocked_action": "north in L1 Hall"})
    steps = (Evidence(), Evidence(unblocked="north in L1 Hall"), Evidence(scored=3))
    for turn, evidence in enumerate(steps, start=1):
        said = told if turn == 1 else None
        judge(reliability, Answered(turn, "north", said, evidence, True, False), blocked)
    assert (reliability.goals_pursued, reliability.goals_achieved) == (1, 1)
    assert (reliability.blockers_identified, reliability.blockers_resolved) == (1, 1)
    for turn in range(4, 60):
        said = told if turn == 4 else None
        judge(reliability, Answered(turn, "wait", said, Evidence(), False, False), HERE)
    assert (reliability.goals_pursued, reliability.goals_achieved) == (2, 1)
    assert (reliability.blockers_identified, reliability.blockers_resolved) == (2, 1)
    assert not reliability.data[OPEN]


def answered(
    turn: int,
    command: str,
    recommended: str,
    evidence: Evidence,
    *,
    changed: bool = True,
    refuted: bool = False,
    expected: float = 0.0,
) -> Answered:
    told = SituationUnderstanding(recommended_action=recommended)
    return Answered(turn, command, told, evidence, changed, refuted, expected, planned=True)


def test_thompson_sampling_gives_an_unknown_oracle_its_chance_and_a_bad_one_hardly_any() -> None:
    told = SituationUnderstanding(recommended_action="wait")

    def followed(reliability: OracleReliability) -> int:
        draws = (
            InformedActionSelector(reliability.promise(random.Random(seed)), DynamicsModel())
            for seed in range(200)
        )
        return sum(one.select_action(HERE, CHOICES, told)[0] == "wait" for one in draws)

    assert followed(OracleReliability()) >= 150
    assert followed(reliable(1, 40)) <= 2
    assert followed(reliable(40, 1)) >= 150


def test_what_the_planner_had_thought_of_too_is_weighed_apart() -> None:
    """The oracle is right where the planner has the same idea, and wrong everywhere else."""
    reliability = OracleReliability()
    for number in range(20):
        planned = number % 2 == 0
        judged = SituationUnderstanding(recommended_action="north" if planned else "sing")
        command = str(judged.recommended_action)
        evidence = Evidence(room="L2 Cave") if planned else Evidence()
        judge(
            reliability,
            Answered(number, command, judged, evidence, planned, False, 2.0, planned=planned),
            HERE,
        )
    promise = reliability.promise()
    assert promise.planned > 5.0 * promise.vague
    assert promise.shares[0] == pytest.approx(promise.shares[2])
    assert promise.shares[1] < 0.05
    selector = InformedActionSelector(promise, DynamicsModel())
    for told, expected in (("take rope", "take rope"), ("dance", "open chest")):
        understanding = SituationUnderstanding(recommended_action=told)
        choices = with_recommended(CHOICES, understanding)
        assert selector.select_action(HERE, choices, understanding)[0] == expected
