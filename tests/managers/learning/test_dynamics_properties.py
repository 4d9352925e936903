"""What holds of the dynamics model whatever was observed."""

from __future__ import annotations

import json
import random
from typing import NamedTuple

import ormsgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from managers.belief.cases import MOST_CASES, evidence
from managers.belief.dynamics import (
    MOST_CONTEXTS,
    MOST_GIVEN_UP,
    MOST_KEPT,
    MOST_ON_TRIAL,
    DynamicsModel,
)

NAMES = ("tide", "moon", "lamp")


class State(NamedTuple):
    """A state as the model sees it."""

    location: str
    tracked_state: dict[str, str]


class Seen(NamedTuple):
    """One observation."""

    state: State
    action: str
    effect: str
    reward: float


values = st.sampled_from(["true", "false", "unknown"])
states = st.builds(
    State, st.sampled_from(["L1 Hall", "L2"]), st.fixed_dictionaries(dict.fromkeys(NAMES, values))
)
seen = st.builds(
    Seen,
    states,
    st.sampled_from(["dig", "sing"]),
    st.sampled_from(["success", "failure: refused", "death", "to L2"]),
    st.sampled_from([0.0, 5.0, -10.0, 0.1]),
)
histories = st.lists(seen, max_size=60)
few = st.builds(
    Seen,
    states,
    st.just("dig"),
    st.sampled_from(["success", "failure: refused", "death"]),
    st.sampled_from([0.0, 5.0]),
)
"""As many different outcomes as are told apart."""


def learned(history: list[Seen], every: int = 1) -> DynamicsModel:
    model = DynamicsModel()
    for turn, one in enumerate(history, 1):
        model.observe(*one)
        model.propose(NAMES, "oracle")
        if turn % every == 0:
            model.review()
    return model


@settings(max_examples=60, deadline=None)
@given(histories, states)
def test_probabilities_add_up_to_one(history: list[Seen], state: State) -> None:
    model = learned(history)
    effects = {"no such", "success", "death", "to L2", "failure: refused", "other"}
    assert 0 <= sum(model.probability(state, "dig", effect) for effect in effects) <= 1 + 1e-9
    for effect in effects:
        rewards = (model.probability(state, "dig", effect, one) for one in (0.0, 5.0, -10.0, 0.1))
        assert sum(rewards) <= model.probability(state, "dig", effect) + 1e-9


@settings(max_examples=60, deadline=None)
@given(histories)
def test_observations_add_up_over_the_splits(history: list[Seen]) -> None:
    model = learned(history)
    for context, entry in model.data["contexts"].items():
        place, _, action = context.partition("|")
        made = [one for one in history if (one.state.location[:2], one.action) == (place, action)]
        assert model.observation_count(State(place, {}), action) == len(made)
        failed = sum(one.effect.startswith(("failure", "death")) for one in made)
        assert model.failure_count(State(place, {}), action) == failed
        for name in entry["by"]:
            parts = [
                model.observation_count(State(place, {name: value}), action)
                for value in ("true", "false")
            ]
            bare = sum(case["count"] for case in entry["cases"] if name not in case["values"])
            assert sum(parts) + bare == len(made)


@settings(max_examples=60, deadline=None)
@given(st.lists(few, max_size=60), st.integers(0, 10**6), states)
def test_the_order_of_observations_does_not_matter(
    history: list[Seen], seed: int, state: State
) -> None:
    shuffled = list(history)
    random.Random(seed).shuffle(shuffled)
    one, other = DynamicsModel(), DynamicsModel()
    for model, rows in ((one, history), (other, shuffled)):
        model.propose(NAMES, "oracle")
        for row in rows:
            model.observe(*row)
    for seen in (("success", 0.0), ("death", 5.0)):
        assert one.probability(state, "dig", *seen) == pytest.approx(
            other.probability(state, "dig", *seen)
        )
    assert one.expected_reward(state, "dig") == pytest.approx(other.expected_reward(state, "dig"))
    assert one.information(state, "dig") == pytest.approx(other.information(state, "dig"))
    cases = [model.data["contexts"].get("L1|dig", {"cases": []})["cases"] for model in (one, other)]
    weighed = [evidence(rows, ("moon",), "tide") for rows in cases]
    assert weighed[0] == pytest.approx(weighed[1])


@settings(max_examples=60, deadline=None)
@given(histories)
def test_data_survive_storage(history: list[Seen]) -> None:
    data = learned(history).data
    assert json.loads(json.dumps(data)) == data
    assert ormsgpack.unpackb(ormsgpack.packb(data)) == data
    half = len(history) // 2
    model = DynamicsModel(json.loads(json.dumps(learned(history[:half]).data)))
    for one in history[half:]:
        model.observe(*one)
        model.propose(NAMES, "oracle")
        model.review()
    assert model.data == data


@pytest.mark.slow
def test_the_data_are_bounded() -> None:
    rng, model = random.Random(11), DynamicsModel()
    for _ in range(5000):
        tracked = {name: rng.choice(("true", "false", "unknown")) for name in model.tracked}
        state = State(f"L{rng.randrange(80)}", tracked)
        effect = rng.choice(("success", "failure: refused", f"to L{rng.randrange(80)}", "x" * 500))
        model.observe(state, f"push {rng.randrange(8)}", effect, rng.random())
        model.propose([f"v{rng.randrange(60)}"], rng.choice(("rules", "oracle")))
        model.review()
    data = model.data
    assert len(data["contexts"]) <= MOST_CONTEXTS
    assert all(len(entry["cases"]) <= MOST_CASES for entry in data["contexts"].values())
    assert len(model.kept) <= MOST_KEPT
    assert len(model.tracked) - len(model.kept) <= MOST_ON_TRIAL
    assert len(data["given_up"]) <= MOST_GIVEN_UP
    assert len(ormsgpack.packb(data)) < 400_000
