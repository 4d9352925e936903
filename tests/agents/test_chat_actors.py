"""The actors that need no other role with a model: by the transcript alone, and all in one call."""

from __future__ import annotations

from typing import Any

import pytest

from agents.chat_actor import NOTHING_SAID, ChatActor
from agents.choice import ask_for_one
from agents.models.embedded import ScriptedModel
from agents.prompting import Questioner, command_or_none
from agents.solo_actor import SoloActor
from managers.world.facts import Blackboard, Fact
from managers.world.queries import NOTE, MoveThing, StrikeNote, TakeNote, noted
from tests.agents.asked import Asked
from tests.briefings import briefing

SOLO: dict[str, Any] = {
    "notes": ["The key is  in the pond."],
    "wrong_notes": ["n1"],
    "moved": [{"thing": "pole", "to": "inventory"}],
    "thinking": "The pond first.",
    "action": "> Up.",
    "new_objective": "fetch the key from the pond",
    "complete_objective": None,
    "drop_objective": "o2",
}


def test_the_baseline_is_told_the_games_words_and_answers_with_a_command() -> None:
    asked = Asked("> Unlock chest with key.\nThat may work.")
    response = ChatActor(model=asked.model).propose(briefing())
    assert response.action == "unlock chest with key"
    assert asked.questions[0].messages[1:] == (
        ("user", "Kitchen\nA kitchen."),
        ("assistant", "inventory"),
        ("user", "You have:\n  a lamp (lit)\n  a coin"),
        ("assistant", "down"),
        ("user", "Cellar. Dank."),
        ("assistant", "open chest"),
        ("user", "It is locked.\nThe rat looks at you."),
    )
    assert asked.questions[0].schema is None


@pytest.mark.parametrize(("said", "played"), [(["", "east"], "east"), (["", ""], NOTHING_SAID)])
def test_a_baseline_that_says_nothing_is_asked_once_more(said: list[str], played: str) -> None:
    assert ChatActor(model=ScriptedModel.of(said)).propose(briefing()).action == played


def test_one_answer_notes_thinks_acts_and_keeps_the_objectives() -> None:
    asked = Asked(SOLO)
    response = SoloActor(model=asked.model).propose(briefing())
    assert (response.thinking, response.action) == ("The pond first.", "up")
    assert (response.new_objective, response.drop_objective) == (SOLO["new_objective"], "O2")
    assert response.requests == (
        StrikeNote(note="n1"),
        MoveThing(thing="pole", to="inventory"),
        TakeNote(text="The key is in the pond."),
    )
    assert "N10a: The cellar is dank." in asked.questions[0].messages[-1][1]
    assert len(asked.questions) == 1


def test_all_that_may_be_noted_in_one_answer_is_kept() -> None:
    full = {name: SOLO[name] * 3 for name in ("notes", "wrong_notes", "moved")}
    response = SoloActor(model=Asked({**SOLO, **full}).model).propose(briefing())
    assert len(response.requests) == 9


def test_without_a_usable_answer_the_agents_own_actor_stands_in() -> None:
    response = SoloActor(model=ScriptedModel.of(["x", "x"])).propose(briefing())
    assert response.action == "unlock chest with key"
    assert response.thinking.startswith("[no usable answer of the model: no_json] ")


def test_notes_stay_until_they_are_struck() -> None:
    board = Blackboard(turn=4)
    board = noted(board, [TakeNote(text="The door is red."), TakeNote(text="The key fits.")])
    assert board.of(NOTE)[-1] == Fact("The door is red.", value="N3a", turn=3)
    board = noted(
        Blackboard(board.data, 9), [StrikeNote(note="n3a"), TakeNote(text="The door is blue.")]
    )
    assert {fact.value: fact.subject for fact in board.of(NOTE)} == {
        "N3b": "The key fits.",
        "N8a": "The door is blue.",
    }


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("```\nnorth\n```", "north"),
        ("```text\nNorth\n```", "north"),
        ("Sure! Here is the command:\n\nnorth", "north"),
        ("**Command:** north", "north"),
        ("Next action: take lamp", "take lamp"),
        ("- north", "north"),
        ("1. take lamp\n2. north", "take lamp"),
        ("<command>north</command>", "north"),
        ("\ufeffno\u200brth", "north"),
        ("robot, north", "robot, north"),
        ("dial 7. wait", "dial 7. wait"),
        ("1", "1"),
        ('{"action": "north"}', None),
    ],
)
def test_what_a_model_writes_around_a_command_is_not_typed(said: str, command: str | None) -> None:
    assert command_or_none(said) == command


@pytest.mark.parametrize(
    ("said", "chosen"),
    [("Take Lamp", "take lamp"), ("- `go to Hall and up`", "go to Hall and up"), ("quit", None)],
)
def test_a_choice_is_known_however_it_is_written(said: str, chosen: str | None) -> None:
    question = Questioner("actor", ScriptedModel.of([{"command": said}] * 2), "likely")
    assert ask_for_one(question, [], ["take lamp", "go to Hall and up"])[0] == chosen
