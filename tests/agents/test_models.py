from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ValidationError

from agents.models import ModelConfig, ModelError, ModelFault, make_model
from agents.models.embedded import FunctionModel, RecordedModel, ScriptedModel
from agents.models.ollama import server_url
from agents.models.scripts import ModelQuestion, Rule, Script
from orchestrator.traces.writer import TraceWriter


class Choice(BaseModel):
    action: str


def made(**fields: Any) -> Any:
    return make_model(ModelConfig(**fields))


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(ValidationError, match="temprature"):
        ModelConfig(model="ollama:x", temprature=1)


@pytest.mark.parametrize("name", ["llama3.1", "", ":x", "ollama:"])
def test_a_model_needs_a_provider_and_a_name(name: str) -> None:
    with pytest.raises(ValidationError, match="provider:name"):
        ModelConfig(model=name)


def test_a_call_must_end() -> None:
    with pytest.raises(ValidationError, match="timeout"):
        ModelConfig(timeout=float("inf"))


def test_options_of_ones_own_leave_the_others_as_they_are() -> None:
    pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")
    own = {"extra_body": {"top_k": 20}}
    model = made(model="vllm:x", base_url="http://127.0.0.1:9", reasoning=False, options=own)
    thinks = {"chat_template_kwargs": {"enable_thinking": False}}
    assert model.extra_body == {**thinks, "top_k": 20}


def test_ollama_gets_every_bound_explicitly(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[httpx.Client, httpx.Request]] = []

    def send(client: httpx.Client, request: httpx.Request, **_options: Any) -> httpx.Response:
        sent.append((client, request))
        raise httpx.ConnectError("nobody there")

    monkeypatch.setattr(httpx.Client, "send", send)
    with pytest.raises(ModelFault, match="POST http://h:1/api/chat: nobody there"):
        made(model="ollama:qwen3:4b", seed=7, reasoning=False, base_url="http://h:1").invoke("hi")
    client, request = sent[0]
    asked = json.loads(request.content)
    assert (request.url, asked["model"]) == ("http://h:1/api/chat", "qwen3:4b")
    assert asked["options"] == {
        "num_ctx": 8192,
        "num_predict": 2048,
        "seed": 7,
        "temperature": 0.2,
    }
    assert (asked["think"], asked["keep_alive"]) == (False, "30m")
    assert (client.timeout.read, client.timeout.connect) == (120.0, 10.0)
    assert client.trust_env is False


@pytest.mark.parametrize(
    ("host", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("box:99", "http://box:99"),
        (":99", "http://127.0.0.1:99"),
        ("https://box/ollama/", "https://box/ollama"),
        ("[::1]", "http://[::1]:11434"),
    ],
)
def test_the_server_comes_from_ollama_host(
    monkeypatch: pytest.MonkeyPatch, host: str | None, url: str
) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    if host is not None:
        monkeypatch.setenv("OLLAMA_HOST", host)
    assert str(server_url()) == url
    assert str(server_url("http://own:5")) == "http://own:5"


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"model": "nosuch:x"}, "no provider 'nosuch'"),
        ({"model": "llama3.1:8b"}, "did you mean 'ollama:llama3.1:8b'"),
        ({"model": "ollama:x", "options": {"top_kk": 3}}, "did you mean 'top_k'"),
        ({"model": "ollama:x", "options": {"top_k": "many"}}, "cannot be made.*top_k"),
        ({"model": "embedded:x"}, "expected answers:FILE"),
        ({"model": "embedded:answers:/no/such.json"}, "No such file"),
        ({"model": "embedded:function:nosuchmodule:f"}, "nosuchmodule"),
        ({"model": "embedded:function:math:pi"}, "cannot be called"),
        ({"model": "embedded:recording:/no/such.jsonl"}, "No such file"),
    ],
)
def test_what_cannot_be_made_says_why(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        made(**fields)


PROVIDER = """
from typing import Any
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatResult

class AcmeTools: ...

class ChatAcmePlus(BaseChatModel):
    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult: ...
    @property
    def _llm_type(self) -> str: return "acme"

class ChatAcme(ChatAcmePlus):
    model: str
    temperature: float | None = None
    max_retries: int = 2
    style: str = "plain"

__all__ = ["AcmeTools", "ChatAcmePlus", "ChatAcme"]
"""


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "langchain_acme.py").write_text(PROVIDER, encoding="utf-8")
    (tmp_path / "langchain_broken.py").write_text("import nosuchmodule", encoding="utf-8")
    (tmp_path / "langchain_newer.py").write_text("from langchain_core import no", encoding="utf-8")
    (tmp_path / "langchain_hollow.py").write_text("__all__ = []", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("acme")
def test_another_provider_is_its_langchain_package() -> None:
    model = made(model="acme:big:1", temperature=0.5, options={"style": "terse"})
    assert type(model).__name__ == "ChatAcme"
    assert (model.model, model.temperature, model.style) == ("big:1", 0.5, "terse")
    assert model.max_retries == 0


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"model": "acme:x", "options": {"stile": "terse"}}, "did you mean 'style'"),
        ({"model": "acme:x", "base_url": "http://h"}, "takes no base_url"),
        ({"model": "broken:x"}, "needs 'nosuchmodule'"),
        ({"model": "newer:x"}, "does not fit the other packages"),
        ({"model": "hollow:x"}, "offers no chat model"),
    ],
)
def test_another_providers_faults_are_told_apart(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        made(**fields)


def test_a_script_answers_in_order_and_counts_tokens() -> None:
    model = ScriptedModel.of(["look", {"action": "wait"}])
    first = model.invoke([SystemMessage("You play."), HumanMessage("What now?")])
    assert first.content == "look"
    assert first.usage_metadata == {"input_tokens": 5, "output_tokens": 1, "total_tokens": 6}
    assert first.response_metadata["done_reason"] == "stop"
    assert model.invoke("And now?").content == '{"action": "wait"}'
    with pytest.raises(ModelFault, match="no answer to 'And then"):
        model.invoke("And then?")


def test_rules_choose_by_prompt_and_type_and_are_used_up() -> None:
    script = Script(
        [
            Rule(asked="Choice", answer={"action": "open box"}, times=1),
            Rule(when="dark", answer="light lamp", thinking="I cannot see."),
            Rule(answer="wait"),
        ]
    )
    model = ScriptedModel(script)
    chosen = model.with_structured_output(Choice).invoke("What now?")
    assert chosen == Choice(action="open box")
    dark = model.invoke("It is dark.")
    assert (dark.content, dark.additional_kwargs["reasoning_content"]) == (
        "light lamp",
        "I cannot see.",
    )
    assert model.invoke("It is day.").content == "wait"


def test_a_function_answers_by_the_question() -> None:
    def echo(question: ModelQuestion) -> AIMessage:
        return AIMessage(f"{question.messages[-1]}")

    model = FunctionModel(function=echo)
    assert model.invoke([HumanMessage("hi")]).content == "('user', 'hi')"


@pytest.mark.parametrize(
    ("name", "text", "answers"),
    [
        ("a.json", '["x", {"action": "y"}]', ["x", '{"action": "y"}']),
        ("a.jsonl", '"x"\n{"action": "y"}\n', ["x", '{"action": "y"}']),
        ("a.json", '{"rules": [{"answer": "x"}]}', ["x", "x"]),
        ("a.jsonl", '"x\u2028y"\n \n"z"\n', ["x\u2028y", "z"]),
    ],
)
def test_script_files(tmp_path: Path, name: str, text: str, answers: list[str]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    model = made(model=f"embedded:answers:{path}")
    assert [model.invoke("?").content for _ in answers] == answers


@pytest.mark.parametrize(
    "text",
    [
        *("{", '{"rule": []}', '{"rules": [{"anwser": 1}]}', "7", "\xff"),
        '{"rules": [{"when": "take (", "answer": "x"}]}',
    ],
)
def test_a_bad_script_file_names_itself(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ModelError, match=r"bad\.json"):
        Script.read(path)


def test_a_dotted_function_is_a_model() -> None:
    model = made(model="embedded:function:examples.social_agent:enthusiast")
    assert "next_state" in model.invoke("Your interests: maps\n").content


def test_a_recorded_run_answers_again(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    writer = TraceWriter(trace)
    scripted = ScriptedModel.of(["one", "two", {"action": "three"}])
    prompt = [SystemMessage("You play."), HumanMessage("What now?")]
    for asked in (prompt, prompt):
        scripted.invoke(asked, config={"callbacks": [writer]})
    structured = scripted.with_structured_output(Choice)
    structured.invoke("Choose.", config={"callbacks": [writer]})
    with pytest.raises(ModelFault):
        scripted.invoke("Too much.", config={"callbacks": [writer]})
    writer.close()
    with trace.open("a", encoding="utf-8") as torn:
        torn.write('{"post": {"id"')

    replay = RecordedModel(trace)
    assert [replay.invoke(prompt).content for _ in range(3)] == ["one", "two", "two"]
    assert replay.with_structured_output(Choice).invoke("Choose.") == Choice(action="three")
    with pytest.raises(ModelFault, match="no answer to 'Never asked"):
        replay.invoke("Never asked.")


def test_compressed_parts_and_run_directories_are_read(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    writer = TraceWriter(trace)
    ScriptedModel.of(["one", "two"]).batch(["A", "B"], config={"callbacks": [writer]})
    writer.close()
    lines = trace.read_text(encoding="utf-8").splitlines(keepends=True)
    with gzip.open(tmp_path / "trace.0001.jsonl.gz", "wt", encoding="utf-8") as part:
        part.writelines(lines[:2])
    trace.write_text("".join(lines[2:]), encoding="utf-8")
    replay = make_model(ModelConfig(model=f"embedded:recording:{tmp_path}"))
    assert {replay.invoke(prompt).content for prompt in "AB"} == {"one", "two"}


def test_a_recording_without_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "trace.jsonl").write_text('{"post": {"id": "1", "run_type": "chain"}}\n')
    with pytest.raises(ModelError, match="holds no model answers"):
        made(model=f"embedded:recording:{tmp_path / 'trace.jsonl'}")
