"""The choice among the options: plans, advice, what was learned here, and curiosity."""

from __future__ import annotations

import pytest

from managers.belief.beliefs import AgentBeliefs
from managers.belief.dynamics import DynamicsModel
from managers.belief.reliability import SORTS, OracleReliability
from managers.core.option import ADVISED, ESCAPE, REPLY, Option
from managers.core.selection import InformedActionSelector, with_recommended, with_suggested
from managers.language.reading import SituationUnderstanding

HERE = AgentBeliefs(turn=10, location="L1 Hall")


def option(command: str, value: float, **fields: object) -> Option:
    plain = {"kind": "use", "purpose": "see", "probability": 0.5, "route": (command,)}
    return Option(command=command, value=value, **{**plain, **fields})  # type: ignore[arg-type]


CHOICES = tuple(
    option(command, value)
    for command, value in (("open chest", 3.0), ("north", 2.5), ("take rope", 2.0), ("wait", 0.1))
)


def reliable(good: int, bad: int, points: float = 1.0) -> OracleReliability:
    """Recommendations that brought points or nothing; plans that were worth 1 brought 0.3."""
    reliability = OracleReliability()
    for number in range(good + bad):
        helped = number < good
        for sort in SORTS:
            reliability.update_recommendation(helped, sort)
            reliability.note_gain(helped, points if helped else 0.0)
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


def test_an_unknown_recommendation_becomes_an_option() -> None:
    told = SituationUnderstanding(recommended_action="Sing to  the bird", action_reasoning="why")
    extended = with_recommended(CHOICES, told)
    assert [one.command for one in extended[4:]] == ["sing to the bird"]
    assert (extended[4].purpose, extended[4].value) == ("why", 1.9)
    known = SituationUnderstanding(recommended_action="GO NORTH")
    assert with_recommended(CHOICES, known) == CHOICES
    selector = InformedActionSelector(reliable(30, 3), DynamicsModel())
    assert selector.select_action(HERE, extended, told) == (
        "sing to the bird",
        "the oracle recommends it",
    )


def test_nobody_goes_away_from_where_a_good_oracle_has_more_to_say() -> None:
    away = (option("north", 3.0), option("open chest", 2.0))
    told = SituationUnderstanding(recommended_action="sing")
    trusted, ignored = (
        InformedActionSelector(oracle, DynamicsModel())
        for oracle in (reliable(30, 3, points=10.0), reliable(1, 30))
    )
    assert trusted.select_action(HERE, away, told)[0] == "open chest"
    assert trusted.select_action(HERE, away)[0] == "north"
    assert ignored.select_action(HERE, away, told)[0] == "north"
    back = SituationUnderstanding(recommended_action="n")
    assert trusted.select_action(HERE, away, back)[0] == "north"
    flight = (option("north", 3.0, kind=ESCAPE), away[1])
    assert trusted.select_action(HERE, flight, told)[0] == "north"


@pytest.mark.parametrize("command", ["jump", "drink potion", "sing"])
def test_nobody_risks_their_neck_for_an_oracle_that_has_earned_nothing_yet(command: str) -> None:
    told = SituationUnderstanding(recommended_action=command)
    calm = with_recommended(CHOICES, told)
    attacked = (option("south", 2.0, kind=ESCAPE), *calm)
    hoped, proven = OracleReliability(), reliable(60, 0, points=2.0)
    for oracle, choices in ((hoped, attacked), (hoped, calm), (proven, attacked)):
        risky = choices is attacked or command != "sing"
        selector = InformedActionSelector(oracle, DynamicsModel())
        chosen = selector.select_action(HERE, choices, told)[0]
        assert chosen == ("open chest" if risky and oracle is hoped else command)


def test_however_little_plans_are_worth_the_better_one_is_played() -> None:
    model = DynamicsModel()
    for _ in range(20):
        model.observe(HERE, "examine sack", "success")
    model.observe(HERE, "south", "failure: no_exit")
    faint = (option("south", 0.004), option("examine sack", 0.0002))
    selector = InformedActionSelector(OracleReliability(), model)
    assert selector.select_action(HERE, faint)[0] == "south"


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
    model.propose(["lit lamp"], "rules")
    for turn in range(12):
        lit = "true" if turn % 2 else "false"
        state = HERE.model_copy(update={"tracked_state": {"lit lamp": lit}})
        model.observe(state, "open chest", "success" if turn % 2 else "failure: dark")
        model.review()
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
    both = (option("sing", 1.0, probability=0.99), option("dance", 1.0, probability=0.99))
    bold = InformedActionSelector(OracleReliability(), model, exploration_rate=0.2)
    assert bold.select_action(HERE, both)[0] == "dance"
    timid = InformedActionSelector(OracleReliability(), model, exploration_rate=0.0)
    assert timid.select_action(HERE, both)[0] == "sing"


def test_what_a_model_would_try_next_is_one_more_option() -> None:
    (*_, idea) = with_suggested(CHOICES, "break the chest")
    assert (idea.command, idea.kind) == ("break the chest", ADVISED)
    assert with_suggested(CHOICES, "go north") == CHOICES
    assert with_suggested(CHOICES, None) == CHOICES


def test_of_replies_only_advice_can_tell_the_right_one() -> None:
    replies = (option("yes", 4.0, kind=REPLY), option("no", 3.9, kind=REPLY))
    selector = InformedActionSelector(OracleReliability(), DynamicsModel())
    told = SituationUnderstanding(recommended_action="no")
    assert selector.select_action(HERE, replies)[0] == "yes"
    assert selector.select_action(HERE, replies, told)[0] == "no"


def test_an_appraisal_shows_its_terms_and_a_term_can_be_left_out() -> None:
    model = DynamicsModel()
    for _ in range(4):
        model.observe(HERE, "open chest", "failure: locked")
    selector = InformedActionSelector(OracleReliability(), model, without=("experience",))
    best = selector.appraise(HERE, CHOICES)[0]
    assert best.option.command == "open chest"
    assert "experience" not in best.terms
    assert best.terms["information"] > 1.0
