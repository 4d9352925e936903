"""Single keys that a person presses while something is played."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread


def can_press() -> bool:
    """Whether a person at a terminal sees the output and can press keys."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        # A terminal stops whoever changes it from the background.
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


@contextmanager
def pressed(actions: Mapping[str, Callable[[], None]]) -> Iterator[None]:
    """While it lasts, a key does what it stands for, in a thread, and is not shown."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    end, wake = os.pipe()
    listening = Thread(target=_listen, args=(keyboard, end, actions), daemon=True)
    tty.setcbreak(keyboard, termios.TCSADRAIN)
    listening.start()
    try:
        yield
    finally:
        os.write(wake, b"\0")
        listening.join()
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        os.close(end)
        os.close(wake)


def _listen(keyboard: int, end: int, actions: Mapping[str, Callable[[], None]]) -> None:
    while True:
        ready, _, _ = select.select([keyboard, end], [], [])
        if end in ready:
            return
        typed = os.read(keyboard, 64).decode(errors="replace")
        if not typed:
            return
        for key in typed:
            actions.get(key, _nothing)()


def _nothing() -> None:
    pass
