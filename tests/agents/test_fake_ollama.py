from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from agents.models import ModelConfig, make_model
from agents.models.scripts import ModelQuestion, Rule, Script
from agents.parsing import strict_schema
from testing.fake_ollama import FAULTS, FakeModel, FakeOllama, random_faults
from testing.fake_ollama.__main__ import main

THINKER = FakeModel("deep:1b", capabilities=("completion", "thinking"))
PLAIN = FakeModel("plain", capabilities=("completion",))
TOOLS = FakeModel("llama3.1:8b")


class Move(BaseModel):
    thinking: str
    action: str = Field(description="The command")
    risk: float = Field(ge=0, le=1)
    steps: list[str] = Field(min_length=1, max_length=3)
    goal: str | None = None


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(models=(TOOLS, THINKER, PLAIN), stall=5.0) as server:
        yield server


def chat(fake: FakeOllama, **body: Any) -> httpx.Response:
    messages = [{"role": "user", "content": "Say something about `the weather`."}]
    whole = {"model": "llama3.1:8b", "messages": messages, **body}
    return httpx.post(f"{fake.base_url}/api/chat", json=whole, trust_env=False)


def test_it_says_that_it_is_there(fake: FakeOllama) -> None:
    client = httpx.Client(base_url=fake.base_url, trust_env=False)
    with client:
        assert client.get("/").text == "Ollama is running"
        assert client.head("/").status_code == 200
        assert re.fullmatch(r"\d+\.\d+\.\d+", client.get("/api/version").json()["version"])
        names = [model["model"] for model in client.get("/api/tags").json()["models"]]
        assert names == ["llama3.1:8b", "deep:1b", "plain:latest"]
        shown = client.post("/api/show", json={"model": "deep:1b"}).json()
        assert shown["capabilities"] == ["completion", "thinking"]
        assert shown["model_info"]["fake.context_length"] == 131072
        assert client.get("/api/ps").json()["models"]
        assert client.get("/v1/models").json()["data"][0]["id"] == "llama3.1:8b"
        assert client.get("/api/nothing").status_code == 404
        assert client.post("/api/nothing", json={}).status_code == 404


def test_a_stream_is_ndjson_that_ends_with_counts(fake: FakeOllama) -> None:
    response = chat(fake, options={"num_ctx": 2048})
    assert response.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert "".join(line["message"]["content"] for line in lines)
    assert lines[-1]["done_reason"] == "stop"
    assert lines[-1]["prompt_eval_count"] == 9
    assert lines[-1]["total_duration"] > lines[-1]["eval_duration"] > 0


def test_in_one_piece_it_says_the_same(fake: FakeOllama) -> None:
    streamed = [json.loads(line) for line in chat(fake).text.splitlines()]
    whole = chat(fake, stream=False).json()
    assert whole["message"]["content"] == "".join(s["message"]["content"] for s in streamed)
    assert {k: v for k, v in whole.items() if k != "message"} == {
        k: v for k, v in streamed[-1].items() if k != "message"
    }


def test_generate_is_chat_in_other_words(fake: FakeOllama) -> None:
    fake.answers = lambda question: f"{question.messages}"
    body = {"model": "plain", "system": "Be brief.", "prompt": "Hi", "stream": False}
    answer = httpx.post(f"{fake.base_url}/api/generate", json=body, trust_env=False).json()
    assert answer["response"] == "(('system', 'Be brief.'), ('user', 'Hi'))"
    assert answer["done_reason"] == "stop"


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"model": ""}, 400, "model is required"),
        ({"model": "nosuch"}, 404, "model 'nosuch' not found"),
        ({"model": 3}, 400, "cannot unmarshal"),
        ({"messages": "hi"}, 400, "cannot unmarshal"),
        ({"messages": [{"content": "hi"}]}, 400, "messages.0.role"),
        ({"stream": "yes"}, 400, "cannot unmarshal"),
        ({"format": "yaml"}, 400, "invalid format"),
        ({"think": True}, 400, '"llama3.1:8b" does not support thinking'),
        ({"model": "deep:1b", "think": "a lot"}, 400, "invalid think value"),
        ({"model": "plain", "tools": [{"function": {}}]}, 400, "does not support tools"),
        ({"keep_alive": "soon"}, 400, "invalid duration"),
        ({"options": {"num_ctx": "8k"}}, 500, 'option "num_ctx" must be of type integer'),
    ],
)
def test_what_ollama_refuses_is_refused(
    fake: FakeOllama, body: dict[str, Any], status: int, message: str
) -> None:
    response = chat(fake, **body)
    assert (response.status_code, message in response.json()["error"]) == (status, True)


@pytest.mark.parametrize(
    ("body", "message"), [(b"", "missing"), (b"{", "invalid"), (b"[]", "list")]
)
def test_a_body_that_is_no_request_is_refused(fake: FakeOllama, body: bytes, message: str) -> None:
    response = httpx.post(f"{fake.base_url}/api/chat", content=body, trust_env=False)
    assert response.status_code == 400
    assert message in response.json()["error"]


@pytest.mark.parametrize(("keep_alive", "reason"), [("5m", "load"), (0, "unload")])
def test_without_messages_the_model_is_only_loaded(
    fake: FakeOllama, keep_alive: str | int, reason: str
) -> None:
    answer = chat(fake, messages=[], keep_alive=keep_alive).json()
    assert (answer["done_reason"], answer["message"]["content"]) == (reason, "")


def test_made_up_answers_fit_the_schema_and_repeat() -> None:
    schema = strict_schema(Move)
    answers = []
    for seed in (1, 1, 2):
        with FakeOllama(seed=seed) as fake:
            content = chat(fake, format=schema, stream=False).json()["message"]["content"]
        answers.append(Move.model_validate_json(content))
    assert answers[0] == answers[1] != answers[2]
    assert all(answer.action == "the weather" for answer in answers)


def test_a_tool_is_called_with_arguments_of_its_schema(fake: FakeOllama) -> None:
    tool = {"type": "function", "function": {"name": "Move", "parameters": strict_schema(Move)}}
    message = chat(fake, tools=[tool], stream=False).json()["message"]
    call = message["tool_calls"][0]["function"]
    assert call["name"] == "Move"
    Move.model_validate(call["arguments"])


@pytest.mark.parametrize(("think", "shown"), [(None, True), (True, True), (False, False)])
def test_a_thinking_model_thinks_unless_told_not_to(
    fake: FakeOllama, think: bool | None, shown: bool
) -> None:
    fake.answers = Script([Rule(answer="Yes.", thinking="Well, well.")])
    body = {} if think is None else {"think": think}
    message = chat(fake, model="deep:1b", stream=False, **body).json()["message"]
    assert message["content"] == "Yes."
    assert message.get("thinking") == ("Well, well." if shown else None)


def test_num_predict_and_num_ctx_cut_as_a_server_does(fake: FakeOllama) -> None:
    fake.answers = lambda _question: "word " * 100
    long = [{"role": "user", "content": "x" * 1000}]
    answer = chat(
        fake, messages=long, stream=False, options={"num_predict": 5, "num_ctx": 100}
    ).json()
    assert (len(answer["message"]["content"]), answer["done_reason"]) == (20, "length")
    assert answer["prompt_eval_count"] == 100
    assert (fake.served[0].prompt_tokens, fake.served[0].truncated) == (250, True)


def test_the_openai_side_answers_too(fake: FakeOllama) -> None:
    fake.answers = Script([Rule(asked="Move", answer={"action": "look"}), Rule(answer="Hello.")])
    url = f"{fake.base_url}/v1/chat/completions"
    body = {"model": "llama3.1:8b", "messages": [{"role": "user", "content": "Hi"}]}
    choice = httpx.post(url, json=body, trust_env=False).json()["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("Hello.", "stop")
    tool = {"type": "function", "function": {"name": "Move", "parameters": strict_schema(Move)}}
    choice = httpx.post(url, json={**body, "tools": [tool]}, trust_env=False).json()["choices"][0]
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"action": "look"}'
    form = {"type": "json_schema", "json_schema": {"name": "Move", "schema": strict_schema(Move)}}
    streamed = httpx.post(
        url, json={**body, "stream": True, "response_format": form}, trust_env=False
    )
    events = [line[6:] for line in streamed.text.splitlines() if line.startswith("data: ")]
    assert json.loads(events[0])["choices"][0]["delta"]["content"] == '{"action": "look"}'
    assert events[-1] == "[DONE]"
    refused = httpx.post(url, json={**body, "model": "nosuch"}, trust_env=False)
    assert (refused.status_code, refused.json()["error"]["type"]) == (404, "api_error")


def test_faults_come_once_and_in_order(fake: FakeOllama) -> None:
    fake.misbehave("error", "busy")
    assert [chat(fake).status_code for _ in range(3)] == [500, 503, 200]
    assert [served.completion.fault for served in fake.served] == ["error", "busy", ""]
    with pytest.raises(ValueError, match="no fault 'sulk'"):
        fake.misbehave("sulk")


def test_a_script_can_order_a_fault(fake: FakeOllama) -> None:
    fake.answers = Script([Rule(when="weather", fault="html", times=1)])
    assert [chat(fake).status_code for _ in range(2)] == [502, 200]


def test_planned_faults_repeat_and_keep_their_rate() -> None:
    plan = random_faults(0.25, seed=5)
    faults = [plan(n) for n in range(2000)]
    assert faults == [random_faults(0.25, seed=5)(n) for n in range(2000)]
    assert 400 < sum(map(bool, faults)) < 600
    assert set(faults) == {"", *FAULTS}
    with pytest.raises(ValueError, match="no faults: sulk"):
        random_faults(1, 0, ["sulk"])


def test_a_server_that_went_down_comes_back_at_the_same_address(fake: FakeOllama) -> None:
    client = httpx.Client(base_url=fake.base_url, trust_env=False)
    with client:
        client.get("/")
        with fake.down(), pytest.raises(httpx.TransportError):
            client.get("/")
        assert client.get("/").status_code == 200


def test_chat_ollama_itself_talks_to_it(fake: FakeOllama) -> None:
    model = make_model(ModelConfig(model="ollama:llama3.1:8b", base_url=fake.base_url))
    fake.answers = lambda question: {"action": question.title, "said": question.messages[-1][1]}
    move = model.with_structured_output(strict_schema(Move)).invoke([HumanMessage("Your turn.")])
    assert move == {"action": "Move", "said": "Your turn."}
    answer = model.invoke("Your turn.")
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["input_tokens"] == 3
    assert answer.response_metadata["done_reason"] == "stop"


@pytest.mark.slow
def test_the_demo_runs_from_the_command_line(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": [{"answer": "Hello from the script."}]}))
    command = [sys.executable, "-m", "testing.fake_ollama", "--port", "0", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip().removeprefix("OLLAMA_HOST=")
            model = make_model(ModelConfig(model="ollama:llama3.1:8b", base_url=url))
            assert model.invoke("Hi").content == "Hello from the script."
        finally:
            server.terminate()
        assert server.wait(10) == 0


@pytest.mark.parametrize(
    "arguments", [["--script", "/no/such.json"], ["--fault", "sulk:1"], ["--fault", "cut:often"]]
)
def test_the_demo_says_what_is_wrong_with_its_arguments(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--port", "0", *arguments])
    said = capsys.readouterr().err
    assert arguments[1].partition(":")[0] in said or "often" in said


def test_questions_know_their_text_and_title() -> None:
    question = ModelQuestion((("system", "a"), ("user", "b")), {"title": "Move"})
    assert (question.text, question.title) == ("a\n\nb", "Move")


def test_made_up_answers_follow_references_and_keep_within_bounds(fake: FakeOllama) -> None:
    schema = {
        "type": "object",
        "properties": {"far": {"$ref": "#/$defs/one"}, "low": {"type": "number", "maximum": -3}},
        "$defs": {"one": {"$ref": "#/$defs/two"}, "two": {"type": "integer", "minimum": 20}},
    }
    made = json.loads(chat(fake, format=schema, stream=False).json()["message"]["content"])
    assert made["far"] >= 20
    assert made["low"] <= -3
