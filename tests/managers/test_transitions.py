"""The dynamics model, and how its state grows by variables that explain something."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from managers.beliefs import AgentBeliefs
from managers.transitions import MOST_CONTEXTS, DynamicsModel


class Ford:
    """A scripted story: wading works at low tide; the moon and the weather change nothing."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.turn = 0
        self.low_tide = True

    def observe(self) -> str:
        self.turn += 1
        self.low_tide = self.rng.random() < 0.5
        self.moon = self.rng.random() < 0.5
        tide = "The sand lies bare." if self.low_tide else "The water is high."
        return f"{tide} {'The moon is out.' if self.moon else 'Clouds drift by.'}"

    def wade(self) -> str:
        return "to L2" if self.low_tide else "failure: blocked"


class Narrator:
    """A scripted oracle: suggests variables for contradictions and reads them off the text."""

    readings: Mapping[str, str] = {"sand is bare": "sand lies bare", "moonlight": "moon is out"}

    def suggest_state_variables(self, model: DynamicsModel) -> list[str]:
        return list(self.readings) if model.contradictions() else []

    def extract_state(self, text: str, names: list[str]) -> dict[str, str]:
        return {name: str(self.readings[name] in text).lower() for name in names}


def played(turns: int, seed: int) -> tuple[DynamicsModel, list[str]]:
    """The model after some turns, and what was found out on the way."""
    story, oracle, model, log = Ford(seed), Narrator(), DynamicsModel(), []
    for turn in range(1, turns + 1):
        text = story.observe()
        values = oracle.extract_state(text, model.tracked)
        beliefs = AgentBeliefs(turn=turn, location="L1 Ford", tracked_state=values)
        model.observe(beliefs, "wade", story.wade())
        before = model.tracked
        suggested = oracle.suggest_state_variables(model)
        model.propose(dict.fromkeys(suggested, "oracle"), turn)
        log += [f"on trial: {name}" for name in model.tracked if name not in before]
        log += [f"{v.name}: {'kept' if v.useful else 'dropped'}" for v in model.review(turn)]
    return model, log


@pytest.mark.parametrize("seed", range(5))
def test_a_hidden_condition_is_found_and_a_useless_variable_dropped(seed: int) -> None:
    model, log = played(60, seed)
    assert log == [
        "on trial: sand is bare",
        "on trial: moonlight",
        "sand is bare: kept",
        "moonlight: dropped",
    ]
    assert model.contradictions() == []
    ebb = AgentBeliefs(location="L1 Ford", tracked_state={"sand is bare": "true"})
    flood = AgentBeliefs(location="L1 Ford", tracked_state={"sand is bare": "false"})
    assert model.probability(ebb, "wade", "to L2") > 0.9
    assert model.probability(flood, "wade", "to L2") < 0.1


def test_without_an_explanation_the_contradiction_stays_and_nothing_is_kept() -> None:
    model, rng = DynamicsModel(), random.Random(3)
    for turn in range(1, 60):
        values = dict.fromkeys(model.tracked, rng.choice(("true", "false")))
        beliefs = AgentBeliefs(turn=turn, location="L1 Ford", tracked_state=values)
        model.observe(beliefs, "wade", rng.choice(("to L2", "failure: blocked")))
        model.propose({"moonlight": "oracle"}, turn)
        model.review(turn)
    assert model.kept == []
    assert model.tracked == []
    (contradiction,) = model.contradictions()
    assert (contradiction.room, contradiction.command) == ("L1", "wade")
    assert sorted(contradiction.outcomes) == ["failure: blocked", "to L2"]


HALL = AgentBeliefs(location="L1 Hall")


def test_counts_and_rewards_with_their_priors() -> None:
    model = DynamicsModel()
    assert model.observation_count(HALL, "dig") == 0
    assert model.expected_reward(HALL, "dig") == 0.0
    for reward in (4.0, 4.0):
        model.observe(HALL, "dig", "success", reward)
    assert model.observation_count(HALL, "dig") == 2
    assert 2.0 < model.expected_reward(HALL, "dig") < 4.0
    elsewhere = AgentBeliefs(location="L2 Shed")
    assert 0.0 < model.expected_reward(elsewhere, "dig") < model.expected_reward(HALL, "dig")
    assert model.observation_count(elsewhere, "dig") == 0


def test_the_predictive_leaves_room_for_what_was_never_seen() -> None:
    model = DynamicsModel()
    for _ in range(3):
        model.observe(HALL, "dig", "success")
    assert model.outcomes(HALL, "dig") == {"success": 0.75}
    assert model.probability(HALL, "dig", "death") == 0.25
    assert model.failure_count(HALL, "dig") == 0


def test_what_has_not_been_seen_for_longest_gives_way() -> None:
    model = DynamicsModel()
    for number in range(MOST_CONTEXTS + 10):
        model.observe(HALL, f"push button {number}", "success")
        model.observe(HALL, "wait", "success")
    assert len(model.data["contexts"]) == MOST_CONTEXTS
    assert model.observation_count(HALL, "push button 0") == 0
    assert model.observation_count(HALL, "wait") == MOST_CONTEXTS + 10


def test_learning_leaves_the_data_it_started_from() -> None:
    model, _ = played(20, 1)
    data = model.data
    before = repr(data)
    later = DynamicsModel(data)
    later.observe(HALL, "wade", "to L9")
    later.propose({"mist": "oracle"}, 21)
    later.review(21)
    assert repr(data) == before
