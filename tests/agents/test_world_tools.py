"""The world model's tools, called the way a tool-calling model calls them."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool

from agents.world_tools import world_tools
from managers.world.queries import ToolRequest, apply_requests
from managers.world.view import World
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall. Doors lead north and east.\n"


def box_and_key() -> World:
    story = Story().hears("", HALL + "There is a brass key here.\nThere is a box here.", "Hall")
    return story.hears("open box", "The box is locked.", "Hall").world


def tools_of(world: World, requests: list[ToolRequest] | None) -> dict[str, BaseTool]:
    return {tool.name: tool for tool in world_tools(world, requests)}


def test_reading_tools_answer_from_the_state() -> None:
    tools = tools_of(box_and_key(), None)
    assert len(tools) == 6
    assert all(tool.description for tool in tools.values())
    assert tools["get_objects_at_location"].invoke({"location": "L1"}) == ["brass key", "box"]
    assert tools["where_is_object"].invoke({"object_name": "key"}) == "L1"
    assert tools["where_is_object"].invoke({"object_name": "unicorn"}) == "unknown"
    assert tools["get_object_state"].invoke({"object_name": "box"})["locked"] is True
    assert tools["get_object_state"].invoke({"object_name": "unicorn"}) == {}
    assert tools["get_objects_with_property"].invoke({"property": "key-like"}) == ["brass key"]
    assert tools["get_hypotheses_about"].invoke({"object_name": "box"})[0]["predicate"] == "unlocks"
    failures = tools["get_failed_actions_at"].invoke({"location": "L1"})
    assert [failure["command"] for failure in failures] == ["open box"]


def test_writing_tools_only_ask_and_the_learner_applies() -> None:
    world, requests = box_and_key(), list[ToolRequest]()
    tools = tools_of(world, requests)
    known = len(world.hypotheses())
    new = {"subject": "key", "predicate": "holds", "obj": "box", "confidence": 0.4, "evidence": "x"}
    assert tools["record_hypothesis"].invoke(new) == "noted"
    change = {"hypothesis_id": "H1", "tested": True, "disproven": True, "new_confidence": 0.0}
    assert tools["update_hypothesis"].invoke(change) == "noted"
    assert len(world.hypotheses()) == known
    apply_requests(world, requests)
    assert len(world.hypotheses()) == known + 1
    recorded = world.hypothesis("H2")
    assert recorded is not None
    assert (recorded.subject, recorded.object) == ("brass_key", "box")
    assert world.hypotheses()[-1].disproven


def test_wrong_arguments_are_answered_and_not_raised() -> None:
    requests = list[ToolRequest]()
    tools = tools_of(box_and_key(), requests)
    change: dict[str, Any] = {"tested": True, "disproven": True, "new_confidence": 0.0}
    update = tools["update_hypothesis"]
    assert update.invoke({"hypothesis_id": "H9", **change}) == "there is no hypothesis H9"
    call = {"type": "tool_call", "id": "1", "name": update.name, "args": change}
    answer = update.invoke(call)
    assert isinstance(answer, ToolMessage)
    assert "hypothesis_id: field required" in answer.content
    new = {"subject": "key", "predicate": "opens", "obj": "box", "confidence": 7, "evidence": ""}
    assert "confidence" in tools["record_hypothesis"].invoke(new)
    assert requests == []


def test_a_request_about_nothing_becomes_a_note() -> None:
    world, requests = box_and_key(), list[ToolRequest]()
    change = {"hypothesis_id": "H1", "tested": True, "disproven": False, "new_confidence": 0.5}
    tools_of(world, requests)["update_hypothesis"].invoke(change)
    world.remove_hypothesis("H1")
    apply_requests(world, requests)
    assert "There is no hypothesis H1 to update." in [text for _, _, text in world.notes()]
