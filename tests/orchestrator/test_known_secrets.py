"""What was given as a key is known by its value: it is nowhere, though a server repeats it."""

from __future__ import annotations

import base64
import json
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest
import zstandard

from environments.secrets import learn, told, without_secrets
from tests.command_line import Done, zork
from tests.playing import unpack

KEY, PASSWORD, SIGNATURE, CODE = "Zq7-plain&odd 99", "hunter2pw", "sig/na+ture77", "code-of-mine-8"
SUBSCRIPTION, PIN, PHRASE = "subscribed99x", "471199", "open-up-11"
SECRETS = (KEY, PASSWORD, SIGNATURE, CODE, SUBSCRIPTION, PIN, PHRASE)


class Echo(BaseHTTPRequestHandler):
    """Refuses everybody, and repeats in several ways what it was told."""

    answers_chat = False

    def do_GET(self) -> None:
        self.answer(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/api/show":
            self.answer(200, {"capabilities": ["completion"]})
            return
        heard = f"{self.headers['Authorization']} {self.path} {body}"
        coded = quote(KEY, safe="") + base64.b64encode(f"me:{PASSWORD}".encode()).decode()
        fault = f"Incorrect API key provided: {heard} {coded} {'blah ' * 2000}"
        if self.answers_chat:
            command = json.dumps({"thinking": heard[:900], "action": f"say {KEY}"})
            message = {"role": "assistant", "content": command}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            own = {"id": "x", "object": "chat.completion", "created": 1, "model": "gpt-x"}
            self.answer(200, {"message": message, "done": True, "choices": [choice], **own})
        else:
            self.answer(401, {"error": {"message": fault}})

    def answer(self, status: int, content: object) -> None:
        body = json.dumps(content).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Tests want no access log."""


class Chatty(Echo):
    """Lets everybody in, and answers with the key."""

    answers_chat = True


@pytest.fixture(params=[pytest.param(Echo, marks=pytest.mark.slow), Chatty])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), request.param) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def of_openai(address: str) -> str:
    return f"""
model = "openai:gpt-x"
base_url = "http://{address}/v1"
retries = 0
[models.default.options]
api_key = "{KEY}"
default_query = {{ sig = "{SIGNATURE}", code = "{CODE}", subscription-key = "{SUBSCRIPTION}" }}
extra_body = {{ pwd = "{PASSWORD}", pin = {PIN}, pass = "{PHRASE}" }}
"""


def of_ollama(address: str) -> str:
    return f"""
model = "ollama:x"
base_url = "http://me:{PASSWORD}@{address}"
retries = 0
[models.default.options]
client_kwargs = {{ headers = {{ X-Gate = "{KEY}", Authorization = "Bearer {CODE}" }} }}
[models.other]
base_url = "http://{address}?sig={quote(SIGNATURE, safe="")}"
"""


def content(folder: Path) -> Iterator[tuple[str, str]]:
    """All that lies in a folder, what is compressed as what it is."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes().decode("utf-8", "replace")
        if path.name == "checkpoints.sqlite":
            with sqlite3.connect(path) as database:
                rows = [
                    row
                    for t in ("checkpoints", "writes")
                    for row in database.execute(f"SELECT * FROM {t}")
                ]
            for value in (value for row in rows for value in row if isinstance(value, bytes)):
                yield str(path), unpacked(value).decode("utf-8", "replace")


def unpacked(value: bytes) -> bytes:
    try:
        return zstandard.ZstdDecompressor().decompress(value)
    except zstandard.ZstdError:
        return value


def leaks(texts: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    found = []
    for where, text in texts:
        for secret in SECRETS:
            forms = {secret, quote(secret, safe=""), json.dumps(secret)[1:-1]}
            found += [(where, secret) for form in forms if form in text and secret != PIN]
    return found


@pytest.mark.parametrize("table", [pytest.param(of_openai, marks=pytest.mark.slow), of_ollama])
def test_a_key_is_nowhere_though_the_server_repeats_it(
    address: str, table: object, tmp_path: Path
) -> None:
    if table is of_openai:
        pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")
    graph, out = tmp_path / "given" / "mine.toml", tmp_path / "left"
    graph.parent.mkdir()
    graph.write_text(
        'extends = "solo"\n[models.default]' + table(address),
        encoding="utf-8",  # type: ignore[operator]
    )
    home = {"ZORK_HOME": str(out / "home")}
    done = {"show": zork("graph", "show", str(graph), "--trust", **home)}
    runs = ("--out", str(out / "runs"))
    play = ("play", "--graph", str(graph), "--steps", "2", "--trust", *runs)
    done["play"] = zork(*play, **home)
    plan = ("--games", "hollow", "--graphs", str(graph), "--steps", "1", "--seeds", "1", "--trust")
    done["bench"] = zork("bench", *plan, "-o", str(out / "rows.jsonl"), **home)
    done["trace"] = zork("trace", "export", "last", *runs, **home)
    done["errors"] = zork("trace", "errors", "last", *runs, **home)
    done["run"] = zork("runs", "show", "last", *runs, **home)
    done["view"] = zork("view", "last", "--export", str(out / "page.html"), *runs, **home)
    done["resume"] = zork("resume", "last", *runs, **home)
    done["pack"] = zork("runs", "export", "last", str(out / "run.tar.gz"), *runs, **home)
    if done["play"].returncode == 2:
        # OpenAI's servers are asked for one word before play, so that nothing is begun.
        assert table is of_openai
        assert "401" in done["play"].stderr
    else:
        assert done["pack"].returncode == 0, done["play"]
        unpack(out / "run.tar.gz", out / "unpacked")
        assert "secrets are not kept" in done["resume"].stderr
    assert leaks(printed(done)) == []
    assert leaks(content(out)) == []
    assert "[redacted]" in done["show"].stdout
    assert all(len(line) < 1700 for line in done["play"].stderr.splitlines())


def printed(done: dict[str, Done]) -> Iterator[tuple[str, str]]:
    for name, one in done.items():
        yield name, one.stdout + one.stderr


@pytest.mark.parametrize(
    "setting",
    [
        "models.default.api_key={}",
        "models.default.options={}",
        "models.default.options={{api_key='{}'",
        "models.default.options.api_key={}",
        "models.default.options.default_headers=X-Key: {}",
    ],
)
def test_a_setting_that_will_not_do_is_told_without_its_secret(setting: str) -> None:
    key = "Typed-in-haste-77"
    done = zork("graph", "show", "solo", "-s", setting.format(key))
    assert key not in done.stdout + done.stderr


def test_a_key_of_the_environment_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_PROVIDER_API_KEY", "from-the-environment-5")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:proxy-pass-5@192.0.2.1:8080")
    learn({})
    said = without_secrets("401: from-the-environment-5 by http://192.0.2.1, proxy-pass-5")
    assert said == "401: [redacted] by http://192.0.2.1, [redacted]"


def test_what_is_shown_of_a_graph_is_not_played_with_holes(tmp_path: Path) -> None:
    shown = zork(
        "graph", "show", "solo", "-s", "models.default.options.client_kwargs.headers.X=abcdefgh9"
    )
    path = tmp_path / "mine.toml"
    path.write_text(shown.stdout, encoding="utf-8")
    done = zork("play", "--graph", str(path), "--trust", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "-s models.default.options.client_kwargs.headers" in done.stderr


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("http://x/?sig=abc123&code=def456&a=1", "http://x/?sig=[redacted]&code=[redacted]&a=1"),
        (
            "http://x/?Subscription-Key=abc;api_version=2",
            "http://x/?Subscription-Key=[redacted];api_version=2",
        ),
        ("http://x/?X-Amz-Signature=abc#f", "http://x/?X-Amz-Signature=[redacted]#f"),
        ("what is the code? code=7", "what is the code? code=7"),
        ("a = b? c & d", "a = b? c & d"),
    ],
)
def test_parameters_of_addresses(text: str, left: str) -> None:
    assert without_secrets(text) == left


def test_words_that_stand_for_no_key_are_left_alone() -> None:
    learn({"api_key": "ollama", "token": "none", "pwd": "abc", "secret": "zork"})
    text = "ollama:llama3.1:8b abc none of zork"
    assert without_secrets(text) == text


def test_an_error_is_told_in_so_many_characters() -> None:
    long = told("begin " + "x" * 5_000 + " end: set this")
    assert len(long) <= 1_500
    assert long.startswith("begin ")
    assert long.endswith(" end: set this")
    for arguments in (
        ("a" * 5_000,),
        ("play", "--" + "a" * 5_000),
        ("play", "--game", "a" * 5_000),
    ):
        done = zork(*arguments, COLUMNS="80")
        assert done.returncode == 2
        assert len(done.stderr) < 3_000


def test_a_key_that_begins_like_a_path_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODD_PROVIDER_SECRET_KEY", "/x7Fb+secret/5")
    (tmp_path / "key.pem").touch()
    monkeypatch.setenv("ODD_PROVIDER_PRIVATE_KEY", f"{tmp_path}/key.pem")
    said = without_secrets(f"/x7Fb+secret/5 of {tmp_path}/key.pem")
    assert said == f"[redacted] of {tmp_path}/key.pem"
