"""Ctrl-C is heard even where the code it falls into swallows the exception."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether somebody has pressed Ctrl-C."""

    asked = False


@contextmanager
def noticing_interrupts() -> Iterator[Interrupt]:
    """Raise KeyboardInterrupt as ever, and remember that it was raised.

    Only where Python's own handler is in charge: in the main thread of a program that has
    not set another one.
    """
    interrupt = Interrupt()
    own = threading.current_thread() is threading.main_thread()
    if not own or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupt
        return

    def handle(number: int, frame: FrameType | None) -> None:
        interrupt.asked = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, handle)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
