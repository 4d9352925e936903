"""The child process that holds one story in the emulator: `python -m environments.worker`.

Started by `environments.process` with an inherited socket, in a private directory that holds
nothing but the story. Whatever libfrotz does to this process, the game survives it.
"""

from __future__ import annotations

import mmap
import os
import resource
import shutil
import signal
import socket
import sys
import traceback
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from environments import wire
from environments.frotz import Halted
from environments.session import Session
from environments.snapshot import SnapshotError

_HALTED = 3
_MEMORY_BYTES = 4 << 30
_LOADING = 5
"""Loading a story may take this many times the time-out of a request."""


def main() -> None:
    """Serve one story until the channel closes."""
    channel = wire.Channel(socket.socket(fileno=int(sys.argv[1])))
    seconds, tree = float(sys.argv[2]), sys.argv[3] == "tree"
    sys.excepthook = partial(_confess, channel)
    sys.unraisablehook = partial(_confess_callback, channel)
    _confine()
    signal.setitimer(signal.ITIMER_PROF, _LOADING * seconds)
    session = Session(Path(wire.STORY), _progress(), tree=tree)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    channel.send(["ready"])
    while True:
        try:
            operation, *arguments = channel.receive()
        except wire.WireError:
            shutil.rmtree(Path.cwd(), ignore_errors=True)
            os._exit(0)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        channel.send(_answer(session, operation, arguments))


def _answer(session: Session, operation: str, arguments: list[Any]) -> list[Any]:
    try:
        return ["done", getattr(session, operation)(*arguments)]
    except SnapshotError as error:
        return ["refused", str(error)]
    except Halted:
        os._exit(_HALTED)


def _progress() -> memoryview:
    """A counter in a file, which the parent can still read when this process is gone."""
    with Path(wire.PROGRESS).open("r+b") as file:
        return memoryview(mmap.mmap(file.fileno(), wire.COUNTER.size)).cast("I")


def _confine() -> None:
    """No terminal, bounded memory, and signals that mean what we need them for."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, _MEMORY_BYTES),
    ):
        resource.setrlimit(limit, (value, value))


def _confess(
    channel: wire.Channel,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    """An error of our own code goes to the parent, which has a terminal."""
    channel.send(["broken", "".join(traceback.format_exception(kind, error, trace))])


def _confess_callback(channel: wire.Channel, error: sys.UnraisableHookArgs) -> None:
    """An error within a routine that libfrotz called cannot be raised through it."""
    _confess(channel, error.exc_type, error.exc_value or error.exc_type(), error.exc_traceback)
    os._exit(1)


if __name__ == "__main__":
    main()
