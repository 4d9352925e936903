"""Every wrong set-up of a model is one line before the first turn, and nothing is left."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.models import ModelConfig, make_model
from agents.models.providers import check
from agents.models.size import is_asked_short
from testing.fake_ollama import FakeModel, FakeOllama
from tests import odd_servers as odd
from tests.command_line import Done, zork
from tests.odd_servers import odd_server, status

OPENAI = "langchain_openai"
JSON = "Content-Type: application/json"
NOWHERE = "http://127.0.0.1:9"
MODELS = (FakeModel("qwen3:4b", ("completion", "tools", "thinking")), FakeModel("plain"))
Play = Callable[..., Done]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    for name in ("OPENAI_API_KEY", "OLLAMA_API_KEY", "SSL_CERT_FILE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def run(model: str, base_url: str = "", *settings: str, **environment: str) -> Done:
        if model.partition(":")[0] in ("openai", "llamacpp", "lmstudio", "vllm"):
            pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
        where = [f"models.default.base_url={base_url}"] if base_url else []
        given = [part for one in (*where, *settings) for part in ("-s", one)]
        return zork(
            *("play", "--game", "morning", "--graph", "solo", "--steps", "1", "--no-cache"),
            *("--fresh", "--quiet", "--model", model, "--out", str(tmp_path / "runs"), *given),
            **{"OLLAMA_HOST": NOWHERE, **environment},
        )

    return run


def refused(done: Done, *said: str) -> None:
    """One line on standard error that says all of it."""
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert len(done.stderr) < 900
    for words in said:
        assert words in done.stderr


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(models=MODELS, seed=1) as server:
        yield server


@pytest.mark.parametrize(
    ("model", "base_url", "settings", "said"),
    [
        ("ollama:plain", NOWHERE, (), (f"POST {NOWHERE}/api/show", "refused", "`ollama serve`")),
        ("llamacpp:x", NOWHERE, (), (f"GET {NOWHERE}/v1/models", "refused", "llama-server")),
        ("lmstudio:x", f"{NOWHERE}/", (), (f"GET {NOWHERE}/v1/models", "lms server start")),
        ("vllm:x", NOWHERE, (), ("refused", "vllm serve")),
        ("openai:x", f"{NOWHERE}/v1", (), (f"GET {NOWHERE}/v1/models", "set base_url")),
        ("openai-compatible:x", "", (), ("base_url is missing", "http://127.0.0.1:8080/v1")),
        ("openai:gpt-4.1-mini", "", (), ("set OPENAI_API_KEY",)),
        ("openai:gpt-4.1-mini", "https://h.invalid/v1", (), ("set OPENAI_API_KEY",)),
        ("ollama:plain", "http://h:port", (), ("base_url: 'http://h:port' is no plain address",)),
        ("llamacpp:x", "ftp://h", (), ("base_url: 'ftp://h' is no plain address",)),
        ("ollama:plain", "http://nowhere.invalid", (), ("POST http://nowhere.invalid/api/show",)),
        ("qwen3:4b", "", (), ("did you mean 'ollama:qwen3:4b'",)),
        ("mistral:7b", "", (), ("did you mean 'ollama:mistral:7b'",)),
        ("gemma3:270m-it-qat", "", (), ("did you mean 'ollama:gemma3:270m-it-qat'",)),
        ("openia:gpt-4.1", "", (), ("did you mean 'openai:gpt-4.1'",)),
        ("llama.cpp:x", "", (), ("no provider 'llama.cpp'", "llamacpp")),
        ("upstage:x", "", (), ("pip install langchain-upstage",)),
        ("ollama:m", "", ("models.default.num_ctx=1024",), ("max_tokens = 2048 leaves no room",)),
        (
            "ollama:m",
            "",
            ("models.default.options.client_kwargs={verify='/no/such.pem'}",),
            ("verify = '/no/such.pem'", "No such file"),
        ),
        (
            "llamacpp:x",
            "",
            ("models.default.options.client_kwargs={proxy='socks5://h:1'}",),
            ("cannot be made", "socksio"),
        ),
        ("openai:x", "", ("models.default.options.tempo=1",), ("has no option 'tempo'",)),
    ],
)
def test_what_is_set_up_wrongly(
    play: Play, tmp_path: Path, model: str, base_url: str, settings: tuple[str, ...], said: Any
) -> None:
    refused(play(model, base_url, *settings), *said)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status("401 Unauthorized", "no key"), ("401 Unauthorized: no key", "(it is not set)")),
        (status("403 Forbidden", "not yours"), ("403 Forbidden: not yours", "_API_KEY")),
        (status("404 Not Found", "nothing here"), ("404 Not Found: nothing here",)),
        (status("429 Too Many", "slow down", "Retry-After: 9999"), ("429", "try again later")),
        (status("503 Busy", "Loading model"), ("503 Busy: Loading model", "try again later")),
        (
            status("307 There", "", "Location: http://other.invalid:1/x?key=secret"),
            ("it leads on to http://other.invalid:1/x;", "base_url"),
        ),
        (status("307 There", "", "Location: http://a:abc/"), ("abc",)),
        (lambda *_: iter([odd.told("200 OK", b"<html>hello</html>")]), ("protocol",)),
        (lambda *_: iter([b"\x15\x03\x01\x00\x02\x02\x28"]), ("https://",)),
        (odd.drip, ("no end within 1 s", "raise timeout (now 1 s)")),
        (odd.drip_headers, ("no end within 1 s",)),
        (odd.drip_error, ("no end within 1 s",)),
        (odd.silence, ("no end within 1 s",)),
        (odd.endless_line, ("more than 16 MB",)),
        (odd.endless_error, ("500 Oh: eeee",)),
        (odd.bomb, ("more than 16 MB",)),
        (odd.strange_packing, ("packed as 'br'",)),
    ],
)
@pytest.mark.parametrize("model", ["ollama:m", "llamacpp:m"])
def test_what_servers_answer_instead(
    play: Play, tmp_path: Path, model: str, answer: odd.Answer, said: tuple[str, ...]
) -> None:
    odd.packed()
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with odd_server(answer) as where:
        refused(play(model, where, "models.default.timeout=1"), where, *said)
    assert time.monotonic() - started < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("model", "path", "said"),
    [
        ("ollama:qwen3:4", "", ("did you mean 'ollama:qwen3:4b'?", "`ollama pull qwen3:4`")),
        ("vllm:qwen3-4b", "", ("/v1: did you mean 'vllm:qwen3:4b'? (it has: qwen3:4b,",)),
        ("openai:plainer", "/v1", ("did you mean 'openai:plain:latest'?",)),
        ("openai:plain", "/v2", ("404 Not Found", "most addresses end in /v1")),
        ("ollama:plain", "/v1", ("404 Not Found", "is it an Ollama server?")),
    ],
)
def test_a_wrong_name_or_path(
    play: Play, fake: FakeOllama, model: str, path: str, said: tuple[str, ...]
) -> None:
    done = play(model, fake.base_url + path)
    refused(done, fake.base_url, *said)
    asked = zork("doctor", "--model", model, "--base-url", fake.base_url + path)
    told = done.stderr.removeprefix("zork: ").strip()
    assert told in " ".join(asked.stdout.split())


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("ollama:plain", "{}"),
        ("ollama:plain", "  {}/ "),
        ("llamacpp:plain", "{}"),
        ("llamacpp:plain", "{}/v1"),
        ("lmstudio:plain", "{}/"),
        ("vllm:plain", "{}"),
        ("openai-compatible:plain", "{}"),
        ("openai:plain", "{}"),
    ],
)
def test_a_server_of_ones_own_needs_no_key(
    play: Play, fake: FakeOllama, model: str, base_url: str
) -> None:
    done = play(model, base_url.format(fake.base_url))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 of 1 commands played; " in done.stdout


@pytest.mark.parametrize(
    ("host", "where"),
    [
        (" 127.0.0.1:9 ", "http://127.0.0.1:9/"),
        ("127.0.0.1:9\n", "http://127.0.0.1:9/"),
        ("::1", "http://[::1]:11434/"),
        ("[::1]:9", "http://[::1]:9/"),
        (":9", "http://127.0.0.1:9/"),
        ("localhost:abc", "OLLAMA_HOST = 'localhost:abc': is no plain address"),
        ("http://a b", "OLLAMA_HOST = 'http://a b': is no plain address"),
    ],
)
def test_ollama_host_is_read_as_it_is_written(play: Play, host: str, where: str) -> None:
    refused(play("ollama:plain", OLLAMA_HOST=host), where)


@pytest.mark.parametrize("model", ["ollama:plain", "llamacpp:plain"])
def test_a_server_that_wants_a_key(play: Play, model: str) -> None:
    name = "OLLAMA_API_KEY" if model.startswith("ollama") else "LLAMA_API_KEY"
    headers = "models.default.options.client_kwargs={headers={Authorization='Bearer sesame'}}"
    with FakeOllama(models=MODELS, key="sesame") as server:
        where = server.base_url
        refused(play(model, where), "401", f"set {name}", "(it is not set)")
        done = play(model, where, **{name: "open-says-me"})
        refused(done, f"set {name}", "(it is not accepted)", "[redacted]")
        assert "open-says-me" not in done.stderr
        assert play(model, where, **{name: "sesame"}).returncode == 0
        if model.startswith("ollama"):
            assert play(model, where, headers).returncode == 0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    made = (str(folder / "cert.pem"), str(folder / "key.pem"))
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"),
            *("ec_paramgen_curve:prime256v1", "-nodes", "-out", made[0], "-keyout", made[1]),
            *("-days", "9", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    return made


@pytest.mark.parametrize("model", ["ollama:plain", "llamacpp:plain"])
def test_certificates_of_ones_own(play: Play, certificate: tuple[str, str], model: str) -> None:
    options = "models.default.options.client_kwargs="
    with FakeOllama(models=MODELS, tls=certificate) as server:
        where = server.base_url
        refused(play(model, where), "certificate verify failed", "SSL_CERT_FILE")
        refused(play(model, where, SSL_CERT_FILE="/no/such"), "SSL_CERT_FILE = '/no/such'")
        refused(play(model, where.replace("https", "http")), "https://")
        assert play(model, where, SSL_CERT_FILE=certificate[0]).returncode == 0
        assert play(model, where, f"{options}{{verify=false}}").returncode == 0
        assert play(model, where, f"{options}{{verify='{certificate[0]}'}}").returncode == 0


def test_a_thinking_model_is_told_of_before_the_first_turn_and_in_the_end(
    play: Play, fake: FakeOllama
) -> None:
    note = "qwen3:4b thinks before it answers"
    assert note in play("ollama:qwen3:4b", fake.base_url).stdout
    assert (
        note not in play("ollama:qwen3:4b", fake.base_url, "models.default.reasoning=false").stdout
    )
    fake.plan = lambda _request: "think_only"
    try:
        done = play("ollama:qwen3:4b", fake.base_url, "models.default.num_ctx=16384")
    finally:
        fake.plan = None
    told = "2 of 2 answers of ollama:qwen3:4b were cut while it thought: set reasoning = false, or"
    assert told in done.stdout


def test_a_context_that_is_too_small_is_told_of(fake: FakeOllama) -> None:
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    listed = b'{"data": [{"id": "small.gguf", "meta": {"n_ctx": 4096}}]}'
    with odd_server(lambda *_: iter([odd.told("200 OK", listed, JSON)])) as where:
        config = ModelConfig(model="llamacpp:any", base_url=where)
        assert "set num_ctx = 4096" in check(make_model(config), config).problems[0]


SHIELDED = """
from agents.models import ModelConfig, make_model
print(type(make_model(ModelConfig())).__name__)
"""


@pytest.mark.parametrize(
    "environment",
    [
        {"ALL_PROXY": "socks5://127.0.0.1:9"},
        pytest.param({"https_proxy": "nonsense"}, marks=pytest.mark.slow),
        pytest.param({"OLLAMA_HOST": "h:abc"}, marks=pytest.mark.slow),
    ],
)
def test_packages_are_imported_whatever_the_environment(environment: dict[str, str]) -> None:
    code = SHIELDED.replace("ModelConfig()", "ModelConfig(base_url='http://127.0.0.1:9')")
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("BoundedChatOllama\n", 0), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["solo", "council"])
@pytest.mark.parametrize("answer", [odd.silence, odd.drip])
def test_sigterm_ends_the_program_in_the_middle_of_a_question(
    tmp_path: Path, graph: str, answer: odd.Answer
) -> None:
    asked: list[float] = []

    def serve(line: str, heard: bytes) -> Iterator[bytes]:
        if "/api/show" in line:
            return iter([odd.told("200 OK", b'{"capabilities": ["completion", "tools"]}')])
        asked.append(time.monotonic())
        return answer(line, heard)

    with odd_server(serve) as where:
        process = subprocess.Popen(
            [
                *(Path(sys.executable).with_name("zork"), "play", "--game", "morning", "--quiet"),
                *("--graph", graph, "--model", "ollama:m", "--no-cache", "--out", str(tmp_path)),
            ],
            env={**os.environ, "OLLAMA_HOST": where},
        )
        until = time.monotonic() + 60
        while not asked and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        sent = time.monotonic()
        assert process.wait(30) == 128 + signal.SIGTERM
    assert time.monotonic() - sent < 3, "a second, and what a busy machine adds"


@pytest.mark.parametrize(
    ("listed", "name", "short"),
    [
        ({"id": "weights.gguf", "meta": {"n_params": 134_515_008}}, "any", True),
        ({"id": "weights.gguf", "meta": {"n_params": 70_600_000_000}}, "any", False),
        ({"id": "/models/qwen2.5-1.5b-q4.gguf"}, "any", True),
        ({"id": "weights.gguf"}, "any", False),
        ({"id": "weights.gguf"}, "mystery-3b", True),
        ({"id": "huge", "meta": {"n_params": 30_000_000_000}}, "huge", False),
    ],
)
def test_how_large_a_model_is_its_server_says(
    listed: dict[str, Any], name: str, short: bool
) -> None:
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    told = json.dumps({"data": [listed]}).encode()
    said = json.dumps({"choices": [{"message": {"content": "ready"}}]}).encode()

    def answer(asked: str, _heard: bytes) -> Iterator[bytes]:
        yield odd.told("200 OK", told if asked.startswith("GET") else said, JSON)

    with odd_server(answer) as where:
        config = ModelConfig(model=f"llamacpp:{name}", base_url=where)
        health = check(make_model(config), config)
    assert health.problems == ()
    assert is_asked_short(config, health.billions) is short


def test_a_model_is_asked_in_the_form_that_suits_what_its_server_says(
    play: Play, tmp_path: Path
) -> None:
    with FakeOllama(models=(FakeModel("gemma3:4b"),), seed=1) as server:
        done = play("openai-compatible:gemma3:4b", f"{server.base_url}/v1")
        assert done.returncode == 0, done.stderr
        asked = "".join(text for _, text in server.served[-1].question.messages)
    (run,) = (tmp_path / "runs").iterdir()
    assert json.loads((run / "episode.json").read_text())["styles"] == {"default": "short"}
    assert "What failed or brought nothing is not said again" in asked


def test_a_server_that_does_not_encrypt_is_told_soon(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end of the connection waits for more, and so does ours."""
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    monkeypatch.setattr("agents.models.openai.FIRST_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"https://127.0.0.1:{listening.getsockname()[1]}"
        refused(play("llamacpp:x", address), "encrypt?")


TOLD = """{"content": "x", "timings": {"prompt_n": 1}, "completion_probabilities": [
    {"top_logprobs": [{"id": 1, "logprob": %s}]}]}"""
RATED = ("3 of 3 commands played",)
OTHER = "another is asked as openai-compatible:NAME"


@pytest.mark.parametrize(
    ("completion", "said"),
    [
        (TOLD % "-0.5", RATED),
        (TOLD % "null", RATED),
        (TOLD % "-Infinity", RATED),
        (TOLD % "NaN", RATED),
        (TOLD % "0.0001", RATED),
        (TOLD % '"x"', ("top_logprobs.0.logprob:", OTHER)),
        ('{"content": "x"}', ("/prefix/completion: it tells no probabilities", OTHER)),
        (TOLD.replace("top_logprobs", "probs") % 1, ("top_logprobs: Field required", OTHER)),
        (TOLD.replace('{"prompt_n": 1}', "null") % -1, ("timings: ", OTHER)),
        ("[]", ("/prefix/completion: the answer: ", OTHER)),
        ("", ("/prefix/completion: 404 Not Found", OTHER)),
    ],
)
def test_probabilities_are_asked_for_where_and_as_the_chat_is(
    tmp_path: Path, completion: str, said: tuple[str, ...]
) -> None:
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    with odd_server(odd.llamacpp(completion)) as where:
        done = zork(
            *("play", "--game", "morning", "--graph", "likely", "--steps", "3", "--no-cache"),
            *("--fresh", "--quiet", "--model", "llamacpp:m", "--out", str(tmp_path)),
            *("-s", f"models.default.base_url={where}/prefix/v1"),
            *("-s", "models.default.options.api_key=hunter2hunter2"),
        )
    assert done.returncode == 0, done.stderr
    for words in said:
        assert words in done.stdout


def test_an_answer_is_remembered_of_the_model_that_the_server_has_loaded(tmp_path: Path) -> None:
    """A server of llama.cpp answers to any name with what it was started with."""
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    event = {"choices": [{"index": 0, "delta": {"content": "look"}, "finish_reason": "stop"}]}
    whole = json.dumps({"choices": [{"message": {"content": "yes"}}]}).encode()

    loaded = ["a.gguf"]

    def answer(asked: str, heard: bytes) -> Iterator[bytes]:
        listed = json.dumps({"data": [{"id": loaded[-1]}]}).encode()
        if b'"stream":true' in heard:
            yield odd.told("200 OK", f"data: {json.dumps(event)}\n\n".encode())
        else:
            yield odd.told("200 OK", listed if asked.startswith("GET") else whole, JSON)

    def calls() -> int:
        done = zork(
            *("play", "--game", "morning", "--graph", "transcript", "--steps", "1"),
            *("--fresh", "--json", "--model", "llamacpp:any", "--out", str(tmp_path)),
            *("-s", f"models.default.base_url={where}"),
        )
        return int(json.loads(done.stdout)["llm_calls"])

    with odd_server(answer) as where:
        first = calls()
        assert (first > 0, calls()) == (True, 0)
        loaded.append("b.gguf")
        assert calls() == first


def test_a_proxy_that_is_obeyed_is_not_warned_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip(OPENAI, reason="make install EXTRAS=openai")
    monkeypatch.setenv("HTTP_PROXY", NOWHERE)
    make_model(ModelConfig(model="llamacpp:m"))
    assert caplog.text == ""
