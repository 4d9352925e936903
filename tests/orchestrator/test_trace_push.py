"""`push` re-creates a trace on a server, once."""

from __future__ import annotations

import datetime
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.errors import RunError
from orchestrator.traces.push import Target, push
from orchestrator.traces.reader import Trace, read_trace
from tests.command_line import Done, zork
from tests.orchestrator.langsmith_recorder import Recorder, recording

ROLES = "tests.orchestrator.trace_roles"


@pytest.fixture(scope="module")
def trace_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = (f"nodes.actor.use={ROLES}:TalkingActor",)
    result = play("morning", steps=11, out=tmp_path_factory.mktemp("runs"), settings=settings)
    return Path(result["run_dir"], "trace.jsonl")


@pytest.fixture
def trace(trace_file: Path) -> Trace:
    return read_trace(trace_file)


def target(recorder: Recorder) -> Target:
    return Target(recorder.url, "elsewhere", "lsv2_pt_0123456789abcdef")


def as_json(trace: Trace) -> dict[str, Any]:
    records = {
        run.record["id"]: {**run.record, "session_name": "elsewhere"} for run in trace.walk()
    }
    plain: dict[str, Any] = json.loads(json.dumps(records))
    return plain


def test_the_server_gets_the_very_runs_of_the_trace(trace: Trace, tmp_path: Path) -> None:
    with recording() as recorder:
        report = push(trace, target(recorder), tmp_path / "trace.jsonl")
        assert report.sent == len(as_json(trace)) > 100
        assert recorder.runs == as_json(trace)


def test_pushing_twice_adds_nothing(trace: Trace, tmp_path: Path) -> None:
    with recording() as recorder:
        first = push(trace, target(recorder), tmp_path / "trace.jsonl")
        operations = list(recorder.operations)
        second = push(trace, target(recorder), tmp_path / "trace.jsonl")
        assert recorder.operations == operations
        assert (second.sent, second.known) == (0, first.sent)


def test_a_push_that_broke_off_is_resumed(trace: Trace, tmp_path: Path) -> None:
    beside = tmp_path / "trace.jsonl"
    with recording() as recorder:

        def break_off(_sent: int) -> None:
            recorder.refusals = 1

        with pytest.raises(RunError, match="push to"):
            push(trace, target(recorder), beside, progress=break_off)
        arrived = set(recorder.runs)
        assert 0 < len(arrived) < len(as_json(trace))
        push(trace, target(recorder), beside)
        assert recorder.runs == as_json(trace)
        posted = [run_id for _, run_id in recorder.operations]
        assert len(posted) == len(set(posted))


def test_turns_played_later_are_pushed_later(trace: Trace, tmp_path: Path) -> None:
    beside = tmp_path / "trace.jsonl"
    early = Trace(roots=trace.roots[:5])
    with recording() as recorder:
        push(early, target(recorder), beside)
        late = push(trace, target(recorder), beside)
        assert late.known == len(list(early.walk()))
        assert recorder.runs == as_json(trace)


def test_a_turn_that_has_not_ended_is_left_out(trace_file: Path, tmp_path: Path) -> None:
    lines = trace_file.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "trace.jsonl"
    cut.write_bytes(b"".join(lines[:-1]))
    with recording() as recorder:
        report = push(read_trace(cut), target(recorder), cut)
        assert report.open > 0
        assert len(recorder.runs) == report.sent


def test_times_are_moved_together(trace: Trace, tmp_path: Path) -> None:
    with recording() as recorder:
        report = push(trace, target(recorder), tmp_path / "trace.jsonl", shift_time=True)
        by = datetime.timedelta(seconds=report.shift_s)
        for run in trace.walk():
            sent = recorder.runs[run.record["id"]]
            assert datetime.datetime.fromisoformat(sent["start_time"]) == run.started + by
            own = sent["dotted_order"].rpartition(".")[2].partition("Z")[0]
            assert own == "".join(c for c in sent["start_time"][:26] if c.isalnum())
            assert sent["events"][0]["time"] == sent["start_time"]


class Unwilling(BaseHTTPRequestHandler):
    """Answers as the test wants: a status, a body, perhaps another place."""

    status = 500
    body = b""
    place = ""
    keys: list[str | None]

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.keys.append(self.headers["X-Api-Key"])
        self.send_response(self.status)
        if self.place:
            self.send_header("Location", self.place + self.path)
        body = self.body or f"no such key: {self.headers['X-Api-Key']}".encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Tests want no access log."""


@contextmanager
def unwilling(status: int, body: bytes = b"", place: str = "") -> Iterator[tuple[str, list[Any]]]:
    """The address of a server that answers so, and the keys that it got."""
    keys: list[Any] = []
    answers = {"status": status, "body": body, "place": place, "keys": keys}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Unwilling,), answers)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", keys
        server.shutdown()
        thread.join()


PLAIN_KEY = "a-key-of-no-known-shape"


def pushed(trace_file: Path, address: str) -> Done:
    shown = ("trace", "push", str(trace_file), "--endpoint", address)
    return zork(*shown, LANGSMITH_API_KEY=PLAIN_KEY)


def test_a_push_that_fails_says_why_in_one_short_line(trace_file: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        dead = pushed(trace_file, f"http://127.0.0.1:{closed.getsockname()[1]}")
    assert "no connection (Connection refused)" in dead.stderr
    with unwilling(401) as (address, _):
        denied = pushed(trace_file, address)
    assert "the server answered 401 Unauthorized: no such key: [redacted]" in denied.stderr
    with unwilling(422, b"e" * 200_000) as (address, _):
        wordy = pushed(trace_file, address)
    assert "the server answered 422" in wordy.stderr
    for done in (dead, denied, wordy):
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert len(done.stderr) < 500
        assert PLAIN_KEY not in done.stderr
        assert "API Key" not in done.stderr


def test_runs_and_key_go_to_the_server_that_was_named_alone(trace_file: Path) -> None:
    with recording() as other, unwilling(307, place=other.url) as (address, keys):
        done = pushed(trace_file, address)
        assert other.runs == {}
    assert done.returncode == 2
    assert f"sends on to {other.url}, which is not followed" in done.stderr
    assert set(keys) == {PLAIN_KEY}
