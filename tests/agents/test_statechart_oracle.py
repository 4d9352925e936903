from __future__ import annotations

import asyncio
import concurrent.futures
import enum
import json
import threading
import time
from collections.abc import Callable
from enum import Enum
from typing import Any

import httpx
import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda

from agents.models.embedded import FunctionModel, ScriptedModel
from agents.models.faults import ModelFault, ModelUnavailable
from agents.models.scripts import ModelQuestion
from agents.statechart_oracle import (
    StatechartOracle,
    build_oracle_prompt,
    format_context,
    parse_oracle_response,
)
from examples.social_agent import (
    FEED,
    STATE_DESCRIPTIONS,
    AgentState,
    Post,
    SocialAgent,
    browse,
    enthusiast,
    feed_chart,
)

OPTIONS = [AgentState.COMPOSING, AgentState.SCROLLING]
POST = Post("Ada", "Lovely weather", likes=2)


def agent() -> SocialAgent:
    return SocialAgent("Mira", ("parser", "maps"), "curious", AgentState.EVALUATING)


Decide = Callable[..., AgentState]


@pytest.fixture(params=["async", "sync"])
def decide(request: pytest.FixtureRequest) -> Decide:
    def ask(
        client: Runnable[Any, BaseMessage],
        options: list[AgentState] = OPTIONS,
        timeout: float = 60.0,
    ) -> AgentState:
        oracle = StatechartOracle(client, timeout=timeout)
        asked = (agent(), AgentState.EVALUATING, "decides", options, POST)
        if request.param == "sync":
            return oracle.decide_sync(*asked)
        return asyncio.run(oracle.decide(*asked))

    return ask


def warned(caplog: pytest.LogCaptureFixture, why: str) -> bool:
    """Exactly one warning was logged, and it says why."""
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    return why in caplog.text and "taking the first option" in caplog.text


def test_the_model_chooses(decide: Decide) -> None:
    assert decide(ScriptedModel.of([{"next_state": "scrolling"}])) is AgentState.SCROLLING


# -- the contract's error table, row by row -------------------------------------------


def test_empty_options_raise_value_error_and_ask_nobody(decide: Decide) -> None:
    asked: list[ModelQuestion] = []
    client = FunctionModel(function=lambda question: asked.append(question) or "{}")
    with pytest.raises(ValueError, match="no options to decide between"):
        decide(client, [])
    assert not asked


class GatewayTimeoutError(Exception):
    """As a client library of its own might call it."""


def wrapped(outer: Exception, cause: Exception) -> Exception:
    outer.__cause__ = cause
    return outer


@pytest.mark.parametrize(
    "error",
    [
        TimeoutError("timed out"),  # asyncio's, too
        concurrent.futures.TimeoutError(),
        httpx.ReadTimeout("timed out"),
        httpx.ConnectTimeout("timed out"),
        httpx.PoolTimeout("timed out"),
        requests.Timeout("timed out"),
        requests.ConnectTimeout("timed out"),
        requests.ReadTimeout("timed out"),
        GatewayTimeoutError("timed out"),
        wrapped(RuntimeError("the client gave up"), TimeoutError("timed out")),
        ModelFault("timeout", "timed out", transient=True),
        ModelUnavailable("timed out, again and again", kind="timeout", role="oracle"),
    ],
    ids=repr,
)
def test_after_an_llm_timeout_the_first_option_is_taken_with_a_warning(
    decide: Decide, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def late(_question: ModelQuestion) -> Any:
        raise error

    assert decide(FunctionModel(function=late)) is AgentState.COMPOSING
    assert warned(caplog, "no answer in time")


def test_the_oracle_has_a_timeout_of_its_own(
    decide: Decide, caplog: pytest.LogCaptureFixture
) -> None:
    given_up = threading.Event()

    def stall(_prompt: str) -> BaseMessage:
        given_up.wait(30)
        return AIMessage('{"next_state": "scrolling"}')

    async def astall(_prompt: str) -> BaseMessage:
        await asyncio.sleep(30)
        return AIMessage('{"next_state": "scrolling"}')

    began = time.monotonic()
    try:
        assert decide(RunnableLambda(stall, astall), timeout=0.05) is AgentState.COMPOSING
    finally:
        given_up.set()
    assert time.monotonic() - began < 10
    assert warned(caplog, "no answer in time")


@pytest.mark.parametrize(
    "answer",
    ["I would rather write something!", '{"next_state": "scroll', ["scrolling"], ""],
    ids=["no JSON", "cut JSON", "list", "empty"],
)
def test_after_a_json_parse_error_the_first_option_is_taken_with_a_warning(
    decide: Decide, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert decide(ScriptedModel.of([answer])) is AgentState.COMPOSING
    assert warned(caplog, "no JSON object")


def test_a_client_that_cannot_parse_the_reply_itself_is_a_json_parse_error(
    decide: Decide, caplog: pytest.LogCaptureFixture
) -> None:
    assert decide(FunctionModel(function=lambda _: json.loads("<html>"))) is AgentState.COMPOSING
    assert warned(caplog, "no JSON")


@pytest.mark.parametrize(
    "answer",
    [{"next_state": "resting"}, {"next_state": None}, {"state": "scrolling"}],
    ids=["other state", "null", "no key"],
)
def test_after_an_invalid_state_the_first_option_is_taken_with_a_warning(
    decide: Decide, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert decide(ScriptedModel.of([answer])) is AgentState.COMPOSING
    assert warned(caplog, "names no option")


# -- what the table does not name is no reason to choose blindly ----------------------


def test_a_model_that_cannot_be_asked_is_an_error(decide: Decide) -> None:
    with pytest.raises(ModelFault, match="no answer"):
        decide(ScriptedModel.of([]))


def test_a_bug_stays_a_bug(decide: Decide) -> None:
    with pytest.raises(ZeroDivisionError):
        decide(FunctionModel(function=lambda _: str(1 // 0)))


@pytest.mark.parametrize(
    "text",
    [
        '{"next_state": "scrolling"}',
        '{"next_state": " Scrolling "}',
        'Well: ```json\n{"next_state": "scrolling"}\n``` because {no reason}',
        '{"mood": "bored"} {"next_state": "scrolling"}',
        '<think>{"next_state": "composing"}?</think> {"next_state": "scrolling"}',
    ],
)
def test_parsing_finds_the_state_in_what_models_write(text: str) -> None:
    assert parse_oracle_response(text, OPTIONS) is AgentState.SCROLLING


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("scrolling", "no JSON object"),
        ('{"next_state": null}', "names no option: None"),
        ('{"next_state": "idle"}', r"names no option: 'idle' \(options: composing, scrolling\)"),
        ('{"next_state": "scroll"}', "names no option"),
    ],
)
def test_parsing_refuses_anything_else(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_oracle_response(text, OPTIONS)


# -- any enum ----------------------------------------------------------------------------


class Gear(enum.IntEnum):
    NEUTRAL = 0
    FIRST = 1
    SECOND = 2


class Colour(enum.Flag):
    RED = enum.auto()
    BLUE = enum.auto()


class Auto(Enum):
    Up = enum.auto()
    Down = enum.auto()


class Letter(Enum):
    SMALL = "a"
    CAPITAL = "A"
    a = "other"


class Mixed(Enum):
    NOTHING = None
    PAIR = (1, "x")
    SOME = 2.5


ENUMS: list[type[Enum]] = [AgentState, Gear, Colour, Auto, Letter, Mixed]


@given(st.sampled_from(ENUMS).flatmap(lambda states: st.permutations(list(states))), st.data())
def test_an_option_is_chosen_by_its_value_and_by_its_name(
    options: list[Enum], data: st.DataObject
) -> None:
    option = data.draw(st.sampled_from(options))
    by_value = json.dumps({"next_state": str(option.value)})
    assert parse_oracle_response(by_value, options) is option
    spelt = data.draw(st.sampled_from([str, str.lower, str.upper, str.title]))(option.name)
    if type(option) is not Letter:
        assert parse_oracle_response(json.dumps({"next_state": spelt}), options) is option


@given(st.sampled_from([Gear, Auto]).flatmap(lambda states: st.sampled_from(list(states))))
def test_a_number_may_be_answered_as_a_number(option: Enum) -> None:
    answer = json.dumps({"next_state": option.value})
    assert parse_oracle_response(answer, list(type(option))) is option


def test_states_that_are_numbers_are_shown_by_name_and_may_be_false() -> None:
    mira, asked = agent(), []

    def shift(question: ModelQuestion) -> dict[str, int]:
        asked.append(question.text)
        return {"next_state": 0}

    oracle = StatechartOracle(FunctionModel(function=shift))
    chosen = oracle.decide_sync(mira, Gear.FIRST, "brakes", [Gear.SECOND, Gear.NEUTRAL])
    assert chosen is Gear.NEUTRAL
    assert 'in the "FIRST" state' in asked[0]
    assert "- NEUTRAL: NEUTRAL" in asked[0]


def test_the_prompt_holds_profile_event_context_and_options() -> None:
    prompt = build_oracle_prompt(
        "Mira", ["parser", "maps"], "curious", AgentState.EVALUATING, "decides", OPTIONS, POST
    )
    for part in ("Mira", "parser, maps", "curious", '"evaluating"', '"decides"', "Lovely weather"):
        assert part in prompt
    for option in OPTIONS:
        assert f"- {option.value}: {STATE_DESCRIPTIONS[option]}" in prompt
    assert "- idle:" not in prompt


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (None, ""),
        ("plain", "plain"),
        ({"a": 1, "b": ["x", "y"]}, "a: 1\nb: x, y"),
        (POST, "author: Ada\ntext: Lovely weather\nlikes: 2"),
        ("x" * 5000, "x" * 2000),
    ],
)
def test_contexts_become_short_text(context: object, text: str) -> None:
    assert format_context(context) == text


def test_every_state_of_the_example_is_described() -> None:
    assert list(STATE_DESCRIPTIONS) == list(AgentState)


def test_the_example_browses_its_feed_with_an_embedded_model() -> None:
    mira = SocialAgent("Mira", ("parser", "maps"), "curious")
    lines = asyncio.run(browse(mira, FEED, FunctionModel(function=enthusiast)))
    assert [line.rpartition(": ")[2] for line in lines] == [
        STATE_DESCRIPTIONS[AgentState.SCROLLING],
        STATE_DESCRIPTIONS[AgentState.ENGAGING_LIKE],
        STATE_DESCRIPTIONS[AgentState.ENGAGING_REPLY],
    ]
    assert mira.energy == 4


def test_a_tired_agent_rests_without_asking_the_oracle() -> None:
    mira = SocialAgent("Mira", (), "", energy=0)
    lines = asyncio.run(browse(mira, FEED[:1], ScriptedModel.of([])))
    assert mira.state is AgentState.RESTING
    assert len(lines) == 1


def test_the_example_chart_is_ambiguous_only_where_it_is_a_matter_of_taste() -> None:
    chart = feed_chart()
    ambiguous = {
        (t.source, t.trigger)
        for t in chart.transitions
        if len(chart.valid_targets(t.source, t.trigger)) > 1
    }
    assert ambiguous == {(AgentState.SCROLLING, "sees_post"), (AgentState.EVALUATING, "decides")}
