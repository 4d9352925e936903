"""Plans made backwards from objectives are carried out in real episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from managers.planning.objectives import Objective
from orchestrator.state import State
from tests.playing import states_of

SEEDS = range(1, 7)
STEPS = 150
LEAST = 3


def carried_out(states: Sequence[State]) -> Iterator[tuple[Objective, list[State]]]:
    """Long plans whose objective is done, and the turns their steps were played in."""
    done = {one.id for one in states[-1]["objectives"] if one.status == "done"}
    for number, state in enumerate(states):
        for objective in state["objectives"]:
            steps = [step for step in objective.plan if step.command]
            if len(steps) >= LEAST and objective.id in done:
                turns = played([step.command for step in steps], states[number:])
                if len(turns) == len(steps):
                    yield objective, turns


def played(commands: Sequence[str], states: Sequence[State]) -> list[State]:
    """The turns in which the commands were played, in this order."""
    waiting, turns = list(commands), []
    for state in states:
        if waiting and state["command"] == waiting[0]:
            turns.append(state)
            del waiting[0]
    return turns


@pytest.mark.slow
def test_a_chain_of_three_steps_is_planned_and_carried_out(tmp_path: Path) -> None:
    episodes = (states_of("hollow", tmp_path, seed=seed, steps=STEPS, fresh=True) for seed in SEEDS)
    objective, turns = next(pair for states in episodes for pair in carried_out(states[1:]))
    assert {step.room for step in objective.plan if step.room}
    assert any(step.hypothesis for step in objective.plan)
    for state in turns:
        best = next(one for one in state["options"] if one.command == state["command"])
        assert best.value > 0
    assert any(
        one.objective == objective.id and one.command == state["command"]
        for state in turns
        for one in state["options"]
    )
