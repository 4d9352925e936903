"""Servers that speak OpenAI's protocol in ways of their own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from agents.models import ModelConfig, ModelUnavailable
from agents.models.ledger import CallRecord
from agents.parsing import PlainLine
from agents.structured import Asker
from tests.odd_servers import odd_server, told

pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
PROMPT = [HumanMessage("You see a box.")]


class Move(BaseModel):
    action: str


GOOD = {"action": "open box"}
TEXT = json.dumps(GOOD)


def called(arguments: Any, name: str = "Move") -> dict[str, Any]:
    call = {"index": 0, "id": "1", "type": "function"}
    return {"tool_calls": [{**call, "function": {"name": name, "arguments": arguments}}]}


def whole(message: Any, reason: str = "stop", **besides: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason}], **besides}


def piece(delta: Any, reason: str = "", **besides: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **besides}


def asked(
    said: dict[str, Any], kind: type[BaseModel] = Move, *, streaming: bool
) -> tuple[Any, CallRecord]:
    """What becomes of an answer, sent as one piece of a stream or as a whole."""
    sent = json.dumps(said)
    body = f"data: {sent}\n\ndata: [DONE]\n\n" if streaming else sent
    form = "text/event-stream" if streaming else "application/json"
    answer = told("200 OK", body.encode(), f"Content-Type: {form}")
    with odd_server(lambda _asked, _heard: iter([answer])) as where:
        options = {"streaming": streaming}
        config = ModelConfig(model="llamacpp:m", base_url=where, retries=0, options=options)
        return Asker.of(config).ask("actor", PROMPT, kind)


@pytest.mark.parametrize(
    "message",
    [
        {"content": GOOD},
        called(GOOD),
        {"content": TEXT, **called("{}", "search")},
        {"content": TEXT, **called('{"broken', "search")},
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_an_answer_that_can_be_read_is_read(message: dict[str, Any], streaming: bool) -> None:
    message = {"role": "assistant", "content": None, **message}
    said = piece(message, "tool_calls") if streaming else whole(message, "tool_calls")
    answer, record = asked(said, streaming=streaming)
    assert answer == Move(**GOOD)
    assert record.outcome == "answered"


@pytest.mark.parametrize("streaming", [True, False])
def test_a_line_is_what_was_said_whatever_was_called(streaming: bool) -> None:
    message = {"role": "assistant", "content": "open box", **called("{}", "search")}
    said = piece(message, "tool_calls") if streaming else whole(message, "tool_calls")
    answer, _ = asked(said, PlainLine, streaming=streaming)
    assert answer == PlainLine(text="open box")


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 5.5, "completion_tokens": 2.0, "total_tokens": 7.5}, (5, 2)),
        ({"prompt_tokens": "5", "completion_tokens": "few", "total_tokens": None}, (5, 0)),
        ({"prompt_tokens": -5, "completion_tokens": {}, "total_tokens": -5}, (0, 0)),
        ([5, 2], (0, 0)),
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_tokens_that_are_no_whole_numbers_end_no_play(
    usage: Any, tokens: tuple[int, int], streaming: bool
) -> None:
    message = {"role": "assistant", "content": TEXT}
    said = piece(message, "stop", usage=usage) if streaming else whole(message, usage=usage)
    answer, record = asked(said, streaming=streaming)
    assert answer == Move(**GOOD)
    assert (record.input_tokens, record.output_tokens) == tokens


@pytest.mark.parametrize(
    ("message", "reason", "kind"),
    [
        ({"refusal": "I can't help with that."}, "stop", "declined"),
        ({"content": '{"act'}, "error", "cut"),
        ({"content": '{"act'}, "model_length", "truncated"),
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_why_there_is_no_answer_is_told(
    message: dict[str, Any], reason: str, kind: str, streaming: bool
) -> None:
    message = {"role": "assistant", "content": None, **message}
    said = piece(message, reason) if streaming else whole(message, reason)
    answer, record = asked(said, streaming=streaming)
    assert answer is None
    assert {fault.kind for fault in record.faults} == {kind}


def test_a_line_that_an_error_broke_off_is_not_played() -> None:
    for streaming, form in ((True, piece), (False, whole)):
        said = form({"role": "assistant", "content": "open bo"}, "error")
        assert asked(said, PlainLine, streaming=streaming)[0] is None


def test_a_call_that_was_broken_off_in_a_stream_is_not_completed() -> None:
    said = piece({"role": "assistant", "content": None, **called('{"action": "open bo')}, "stop")
    answer, record = asked(said, streaming=True)
    assert answer is None
    assert {fault.kind for fault in record.faults} == {"cut"}


def test_a_call_that_is_no_json_goes_back_as_it_is() -> None:
    said = whole({"role": "assistant", "content": None, **called('{"act')}, "tool_calls")
    answer, record = asked(said, streaming=False)
    assert answer is None
    assert record.faults[0] == ("no_json", "there is no complete JSON object in '{\"act'")


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ({"choices": []}, "garbled", "without a message"),
        ({"choices": None}, "garbled", "without a message"),
        ({"choices": [{"text": TEXT}]}, "garbled", "without a message"),
        (whole(None), "garbled", "without a message"),
        ({"error": {"message": "slow down", "code": 429}}, "busy", "slow down"),
        ({"error": "it crashed"}, "server", "it crashed"),
    ],
)
def test_a_whole_answer_without_a_message_is_told_in_plain_words(
    said: dict[str, Any], kind: str, words: str
) -> None:
    with pytest.raises(ModelUnavailable, match=f"/v1/chat/completions: .*{words}") as caught:
        asked(said, streaming=False)
    assert caught.value.kind == kind
