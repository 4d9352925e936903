"""The child process that holds one story in the emulator.

Forked by `environments.nursery`, in a private directory that holds nothing but the story. Whatever
libfrotz does to this process, the game survives it.
"""

from __future__ import annotations

import mmap
import os
import resource
import signal
import socket
import sys
import tempfile
import traceback
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from environments import wire
from environments.frotz import Halted
from environments.session import Session
from environments.snapshot import SnapshotError
from environments.zmachine import UNREADABLE

_HALTED = 3
_LONGEST_ERROR = 120
_MEMORY_BYTES = 4 << 30
_LOADING = 5
"""Loading a story may take this many times the time of a command."""


class Job(NamedTuple):
    """What a worker has to do."""

    end: socket.socket
    """Of the channel: where it is asked."""
    folder: str
    """Where the story lies, and all that is written."""
    seconds: float
    """Processor time for one command, and for what is read of the story after it."""
    tree: bool
    """Whether the object tree is read."""


def serve(job: Job) -> None:
    """Serve one story until the channel closes."""
    channel = wire.Channel(job.end)
    sys.excepthook = partial(_confess, channel)
    sys.unraisablehook = partial(_confess_callback, channel)
    _confine()
    rearm = partial(signal.setitimer, signal.ITIMER_PROF, job.seconds)
    signal.setitimer(signal.ITIMER_PROF, _LOADING * job.seconds)
    tempfile.tempdir = job.folder
    os.chdir(job.folder)
    try:
        session = Session(Path(wire.STORY), _progress(), rearm, tree=job.tree)
    except UNREADABLE as error:
        channel.send(_damage(error))
        os._exit(0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    channel.send(["ready", os.getpid()])
    while True:
        try:
            operation, *arguments = channel.receive()
        except wire.WireError:
            os._exit(0)
        rearm()
        channel.send(_answer(session, operation, arguments))


def _answer(session: Session, operation: str, arguments: list[Any]) -> list[Any]:
    try:
        return ["done", getattr(session, operation)(*arguments)]
    except SnapshotError as error:
        return ["refused", str(error)]
    except Halted:
        os._exit(_HALTED)
    except UNREADABLE as error:
        return _damage(error)


def _damage(error: Exception) -> list[Any]:
    """What a story that points outside its own memory is answered with."""
    return ["damaged", f"its memory cannot be read: {str(error)[:_LONGEST_ERROR]}"]


def _progress() -> memoryview:
    """A counter in a file, which the parent can still read when this process is gone."""
    with Path(wire.PROGRESS).open("r+b") as file:
        return memoryview(mmap.mmap(file.fileno(), wire.COUNTER.size)).cast("I")


def _confine() -> None:
    """No terminal, bounded memory, and signals that mean what we need them for."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, _MEMORY_BYTES),
    ):
        _, highest = resource.getrlimit(limit)
        if highest != resource.RLIM_INFINITY:
            value = min(value, highest)
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
