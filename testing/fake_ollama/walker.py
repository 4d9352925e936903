"""Answers that play a walkthrough through the prompts of this project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.models.scripts import ModelQuestion

_PLAYED = re.compile(r"^Commands played: (\d+)", re.MULTILINE)
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
    "accomplishment": None,
    "failure_reason": "",
    "prerequisite": None,
    "suggested_action": None,
    "lesson": "",
}
"""Of a situation that a walkthrough has nothing to say of."""
_NO_READING: dict[str, Any] = {
    "room": None,
    "objects": [],
    "changes": [],
    "result": "unknown",
    "new_information": [],
    "died": False,
    **{name: _NO_NOTES[name] for name in ("failure_reason", "prerequisite", "suggested_action")},
    **{name: _NO_NOTES[name] for name in ("lesson", "accomplishment", "state")},
}
"""Of a reply."""
_NO_WISHES: dict[str, Any] = {
    "new_objective": None,
    "complete_objective": None,
    "drop_objective": None,
}


class Walker:
    """Tells whoever acts or advises the next command and accepts as a critic; the rest is made up.

    It keeps nothing: how far play has come is read off the question, so that a turn that is
    asked about again gets the same answer.
    """

    def __init__(self, commands: Sequence[str]) -> None:
        self.commands = tuple(commands)

    def __call__(self, question: ModelQuestion) -> Any:
        if question.title == "ShortVerdict":
            return {"accept": True, "reason": "It is the next line."}
        if question.title == "Verdict":
            return {"accept": True, "reason": "It is the next line.", "confidence": 1.0}
        line = self._line(question)
        action = self.commands[line] if line < len(self.commands) else "wait"
        thinking = f"This is line {line + 1} of {len(self.commands)}."
        said: dict[str, Any] = {"thinking": thinking, "action": action, **_NO_WISHES}
        answers = {
            "": action,
            "SituationNotes": {
                **_NO_NOTES,
                "recommended_action": action,
                "action_reasoning": thinking,
            },
            "ReplyNotes": _NO_READING,
            "AgentResponse": said,
            "PleaNotes": {"thinking": thinking, "action": action},
            "ChoiceNotes": {"thinking": thinking, "number": 1},
            "OwnNotes": {"notes": [], "wrong_notes": [], "moved": [], **said},
            **_short(action, thinking),
        }
        return answers.get(question.title)

    def _line(self, question: ModelQuestion) -> int:
        """How many commands were played: as the notes tell, or as the last ones stand."""
        told = _PLAYED.findall(question.messages[-1][1])
        if told:
            return int(told[-1])
        said = [text for role, text in question.messages if role == "assistant"]
        ends = range(len(said), len(self.commands) + 1)
        return next((end for end in ends if _same(self.commands[:end], said)), len(said))


def _short(action: str, thinking: str) -> dict[str, Any]:
    """The same answers in the forms for small models."""
    said = {"action": action, "thinking": thinking}
    return {
        "ShortMove": {**said, "objective": "", "done": ""},
        "ShortOwnNotes": {**said, "note": "", "objective": "", "done": ""},
        "ShortPlea": said,
        "ShortChoice": {"number": 1, "thinking": thinking},
        "ShortReading": {"result": "unknown", "reason": "", "achieved": "", "suggested": ""},
        "ShortSituation": {"recommended": action, "alternative": "", "goal": "", "obstacle": ""},
    }


def _same(played: Sequence[str], said: Sequence[str]) -> bool:
    """What was said are the last of what was played."""
    last = played[len(played) - len(said) :]
    return [one.lower() for one in last] == [one.lower() for one in said]
