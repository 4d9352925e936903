"""The world model's tools, called the way a tool-calling model calls them."""

from __future__ import annotations

from agents.world_tools import world_tools
from managers.world import WorldModel
from managers.world.requests import ToolRequest, apply_requests
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall. Doors lead north and east.\n"


def world() -> WorldModel:
    story = Story().hears("", HALL + "There is a brass key here.\nThere is a box here.", "Hall")
    return story.hears("open box", "The box is locked.", "Hall").world


def test_reading_tools_answer_from_the_state() -> None:
    tools = {tool.name: tool for tool in world_tools(world(), [])}
    assert len(tools) == 8
    assert all(tool.description for tool in tools.values())
    assert tools["get_objects_at_location"].invoke({"location": "L1"}) == ["brass key", "box"]
    assert tools["where_is_object"].invoke({"object_name": "key"}) == "L1"
    assert tools["get_object_state"].invoke({"object_name": "box"})["locked"] is True
    assert tools["get_objects_with_property"].invoke({"property": "key-like"}) == ["brass key"]
    assert tools["get_hypotheses_about"].invoke({"object_name": "box"})[0]["predicate"] == "unlocks"
    failures = tools["get_failed_actions_at"].invoke({"location": "L1"})
    assert [failure["command"] for failure in failures] == ["open box"]


def test_writing_tools_only_ask_and_the_learner_applies() -> None:
    model, requests = world(), list[ToolRequest]()
    tools = {tool.name: tool for tool in world_tools(model, requests)}
    known = len(model.hypotheses())
    new = {"subject": "key", "predicate": "opens", "obj": "box", "confidence": 0.4, "evidence": "x"}
    assert tools["record_hypothesis"].invoke(new) == "noted"
    change = {"hypothesis_id": "H1", "tested": True, "disproven": True, "new_confidence": 0.0}
    assert tools["update_hypothesis"].invoke(change) == "noted"
    assert len(model.hypotheses()) == known
    assert apply_requests(model, tuple(requests)) == []
    assert len(model.hypotheses()) == known + 1
    assert model.hypotheses()[-1].disproven
    wrong = {**change, "hypothesis_id": "H9"}
    assert tools["update_hypothesis"].invoke(wrong) == "there is no hypothesis H9"
