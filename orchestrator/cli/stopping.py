"""Stopping from outside: Ctrl-C and SIGTERM end play in order, with the status shells expect."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer

_BOUNDS = "agents.models.bounds"
_AGAIN_S = 0.05
_last: list[signal.Signals] = []


def obey_signals() -> None:
    """From now on SIGTERM stops play as Ctrl-C does: the turn is left, the record is written.

    And neither is lost where Python passes no exception on, as while it forgets an object.
    """
    for bounds in _calls():
        bounds.carry_on()
    signal.signal(signal.SIGTERM, _stop)
    sys.unraisablehook = _come_again


@contextmanager
def noting_signals() -> Iterator[Callable[[], bool]]:
    """Within it Ctrl-C and SIGTERM interrupt nothing; says whether one has come.

    For what runs an event loop of its own and ends in order only by its own doing: interrupted
    anywhere, it leaves threads behind that never end, and the terminal as it was drawn.
    """
    known = len(_last)
    obeyed = [
        number
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    ]
    before = {number: signal.signal(number, _note) for number in obeyed}
    try:
        yield lambda: len(_last) > known
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave_if_stopped(results: Sequence[Mapping[str, Any]]) -> None:
    """End the program with 130 or 143 where the last episode was stopped by a signal."""
    if results and results[-1]["end_reason"] == "stopped":
        raise typer.Exit(stop_status())


def stop_status() -> int:
    """128 and the number of the signal that stopped this program."""
    return 128 + _latest()


def _latest() -> signal.Signals:
    """The last signal that came; Python itself hears Ctrl-C where nothing else does."""
    return _last[-1] if _last else signal.SIGINT


def _stop(number: int, frame: FrameType | None) -> None:
    _note(number, frame)
    raise KeyboardInterrupt


def _come_again(lost: sys.UnraisableHookArgs) -> None:
    """Let a signal whose interruption got lost come once more, a moment later."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    main = threading.main_thread().ident
    again = threading.Timer(_AGAIN_S, signal.pthread_kill, (main, _latest()))
    again.daemon = True
    again.start()


def _note(number: int, _frame: FrameType | None) -> None:
    """Keep the signal for the exit status; no call to a model is waited for any more."""
    _last.append(signal.Signals(number))
    for bounds in _calls():
        bounds.give_up()


def _calls() -> list[Any]:
    """What bounds the calls to models, where any was made: it takes long to load."""
    return [sys.modules[_BOUNDS]] if _BOUNDS in sys.modules else []
