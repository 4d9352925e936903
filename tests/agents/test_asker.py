from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tracers.base import BaseTracer
from pydantic import BaseModel

from agents import asking
from agents.models import ModelConfig, ModelUnavailable
from agents.models.breaker import Breaker
from agents.models.embedded import ScriptedModel
from agents.models.ledger import Ledger
from agents.models.scripts import Rule, Script
from agents.statechart_oracle import StatechartOracle
from agents.structured import Asker
from examples.social_agent import AgentState, SocialAgent
from testing.fake_ollama import FakeOllama
from tests.odd_servers import odd_server, status, told

PROMPT = [HumanMessage("Candidates: `look`, `open box`.")]
SHORT = 1.0


class Move(BaseModel):
    action: str


GOOD = {"action": "open box"}


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(Script([Rule(answer=GOOD)]), stall=5.0) as server:
        yield server


def asker_of(fake: FakeOllama, **fields: Any) -> Asker:
    return Asker.of(ModelConfig(base_url=fake.base_url, backoff=0.0, **fields))


@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        ("9", 9.0),
        ("1.5", 1.5),
        ("9999", 30.0),
        ("soon", 0.0),
        ("Fri, 31 Dec 2399 23:59:59 GMT", 30.0),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0),
    ],
)
@pytest.mark.parametrize("model", ["ollama:m", "llamacpp:m"])
def test_a_busy_server_is_asked_again_when_it_wants(
    monkeypatch: pytest.MonkeyPatch, model: str, asked: str, waited: float
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(asking, "pause", pauses.append)
    with odd_server(status("429 Too Many", "slow down", f"Retry-After: {asked}")) as where:
        asker = Asker.of(ModelConfig(model=model, base_url=where, retries=2, backoff=0.0))
        with pytest.raises(ModelUnavailable, match=r"\(busy\)"):
            asker.ask("actor", PROMPT, Move)
    assert pauses == [waited, waited]


def test_a_broken_circuit_is_not_asked_until_it_has_cooled_down(fake: FakeOllama) -> None:
    clock = [100.0]
    breaker = Breaker(threshold=2, cooldown=30.0, clock=lambda: clock[0])
    config = ModelConfig(base_url=fake.base_url, retries=1, backoff=0.0)
    ready = Asker.of(config, breaker=breaker)
    fake.misbehave(*["error"] * 4)
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match=r"gives no answer \(server\)"):
            ready.ask("actor", PROMPT, Move)
    with pytest.raises(ModelUnavailable, match="next try in 30 s"):
        ready.ask("critic", PROMPT, Move)
    assert len(fake.served) == 4
    clock[0] += 30.0
    assert ready.ask("critic", PROMPT, Move)[0] == Move(**GOOD)
    assert breaker.remaining() == 0.0


def test_a_half_open_circuit_lets_one_call_through() -> None:
    clock = [0.0]
    breaker = Breaker(threshold=1, cooldown=10.0, clock=lambda: clock[0])
    breaker.failed()
    clock[0] = 10.0
    assert [breaker.remaining(), breaker.remaining()] == [0.0, 10.0]


def test_the_ledger_adds_up_by_role_over_threads(fake: FakeOllama) -> None:
    ready = asker_of(fake, input_price=1e6)
    threads = [
        threading.Thread(target=ready.ask, args=(role, PROMPT, Move))
        for role in ("actor", "critic") * 8
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    usage = ready.ledger.by_role()
    assert {role: (u.questions, u.calls, u.input_tokens) for role, u in usage.items()} == {
        "actor": (8, 8, 64),
        "critic": (8, 8, 64),
    }
    assert ready.ledger.cost == 128
    assert ready.ledger.tokens == sum(u.input_tokens + u.output_tokens for u in usage.values())
    assert usage["actor"].longest_prompt == 31


class Names(BaseTracer):
    """Keeps the finished root runs."""

    def __init__(self) -> None:
        super().__init__()
        self.roots: list[Any] = []

    def _persist_run(self, run: Any) -> None:
        self.roots.append(run)


def test_the_trace_shows_question_faults_and_every_call(fake: FakeOllama) -> None:
    ready, tracer = asker_of(fake), Names()
    fake.misbehave("cut", "empty")

    def node(_state: dict[str, Any]) -> dict[str, Any]:
        ready.ask("actor", PROMPT, Move)
        return {}

    RunnableLambda(node).invoke({}, config={"callbacks": [tracer]})
    asked = tracer.roots[0].child_runs[0]
    assert asked.name == "ask actor"
    assert asked.outputs["outcome"] == "repaired"
    assert [kind for kind, _ in asked.outputs["faults"]] == ["cut", "empty"]
    assert [run.run_type for run in asked.child_runs] == ["llm", "llm", "llm"]
    assert asked.child_runs[0].error


def test_one_shared_ledger_serves_several_models() -> None:
    ledger = Ledger()
    for answers in ([GOOD], [GOOD]):
        Asker(ScriptedModel.of(answers), ledger=ledger).ask("actor", PROMPT, Move)
    assert ledger.by_role()["actor"].questions == 2


def test_the_statechart_oracle_survives_a_stalling_server_twice(
    fake: FakeOllama, caplog: pytest.LogCaptureFixture
) -> None:
    oracle = StatechartOracle(asker_of(fake, timeout=SHORT).model)
    agent = SocialAgent("Mira", (), "", AgentState.EVALUATING)
    options = [AgentState.COMPOSING, AgentState.SCROLLING]
    fake.answers = lambda _question: {"next_state": "scrolling"}
    fake.misbehave("stall")
    chosen = [asyncio.run(oracle.decide(agent, agent.state, "decides", options)) for _ in range(2)]
    assert chosen == [AgentState.COMPOSING, AgentState.SCROLLING]
    assert "no answer in time" in caplog.text


def answered(*lines: dict[str, Any], model: str, form: str) -> Iterator[Asker]:
    """The asker of a server that answers everything with these lines of JSON."""
    body = "".join(form.format(json.dumps(line)) for line in lines).encode()
    with odd_server(lambda *_: iter([told("200 OK", body)])) as where:
        yield Asker.of(ModelConfig(model=model, base_url=where, backoff=0.0, retries=1))


def of_openai(*lines: dict[str, Any]) -> Iterator[Asker]:
    pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")
    return answered(*lines, model="llamacpp:m", form="data: {}\n\n")


def of_ollama(content: Any, **counts: Any) -> Iterator[Asker]:
    message = {"role": "assistant", "content": content}
    end = {"created_at": "", "done": True, "done_reason": "stop", **counts}
    return answered({"model": "m", "message": message, **end}, model="ollama:m", form="{}\n")


def test_nothing_in_the_place_of_a_text_is_an_empty_answer() -> None:
    for asker in of_ollama(None):
        answer, record = asker.ask("actor", PROMPT, Move)
        assert answer is None
        assert [fault.kind for fault in record.faults] == ["empty", "empty"]


@pytest.mark.parametrize(
    ("lines", "kind", "calls", "said"),
    [
        ([{"choices": [{"index": 0, "delta": {"content": 3}}]}], "failed", 1, "content"),
        ([{"error": {"message": "it crashed", "code": 500}}], "server", 2, "it crashed"),
        ([], "garbled", 2, "/v1/chat/completions: no stream of events; options.streaming = false"),
    ],
)
def test_what_a_package_cannot_make_an_answer_of_is_a_fault_of_the_server(
    lines: list[dict[str, Any]], kind: str, calls: int, said: str
) -> None:
    for asker in of_openai(*lines):
        with pytest.raises(ModelUnavailable, match=said) as caught:
            asker.ask("actor", PROMPT, Move)
        assert caught.value.kind == kind
        assert asker.ledger.by_role()["actor"].calls == calls


@pytest.mark.parametrize(("told", "counted"), [(-50, 0), (10**30, 2**53), (None, 0), (7, 7)])
def test_tokens_are_counted_as_far_as_they_can_be(told: int | None, counted: int) -> None:
    for asker in of_ollama(json.dumps(GOOD), prompt_eval_count=told, eval_count=told):
        answer, record = asker.ask("actor", PROMPT, Move)
        assert answer == Move(**GOOD)
        assert (record.input_tokens, record.output_tokens) == (counted, counted)
        assert record.uncached_tokens == counted


def test_a_question_that_never_arrived_was_not_read(fake: FakeOllama) -> None:
    ready = asker_of(fake, retries=0)
    with fake.down(), pytest.raises(ModelUnavailable):
        ready.ask("actor", PROMPT, Move)
    _, record = ready.ask("actor", PROMPT, Move)
    assert record.uncached_tokens == record.input_tokens > 0


@pytest.mark.parametrize(("cached", "fresh"), [(10**9, 0), (-5, 20), (15, 5)])
def test_no_more_is_kept_by_a_server_than_it_was_asked(cached: int, fresh: int) -> None:
    said = {"choices": [{"index": 0, "delta": {"content": json.dumps(GOOD)}}]}
    usage = {"prompt_tokens": 20, "completion_tokens": 1, "total_tokens": 21}
    usage |= {"prompt_tokens_details": {"cached_tokens": cached}}
    for asker in of_openai(said, {"choices": [], "usage": usage}):
        _, record = asker.ask("actor", PROMPT, Move)
        assert (record.input_tokens, record.uncached_tokens) == (20, fresh)
