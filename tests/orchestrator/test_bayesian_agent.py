"""The seed's class over the graph, with the game in the caller's hands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.catalog import find_story
from environments.game import Access
from environments.jericho_game import JerichoGame, open_game
from managers.language.actions import canonical
from orchestrator.bayesian_agent import BayesianIFAgent
from tests.playing import states_of


class Story:
    """An environment as Jericho has it."""

    def __init__(self, game: JerichoGame) -> None:
        self.game = game

    def reset(self) -> tuple[str, dict[str, Any]]:
        self.now = self.game.start(7)
        return self.now.observation.text, {}

    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        before = self.get_score()
        self.now = self.game.play(self.now.snapshot, action)
        reward = float(self.get_score() - before)
        return self.now.observation.text, reward, self.now.tally.ended, {}

    def get_score(self) -> int:
        return self.now.tally.score


@pytest.fixture
def workshop() -> Iterator[Story]:
    with open_game(find_story("workshop"), frozenset({Access.TEXT})) as game:
        yield Story(game)


@pytest.mark.slow
def test_it_chooses_observes_and_sums_up(workshop: Story) -> None:
    agent = BayesianIFAgent("oracle", ["nodes.oracle.use=useless"])
    result = agent.play_episode(workshop, max_steps=25)
    assert (result["episode"], result["steps"]) == (1, 25)
    assert result["final_score"] == result["total_reward"]
    assert len(agent.beliefs.action_history) > 5
    assert agent.dynamics.data["contexts"]


@pytest.mark.slow
def test_what_was_learned_stays_and_the_situation_does_not(workshop: Story) -> None:
    agent = BayesianIFAgent("oracle", ["nodes.oracle.use=useless"])
    agent.play_episode(workshop, max_steps=25)
    goal, judged = agent.beliefs.overall_goal, agent.reliability.recommendations_followed
    known = len(agent.dynamics.data["contexts"])
    agent.reset_episode()
    observation, _ = workshop.reset()
    assert agent.choose_action(workshop, observation)
    assert agent.beliefs.overall_goal == goal != "unknown"
    assert agent.reliability.recommendations_followed == judged > 0
    assert len(agent.dynamics.data["contexts"]) == known
    assert agent.beliefs.action_history == ()


def test_episodes_follow_each_other_in_a_graph_that_learns_nothing(workshop: Story) -> None:
    agent = BayesianIFAgent("idle")
    assert [agent.play_episode(workshop, 2)["steps"] for _ in range(2)] == [2, 2]


def test_several_episodes_leave_their_runs(tmp_path: Path) -> None:
    results = BayesianIFAgent().play_multiple_episodes("workshop", 2, 5, out=tmp_path)
    assert [result["steps"] for result in results] == [5, 5]
    assert len(list(tmp_path.glob("results-*.json"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("story", ["hollow", "morning", "workshop"])
def test_a_thought_names_its_command_once_and_says_what_is_particular(
    story: str, tmp_path: Path
) -> None:
    for state in states_of(story, tmp_path, steps=60, seed=5)[1:]:
        proposal = state["proposal"]
        thought = proposal.response.thinking
        _, _, otherwise = thought.partition("Otherwise ")
        named = [canonical(one) for one in re.findall("`([^`]*)`", otherwise)]
        tried = re.findall(r"I try `([^`]*)`|`([^`]*)` in L", thought)
        chosen = {canonical(proposal.command), *(canonical(a or b) for a, b in tried)}
        assert chosen.isdisjoint(named), thought
        assert len(named) == len(set(named)), thought
        assert "options" not in thought
