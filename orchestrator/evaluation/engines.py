"""Engines play cells side by side: here in worker processes of this machine."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pebble import ProcessExpired, ProcessPool

from orchestrator.errors import ConfigError, unknown
from orchestrator.evaluation.cells import Task

Play = Callable[[Task, Path], dict[str, Any]]


class CellEnded(NamedTuple):
    """What came of a cell."""

    task: Task
    row: dict[str, Any] | None = None
    error: BaseException | None = None
    lost: bool = False
    """Its worker or its node died: play it again."""


class Engine(Protocol):
    """Plays cells; where a worker dies, the cell is given back as lost."""

    @property
    def room(self) -> int:
        """So many cells more can be started now."""
        ...

    def start(self, task: Task, folder: Path) -> None:
        """Begin to play a cell in a folder."""
        ...

    def ended(self, timeout: float) -> list[CellEnded]:
        """The cells that have ended since; waits at most so many seconds for the first one."""
        ...

    def close(self) -> None:
        """End everything at once; cells in flight stand at their last checkpoint."""
        ...


class LocalEngine:
    """Worker processes on this machine; none of them outlives this process."""

    def __init__(self, workers: int, play: Play) -> None:
        self._workers, self._play = workers, play
        self._pool = ProcessPool(workers, context=_Context(), initializer=_begin)
        self._running: dict[Future[dict[str, Any]], Task] = {}

    @property
    def room(self) -> int:
        return self._workers - len(self._running)

    def start(self, task: Task, folder: Path) -> None:
        self._running[self._pool.schedule(self._play, args=(task, folder))] = task

    def ended(self, timeout: float) -> list[CellEnded]:
        done, _ = wait(self._running, timeout, FIRST_COMPLETED)
        return [_outcome(self._running.pop(future), future) for future in done]

    def close(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


ENGINES = {
    "local": "orchestrator.evaluation.engines:LocalEngine",
    "ray": "orchestrator.evaluation.ray_engine:RayEngine",
}


def make_engine(name: str, workers: int, play: Play, address: str | None = None) -> Engine:
    """An engine by name.

    Raises:
        ConfigError: there is none of that name, or it is not installed.
    """
    if name not in ENGINES:
        raise ConfigError(unknown("engine", name, ENGINES))
    if address is not None and name != "ray":
        raise ConfigError(f"--address {address!r}: only with --engine ray")
    if name == "local":
        return LocalEngine(workers, play)
    module, _, kind = ENGINES[name].partition(":")
    engine: Engine = getattr(importlib.import_module(module), kind)(play, address)
    return engine


def _outcome(task: Task, future: Future[dict[str, Any]]) -> CellEnded:
    error = future.exception()
    if error is None:
        return CellEnded(task, future.result())
    return CellEnded(task, error=error, lost=isinstance(error, ProcessExpired))


class _Worker(SpawnProcess):
    """Ctrl-C does not reach it while it starts."""

    def start(self) -> None:
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)


class _Context(SpawnContext):
    Process = _Worker


def _begin() -> None:
    """In a new worker: Ctrl-C is the parent's business, and nothing goes on without it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
