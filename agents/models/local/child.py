"""The process in which llama.cpp's server runs: `python -m agents.models.local.child`.

It reads what it is to serve from its standard input, says on one line of its standard output where
it answers, and ends when no process holds the lock of its clients any more. The system lets that
lock go when a process ends, however it ends, so that no server outlives those who ask it.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

_LOOK_SECONDS = 0.5
"""How often it looks whether anybody is left."""
_CACHE_MIB = 512
"""For what was read of conversations that lost their slot to another one."""


class Wanted(NamedTuple):
    """What is to be served."""

    name: str
    """What the model is called."""
    path: str
    context: int
    """Tokens of one conversation."""
    slots: int
    """Conversations at a time."""
    threads: int
    key: str
    """What a client has to show."""
    clients: str
    """The file whose lock the clients share."""
    alive: str
    """The file whose lock it holds while it lives."""


def main() -> None:
    """Serve until nobody is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wanted = Wanted(**json.loads(sys.stdin.read()))
    answer = os.dup(1)
    os.dup2(2, 1)
    with Path(wanted.alive).open("wb") as alive, Path(wanted.clients).open("rb") as clients:
        fcntl.flock(alive, fcntl.LOCK_EX)
        server = _serve(wanted)
        with os.fdopen(answer, "w", encoding="utf-8") as said:
            said.write(json.dumps({"url": server.listening_address}) + "\n")
        while not _alone(clients.fileno()):
            time.sleep(_LOOK_SECONDS)
    # The library's own threads have nothing left to say.
    os._exit(0)


def _serve(wanted: Wanted) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = wanted.path
    params.model_alias = {wanted.name}
    params.port = 0
    params.api_keys = [wanted.key]
    params.n_parallel = wanted.slots
    params.n_ctx = wanted.context * wanted.slots
    params.kv_unified = True
    params.cache_ram_mib = _CACHE_MIB
    params.warmup = False
    params.ui = False
    for part in (params.cpuparams, params.cpuparams_batch):
        part.n_threads = wanted.threads
        part.poll = 0
    return xllamacpp.Server(params)


def _alone(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    main()
