"""The objectives that an actor declares, from its answer to their end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from managers.planning.objectives import Objective
from orchestrator.state import State
from tests.playing import states_of

WANTED = "take the biscuit in L2"

SCRIPTED = f"""
class Scripted:
    def propose(self, briefing):
        known = {{one.text: one.id for one in briefing.objectives if one.status == "active"}}
        said = {{"thinking": "", "action": "wait"}}
        if briefing.turn == 1:
            said["new_objective"] = {WANTED!r}
        if briefing.turn == 4:
            said["complete_objective"] = known[{WANTED!r}]
        return said


class Merger:
    def review(self, briefing):
        if briefing.turn == 1:
            texts = ("open the gate in L3", "unlock the gate of L3", "oil the gate in L3")
            found = [{{"text": text}} for text in texts]
            found[1]["priority"] = 8
            found[2]["parent"] = "O2"
            return {{"discovered": found}}
        if briefing.turn == 2:
            return {{"merged": [{{"id": "O2", "into": "O1"}}, {{"id": "O9", "into": "O1"}}]}}
        return {{}}
"""


@pytest.fixture
def turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[State]]:
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(SCRIPTED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def states(*settings: str, steps: int = 6, graph: str = "offline") -> list[State]:
        ours = [f"nodes.actor.use={name}:Scripted", "nodes.critic.use=none"]
        ours += [setting.format(name) for setting in settings]
        return states_of("hollow", tmp_path, settings=ours, steps=steps, graph=graph)[1:]

    return states


def objective(state: State, text: str) -> Objective | None:
    return next((one for one in state["objectives"] if one.text == text), None)


def test_orchestrator_extracts_agent_objectives(turns: Callable[..., list[State]]) -> None:
    first, second = turns(steps=2)
    assert objective(first, WANTED) is None
    declared = objective(second, WANTED)
    assert declared is not None
    assert (declared.source, declared.status, declared.created) == ("agent", "active", 2)


def test_agent_objective_completion_workflow(turns: Callable[..., list[State]]) -> None:
    states = [objective(state, WANTED) for state in turns()]
    assert [one.status if one else None for one in states] == [
        None,
        "active",
        "active",
        "active",
        "done",
        "done",
    ]


def test_two_objectives_that_say_the_same_become_one(turns: Callable[..., list[State]]) -> None:
    states = turns("nodes.objective_manager.use={}:Merger", steps=2)
    kept = objective(states[-1], "open the gate in L3")
    dropped = objective(states[-1], "unlock the gate of L3")
    part = objective(states[-1], "oil the gate in L3")
    assert kept is not None
    assert dropped is not None
    assert part is not None
    assert (kept.status, kept.priority) == ("active", 8)
    assert (dropped.status, dropped.evidence) == ("dropped", f"says the same as {kept.id}")
    assert part.parent == kept.id
    events = [(one.event, one.id) for one in states[-1]["objective_changes"]]
    assert ("merged", dropped.id) in events
    assert ("added", dropped.id) not in events


def test_solo_keeps_what_its_actor_declares(turns: Callable[..., list[State]]) -> None:
    states = turns(graph="solo")
    stati = [one.status for state in states if (one := objective(state, WANTED))]
    assert (stati[0], stati[-1]) == ("active", "done")
