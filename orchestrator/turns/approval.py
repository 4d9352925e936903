"""A person between the agents and the game: what is asked before a command, and answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from environments.game import Value


class Question(Value):
    """A command that is about to be played."""

    turn: int
    command: str
    thinking: str
    """Why the actor wants it."""
    fault: str = ""
    """What was wrong with the answer before, if this is asked again."""


class Approval(Value):
    """What the person makes of it."""

    do: Literal["accept", "edit", "reject"] = "accept"
    text: str = ""
    """The command to play instead, or why the proposal is rejected."""
    by: str = "keyboard"
    """Who decides; empty where nobody was asked."""


Approver = Callable[[Question], Approval]
"""Asks the person; raises `agents.actor.PlayerLeft` where nobody is there any more."""


def read_answer(line: str) -> Approval:
    """An answer as a person types it: nothing, a command, or `/no` and a reason."""
    text = line.strip()
    if not text:
        return Approval()
    first, _, rest = text.partition(" ")
    if first == "/no":
        return Approval(do="reject", text=rest.strip() or "the person at the keyboard says no")
    return Approval(do="edit", text=text)
