"""What is computed once and carried from turn to turn is the same as if it were computed anew."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from environments.jericho_game import open_game
from orchestrator.graph.build import compile_graph
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.turns.context import Context
from orchestrator.turns.turn import run_turn

TURNS = 25


def played(story: str, *, forgetting: bool) -> list[tuple[str, Any, Any]]:
    """Command, candidates and beliefs of every turn; a copied state has no views yet."""
    setup = Setup.resolve(story, seed=3)
    graph = compile_graph(setup.config, setup.crew())
    seen = []
    with open_game(setup.story) as game:
        context = Context(game=game, seed=3, agent_seed=3)
        state: Any = run_turn(graph, State(), {}, context).value
        for _ in range(TURNS):
            given = deepcopy(state) if forgetting else state
            state = run_turn(graph, given, {}, context).value
            seen.append((state["command"], state["options"], state["beliefs"]))
            if state["score"].last.ended:
                break
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("story", ["hollow", "workshop"])
def test_views_that_are_carried_on_change_nothing(story: str) -> None:
    assert played(story, forgetting=False) == played(story, forgetting=True)
