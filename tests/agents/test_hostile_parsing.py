"""What a model writes is storable text, or a fault with a name."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from agents.answers import AgentResponse, Verdict
from agents.models.embedded import FunctionModel, ScriptedModel
from agents.models.scripts import ModelQuestion
from agents.parsing import MAX_TEXT, bounded_message, read_reply
from agents.structured import ask
from environments.plain_text import showable, storable


def test_halves_of_characters_and_zero_bytes_are_replaced() -> None:
    said = AIMessage('{"thinking": "\\ud83d\\u0000", "action": "\\ud83d\\ude00 look"}')
    answer = read_reply(bounded_message(said), AgentResponse).answer
    assert answer is not None
    assert (answer.thinking, answer.action) == ("\ufffd\ufffd", "\U0001f600 look")
    with sqlite3.connect(":memory:") as database:
        database.execute("SELECT ?", (answer.thinking,))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"accept": ' + "9" * 6000 + "}", "schema"),
        ('{"accept": true, "confidence": NaN}', "schema"),
        ('{"accept": true, "confidence": 1e999}', "schema"),
        ('{"accept": true, "confidence": "' + "9" * 4000 + '"}', "schema"),
        ('{"accept": ' * 5000, "no_json"),
        ('{"accept": true, "reason": ' + "[" * 100 + "]" * 100 + "}", "schema"),
        ("x" * 10_000_000, "long"),
        ("\x00", "no_json"),
    ],
)
def test_what_is_no_good_is_a_fault(text: str, fault: str) -> None:
    reply = read_reply(bounded_message(AIMessage(text)), Verdict)
    assert reply.answer is None
    assert [found.kind for found in reply.faults] == [fault]


def test_a_long_text_is_cut_and_a_tool_call_made_plain() -> None:
    call: Any = {
        "name": "\ud83d",
        "args": {"accept": True, "reason": "\ud83d" + "x" * 50_000},
        "id": None,
    }
    message = bounded_message(AIMessage("", tool_calls=[call]))
    answer = read_reply(message, Verdict).answer
    assert answer is not None
    assert len(answer.reason) == MAX_TEXT
    json.dumps(message.model_dump(), ensure_ascii=False).encode()


@pytest.mark.parametrize("error", [RecursionError(), UnicodeError("bad"), ValueError("Exceeds the"
    " limit (4300 digits) for integer string conversion")])  # fmt: skip
def test_an_answer_that_its_client_cannot_read_is_asked_for_once_more(error: Exception) -> None:
    asked: list[ModelQuestion] = []

    def answer(question: ModelQuestion) -> Any:
        asked.append(question)
        if len(asked) == 1:
            raise error
        return {"accept": True}

    found, record = ask(FunctionModel(function=answer), [], Verdict)
    assert found == Verdict(accept=True)
    assert [kind for kind, _ in record.faults] == ["unreadable", "empty"]


def test_an_answer_with_a_number_of_6000_digits_is_mended() -> None:
    model = ScriptedModel.of(['{"accept": ' + "9" * 6000 + "}", {"accept": False}])
    found, record = ask(model, [], Verdict)
    assert found == Verdict(accept=False)
    assert [kind for kind, _ in record.faults] == ["schema"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext \u00e9\U0001f600", "plain\n\ttext \u00e9\U0001f600"),
        ("\x1b[2J\x07", "\u241b[2J\u2407"),
        ("\x9b31m\u202eabc\u2066", "\ufffd31m\ufffdabc\ufffd"),
        ("a\r\nb\rc", "a\nb\u240dc"),
    ],
)
def test_what_a_terminal_would_obey_is_made_visible(text: str, shown: str) -> None:
    assert showable(text) == shown
    assert storable(text) == text
