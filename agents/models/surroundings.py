"""Environment variables that a package must not see while it is imported."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.RLock()


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Take variables out of the environment for a while, whatever their case.

    The package `ollama` makes a client as soon as it is imported, from OLLAMA_HOST and the
    proxies of the environment, neither of which we use through it.
    """
    with _lock:
        hidden = {key: os.environ.pop(key) for key in list(os.environ) if key.upper() in names}
        try:
            yield
        finally:
            os.environ.update(hidden)
