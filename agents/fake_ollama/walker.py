"""Answers that play a walkthrough through the prompts of this project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.models.scripts import Question

_TURN = re.compile(r"^(\d+)\. .*: `", re.MULTILINE)
"""A line of the recent turns, with its number."""


_NO_NOTES: dict[str, Any] = {
    "overall_goal": "to reach the last line",
    "immediate_goal": None,
    "accomplished": [],
    "blocking_condition": None,
    "blocking_reason": None,
    "alternative_actions": [],
    "confidence": 1.0,
    "important_state_variables": [],
    "state": [],
    "made_progress": False,
    "progress_type": "none",
    "explanation": "",
    "accomplishment": None,
    "failure_reason": "",
    "prerequisite": None,
    "suggested_action": None,
    "lesson": "",
}
"""Of a situation that a walkthrough has nothing to say of."""


class Walker:
    """Tells actor and oracle the next command and accepts as a critic; the rest is made up.

    It keeps nothing: how far play has come is read off the prompt, so that a turn that is
    asked about again gets the same answer.
    """

    def __init__(self, commands: Sequence[str]) -> None:
        self.commands = tuple(commands)

    def __call__(self, question: Question) -> Any:
        if question.title == "Verdict":
            return {"accept": True, "reason": "It is the next line.", "confidence": 1.0}
        told = _TURN.findall(question.text)
        line = int(told[-1]) if told else 0
        action = self.commands[line] if line < len(self.commands) else "wait"
        thinking = f"This is line {line + 1} of {len(self.commands)}."
        if question.title == "SituationNotes":
            return {**_NO_NOTES, "recommended_action": action, "action_reasoning": thinking}
        if question.title != "AgentResponse":
            return None
        return {
            "thinking": thinking,
            "action": action,
            "new_objective": None,
            "complete_objective": None,
        }
