from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from agents.models import ModelConfig, ModelUnavailable
from agents.models.embedded import EmbeddedModel, FunctionModel, ScriptedModel
from agents.models.ledger import CallRecord
from agents.models.scripts import ModelQuestion, Rule, Script
from agents.parsing import PlainLine
from agents.structured import Asker, ask
from testing.fake_ollama import FAULTS, FakeModel, FakeOllama

PROMPT = [SystemMessage("You play."), HumanMessage("Candidates: `look`, `open box`.")]
SHORT = 1.0


class Move(BaseModel, extra="forbid"):
    thinking: str
    action: str
    goal: str | None = None


GOOD = {"thinking": "Try it.", "action": "open box", "goal": None}
MODELS = (
    FakeModel("llama3.1:8b"),
    FakeModel("thinker", capabilities=("completion", "thinking")),
    FakeModel("plain", capabilities=("completion",)),
)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    answers = Script([Rule(answer=GOOD, thinking="Let me see.")])
    with FakeOllama(answers, models=MODELS, stall=5.0) as server:
        yield server


@pytest.fixture
def asker(fake: FakeOllama) -> Callable[..., Asker]:
    def make(**fields: Any) -> Asker:
        config = {"model": "ollama:llama3.1:8b", "backoff": 0.0, **fields}
        return Asker.of(ModelConfig(base_url=fake.base_url, **config))

    return make


def kinds(record: CallRecord) -> list[str]:
    return [fault.kind for fault in record.faults]


def test_an_answer_comes_with_its_record(asker: Callable[..., Asker]) -> None:
    ready = asker(input_price=2.0, output_price=8.0)
    answer, record = ready.ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert (record.role, record.model) == ("actor", "ollama:llama3.1:8b")
    assert (record.outcome, record.calls, record.faults) == ("answered", 1, ())
    assert record.prompt_chars == 40
    assert record.input_tokens == 11
    assert record.cost == pytest.approx((11 * 2 + record.output_tokens * 8) / 1e6)


TRANSIENT = {
    "refuse": "cut",
    "error": "server",
    "busy": "busy",
    "html": "server",
    "slow": "timeout",
    "stall": "timeout",
    "drip": "timeout",
    "cut": "cut",
    "no_done": "cut",
    "malformed": "garbled",
    "blank": "garbled",
    "not_object": "garbled",
    "stream_error": "server",
    "load": "unloaded",
    "bad_request": "refused",
}
BAD = {
    "truncated": ["truncated"],
    "cut_json": ["no_json"],
    "wrong_schema": ["extra", "schema", "schema"],
    "empty": ["empty"],
    "giant": ["loop"],
    "loop": ["loop"],
    "think_only": ["thinking"],
    "think_answer": ["empty"],
}
HARMLESS = ["prose", "think_tags", "non_ascii", "injection"]
SAME = ["think_closed", "think_brackets", "think_channel", "white_space", "line_break"]
LASTING = ["missing"]


def test_every_fault_of_the_fake_server_is_in_one_of_these_tables() -> None:
    assert sorted([*TRANSIENT, *BAD, *HARMLESS, *SAME, *LASTING]) == sorted(FAULTS)


@pytest.mark.parametrize(("fault", "kind"), TRANSIENT.items())
def test_a_passing_fault_is_repeated(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str, kind: str
) -> None:
    fake.misbehave(fault)
    ready = asker(timeout=SHORT) if kind == "timeout" else asker()
    answer, record = ready.ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert (record.outcome, record.calls, kinds(record)) == ("answered", 2, [kind])


@pytest.mark.parametrize(("fault", "found"), BAD.items())
def test_a_bad_answer_is_mended_once(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str, found: list[str]
) -> None:
    fake.misbehave(fault)
    answer, record = asker().ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert (record.outcome, record.calls, kinds(record)) == ("repaired", 2, found)
    again = fake.served[-1].question.messages
    assert [role for role, _ in again] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("fault", BAD)
def test_a_second_bad_answer_is_none(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str
) -> None:
    fake.misbehave(fault, fault)
    answer, record = asker().ask("actor", PROMPT, Move)
    assert answer is None
    assert (record.outcome, record.calls) == ("failed", 2)


@pytest.mark.parametrize("fault", HARMLESS)
def test_an_odd_answer_is_taken_as_it_is(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str
) -> None:
    fake.misbehave(fault)
    answer, record = asker().ask("actor", PROMPT, Move)
    assert answer is not None
    assert (record.outcome, record.calls, record.faults) == ("answered", 1, ())


@pytest.mark.parametrize("fault", SAME)
@pytest.mark.parametrize("method", ["json_schema", "plain"])
def test_the_answer_is_taken_and_no_draft_of_it(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str, method: str
) -> None:
    fake.misbehave(fault)
    answer, record = asker(method=method).ask("actor", PROMPT, Move)
    assert answer is not None
    assert (answer.action.strip(), record.calls, record.faults) == ("open box", 1, ())


def test_an_answer_among_the_thoughts_is_read_where_there_is_no_other(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    fake.misbehave("think_answer")
    answer, record = asker(model="ollama:thinker").ask("actor", PROMPT, Move)
    assert (answer, record.calls, record.faults) == (Move(**GOOD), 1, ())


@pytest.mark.parametrize(
    ("fault", "fields", "line"),
    [
        (
            "think_only",
            {"num_ctx": 16384},
            "6 of 6 answers of ollama:thinker were cut while it thought: "
            "set reasoning = false, or max_tokens = 8192",
        ),
        (
            "truncated",
            {},
            "6 of 6 answers of ollama:thinker were cut at max_tokens = 2048: "
            "set max_tokens = 8192 and num_ctx = 16384",
        ),
    ],
)
def test_what_keeps_going_wrong_is_told_with_what_to_set(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str, fields: dict[str, Any], line: str
) -> None:
    fake.plan = lambda _request: fault
    ready = asker(model="ollama:thinker", **fields)
    habits, news = ready.ledger.habits, []
    for _ in range(3):
        assert ready.ask("actor", PROMPT, Move)[0] is None
        news.append(habits.news())
    assert (list(map(len, news)), habits.all()) == ([0, 1, 0], (line,))
    assert news[1][0].startswith("4 of 4")


@pytest.mark.parametrize(
    ("fault", "kind", "hint"),
    [
        ("missing", "missing", "`ollama pull llama3.1:8b`"),
        ("slow", "timeout", "raise timeout"),
        ("busy", "busy", "try again later"),
    ],
)
def test_a_lasting_fault_makes_the_model_unavailable(
    fake: FakeOllama, asker: Callable[..., Asker], fault: str, kind: str, hint: str
) -> None:
    fake.misbehave(*[fault] * 2)
    ready = asker(retries=1, **({"timeout": SHORT} if kind == "timeout" else {}))
    with pytest.raises(ModelUnavailable, match=hint) as caught:
        ready.ask("actor", PROMPT, Move)
    assert (caught.value.kind, caught.value.role) == (kind, "actor")
    usage = ready.ledger.by_role()["actor"]
    assert (usage.failed, usage.faults[kind]) == (1, 1 if fault == "missing" else 2)


def test_a_server_that_is_down_is_named_with_the_command_to_start_it(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    ready = asker()
    with fake.down(), pytest.raises(ModelUnavailable, match="start it with `ollama serve`"):
        ready.ask("actor", PROMPT, Move)
    assert ready.ask("actor", PROMPT, Move)[0] == Move(**GOOD)


def test_all_faults_go_back_at_once(fake: FakeOllama, asker: Callable[..., Asker]) -> None:
    bad = {"thinking": 3, "goal": [], "mood": "sad"}
    fake.answers = Script([Rule(answer=bad, times=1), Rule(answer=GOOD)])
    answer, record = asker().ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert kinds(record) == ["extra", "schema", "schema", "schema"]
    complaint = fake.served[-1].question.messages[-1][1]
    for part in ("thinking: ", "action: Field required", "goal: "):
        assert part in complaint
    assert "mood" not in complaint


def test_what_the_role_finds_wrong_goes_back_too(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    fake.answers = Script([Rule(answer={**GOOD, "action": ""}, times=1), Rule(answer=GOOD)])

    def check(move: Move) -> Iterator[str]:
        if not move.action:
            yield "action: is empty"
        if not move.goal:
            yield "goal: none given"

    answer, record = asker().ask("actor", PROMPT, Move, check)
    assert answer is None
    assert kinds(record) == ["content", "content", "content"]
    assert "- action: is empty\n- goal: none given" in fake.served[-1].question.messages[-1][1]


def test_unknown_fields_are_dropped_without_asking_again(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    fake.answers = Script([Rule(answer={**GOOD, "mood": "sad"})])
    answer, record = asker().ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert (record.outcome, kinds(record)) == ("answered", ["extra"])


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"thinking": "a", "action": "look"}\n```',
        'I see {a box}. {"thinking": "a", "action": "look"} Good luck.',
        '{"Move": {"thinking": "a", "action": "look"}}',
        '{"mood": "sad"}\n{"thinking": "a", "action": "look"}',
        '<think>{"thinking": "b", "action": "no"}</think>{"thinking": "a", "action": "look"}',
    ],
)
def test_json_is_found_in_what_models_write_around_it(text: str) -> None:
    answer, record = ask(ScriptedModel.of([text]), PROMPT, Move)
    assert answer == Move(thinking="a", action="look")
    assert record.outcome == "answered"


def test_thoughts_are_kept_apart(fake: FakeOllama, asker: Callable[..., Asker]) -> None:
    answer, record = asker(model="ollama:thinker", reasoning=True).ask("actor", PROMPT, Move)
    assert (answer, record.thoughts) == (Move(**GOOD), "Let me see.")
    tagged = ScriptedModel.of(['<think>Hmm.</think>{"thinking": "a", "action": "look"}'])
    assert ask(tagged, PROMPT, Move)[1].thoughts == "Hmm."


def test_reasoning_that_a_model_does_not_have_says_so(asker: Callable[..., Asker]) -> None:
    with pytest.raises(ModelUnavailable, match="does not support thinking"):
        asker(reasoning=True).ask("actor", PROMPT, Move)


def schema_sent(fake: FakeOllama) -> bool:
    return fake.served[-1].question.schema is not None


@pytest.mark.parametrize(
    ("method", "constrained"),
    [("auto", True), ("json_schema", True), ("function_calling", True), ("plain", False)],
)
def test_every_method_brings_an_answer(
    fake: FakeOllama, asker: Callable[..., Asker], method: str, constrained: bool
) -> None:
    answer, record = asker(method=method).ask("actor", PROMPT, Move)
    assert (answer, record.calls) == (Move(**GOOD), 1)
    assert schema_sent(fake) is constrained
    if not constrained:
        assert '"action"' in fake.served[-1].question.text


def test_a_refused_method_gives_way_to_plain_json_for_good_the_second_time(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    ready = asker()
    fake.misbehave("bad_request")
    ready.ask("actor", PROMPT, Move)
    assert not schema_sent(fake)
    ready.ask("actor", PROMPT, Move)
    assert schema_sent(fake)
    fake.misbehave("bad_request")
    ready.ask("actor", PROMPT, Move)
    ready.ask("actor", PROMPT, Move)
    assert not schema_sent(fake)


def test_who_is_asked_for_a_line_refuses_no_form(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    ready = asker()
    for _ in range(2):
        fake.misbehave("bad_request")
        with pytest.raises(ModelUnavailable, match="refused"):
            ready.ask("actor", PROMPT, PlainLine)
    ready.ask("actor", PROMPT, Move)
    assert schema_sent(fake)


def test_a_configured_method_is_not_given_up(fake: FakeOllama, asker: Callable[..., Asker]) -> None:
    ready = asker(model="ollama:plain", method="function_calling")
    with pytest.raises(ModelUnavailable, match="does not support tools"):
        ready.ask("actor", PROMPT, Move)


def test_a_full_context_is_reported(fake: FakeOllama, asker: Callable[..., Asker]) -> None:
    long = [HumanMessage("x" * 4000)]
    answer, record = asker(num_ctx=512, max_tokens=256).ask("actor", long, Move)
    assert answer == Move(**GOOD)
    assert kinds(record) == ["context"]


class Named(EmbeddedModel):
    """A provider's model that can neither call tools nor fit a schema."""

    def bind_tools(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError

    def answer(self, question: ModelQuestion) -> Any:
        assert '"required": ["thinking", "action", "goal"]' in question.messages[-1][1]
        return GOOD


def test_a_model_without_structured_output_is_asked_for_json() -> None:
    assert ask(Named(), PROMPT, Move)[0] == Move(**GOOD)


@pytest.mark.parametrize("reason", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}])
def test_other_providers_words_for_a_cut_answer_are_understood(reason: dict[str, str]) -> None:
    def cut(_question: ModelQuestion) -> AIMessage:
        return AIMessage('{"thinking": "a", "action": "o', response_metadata=reason)

    answer, record = ask(FunctionModel(function=cut), PROMPT, Move)
    assert (answer, kinds(record)) == (None, ["truncated", "truncated"])


def test_a_bug_is_not_an_outage() -> None:
    def broken(_question: ModelQuestion) -> Any:
        raise KeyError("oops")

    with pytest.raises(KeyError, match="oops"):
        ask(FunctionModel(function=broken), PROMPT, Move)


def test_who_thought_to_no_end_is_asked_again_without_thinking(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    fake.misbehave("think_only")
    answer, record = asker(model="ollama:thinker", reasoning=True).ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    assert (record.outcome, record.calls, kinds(record)) == ("repaired", 2, ["thinking"])
    assert "Let me see." not in record.thoughts


def test_who_goes_round_in_a_circle_is_broken_off(
    fake: FakeOllama, asker: Callable[..., Asker]
) -> None:
    """A small model on a slow machine would take minutes for the rest."""
    fake.misbehave("loop")
    answer, _ = asker().ask("actor", PROMPT, Move)
    assert answer == Move(**GOOD)
    broken_off, again = list(fake.served)[-2:]
    assert len(broken_off.completion.text) > 20_000
    assert sum(len(text) for _, text in again.question.messages) < 1_000
