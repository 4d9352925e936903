"""A loopback server that takes runs as LangSmith does and keeps them merged by id."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INFO = {
    "version": "0.10.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "size_limit": 100,
        "size_limit_bytes": 20_971_520,
        "scale_up_nthreads_limit": 16,
        "scale_up_qsize_trigger": 1000,
        "scale_down_nempty_trigger": 4,
    },
}


class Recorder(ThreadingHTTPServer):
    """`runs` by id; `operations` in the order of arrival: a patch may overtake its post."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.runs: dict[str, dict[str, Any]] = {}
        self.operations: list[tuple[str, str]] = []
        self.refusals = 0
        """So many of the next requests are answered with an error."""
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def take(self, operation: str, run_id: str, fields: dict[str, Any]) -> None:
        with self.lock:
            self.operations.append((operation, run_id))
            known = self.runs.get(run_id, {})
            if operation == "post":
                self.runs[run_id] = fields | known
            else:
                self.runs[run_id] = known | fields


class Handler(BaseHTTPRequestHandler):
    server: Recorder
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer(200, INFO)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.refusals:
            self.server.refusals -= 1
            self._answer(422, {"detail": "refused"})
            return
        header = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts: dict[tuple[str, str], dict[str, Any]] = {}
        for part in BytesParser(policy=HTTP).parsebytes(header + body).iter_parts():
            operation, run_id, *field = str(
                part.get_param("name", header="content-disposition")
            ).split(".")
            value = json.loads(part.get_payload(decode=True))
            parts.setdefault((operation, run_id), {}).update({field[0]: value} if field else value)
        for (operation, run_id), fields in parts.items():
            self.server.take(operation, run_id, fields)
        self._answer(202, {})

    def _answer(self, status: int, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Tests want no access log."""


@contextmanager
def recording() -> Iterator[Recorder]:
    """A recorder that serves until the end of the block."""
    with Recorder() as recorder:
        thread = threading.Thread(target=recorder.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield recorder
        finally:
            recorder.shutdown()
            thread.join()
