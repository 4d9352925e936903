"""What an actor's tools ask to write is written by the learner, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.world_tools import world_tools
from managers.world.view import World
from tests.playing import states_of

SCRIPTED = """
from agents.world_tools import world_tools

class Scripted:
    def propose(self, briefing):
        requests = []
        tools = {tool.name: tool for tool in world_tools(briefing.world, requests)}
        if briefing.turn == 1:
            idea = {"subject": "oar", "predicate": "moves", "obj": "boat"}
            tools["record_hypothesis"].invoke({**idea, "confidence": 0.4, "evidence": "a song"})
        if briefing.turn == 3:
            test = {"tested": True, "disproven": False, "new_confidence": 0.8}
            tools["update_hypothesis"].invoke({"hypothesis_id": "H1", **test})
        return {"thinking": "", "action": "wait", "requests": requests}
"""


def test_hypotheses_of_an_actor_reach_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(SCRIPTED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = [f"nodes.actor.use={name}:Scripted", "nodes.critic.use=none"]
    _, *states = states_of("hollow", tmp_path, settings=settings, steps=4)
    worlds = [World(state["world"]) for state in states]
    ideas = [[(one.confidence, one.tested) for one in world.hypotheses()] for world in worlds]
    assert ideas == [[(0.4, False)], [(0.4, False)], [(0.8, True)], [(0.8, True)]]
    asked = next(tool for tool in world_tools(worlds[-1]) if tool.name == "get_hypotheses_about")
    (told,) = asked.invoke({"object_name": "boat"})
    assert (told["subject"], told["evidence"]) == ("oar", ("a song",))
