"""Stopping from outside: Ctrl-C and SIGTERM end play in order, with the status shells expect."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any

import typer

_BOUNDS = "agents.models.bounds"
_last: list[signal.Signals] = []


def obey_sigterm() -> None:
    """From now on SIGTERM stops play as Ctrl-C does: the turn is left, the record is written."""
    for bounds in _calls():
        bounds.carry_on()
    signal.signal(signal.SIGTERM, _stop)


def leave_if_stopped(results: Sequence[Mapping[str, Any]]) -> None:
    """End the program with 130 or 143 where the last episode was stopped by a signal."""
    if results and results[-1]["end_reason"] == "stopped":
        raise typer.Exit(stop_status())


def stop_status() -> int:
    """128 and the number of the signal that stopped this program."""
    return 128 + (_last[-1] if _last else signal.SIGINT)


def _stop(number: int, _frame: FrameType | None) -> None:
    _last.append(signal.Signals(number))
    for bounds in _calls():
        bounds.give_up()
    raise KeyboardInterrupt


def _calls() -> list[Any]:
    """What bounds the calls to models, where any was made: it takes long to load."""
    return [sys.modules[_BOUNDS]] if _BOUNDS in sys.modules else []
