"""Where a turn was played, in words: the same ones in a terminal, in the viewer and in traces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.belief.beliefs import UNKNOWN

_LEADS = " → "


def place_of(state: Mapping[str, Any]) -> str:
    """Where a state is: `L3 Kitchen`, without a map the status line's title; empty for nowhere."""
    beliefs = state.get("beliefs")
    known = beliefs.location if beliefs is not None and beliefs.location != UNKNOWN else ""
    return str(known or state["observation"].room or "")


def journey(before: str, after: str) -> str:
    """Where a command was played, and where it led, if elsewhere: `L1 Forest → L2 Path`.

    `before` may be the journey of the turn before. A turn of which nobody knows where it ended
    ended where it began.
    """
    start = before.rpartition(_LEADS)[2]
    if not start or not after:
        return start or after
    return start if start == after else f"{start}{_LEADS}{after}"
