"""One llama.cpp server for all on this machine who ask the same file: started, shared, ended.

Who wants to ask takes a shared lock on the server's `clients` file and keeps it until its process
ends; the server ends when it can have that lock for itself. So a second episode, a worker of a
bench or another command finds the first one's server, and none is left when all of them are gone.
The server holds a lock on `alive`, by which its clients see whether it is still there.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from agents.models.faults import ModelError
from agents.models.local import child
from agents.models.local.child import Wanted
from agents.models.local.gguf import ModelFile, read_model_file
from agents.models.local.weights import Weights
from environments.extras import installing
from environments.folders import cache_folder, make_private
from environments.plain_files import write_whole

MAX_SLOTS = 4
START_SECONDS = 600.0
"""For reading the file; more than any disk takes."""
_LAST_WORDS = 300
_COMPLAINT = re.compile(r"^[\d.]+ E +(.*)")
"""A line of llama.cpp's log that tells of an error."""
_RESERVE = 1.15
"""What a server needs besides weights and context, as a factor."""
_STAT = Path("/proc/stat")
"""Where Linux tells what its processors have done."""
_MOMENT_S = 0.4
_SPINS = {"GOMP_SPINCOUNT": "500"}
"""How often a thread of llama.cpp looks whether the others are done before it sleeps.

By default it looks some hundred thousand times. On a quiet machine that is no faster. Beside other
work it keeps the processor from the very thread that it waits for: beside one busy process on two
processors an answer of 1.3 s took more than a minute, and takes 2.7 s with this.
"""


class Endpoint(NamedTuple):
    """Where a server answers, and the key it wants to see."""

    url: str
    key: str


class LocalServer:
    """The server of one file with one context; nothing is started before somebody asks.

    Args:
        weights: The file.
        context: Tokens of one conversation.
        slots: Conversations at a time; by default one for each processor, at most four.
        threads: By default one for each processor that nobody else keeps busy when it starts; never
            more than there are. With more, each token waits for the thread that others push aside.

    Raises:
        ModelError: the file is none that can be served, or the memory is not enough.
    """

    def __init__(
        self,
        weights: Weights,
        context: int,
        *,
        slots: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.weights = weights
        self.file = read_model_file(weights.path)
        self.context = context
        self.slots = slots or min(processors(), MAX_SLOTS)
        self._wished = threads
        self._folder = _folder_of(weights.path, context, self.slots, threads)
        self._endpoint: Endpoint | None = None
        self._lock = threading.Lock()

    def endpoint(self) -> Endpoint:
        """Where it answers; it is started if nobody has, or if it has died.

        Raises:
            ModelError: it does not start, and why.
        """
        with self._lock:
            if self._endpoint is None or not _is_held(self._folder / "alive"):
                self._endpoint = self._found_or_started()
            return self._endpoint

    def _found_or_started(self) -> Endpoint:
        folder = self._folder
        try:
            make_private(folder)
            with _locked(folder / "start"):
                _join(folder / "clients")
                return _running(folder) or self._started(folder)
        except OSError as error:
            raise ModelError(
                f"{str(folder)!r} cannot be written: {error.strerror}; set ZORK_HOME"
            ) from error

    def _started(self, folder: Path) -> Endpoint:
        _check_installed()
        _check_memory(self.weights, self.file, self.context * self.slots)
        wanted = Wanted(
            name=self.weights.name,
            path=str(self.weights.path),
            context=self.context,
            slots=self.slots,
            threads=min(self._wished or idle_processors(), processors()),
            key=secrets.token_urlsafe(24),
            clients=str(folder / "clients"),
            alive=str(folder / "alive"),
        )
        url = self._answer_of(_spawn(folder / "log"), wanted, folder / "log")
        endpoint = Endpoint(url, wanted.key)
        write_whole(folder / "address", json.dumps(endpoint._asdict()).encode())
        return endpoint

    def _answer_of(self, process: subprocess.Popen[bytes], wanted: Wanted, log: Path) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(START_SECONDS, process.kill)
        timer.start()
        try:
            with process.stdin as asked:
                asked.write(json.dumps(wanted._asdict()).encode())
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
            process.stdout.close()
        if not line:
            code = process.wait()
            raise ModelError(
                f"model 'local:{self.weights.name}': llama.cpp does not serve "
                f"{str(self.weights.path)!r} (exit status {code}): {_last_words(log)}"
            )
        return str(json.loads(line)["url"])


@functools.cache
def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def idle_processors() -> int:
    """How many of them are idle while this process waits a moment; 1 at least.

    The load of the last minute would not do: it counts the model that an episode has just closed.
    """
    if not _STAT.exists():
        return processors()
    before, began = _idle_seconds(), time.monotonic()
    time.sleep(_MOMENT_S)
    idle = (_idle_seconds() - before) / (time.monotonic() - began)
    return min(processors(), max(1, round(idle)))


def _idle_seconds() -> float:
    """What all processors that this process may use have idled since the machine began."""
    rows = (line.split() for line in _STAT.read_text(encoding="ascii").splitlines())
    times = {row[0]: int(row[4]) + int(row[5]) for row in rows if row[0].startswith("cpu")}
    ours = (times.get(f"cpu{number}", 0) for number in os.sched_getaffinity(0))
    return sum(ours) / os.sysconf("SC_CLK_TCK")


_CHILDREN: list[subprocess.Popen[bytes]] = []
"""The servers that this process has started; those that died are taken off with the next one."""
_JOINED: dict[Path, int] = {}
"""The locks of this process by file; held until it ends."""


def _join(clients: Path) -> None:
    """Share the lock of a file; of a new one where somebody has removed it."""
    held = _JOINED.get(clients)
    if held is not None and os.fstat(held).st_nlink:
        return
    file = os.open(clients, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_SH)
    _JOINED[clients] = file
    if held is not None:
        os.close(held)


def _folder_of(file: Path, *settings: int | None) -> Path:
    """Where those meet who ask the same file in the same way."""
    about = file.stat()
    same = repr((str(file), about.st_size, about.st_mtime_ns, *settings))
    return cache_folder() / "servers" / hashlib.sha256(same.encode()).hexdigest()[:16]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _running(folder: Path) -> Endpoint | None:
    """The server that somebody has started, if it is alive."""
    try:
        written = json.loads((folder / "address").read_text(encoding="utf-8"))
        return Endpoint(**written) if _is_held(folder / "alive") else None
    except (OSError, ValueError, TypeError):
        return None


def _is_held(path: Path) -> bool:
    """Whether a process holds the lock of a file, which somebody may have removed."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        pass
    return False


def _spawn(log: Path) -> subprocess.Popen[bytes]:
    _CHILDREN[:] = [one for one in _CHILDREN if one.poll() is None]
    with log.open("wb") as words:
        process = subprocess.Popen(
            # Its own folder holds files that libraries might take for theirs.
            [sys.executable, "-P", child.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            start_new_session=True,
            env=_SPINS | os.environ,
        )
    _CHILDREN.append(process)
    return process


def _check_installed() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(f"models 'local:...' need llama.cpp: {installing('local')}")


def _check_memory(weights: Weights, file: ModelFile, tokens: int) -> None:
    needed = int((weights.size + file.kv_bytes(tokens)) * _RESERVE)
    free = free_memory()
    if free is not None and needed > free:
        raise ModelError(
            f"model 'local:{weights.name}' needs about {needed / 1e9:.1f} GB for its weights and "
            f"{tokens:,} tokens, {free / 1e9:.1f} GB are free: take a smaller num_ctx or model"
        )


def free_memory() -> int | None:
    """Bytes that could still be had; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _last_words(log: Path) -> str:
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "it said nothing"
    told = [found[1] for line in text.splitlines() if (found := _COMPLAINT.search(line))]
    lines = told[:1] or text.strip().splitlines()[-1:]
    return " ".join(" ".join(lines).split())[:_LAST_WORDS] or "it said nothing"
