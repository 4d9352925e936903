"""Models that look things up before they answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from agents.answers import AgentResponse
from agents.llm_actor import LLMActor
from agents.llm_critic import LLMCritic
from agents.lookups import MAX_CALLS, MAX_ROUNDS
from agents.models import ModelConfig, ModelError
from agents.models.embedded import FunctionModel
from agents.models.scripts import ModelQuestion, Rule, Script
from agents.prompting import Questioner
from agents.structured import Asker
from managers.world.queries import RecordHypothesis
from managers.world.view import World
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.events import Event, TurnPlayed
from orchestrator.traces.reader import read_trace
from testing.fake_ollama import FakeModel, FakeOllama
from tests.briefings import briefing

ANSWER = {"thinking": "", "action": "wait", "new_objective": None, "complete_objective": None}
IDEA = {"subject": "key", "predicate": "unlocks", "obj": "chest", "confidence": 0.6, "evidence": ""}
WHERE = {"object_name": "crown"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    with FakeOllama(seed=2) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        yield server


def test_an_actor_looks_up_records_and_answers(fake: FakeOllama) -> None:
    fake.answers = Script(
        [
            Rule(call="where_is_object", answer=WHERE, times=1),
            Rule(call="record_hypothesis", answer=IDEA, times=1),
            Rule(when="noted", answer=ANSWER),
        ]
    )
    asker = Asker.of(ModelConfig())
    response = LLMActor(model=asker, tools=True).propose(briefing())
    assert (response.action, response.requests) == ("wait", (RecordHypothesis(**IDEA),))
    usage = asker.ledger.by_role()["actor"]
    assert (usage.calls, usage.lookups, usage.faults) == (3, 2, {})
    assert usage.input_tokens == sum(served.prompt_tokens for served in fake.served)
    assert usage.prompt_chars == sum(len(text) for _, text in fake.served[0].question.messages)
    told = [text for role, text in fake.served[-1].question.messages if role == "tool"]
    assert told == ["unknown", "noted"]
    assert "with the tools" in fake.served[0].question.messages[0][1]


def test_only_an_actor_may_write(fake: FakeOllama) -> None:
    proposal = AgentResponse(thinking="", action="attack rat")
    critic = LLMCritic(model="ollama:llama3.1:8b", tools=True)
    critic.judge(briefing(proposal=proposal, objections=()))
    (first, *_) = fake.served
    assert "get_object_state" in first.question.tools
    assert "record_hypothesis" not in first.question.tools


def test_a_model_that_looks_things_up_for_ever_is_asked_for_its_answer(fake: FakeOllama) -> None:
    fake.answers = Script([Rule(call="where_is_object", answer=WHERE), Rule(answer=ANSWER)])
    asker = Asker.of(ModelConfig())
    assert LLMActor(model=asker, tools=True).propose(briefing()).action == "wait"
    usage = asker.ledger.by_role()["actor"]
    assert (usage.calls, usage.lookups) == (MAX_ROUNDS + 1, MAX_ROUNDS)


def test_wrong_calls_are_answered(fake: FakeOllama) -> None:
    said: list[ModelQuestion] = []

    def answer(question: ModelQuestion) -> Any:
        said.append(question)
        if len(said) > 1:
            return ANSWER
        calls: list[Any] = [{"name": "fly", "args": {}, "id": "0"}]
        calls.append({"name": "where_is_object", "args": {"thing": 3}, "id": "1"})
        calls += [{"name": "where_is_object", "args": WHERE, "id": str(n)} for n in range(2, 6)]
        return AIMessage("", tool_calls=calls)

    asker = Asker(FunctionModel(function=answer))
    assert LLMActor(model=asker, tools=True).propose(briefing())
    assert asker.ledger.by_role()["actor"].faults == {"schema": 2}
    told = [text for role, text in said[-1].messages if role == "tool"]
    assert "there is no tool 'fly' (there are: get_objects_at_location" in told[0]
    assert told[1].startswith("wrong arguments: object_name")
    assert told[2:MAX_CALLS] == ["unknown"] * (MAX_CALLS - 2)
    assert told[MAX_CALLS:] == [f"not done: at most {MAX_CALLS} calls at a time"] * 2


def test_what_is_cut_off_is_neither_looked_up_nor_sent_back(fake: FakeOllama) -> None:
    fake.answers = Script(
        [Rule(call="where_is_object", answer=WHERE, times=1), Rule(answer=ANSWER)]
    )
    fake.misbehave("giant")
    asker = Asker.of(ModelConfig())
    assert LLMActor(model=asker, tools=True).propose(briefing()).action == "wait"
    usage = asker.ledger.by_role()["actor"]
    assert (usage.calls, usage.lookups, usage.repaired) == (2, 0, 1)
    assert usage.faults["loop"] == 1


def test_an_answer_in_plain_text_is_one_too() -> None:
    model = FunctionModel(function=lambda _: '{"thinking": "", "action": "wait"}')
    assert LLMActor(model=model, tools=True).propose(briefing()).action == "wait"


def test_a_refusal_of_tools_falls_back_on_plain_json(fake: FakeOllama) -> None:
    fake.answers = Script([Rule(answer=ANSWER)])
    fake.misbehave("bad_request")
    asker = Asker.of(ModelConfig())
    assert LLMActor(model=asker, tools=True).propose(briefing()).action == "wait"
    assert asker.ledger.by_role()["actor"].faults == {"refused": 1}


def test_a_model_without_tools_is_refused_at_set_up(fake: FakeOllama, tmp_path: Path) -> None:
    fake.models = (FakeModel("plain", capabilities=("completion",)),)
    settings = ["nodes.actor.tools=true"]
    with pytest.raises(ConfigError, match="plain calls no tools: take `tools = true` out"):
        play("workshop", graph="llm", model="ollama:plain", settings=settings, out=tmp_path)
    with pytest.raises(ModelError, match=r"takes no tools: set nodes\.actor\.tools = false"):
        Questioner("actor", Mute(), "actor", tools=True)


class Mute(FunctionModel):
    """A model whose class does not know of tools."""

    function: Any = None
    bind_tools = BaseChatModel.bind_tools


@pytest.mark.slow
def test_lookups_are_traced_and_counted_and_writes_reach_the_world(
    fake: FakeOllama, tmp_path: Path
) -> None:
    fake.answers = Script([Rule(call="record_hypothesis", answer=IDEA, times=1)])
    events: list[Event] = []
    options: dict[str, Any] = {
        "graph": "llm",
        "settings": ["nodes.actor.tools=true", "nodes.extractor.tools=true"],
        "steps": 12,
        "out": tmp_path,
        "cache": True,
        "fresh": True,
    }
    result = play("hollow", watchers=(events.append,), **options)
    runs = list(read_trace(Path(result["run_dir"]) / "trace.jsonl").walk())
    tools = [run for run in runs if run.kind == "tool"]
    assert len(tools) == sum(role["lookups"] for role in result["roles"].values()) > 2
    assert "record_hypothesis" in {run.name for run in tools}
    assert result["llm_calls"] == len(fake.served)
    ended = [event.after["world"] for event in events if isinstance(event, TurnPlayed)][-1]
    ideas = [(one.subject, one.predicate, one.object) for one in World(ended).hypotheses()]
    assert ("key", "unlocks", "chest") in ideas

    recording = f"embedded:recording:{result['run_dir']}"
    again = play("hollow", model=recording, **options)
    assert again["prompt_tokens"] == result["prompt_tokens"]
    assert again["score"] == result["score"]
