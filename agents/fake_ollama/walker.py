"""Answers that play a walkthrough through the prompts of this project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.models.scripts import Question

_TURN = re.compile(r"^(\d+)\. .*: `", re.MULTILINE)
"""A line of the recent turns, with its number."""


class Walker:
    """Answers the actor with the next command and accepts as a critic; the rest is made up.

    It keeps nothing: how far play has come is read off the prompt, so that a turn that is
    asked about again gets the same answer.
    """

    def __init__(self, commands: Sequence[str]) -> None:
        self.commands = tuple(commands)

    def __call__(self, question: Question) -> Any:
        if question.title == "Verdict":
            return {"accept": True, "reason": "It is the next line.", "confidence": 1.0}
        if question.title != "AgentResponse":
            return None
        told = _TURN.findall(question.text)
        line = int(told[-1]) if told else 0
        action = self.commands[line] if line < len(self.commands) else "wait"
        thinking = f"This is line {line + 1} of {len(self.commands)}."
        return {
            "thinking": thinking,
            "action": action,
            "new_objective": None,
            "complete_objective": None,
        }
