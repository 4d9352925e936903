"""Which part of what a model wrote is its answer."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from agents.models.embedded import FunctionModel
from agents.structured import ask

PROMPT = [HumanMessage("Candidates: `look`, `open box`.")]


class Move(BaseModel, extra="forbid"):
    thinking: str
    action: str
    goal: str | None = None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            'Hm{"thinking": "a", "action": "jump"}</thinking>{"thinking": "b", "action": "up"}',
            "up",
        ),
        ('{"thinking": "a", "action": "jump"} or rather {"thinking": "b", "action": "up"}', "up"),
        (
            '<seed:think>hm</seed:think>{"thinking": "b", "action": "up\tthe\tstairs"}',
            "up\tthe\tstairs",
        ),
        (
            '<|channel|>final json<|message|>{"thinking": "b", "action": "up"}<|return|>',
            "up",
        ),
        ('<|channel|>analysis<|message|>hm {"thinking": "a", "action": "jump"}', "jump"),
        ('[THINK]hm {"thinking": "a", "action": "jump"}[/THINK]', "jump"),
        ('{"thinking": "b", "action": "up"} {"thinking": "c"}', "up"),
    ],
)
def test_of_several_objects_the_last_that_will_do_counts(text: str, action: str) -> None:
    answer, _ = ask(FunctionModel(function=lambda _: AIMessage(text)), PROMPT, Move)
    assert answer is not None
    assert answer.action == action


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('{"thinking": "a", "action": "up", "goal": null}   \n\n\n', True),
        ('```json\n{"thinking": "a", "action": "up", "goal": null}\n```\nSo I', True),
        ('{"thinking": "a", "action": "up", "goal": null} or {"thinking": "b", "act', False),
    ],
)
def test_an_answer_that_was_whole_before_the_limit_counts(text: str, taken: bool) -> None:
    cut = AIMessage(text, response_metadata={"finish_reason": "length"})
    answer, record = ask(FunctionModel(function=lambda _: cut), PROMPT, Move)
    assert (answer is not None, [fault.kind for fault in record.faults]) == (
        taken,
        [] if taken else ["truncated"] * 2,
    )
