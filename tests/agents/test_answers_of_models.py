"""Which part of what a model wrote is its answer."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from agents.chat_actor import ChatActor
from agents.models.embedded import FunctionModel
from agents.parsing import LoopWatch
from agents.structured import ask
from environments.game import Observation
from tests.briefings import briefing

PROMPT = [HumanMessage("Candidates: `look`, `open box`.")]


RUSSIAN = "\u0438\u0434\u0438 \u043d\u0430 \u0441\u0435\u0432\u0435\u0440"
"""Go north."""


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


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("I go north. " * 20, True),
        ('{"thinking": "a"}' + "\n" * 300, True),
        ("\t \t " * 60, True),
        ("word " * 3, False),
        (" ".join(f"Room {number} is dark." for number in range(99)), False),
        ("-" * 80, False),
        ("the lamp, " * 12 + "and the sword", False),
    ],
)
def test_a_circle_is_told_from_a_long_answer(text: str, loops: bool) -> None:
    watch = LoopWatch()
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    assert any([watch.loops(piece) for piece in pieces]) is loops


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("West of House\nThere is a mailbox here.", "open \u6f22\u5b57"),
        ("Haus\nHier ist ein K\u00e4fig.", RUSSIAN),
        ("Kitchen", "\u0623\u0641\u062a\u062d"),
    ],
)
def test_a_command_in_letters_that_the_story_never_used_is_asked_for_again(
    reply: str, wanted: str
) -> None:
    said = iter([wanted, "open mailbox"])
    actor = ChatActor(model=FunctionModel(function=lambda _: AIMessage(next(said)), cache=False))
    seen = briefing(observation=Observation(text=reply))
    assert actor.propose(seen).action == "open mailbox"


def test_a_story_in_russian_is_played_in_russian() -> None:
    actor = ChatActor(model=FunctionModel(function=lambda _: AIMessage(RUSSIAN)))
    seen = briefing(observation=Observation(text="\u041a\u0443\u0445\u043d\u044f"))
    assert actor.propose(seen).action == RUSSIAN
