"""Models that choose one of several commands in a fixed way: for tests, without any server.

Each is a function for `embedded:function:testing.choosers:NAME`. Asked for a line it types the same
silly command every time; asked for a choice it takes one by its place in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.models.scripts import ModelQuestion

TYPED = "push wall"
"""What they would type themselves."""


def first(question: ModelQuestion) -> Any:
    """Takes what stands first: what the planner thinks best."""
    return _answer(question, 0)


def last(question: ModelQuestion) -> Any:
    """Takes what stands last: its own command, where that is on the list."""
    return _answer(question, -1)


def elsewhere(question: ModelQuestion) -> Any:
    """Goes away, where that can be chosen."""
    choices = _choices_of(question)
    far = [one for one in choices if one.startswith("go to ")]
    return {"command": (far or [*choices, ""])[0]} if choices else TYPED


def stubborn(question: ModelQuestion) -> Any:
    """Chooses what is not on the list."""
    return {"command": "quit"} if _choices_of(question) else "quit"


def _choices_of(question: ModelQuestion) -> Sequence[str]:
    """What may be chosen; nothing where a line is wanted."""
    listed = (question.schema or {}).get("properties", {}).get("command", {})
    return [*listed.get("enum", ())]


def _answer(question: ModelQuestion, place: int) -> Any:
    choices = _choices_of(question)
    return {"command": choices[place]} if choices else TYPED
