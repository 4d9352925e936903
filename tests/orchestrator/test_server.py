"""The graph as a LangGraph server calls it; the server itself is no dependency."""

from __future__ import annotations

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agents.models.faults import ModelFault
from environments.game import GameError
from orchestrator import play
from orchestrator.checkpoints.serializer import StateSerializer
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, RoleError, RunError
from orchestrator.server import compile_episode, graph, make_graph
from orchestrator.settings.trust import admit
from tests.conftest import real_story
from tests.orchestrator.test_ends import DEADLY

ROOT = Path(__file__).parents[2]


@pytest.fixture
def saver() -> InMemorySaver:
    return InMemorySaver(serde=StateSerializer())


def run(saver: InMemorySaver, answer: Any = None, **configurable: Any) -> dict[str, Any]:
    """One run of a thread, with a graph of its own as a server makes it."""
    given: Any = {} if answer is None else Command(resume=answer)

    async def serve() -> Any:
        async with make_graph({"configurable": configurable}) as made:
            served = made.copy(update={"checkpointer": saver})
            config = {"configurable": {"thread_id": "thread"}}
            return await asyncio.to_thread(served.invoke, given, config)

    result: dict[str, Any] = asyncio.run(serve())
    return result


def test_runs_are_the_turns_that_play_plays(saver: InMemorySaver, tmp_path: Path) -> None:
    states = [run(saver, story="morning", seed=7) for _ in range(6)]
    assert [state["turn"] for state in states] == list(range(6))
    played = play("morning", seed=7, steps=5, out=tmp_path)
    transcript = Path(played["run_dir"], "transcript.txt").read_text(encoding="utf-8")
    commands = [line[2:] for line in transcript.splitlines() if line.startswith("> ")]
    assert [state["command"] for state in states[1:]] == commands


def test_a_run_can_play_many_turns(saver: InMemorySaver) -> None:
    assert run(saver, story="morning", until=12)["turn"] == 12
    assert run(saver, story="morning", until=15)["turn"] == 15


def test_the_server_is_told_where_the_graph_is() -> None:
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert config["graphs"] == {"episode": "./orchestrator/server.py:make_graph"}


def test_a_wrong_graph_is_explained(saver: InMemorySaver) -> None:
    with pytest.raises(ConfigError, match="did you mean 'offline'"):
        run(saver, graph="ofline")
    with pytest.raises(ConfigError, match="seed 'many': must be a whole number"):
        run(saver, seed="many")


@pytest.mark.parametrize("kind", [ConfigError, GameError, ModelFault, RoleError, RunError])
def test_a_client_sees_what_is_wrong(kind: type[Exception]) -> None:
    """LangGraph's server tells the words of some built-in exceptions alone."""
    assert issubclass(kind, RuntimeError)


def test_a_client_names_only_shipped_graphs_stories_of_the_catalog_and_what_was_named_at_start(
    saver: InMemorySaver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "random"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="ZORK_GRAPHS"):
        run(saver, story="morning", graph=str(mine))
    with pytest.raises(GameError, match="unknown story"):
        run(saver, story="/etc/hostname")
    monkeypatch.setenv("ZORK_GRAPHS", str(mine))
    assert run(saver, story="morning", graph=str(mine))["turn"] == 0


def test_a_client_is_asked_before_every_command(saver: InMemorySaver) -> None:
    asked: dict[str, Any] = {"story": "morning", "seed": 7, "approve": True}
    assert run(saver, **asked)["turn"] == 0
    (question,) = run(saver, **asked)["__interrupt__"]
    assert question.value.keys() == {"turn", "command", "thinking", "fault"}
    (another,) = run(saver, {"do": "reject", "text": "not that"}, **asked)["__interrupt__"]
    assert another.value["command"] != question.value["command"]
    played = run(saver, {"do": "edit", "text": "Look"}, **asked)
    assert (played["turn"], played["command"]) == (1, "look")
    assert [decision.accept for decision in played["decisions"]] == [False, True]
    assert "__interrupt__" in run(saver, **asked)
    assert run(saver, {"do": "accept"}, **asked)["turn"] == 2


def test_a_wrong_answer_is_explained_and_asked_for_again(saver: InMemorySaver) -> None:
    asked: dict[str, Any] = {"story": "morning", "seed": 7, "approve": True}
    run(saver, **asked)
    (first,) = run(saver, **asked)["__interrupt__"]
    for wrong in ({"do": "perhaps"}, "yes", 7):
        (again,) = run(saver, wrong, **asked)["__interrupt__"]
        assert again.value["command"] == first.value["command"]
        assert "the person answered" in again.value["fault"]
    assert run(saver, {"do": "accept"}, **asked)["turn"] == 1


def test_a_field_of_a_graphs_own_lives_on_from_turn_to_turn(
    saver: InMemorySaver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'extends = "random"\n[state.notes]\ntype = "list[str]"\nreducer = "append"\n'
        '[insert.noting]\nuse = "noting:note"\nafter = "learner"\nwrites = ["notes"]\n',
        encoding="utf-8",
    )
    (tmp_path / "noting.py").write_text(
        "def note(state):\n    return {'notes': [state['command']]}\n", encoding="utf-8"
    )
    admit(load_config(str(mine)), [tmp_path], "the test", trust=True)
    monkeypatch.setenv("ZORK_GRAPHS", str(mine))
    states = [run(saver, graph=str(mine), seed=3) for _ in range(4)]
    assert states[-1]["notes"] == list(dict.fromkeys(state["command"] for state in states))


def test_a_run_stops_at_a_role_and_goes_on_from_there(saver: InMemorySaver) -> None:
    stopping = compile_episode(story="morning", seed=7, until=3).copy(
        update={"checkpointer": saver, "interrupt_before_nodes": ["actor"]}
    )
    thread: Any = {"configurable": {"thread_id": "thread"}}
    stopping.invoke({}, thread)
    turns = []
    for _ in range(3):
        state = stopping.get_state(thread)
        assert state.next == ("actor",)
        turns.append(state.values["turn"])
        stopping.invoke(None, thread)
    assert turns == [0, 1, 2]
    assert stopping.get_state(thread).values["turn"] == 3
    assert stopping.get_state(thread).next == ()


def test_the_roles_are_nodes_and_the_form_offers_what_there_is() -> None:
    assert {"game", "extractor", "planner", "actor", "critic"} <= set(graph.nodes)
    form = graph.get_context_jsonschema()["properties"]
    assert set(form) == {"story", "graph", "seed", "until", "approve"}
    assert form["story"]["enum"][:3] == ["hollow", "morning", "workshop"]
    assert "oracle" in form["graph"]["enum"]
    assert all(field["description"] for field in form.values())
    with pytest.raises(ConfigError, match="did you mean 'story'"):
        compile_episode(stori="hollow")


def test_other_graphs_are_served_turn_after_turn(saver: InMemorySaver) -> None:
    assert {"advocate", "judge"} <= set(compile_episode(graph="council").nodes)
    assert run(saver, story="morning", graph="random", until=5)["turn"] == 5


PARALLEL = """
extends = "offline"
sequence = ["planner", "actor", "game", "extractor", "learner", ["objective_manager", "mode"]]
opening = ["game", "extractor", "learner", ["objective_manager", "mode"]]
"""


def test_turns_that_end_in_branches_follow_each_other(
    saver: InMemorySaver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(PARALLEL, encoding="utf-8")
    monkeypatch.setenv("ZORK_GRAPHS", str(mine))
    assert run(saver, story="morning", graph=str(mine), until=3)["turn"] == 3


def test_an_end_is_taken_back_where_the_graph_says_so(
    saver: InMemorySaver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZORK_STORIES", str(real_story("detective.z5").parent))
    commands = tmp_path / "commands.txt"
    commands.write_text("\n".join([*DEADLY, *["wait"] * 7]), encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(
        f'extends = "walkthrough"\nafter_end = "undo"\n[nodes.actor]\ncommands = "{commands}"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("ZORK_GRAPHS", str(mine))
    state = run(saver, story="detective", graph=str(mine), until=9)
    assert (state["turn"], state["score"].deaths, state["score"].undone) == (9, 1, 1)


def test_a_copy_of_a_served_graph_plays_on_without_it() -> None:
    served = compile_episode(story="morning", until=1)
    copy = served.with_config(tags=["mine"])
    served.invoke({})
    del served
    gc.collect()
    assert copy.invoke({})["turn"] == 1
