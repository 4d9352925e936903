"""Models that rate commands without knowing anything: for tests, and to show that they do no harm.

Each is a function for `embedded:function:testing.raters:NAME`. The commands stand in the last
message of the question as JSON; the answer is what `agents.models.likelihood` reads.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from agents.models.likelihood import LikelihoodQuestion
from agents.models.scripts import ModelQuestion

_SPREAD = 6.0
"""Natural logarithms between the likeliest and the least likely command."""

Model = Callable[[ModelQuestion], dict[str, Any]]


def telling(model: Model) -> Model:
    """The same function, as a model that tells how likely commands are."""
    setattr(model, "tells_likelihoods", True)  # noqa: B010 - a function has no such attribute
    return model


@telling
def uniform(question: ModelQuestion) -> dict[str, Any]:
    """All commands are equally likely."""
    return _rated(question, lambda _: 0.0)


@telling
def random(question: ModelQuestion) -> dict[str, Any]:
    """By a number that is made of the command's letters."""
    return _rated(question, lambda one: -_SPREAD * zlib.crc32(one.encode()) / 0xFFFFFFFF)


@telling
def idle(question: ModelQuestion) -> dict[str, Any]:
    """Whatever tells or waits is likely, whatever gets on is not; and silly ideas besides."""
    told = ("look", "wait", "inventory", "examine", "listen")
    rated = _rated(question, lambda one: 0.0 if one.startswith(told) else -_SPREAD)
    return {**rated, "proposed": ["listen", "quit", "xyzzy plugh plover", ""]}


@telling
def broken(_question: ModelQuestion) -> dict[str, Any]:
    """Commands that nobody asked about, and numbers that are none."""
    return {"commands": [{"command": "fly", "logarithm": 0.0}], "proposed": ["\x00", "{}"]}


def _rated(question: ModelQuestion, score: Callable[[str], float]) -> dict[str, Any]:
    commands = LikelihoodQuestion.of(question.messages[-1][1]).commands
    return {"commands": [{"command": one, "logarithm": score(one)} for one in commands]}
