"""The process that has imported what a worker needs, and forks one for each game.

Started by `environments.process`, once in each process that plays. Python's own fork server would
not do: it inherits all of our environment, and its children run the program that plays once more.
"""

from __future__ import annotations

import gc
import os
import selectors
import shutil
import signal
import socket
import sys
from contextlib import suppress
from typing import NamedTuple

import ormsgpack

from environments import wire, worker

_LONGEST = 1 << 16
"""Bytes of a request."""


class _Child(NamedTuple):
    pid: int
    folder: str

    def end(self, lifeline: socket.socket) -> None:
        """Kill it, which changes nothing where it has ended by itself, and tell how it ended."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(BrokenPipeError):
            lifeline.send(wire.STATUS.pack(os.waitstatus_to_exitcode(status)))
        lifeline.close()


def main() -> None:
    """Fork workers until the owner is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass  # Where the owner has closed its standard streams, no socket takes their numbers.
    os.close(spare)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        job = _nurse(requests)
    if job:
        worker.serve(job)


def _nurse(requests: socket.socket) -> worker.Job | None:
    """Returns in every child, with its job, and in this process when it is no longer needed.

    A child lives until the other end of its lifeline is shut; its game does so, or the system
    when the owner dies.
    """
    children: dict[socket.socket, _Child] = {}
    while True:
        for ready in _readable([requests, *children]):
            if ready is not requests:
                children.pop(ready).end(ready)
                continue
            request, files, _, _ = socket.recv_fds(requests, _LONGEST, 2)
            if not request:
                for lifeline, child in children.items():
                    child.end(lifeline)
                return None
            channel, lifeline = (socket.socket(fileno=file) for file in files)
            job = worker.Job(channel, *ormsgpack.unpackb(request))
            pid = os.fork()
            if not pid:
                for other in (lifeline, *children):
                    other.close()
                return job
            channel.close()
            children[lifeline] = _Child(pid, job.folder)


def _readable(sockets: list[socket.socket]) -> list[socket.socket]:
    """Those of which there is something to read; waits for the first one."""
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ, one)
        return [key.data for key, _ in selector.select()]


if __name__ == "__main__":
    main()
