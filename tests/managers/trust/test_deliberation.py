"""What following is worth, whether asking is, and what comes of it in a world of chances."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.trust import DEATH, play, share
from managers.belief.beliefs import AgentBeliefs
from managers.belief.deliberation import (
    Advice,
    Deliberation,
    Tariff,
    deliberate,
    expected_gain,
    novelty,
    value_of_advice,
)
from managers.belief.reliability import SORTS, OracleReliability
from managers.language.reading import SituationUnderstanding

FREE = Tariff(price=0.0)


def judged(good: int, bad: int, *, gain: float = 2.0) -> OracleReliability:
    """Of specific recommendations; what helped brought so much."""
    reliability = OracleReliability()
    for number in range(good + bad):
        helped = number % (good + bad) < good
        reliability.update_recommendation(helped, "specific", 0.9)
        reliability.note_gain(helped, gain * helped)
        reliability.note_recommended("specific")
    return reliability


def worth(reliability: OracleReliability, command: str = "", *, risky: bool = False) -> float:
    rates = reliability.draw(random.Random(1), 0.0)
    return value_of_advice(reliability, rates, "specific", command, confidence=0.9, risky=risky)


def test_following_is_worth_the_chance_of_help_times_what_help_brought() -> None:
    assert worth(judged(60, 0)) == pytest.approx(8.5, abs=1.0)
    assert worth(judged(30, 30)) == pytest.approx(0.5 * worth(judged(60, 0)), rel=0.5)
    assert worth(judged(0, 60)) < 0.1 * worth(judged(60, 0))
    assert worth(judged(60, 0, gain=8.0)) > 3 * worth(judged(60, 0))


def test_deaths_on_the_oracles_word_make_it_worth_less() -> None:
    deadly = judged(10, 10)
    before = worth(deadly)
    for _ in range(5):
        deadly.note_gain(False, -5.0)
    assert worth(deadly) < 0.6 * before


def test_it_is_compared_with_what_the_agents_own_choices_bring_for_their_utility() -> None:
    dreamer = judged(10, 10)
    before = worth(dreamer)
    for _ in range(60):
        dreamer.note_own(2.0, 0.2)
    assert worth(dreamer) > 2 * before


@pytest.mark.parametrize(
    ("good", "bad", "least", "most"), [(20, 2, 0.4, 0.8), (10, 10, 0.01, 0.2), (2, 20, 0, 0.01)]
)
def test_a_command_that_did_nothing_before_is_worth_less_the_more_an_oracle_errs(
    good: int, bad: int, least: float, most: float
) -> None:
    reliability = judged(good, bad)
    values = [worth(reliability, "rub lamp")]
    for _ in range(3):
        reliability.note_effect("rub lamp", did=False)
        values.append(worth(reliability, "rub the lamp"))
    assert values == sorted(values, reverse=True)
    assert least < values[-1] / values[0] < most
    assert worth(reliability, "rub stone") == values[0]


def test_what_may_kill_is_done_only_on_the_word_of_an_oracle_that_has_proved_itself() -> None:
    assert worth(OracleReliability(), "jump", risky=True) == 0.0
    assert worth(judged(2, 0), "jump", risky=True) == 0.0
    assert worth(judged(10, 10), "jump", risky=True) == 0.0
    assert worth(judged(30, 0), "jump", risky=True) > 0.5 * worth(judged(30, 0), "jump")


RATES = st.fixed_dictionaries({sort: st.floats(0, 1) for sort in SORTS})


@settings(deadline=None)
@given(RATES, st.floats(0, 20), st.booleans())
def test_an_answer_is_worth_no_less_than_nothing_and_less_the_better_the_own_plan(
    rates: dict[str, float], best: float, risky: bool
) -> None:
    reliability = judged(3, 2)
    better = expected_gain(reliability, rates, best, risky=risky)  # type: ignore[arg-type]
    assert better >= 0.0
    assert better >= expected_gain(reliability, rates, best + 1.0, risky=risky)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.integers(0, 1000), st.floats(0, 1))
def test_a_draw_never_holds_an_oracle_to_be_worse_than_it_is_on_the_mean(
    seed: int, exploration: float
) -> None:
    reliability = judged(2, 5)
    drawn = reliability.draw(random.Random(seed), exploration)
    assert drawn == reliability.draw(random.Random(seed), exploration)
    assert all(reliability.posterior(sort).mean <= drawn[sort] <= 1.0 for sort in SORTS)
    assert reliability.draw(random.Random(seed), 0.0) == {
        sort: reliability.posterior(sort).mean for sort in SORTS
    }


def asked(turn: int, told: str = "north") -> Advice:
    return Advice(
        turn=turn,
        number=1,
        deliberation=Deliberation(worth=1.0, price=0.5),
        understanding=SituationUnderstanding(recommended_action=told),
    )


def test_another_answer_is_likely_after_progress_on_the_oracles_way_and_in_time() -> None:
    now = AgentBeliefs(turn=10, last_progress=3, action_history=("north",))
    assert novelty(now, asked(10)) == 1.0, "its way is being followed"
    assert novelty(now, asked(10, "south")) < 0.3
    assert novelty(now, asked(2)) == 1.0, "something came up since"
    waits = [
        novelty(now.model_copy(update={"turn": turn}), asked(10, "x")) for turn in (10, 12, 20)
    ]
    assert waits == sorted(waits)
    assert waits[-1] > 0.9


def test_the_price_of_tokens_decides_and_what_is_free_is_always_asked() -> None:
    reliability, beliefs = judged(9, 1), AgentBeliefs(turn=5)
    rates = reliability.draw(random.Random(1), 0.0)
    weigh = {"reliability": reliability, "rates": rates, "beliefs": beliefs, "last": None}
    assert deliberate(**weigh, best=0.2, tariff=Tariff()).ask  # type: ignore[arg-type]
    assert not deliberate(**weigh, best=50.0, tariff=Tariff()).ask  # type: ignore[arg-type]
    assert not deliberate(**weigh, best=0.2, tariff=Tariff(price=5.0)).ask  # type: ignore[arg-type]
    assert deliberate(**weigh, best=50.0, tariff=FREE).ask  # type: ignore[arg-type]
    unknown = OracleReliability()
    risky = deliberate(unknown, rates, 0.2, beliefs, None, Tariff(), risky=True)
    assert not risky.ask


# -- in a world of chances -------------------------------------------------------

TURNS = 200


@pytest.mark.parametrize("seed", range(3))
def test_a_good_and_a_half_right_oracle_keep_being_asked(seed: int) -> None:
    good, half = (play([rate] * TURNS, seed) for rate in (0.9, 0.5))
    alone = play([0.0] * TURNS, seed, price=1e9)
    assert share(good.followed) > 0.95
    assert share(half.asked[100:]) > 0.4
    assert good.points > half.points > alone.points
    assert not any(alone.asked)


def test_a_useless_one_is_soon_asked_hardly_ever() -> None:
    """On the mean of a few episodes."""
    useless = [play([0.0] * TURNS, seed) for seed in range(8)]
    assert sum(share(run.asked) for run in useless) / 8 < 0.08
    assert sum(share(run.asked[100:]) for run in useless) / 8 < 0.03
    assert max(run.tokens for run in useless) < 0.15 * TURNS * Tariff().tokens


def test_a_useless_oracle_costs_next_to_nothing_and_a_deadly_one_two_deaths() -> None:
    """On the mean of a few episodes, compared with never asking; a wrong word kills in 1 of 4."""
    runs = range(12)
    alone, useless, deadly = (
        sum(play([0.0] * TURNS, seed, price=price, deadly=kills).points for seed in runs) / 12
        for price, kills in ((1e9, False), (0.3, False), (0.3, True))
    )
    assert useless > 0.93 * alone
    assert deadly > useless + 2 * DEATH


@pytest.mark.parametrize("seed", range(2))
def test_a_change_of_the_oracle_is_noticed(seed: int) -> None:
    better = play([0.05] * 100 + [0.9] * 400, seed)
    assert share(better.followed[50:100]) < 0.3
    assert share(better.followed[-100:]) > 0.7
    worse = play([0.9] * 100 + [0.05] * 200, seed)
    assert share(worse.followed[:100]) > 0.9
    assert share(worse.followed[-100:]) <= 0.2
