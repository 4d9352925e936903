"""The worker process of a game, seen from the parent: start, ask, notice its death, end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any

from environments import wire

CPU_SECONDS = 2.0
"""Processor time for one request; the slowest honest step on record took 0.09 s."""
WALL_SECONDS = 60.0
"""The backstop for a worker that waits instead of working, generous for loaded machines."""
_FAREWELL_SECONDS = 0.2
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


def _stranger(story: bytes) -> bytes:
    """The story with one byte beyond the length in its header: the same game, another MD5.

    Jericho recognises games by the MD5 of the file; for those it builds action templates on
    loading (up to 150 ms) and cuts their output by per-game rules.
    """
    return story + b"\0"


def _environment(folder: Path) -> dict[str, str]:
    path = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    own = {"PYTHONPATH": os.pathsep.join(path), "OPENBLAS_NUM_THREADS": "1"}
    return inherited | own | {"TMPDIR": str(folder)}


class Worker:
    """One child process with one story; after `WorkerDied` it is of no more use."""

    def __init__(self, story: bytes, cpu_seconds: float, *, tree: bool) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix=f"zork-{os.getpid()}-"))
        (self._folder / wire.STORY).write_bytes(_stranger(story))
        (self._folder / wire.PROGRESS).write_bytes(wire.COUNTER.pack(0))
        ours, theirs = socket.socketpair()
        ours.settimeout(WALL_SECONDS)
        self._channel = wire.Channel(ours)
        try:
            self._process = self._spawn(theirs, str(cpu_seconds), "tree" if tree else "text")
        finally:
            theirs.close()
        self._end = weakref.finalize(self, _end, self._process, self._channel, self._folder)

    def _spawn(self, theirs: socket.socket, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "environments.worker", str(theirs.fileno()), *arguments],
            cwd=self._folder,
            env=_environment(self._folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def wait_ready(self) -> None:
        """Wait until the story is loaded."""
        self._exchange(None)

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
        if answer[0] == "broken":
            self.close()
            raise RuntimeError(f"the worker process has a fault of its own:\n{answer[1]}")
        return answer

    def _death(self) -> WorkerDied:
        reached = self._reached()
        self.close()
        status = self._process.returncode
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


def _end(process: subprocess.Popen[bytes], channel: wire.Channel, folder: Path) -> None:
    channel.close()
    try:
        process.wait(_FAREWELL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
