"""The fake server itself: its life, its routes, and what it was asked."""

from __future__ import annotations

import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from http.server import ThreadingHTTPServer
from typing import Any

from agents.models.scripts import ModelQuestion, Script
from testing.fake_ollama.completion import Answers, Generated, complete
from testing.fake_ollama.faults import CONTENT, FAULTS
from testing.fake_ollama.handler import Handler
from testing.fake_ollama.protocol import Call, FakeModel

KEPT_REQUESTS = 10_000
LLAMA = FakeModel("llama3.1:8b")
THINKER = FakeModel("qwen3:4b", capabilities=("completion", "tools", "thinking"))


@dataclass(frozen=True)
class Served:
    """One request for an answer, and what became of it."""

    endpoint: str
    model: str
    question: ModelQuestion
    completion: Generated
    prompt_tokens: int
    """Before the context window cut it."""
    truncated: bool
    """The prompt did not fit the context window; Ollama cuts it without a word."""


class FakeOllama:
    """A server on this machine, up between `start` and `stop`, or inside a `with`.

    Args:
        answers: A script or a function of the question; what they leave open is made up.
        models: What has been pulled.
        port: 0 takes a free one; it is kept over `stop` and `start`.
        seed: Of made-up answers.
        latency: Seconds before each answer.
        slots: How many answers are made at a time; more requests wait.
        faults: The fault of the n-th request for an answer; empty for none.
        key: What a client has to send as its bearer token; empty for nothing.
        tls: Files of a certificate and its key; with them it encrypts.
        stall: Seconds that `slow` and `stall` take, and twenty times what `drip` does.
    """

    def __init__(
        self,
        answers: Answers | Script | None = None,
        *,
        models: Sequence[FakeModel] = (LLAMA, THINKER),
        port: int = 0,
        seed: int = 0,
        latency: float = 0.0,
        slots: int | None = None,
        faults: Callable[[int], str] | None = None,
        stall: float = 30.0,
        key: str = "",
        tls: tuple[str, str] | None = None,
    ) -> None:
        self.answers = answers
        self.models = tuple(models)
        self.port = port
        self.seed = seed
        self.latency = latency
        self.stall = stall
        self.key = key
        self.tls = tls
        self.served: deque[Served] = deque(maxlen=KEPT_REQUESTS)
        """The latest requests for an answer, oldest first."""
        self.connections: dict[socket.socket, None] = {}
        """Open ones."""
        self._slots = threading.Semaphore(slots) if slots else nullcontext()
        self.plan = faults
        """The fault of the n-th request, counted from 0 since it was made; may be exchanged."""
        self._next_faults: deque[str] = deque()
        self._count = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def start(self) -> FakeOllama:
        """Listen."""
        if self._server is None:
            self._stopping.clear()
            self._server = _Server(
                ("127.0.0.1", self.port), type("Bound", (Handler,), {"fake": self})
            )
            self.port = self._server.server_address[1]
            if self.tls:
                encrypting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                encrypting.load_cert_chain(*self.tls)
                self._server.socket = encrypting.wrap_socket(self._server.socket, server_side=True)
            threading.Thread(
                target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
            ).start()
        return self

    def stop(self) -> None:
        """Stop listening and let go of whoever still waits; stopping twice is harmless."""
        self._stopping.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> FakeOllama:
        return self.start()

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @contextmanager
    def down(self) -> Iterator[None]:
        """Nobody listens on the port for a while."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def misbehave(self, *kinds: str) -> None:
        """Let the next requests for an answer go wrong, one each.

        Raises:
            ValueError: no such fault.
        """
        for kind in kinds:
            if kind not in FAULTS:
                raise ValueError(f"no fault {kind!r} (known: {', '.join(FAULTS)})")
        with self._lock:
            self._next_faults.extend(kinds)

    def answer(self, call: Call) -> Generated:
        """The answer to a call; what is wrong with its transport is in its `fault`."""
        with self._slots:
            self.wait(self.latency)
            done = complete(call, self.answers, self.seed)
        done = replace(done, fault=self._fault() or done.fault)
        if done.fault in CONTENT:
            done = CONTENT[done.fault](done)
        truncated = call.prompt_tokens > call.num_ctx
        self.served.append(
            Served(
                call.endpoint, call.model.name, call.question, done, call.prompt_tokens, truncated
            )
        )
        return done

    def wait(self, seconds: float) -> None:
        """Let time pass, or the server stop."""
        if seconds > 0:
            self._stopping.wait(seconds)

    def _fault(self) -> str:
        with self._lock:
            count, self._count = self._count, self._count + 1
            if self._next_faults:
                return self._next_faults.popleft()
        return self.plan(count) if self.plan else ""


class _Server(ThreadingHTTPServer):
    """Many short calls at a time, without Nagle's 40 ms."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are none of our business."""
