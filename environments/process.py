"""The worker process of a game, seen from the parent: start, ask, notice its death, end."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import ormsgpack

from environments import wire

CPU_SECONDS = 2.0
"""Processor time for one command; the slowest honest step on record took 0.09 s."""
WALL_SECONDS = 60.0
"""The backstop for a worker that waits instead of working, generous for loaded machines."""
_ROOT = str(Path(__file__).parent.parent)
_INHERITED = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL")
"""All that the worker sees of our environment: secrets are none of its business."""


class WorkerDied(Exception):
    """The worker crashed, hung or was killed; the message says which."""

    def __init__(self, message: str, reached: int, *, from_outside: bool = False) -> None:
        super().__init__(message)
        self.reached = reached
        """The number of the command that was being tried, where several were asked for."""
        self.from_outside = from_outside
        """Another process killed it: the request is innocent and may be made again."""


class WorkerRefused(Exception):
    """The worker understood the request and will not do it; the message says why."""


def _unknown_to_jericho(story: bytes) -> bytes:
    """The story with one byte beyond the length in its header: the same game, another MD5.

    Jericho recognises games by the MD5 of the file; for those it builds action templates on
    loading (up to 150 ms) and cuts their output by per-game rules.
    """
    return story + b"\0"


_nurseries: dict[int, socket.socket] = {}
"""Where workers are asked for, by process: a copy of ours (`os.fork`) needs one of its own."""
_asking = threading.Lock()


def _fork(request: list[object], *ends: socket.socket) -> None:
    """Ask for a worker, which gets the first end; the other one is its lifeline."""
    message, files = [ormsgpack.packb(request)], [end.fileno() for end in ends]
    here = os.getpid()
    with _asking:
        try:
            socket.send_fds(_nurseries[here], message, files)
        except (KeyError, ConnectionError):  # There is none yet, or it was killed.
            _nurseries[here] = _start_nursery()
            socket.send_fds(_nurseries[here], message, files)


def _start_nursery() -> socket.socket:
    """Start the process that forks our workers, and ends with us."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "environments.nursery", str(theirs.fileno())],
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    atexit.register(_end_nursery, process, ours, os.getpid())
    return ours


def _end_nursery(process: subprocess.Popen[bytes], requests: socket.socket, owner: int) -> None:
    with requests:
        if os.getpid() == owner:
            requests.shutdown(socket.SHUT_RDWR)  # Copies of the owner may have it open, too.
    process.wait()


def _environment() -> dict[str, str]:
    path = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return inherited | {"PYTHONPATH": os.pathsep.join(path), "OPENBLAS_NUM_THREADS": "1"}


class Worker:
    """One child process with one story; after `WorkerDied` it is of no more use."""

    pid: int
    """The process id, once the story is loaded."""

    def __init__(self, story: bytes, cpu_seconds: float, *, tree: bool) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix=f"zork-{os.getpid()}-"))
        try:
            (self._folder / wire.STORY).write_bytes(_unknown_to_jericho(story))
            (self._folder / wire.PROGRESS).write_bytes(wire.COUNTER.pack(0))
            (ours, theirs), (lifeline, far) = socket.socketpair(), socket.socketpair()
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        for end in ours, lifeline:
            end.settimeout(WALL_SECONDS)
        self._channel = wire.Channel(ours)
        self._end = weakref.finalize(self, _end, self._channel, lifeline, os.getpid(), self._folder)
        with theirs, far:
            _fork([str(self._folder), cpu_seconds, tree], theirs, far)

    def wait_ready(self) -> None:
        """Wait until the story is loaded."""
        _, self.pid = self._exchange(None)

    def ask(self, operation: str, *arguments: object) -> Any:
        """Make one request and wait for its answer.

        Raises:
            WorkerDied: No answer will come.
            WorkerRefused: The request was refused.
        """
        kind, answer = self._exchange([operation, *arguments])
        if kind == "refused":
            raise WorkerRefused(answer)
        return answer

    def _exchange(self, request: list[object] | None) -> Any:
        try:
            if request is not None:
                self._channel.send(request)
            answer = self._channel.receive()
        except TimeoutError as error:
            reached = self._reached()
            self.close()
            raise WorkerDied(f"no answer within {WALL_SECONDS:g} s", reached) from error
        except OSError as error:
            raise self._death() from error
        if answer[0] == "damaged":
            reached = self._reached()
            self.close()
            raise WorkerDied(answer[1], reached)
        if answer[0] == "broken":
            self.close()
            raise RuntimeError(f"the worker process has a fault of its own:\n{answer[1]}")
        return answer

    def _death(self) -> WorkerDied:
        reached = self._reached()
        status = self._end() or 0
        if status >= 0:
            return WorkerDied(f"the emulator exited with status {status}", reached)
        if -status == signal.SIGPROF:
            return WorkerDied("the story did not come to rest in time", reached)
        name = signal.Signals(-status).name
        outside = -status in (signal.SIGKILL, signal.SIGTERM)
        return WorkerDied(f"the emulator was ended by {name}", reached, from_outside=outside)

    def _reached(self) -> int:
        counter = (self._folder / wire.PROGRESS).read_bytes()
        return int(wire.COUNTER.unpack(counter)[0])

    def close(self) -> None:
        """End the process and remove its directory; closing twice is harmless."""
        self._end()


def _end(channel: wire.Channel, lifeline: socket.socket, owner: int, folder: Path) -> int:
    """How the worker ended; a copy of the process that asked for it lets it live."""
    channel.close()
    with lifeline, suppress(OSError):
        if os.getpid() == owner:
            lifeline.shutdown(socket.SHUT_WR)
            if status := lifeline.recv(wire.STATUS.size):
                return int(wire.STATUS.unpack(status)[0])
            shutil.rmtree(folder, ignore_errors=True)
    return -signal.SIGKILL  # Of the nursery itself, which would have removed the folder.
