"""The graph `choose`: a model takes one of the agent's best commands, or its own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from environments.splitting import split_commands
from managers.language.actions import table
from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.resume import resume
from orchestrator.state import State
from testing import choosers

STEPS = 30


def played(character: str, out: Path, **more: Any) -> tuple[Any, list[State]]:
    states: list[State] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            states.append(event.after)

    model = f"embedded:function:{choosers.__name__}:{character}"
    result = play(
        "hollow", graph="choose", model=model, seed=4, out=out, fresh=True, trust=True,
        watchers=(note,), **{"steps": STEPS, **more},
    )  # fmt: skip
    return result, states


def test_it_is_asked_for_a_line_and_for_a_choice_in_a_turn_that_it_decides(tmp_path: Path) -> None:
    result, states = played("first", tmp_path)
    ways = sum(bool(one["proposal"].pending) for one in states)
    assert result.roles["actor"]["questions"] == 2 * (STEPS - ways)
    assert all("The model chooses" in one["proposal"].response.thinking for one in states)
    assert result.best_score > 0


def test_what_it_would_type_itself_can_be_chosen_once_in_a_room(tmp_path: Path) -> None:
    _, states = played("last", tmp_path, settings=["nodes.actor.most=2"])
    typed = [one for one in states if one["command"] == choosers.TYPED]
    assert typed
    rooms = [one["observation"].room for one in typed]
    assert len(rooms) == len(set(rooms))


def test_the_way_to_what_is_chosen_elsewhere_is_gone_without_asking_again(tmp_path: Path) -> None:
    result, states = played("elsewhere", tmp_path, steps=40)
    ways = [
        split_commands(one["proposal"].response.action, table().words)
        for one in states
        if one["proposal"].pending
    ]
    assert ways
    assert result.roles["actor"]["questions"] < 2 * 40
    for before, after in pairwise(states):
        pending = before["proposal"].pending
        if pending and after["proposal"].pending == pending[1:]:
            assert after["command"] == pending[0]


def test_where_it_chooses_what_is_not_there_the_agent_decides(tmp_path: Path) -> None:
    result, states = played("stubborn", tmp_path)
    assert (result.end_reason, result.steps) == ("steps", STEPS)
    assert all("no usable answer" in one["proposal"].response.thinking for one in states)
    assert "quit" not in {one["command"] for one in states}


@pytest.mark.parametrize("character", ["last", "elsewhere"])
def test_a_run_goes_on_the_same(character: str, tmp_path: Path) -> None:
    whole, _ = played(character, tmp_path / "whole")
    half, _ = played(character, tmp_path / "half", steps=9)
    resume(half["run_dir"], steps=STEPS - 9, trust=True)
    texts = [Path(one["run_dir"], "transcript.txt").read_bytes() for one in (half, whole)]
    assert texts[0] == texts[1]
