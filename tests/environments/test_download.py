"""The downloader, against a server on the loopback."""

from __future__ import annotations

import hashlib
import random
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from environments.catalog import Download
from environments.download import fetch
from environments.game import GameError

BODY = random.Random(5).randbytes(50_000)


class Server(ThreadingHTTPServer):
    """Serves BODY as its path says and notes which byte every request started at."""

    starts: list[int]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        self.server.starts.append(start)
        match self.path:
            case "/moved" | "/loop" | "/elsewhere":
                self.sent_on()
            case "/missing":
                self.send_error(404)
            case "/wrong":
                self.answer(bytes(len(BODY)), 0)
            case "/endless":
                self.answer(BODY * 3, 0)
            case "/deaf":
                self.answer(BODY, 0)
            case "/cut":
                self.answer(BODY, start, sent=20_000)
            case _:
                self.answer(BODY, start)

    def sent_on(self) -> None:
        places = {"/moved": "/whole", "/loop": "/loop"}
        other = f"http://localhost:{self.server.server_port}/whole"
        self.send_response(302)
        self.send_header("Location", places.get(self.path, other))
        self.end_headers()

    def answer(self, body: bytes, start: int, sent: int | None = None) -> None:
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        try:
            self.wfile.write(body[start:][:sent])
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.starts = []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "home"


def entry(server: Server, path: str) -> Download:
    return promised(f"http://127.0.0.1:{server.server_port}{path}")


def promised(url: str) -> Download:
    return Download(
        id="tale",
        title="A Tale",
        file="tale.z5",
        url=url,
        size=len(BODY),
        sha256=hashlib.sha256(BODY).hexdigest(),
    )


def leftovers(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "stories").iterdir())


def test_a_story_is_downloaded_whole_and_only_once(server: Server, home: Path) -> None:
    seen: list[int] = []
    path = fetch(entry(server, "/whole"), seen.append)
    assert path == home / "stories" / "tale.z5"
    assert path.read_bytes() == BODY
    assert seen == sorted(seen)
    assert seen[-1] == len(BODY)
    assert len(seen) > 1
    assert fetch(entry(server, "/whole")) == path
    assert server.starts == [0]
    assert leftovers(home) == ["tale.z5"]


def test_redirects_are_followed(server: Server) -> None:
    assert fetch(entry(server, "/moved")).read_bytes() == BODY


def test_a_cut_download_is_not_installed_and_goes_on_where_it_ended(
    server: Server, home: Path
) -> None:
    with pytest.raises(GameError, match="ended after 20000 of 50000 bytes; go on with: zork games"):
        fetch(entry(server, "/cut"))
    assert leftovers(home) == [".tale.z5.part"]
    seen: list[int] = []
    assert fetch(entry(server, "/whole"), seen.append).read_bytes() == BODY
    assert server.starts == [0, 20_000]
    assert seen[0] > 20_000
    assert leftovers(home) == ["tale.z5"]


def test_a_server_that_cannot_resume_sends_everything_again(server: Server) -> None:
    with pytest.raises(GameError, match="ended after"):
        fetch(entry(server, "/cut"))
    assert fetch(entry(server, "/deaf")).read_bytes() == BODY


@pytest.mark.parametrize("path", ["/wrong", "/endless"])
def test_wrong_bytes_are_thrown_away(server: Server, home: Path, path: str) -> None:
    with pytest.raises(GameError, match="other bytes than the catalog promises"):
        fetch(entry(server, path))
    assert leftovers(home) == []
    assert fetch(entry(server, "/whole")).read_bytes() == BODY


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/missing", "the server answered 404"),
        ("/loop", "the server answered 302"),
        ("/elsewhere", "sends on to another host, 'localhost:"),
    ],
)
def test_a_refusal_says_what_to_do(server: Server, home: Path, path: str, why: str) -> None:
    with pytest.raises(GameError) as error:
        fetch(entry(server, path))
    assert why in str(error.value)
    assert "zork games add tale.z5" in str(error.value)
    assert leftovers(home) == []


def test_without_a_network_it_says_how_to_get_the_story_by_hand() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        download = promised(f"http://127.0.0.1:{closed.getsockname()[1]}/tale.z5")
    with pytest.raises(GameError) as error:
        fetch(download)
    message = str(error.value)
    assert download.url in message
    assert "no connection" in message
    assert "zork games add tale.z5" in message
    assert "\n" not in message


def test_another_story_of_the_same_name_is_left_alone(server: Server, home: Path) -> None:
    own = home / "stories" / "tale.z5"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"mine")
    with pytest.raises(GameError, match="is another story already"):
        fetch(entry(server, "/whole"))
    assert own.read_bytes() == b"mine"
    assert not server.starts
