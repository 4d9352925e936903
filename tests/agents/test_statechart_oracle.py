from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from agents.models.embedded import EmbeddedModel, FunctionModel, ScriptedModel
from agents.models.faults import ModelFault
from agents.models.scripts import Question
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
    def ask(client: EmbeddedModel, options: list[AgentState] = OPTIONS) -> AgentState:
        oracle = StatechartOracle(client)
        asked = (agent(), AgentState.EVALUATING, "decides", options, POST)
        if request.param == "sync":
            return oracle.decide_sync(*asked)
        return asyncio.run(oracle.decide(*asked))

    return ask


def test_the_model_chooses(decide: Decide) -> None:
    assert decide(ScriptedModel.of([{"next_state": "scrolling"}])) is AgentState.SCROLLING


def test_empty_options_raise_value_error_and_ask_nobody(decide: Decide) -> None:
    asked: list[Question] = []
    client = FunctionModel(function=lambda question: asked.append(question) or "{}")
    with pytest.raises(ValueError, match="no options to decide between"):
        decide(client, [])
    assert not asked


def timeouts(_question: Question) -> Any:
    raise httpx.ReadTimeout("timed out")


@pytest.mark.parametrize(
    "answers",
    [
        timeouts,
        "I would rather write something!",
        '{"next_state": "scroll',
        {"next_state": "resting"},
        {"next_state": None},
        ["scrolling"],
        {"state": "scrolling"},
        "",
    ],
    ids=["time-out", "no JSON", "cut JSON", "other state", "null", "list", "no key", "empty"],
)
def test_without_a_usable_answer_the_first_option_is_taken_with_a_warning(
    decide: Decide, answers: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client = FunctionModel(function=answers) if callable(answers) else ScriptedModel.of([answers])
    with caplog.at_level(logging.WARNING):
        assert decide(client) is AgentState.COMPOSING
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "taking the first option" in caplog.text


def test_a_model_that_cannot_be_asked_is_an_error(decide: Decide) -> None:
    with pytest.raises(ModelFault, match="no answer"):
        decide(ScriptedModel.of([]))


@pytest.mark.parametrize(
    "text",
    [
        '{"next_state": "scrolling"}',
        '{"next_state": " Scrolling "}',
        'Well: ```json\n{"next_state": "scrolling"}\n``` because {no reason}',
        '{"mood": "bored"} {"next_state": "scrolling"}',
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
    ambiguous = [
        (state, trigger)
        for state in AgentState
        for trigger in chart.triggers(state)
        if len(chart.valid_targets(state, trigger)) > 1
    ]
    assert ambiguous == [(AgentState.SCROLLING, "sees_post"), (AgentState.EVALUATING, "decides")]
    assert json.dumps(chart.draw_mermaid()).count("decides") == 5
