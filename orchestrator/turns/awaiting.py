"""Parts and nodes that are `async def`: their answers are waited for."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Awaitable
from typing import Any


def settled(answer: Any) -> Any:
    """The answer itself; of an asynchronous part, what it comes to.

    All of them run in one event loop in a thread of its own, so that what they keep between turns
    (a client, a lock) stays with the loop that it was made in.
    """
    if not inspect.isawaitable(answer):
        return answer
    coming = asyncio.run_coroutine_threadsafe(_whole(answer), _loop())
    try:
        return coming.result()
    except BaseException:
        coming.cancel()
        raise


async def _whole(answer: Awaitable[Any]) -> Any:
    return await answer


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="async parts", daemon=True).start()
    return loop
