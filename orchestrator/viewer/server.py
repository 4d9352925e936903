"""The local web page over a folder of runs: Starlette, with server-sent events for live ones."""

from __future__ import annotations

import asyncio
import gc
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from pydantic_core import from_json, to_json
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from environments.game import GameError
from orchestrator.errors import ConfigError, RoleError, RunError
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.controls import Controls, fork_aside
from orchestrator.viewer.frames import TurnRow
from orchestrator.viewer.guard import Guard
from orchestrator.viewer.page import FILES, TYPES, page_file
from orchestrator.viewer.plain import (
    plain_diagram,
    plain_frame,
    plain_map,
    plain_recap,
    plain_rows,
    plain_run,
)
from orchestrator.viewer.runs import RunView, head, heads

HOST = "127.0.0.1"
USER_ERRORS = (ConfigError, GameError, RoleError, RunError)
_NO_REQUEST = (ValueError, TypeError, AttributeError, OverflowError, OSError)
"""What is raised by a request of another shape, or with a name that no file can have."""
_POLL_S, _IDLE_S = 0.25, 2.0
"""How often a run that is being played is looked at, and one that may be resumed."""
MOST_ASKED = 64 << 10
"""Bytes of what a page asks to be done."""
_OPEN = 8
"""So many runs are kept open, those that were asked for last."""


class Viewer:
    """What the page asks for, from the runs under a folder."""

    def __init__(
        self, out: Path, first: str = "", *, controls: Controls | None = None, forks: bool = False
    ) -> None:
        self.out, self.first, self.forks = out, first, forks
        self.controls = controls
        """Of the run that is played in this process, if one may be steered."""
        self._open: dict[str, RunView] = {}

    def view(self, name: str) -> RunView:
        """A run, opened once, and anew where another one lies in its place by now.

        Raises:
            RunError: there is none of that name.
        """
        found = self._open.get(name)
        if found is None or found.is_another:
            found = self._read(name)
        others = [(other, view) for other, view in self._open.items() if other != name]
        self._open = dict([*others, (name, found)][-_OPEN:])
        return found

    def _read(self, name: str) -> RunView:
        if Path(name).name != name or name.startswith("."):
            raise RunError(f"no run {name!r}")
        found = RunView(RunDirectory.find(self.out / name, self.out))
        with _without_gc():
            found.refresh()
        return found

    def close(self) -> None:
        """Close the runs that are open."""
        for view in self._open.values():
            view.close()
        self._open = {}

    def routes(self) -> list[Route]:
        """The addresses of the page and its data."""
        run = "/api/runs/{name}"
        turn = run + "/turns/{turn:int}"
        return [
            Route("/", self._page),
            Route("/api/start", self._json(lambda request: self._start())),
            Route("/api/runs", self._json(lambda request: heads(self.out))),
            Route(run, self._json(self._run)),
            Route(run + "/graph", self._json(lambda r: plain_diagram(self._asked(r).graph()))),
            Route(turn, self._json(self._turn)),
            Route(turn + "/puzzles", self._json(self._puzzles)),
            Route(run + "/events", self._events),
            Route("/api/control", self._control, methods=["POST"]),
            Route("/{name}", self._file),
        ]

    def _json(self, answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def handler(request: Request) -> Response:
            try:
                content = await run_in_threadpool(lambda: to_json(answer(request)))
            except (ConfigError, RunError) as error:
                raise HTTPException(404, str(error)) from error
            return Response(content, media_type="application/json")

        return handler

    def _asked(self, request: Request) -> RunView:
        return self.view(request.path_params["name"])

    def _start(self) -> dict[str, Any]:
        steered = self.controls.begun() if self.controls else ""
        return {"run": self.first or steered, "control": steered, "fork": self.forks}

    def _run(self, request: Request) -> dict[str, Any]:
        view = self._asked(request)
        view.refresh()
        return plain_run(view)

    def _turn(self, request: Request) -> dict[str, Any]:
        view, turn = self._asked(request), request.path_params["turn"]
        return {**plain_frame(view.frame(turn)), "map": plain_map(view.map(turn))}

    def _puzzles(self, request: Request) -> Any:
        return plain_diagram(self._asked(request).puzzles(request.path_params["turn"]))

    async def _page(self, request: Request) -> Response:
        return Response(page_file("index.html"), media_type="text/html; charset=utf-8")

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            raise HTTPException(404)
        return Response(page_file(name), media_type=TYPES[Path(name).suffix])

    async def _events(self, request: Request) -> Response:
        try:
            view = await run_in_threadpool(self._asked, request)
            reading = int(request.query_params.get("since", 0))
        except (RunError, ValueError) as error:
            raise HTTPException(404, str(error)) from error
        stream = self._stream(view, reading, request)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _stream(self, view: RunView, reading: int, request: Request) -> AsyncIterator[bytes]:
        """New turns as they are written, what is being done, and words as they arrive.

        It ends where the run cannot be read any more.
        """
        told: dict[str, Any] = {}
        while not await request.is_disconnected():
            news, reading = await run_in_threadpool(self._news, view, reading)
            for name, content in news.items():
                if content and content != told.get(name):
                    told[name] = content
                    yield b"event: " + name.encode() + b"\ndata: " + to_json(content) + b"\n\n"
            status = told["head"]["status"]
            if status == "damaged":
                return
            await asyncio.sleep(_POLL_S if status == "playing" else _IDLE_S)

    def _news(self, view: RunView, reading: int) -> tuple[dict[str, Any], int]:
        """What has happened since a reading of the trace, and the latest one."""
        try:
            view.refresh()
            rows, latest = view.since(reading)
            return self._told(view, rows), latest
        except RunError as error:
            broken = {"id": view.run.path.name, "status": "damaged", "error": str(error)}
            return {"head": broken}, reading

    def _told(self, view: RunView, rows: list[TurnRow]) -> dict[str, Any]:
        steered = self.controls and self.controls.run == view.run.path.name
        active, known = view.active(), head(view.run)
        over = known["status"] != "playing"
        return {
            "turns": plain_rows(rows, view.last) if rows else None,
            "head": known,
            "recap": plain_recap(view.recap(known["status"])) if rows or over else None,
            "active": active._asdict() if active else {"node": ""},
            "words": self.controls.words() if self.controls and steered else None,
            "control": self.controls.stand() if self.controls and steered else None,
        }

    async def _control(self, request: Request) -> Response:
        try:
            asked = await _small_body(request)
            answer = await run_in_threadpool(lambda: self._done(from_json(asked)))
        except (*USER_ERRORS, *_NO_REQUEST) as error:
            raise HTTPException(400, " ".join(str(error).split())) from error
        return Response(to_json(answer), media_type="application/json")

    def _done(self, request: dict[str, Any]) -> dict[str, Any]:
        if request.get("do") == "fork" and self.forks:
            run = RunDirectory.find(self.out / str(request.get("run")), self.out)
            return {"run": fork_aside(run, int(request.get("turn") or 0), self.out)}
        if self.controls is None:
            raise ConfigError("this page may only look; `zork play --view` lets it steer")
        return self.controls.take(request)


async def _small_body(request: Request) -> bytes:
    """What is asked for; more than a page of ours ever sends is not waited for.

    Raises:
        HTTPException: it is larger.
    """
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_ASKED:
            raise HTTPException(413, f"more than {MOST_ASKED:,} bytes")
    return body


@contextmanager
def _without_gc() -> Iterator[None]:
    """No garbage is collected while a run is read, nor searched for in what was read, ever.

    What is read stays; an answer now and then waited for that search.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


class Server:
    """The page on a port of the loopback, for as long as it is wanted."""

    def __init__(self, viewer: Viewer, port: int = 0) -> None:
        self._viewer = viewer
        self._socket = socket.create_server((HOST, port))
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        app = Starlette(routes=viewer.routes())
        app.router.redirect_slashes = False
        config = uvicorn.Config(
            Guard(app, self.token, self.port), log_level="critical", lifespan="off", ws="none"
        )
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def serve(self) -> None:
        """Serve until interrupted."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._viewer.close()

    def stop(self) -> None:
        """Let `serve` return, from another thread."""
        self._server.should_exit = self._server.force_exit = True
