"""The HTTP side of the fake server: routes, streams, and streams that go wrong."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, ClassVar

from testing.fake_ollama import openai
from testing.fake_ollama.completion import Generated, chunks, nothing, whole
from testing.fake_ollama.faults import BEFORE
from testing.fake_ollama.protocol import (
    VERSION,
    Call,
    Refusal,
    find_model,
    parse_chat,
    parse_generate,
    parse_json,
)

if TYPE_CHECKING:
    from testing.fake_ollama.server import FakeOllama

NDJSON = "application/x-ndjson"
JSON = "application/json; charset=utf-8"
DRIPS = 20
"""In the seconds of one stall."""
PROXY_PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>"


class Handler(BaseHTTPRequestHandler):
    """Answers one connection's requests."""

    fake: ClassVar[FakeOllama]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        """Let the server hang up when it stops."""
        super().setup()
        self.fake.connections[self.connection] = None

    def finish(self) -> None:
        """The client hung up."""
        self.fake.connections.pop(self.connection, None)
        super().finish()

    def do_GET(self) -> None:
        """Everything that asks about the server."""
        if self._is_stranger():
            return
        fake = self.fake
        routes: dict[str, Callable[[], Any]] = {
            "/api/version": lambda: {"version": VERSION},
            "/api/tags": lambda: {"models": [model.listing() for model in fake.models]},
            "/api/ps": lambda: {"models": [model.listing() for model in fake.models[:1]]},
            "/v1/models": lambda: openai.listing(fake.models),
        }
        if self.path == "/":
            self._send(200, b"Ollama is running", "text/plain; charset=utf-8")
        elif self.path in routes:
            self._send_json(200, routes[self.path]())
        else:
            self._not_found()

    def do_HEAD(self) -> None:
        """Whether it is up."""
        if self.path == "/":
            self._send(200, b"", "text/plain; charset=utf-8")
        else:
            self._not_found()

    def do_POST(self) -> None:
        """Everything that asks the model."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self._is_stranger():
            return
        routes: dict[str, Callable[[dict[str, Any]], None]] = {
            "/api/chat": lambda b: self._answer(parse_chat(b, self.fake.models)),
            "/api/generate": lambda b: self._answer(parse_generate(b, self.fake.models)),
            "/api/show": self._show,
            "/v1/chat/completions": lambda b: self._answer(openai.parse(b, self.fake.models)),
        }
        if self.path not in routes:
            self._not_found()
            return
        try:
            routes[self.path](parse_json(body))
        except Refusal as refusal:
            self._send_error(refusal.status, str(refusal))

    def log_message(self, *_args: Any) -> None:
        """What was asked is in `FakeOllama.served`."""

    def _is_stranger(self) -> bool:
        """Whether the client has not the key that it has to have; it is told so."""
        sent = self.headers.get("Authorization", "")
        stranger = bool(self.fake.key) and sent != f"Bearer {self.fake.key}"
        if stranger:
            self._send_error(401, f"unauthorized: {sent.rpartition(' ')[2]}")
        return stranger

    def _show(self, body: dict[str, Any]) -> None:
        name = str(body.get("model") or body.get("name") or "")
        self._send_json(200, find_model(name, self.fake.models).show())

    def _answer(self, call: Call) -> None:
        if not call.question.messages:
            self._send_json(200, nothing(call, "unload" if call.unloads else "load"))
            return
        done = self.fake.answer(call)
        if done.fault == "refuse":
            self._hang_up()
        elif done.fault in BEFORE:
            self._send_error(*BEFORE[done.fault])
        elif done.fault == "html":
            self._send(502, PROXY_PAGE.encode(), "text/html")
        else:
            self._deliver(call, done)

    def _deliver(self, call: Call, done: Generated) -> None:
        if done.fault == "slow":
            self.fake.wait(self.fake.stall)
        if call.stream:
            self._stream(call, done)
        elif call.endpoint == "openai":
            self._send_json(200, openai.whole(call, done))
        else:
            self._send_json(200, whole(call, done))

    def _stream(self, call: Call, done: Generated) -> None:
        self.send_response(200)
        server_sent = call.endpoint == "openai"
        self.send_header("Content-Type", "text/event-stream" if server_sent else NDJSON)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        lines = openai.events(call, done) if server_sent else self._lines(call, done)
        for line in lines:
            self._chunk(line + b"\n")
            if self.close_connection:
                return
        self.wfile.write(b"0\r\n\r\n")

    def _lines(self, call: Call, done: Generated) -> Iterator[bytes]:
        if done.fault == "load":
            yield _line(nothing(call, "load"))
            return
        lines = [_line(chunk) for chunk in chunks(call, done)]
        if done.fault == "no_done":
            lines.pop()
        for i, line in enumerate(lines):
            if i == len(lines) // 2:
                yield from self._in_the_middle(done.fault, line)
            if done.fault == "drip":
                self.fake.wait(self.fake.stall / DRIPS)
            yield line

    def _in_the_middle(self, fault: str, line: bytes) -> Iterator[bytes]:
        odd = {
            "malformed": line[:-9],
            "blank": b"",
            "not_object": b"[]",
            "stream_error": b'{"error":"an error was encountered while running the model"}',
        }
        if fault in odd:
            yield odd[fault]
        if fault == "stall":
            self.fake.wait(self.fake.stall)
        if fault in ("stall", "cut"):
            self._hang_up()
            yield b""

    def _hang_up(self) -> None:
        """Reset the connection, so that the client cannot take it for an end."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.wfile.flush()
        self.connection.close()

    def _chunk(self, data: bytes) -> None:
        if not self.close_connection:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _not_found(self) -> None:
        self._send(404, b"404 page not found", "text/plain")

    def _send_error(self, status: int, message: str) -> None:
        if self.path.startswith("/v1/"):
            self._send_json(status, {"error": {"message": message, "type": "api_error"}})
        else:
            self._send_json(status, {"error": message})

    def _send_json(self, status: int, content: Any) -> None:
        self._send(status, _line(content), JSON)

    def _send(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _line(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
