"""Every section of every prompt is filled at some turn, and what models say is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from jericho import FrotzEnv

from agents.answers import AgentResponse, Ruling
from agents.models.scripts import ModelQuestion
from agents.pursuit import read_commands
from benchmarks.sections import Unfilled
from environments.game import Value
from managers.language.lexicon import word_list
from managers.language.reading import (
    FailureAnalysis,
    ProgressReport,
    Reading,
    SituationUnderstanding,
)
from testing.fake_ollama import Walker
from testing.fake_ollama.generator import generate
from tests.conftest import real_story
from tests.orchestrator.test_closed_loops import WALKTHROUGH, Observed, field_names

SETTINGS = (
    "nodes.oracle.use=llm",
    "nodes.oracle.price=0",
    "nodes.extractor.news=0",
    "nodes.objective_manager.news=0",
    "nodes.critic.use=llm",
    "nodes.critic.sure=1.0",
    "nodes.critic.likely=1.0",
)
"""Every role asks a model, and more often than it does by itself."""


class Mind:
    """Answers for all roles, noting what was asked; what its character leaves open is made up."""

    def __init__(self) -> None:
        self.character: Callable[[ModelQuestion], Any] = open_minded
        self.unfilled = Unfilled()

    def __call__(self, question: ModelQuestion) -> Any:
        self.unfilled.note(question)
        answer = self.character(question)
        return generate(question, question.schema, 1) if answer is None else answer


def open_minded(_question: ModelQuestion) -> Any:
    """Anything may come."""
    return None


WALKER = Walker(())


def contrary(question: ModelQuestion) -> Any:
    """Goes away, comes back, wants what cannot be undone, then something else of the kind.

    Objects to the first wish.
    """
    if question.title == "AgentResponse":
        action = "throw shoe" if "## Objections" in question.text else "jump"
        walk = ("open door", "north", "south")[
            sum(role == "assistant" for role, _ in question.messages) :
        ]
        action = walk[0] if walk else action
        return {"thinking": "", "action": action}
    if question.title == "Verdict":
        return {"accept": "## Refused" in question.text, "reason": "No.", "confidence": 1.0}
    return WALKER(question)


class Attentive:
    """Goes the known way, names the things that the replies speak of, and wants to have them."""

    def __init__(self, commands: Sequence[str]) -> None:
        self.walker = Walker(commands)

    def __call__(self, question: ModelQuestion) -> Any:
        answer = self.walker(question)
        reply = question.messages[-1][1].partition("# Notes")[0]
        said = re.findall(r"[a-z]+", reply.lower())
        names = [word for word in dict.fromkeys(said) if word in word_list("things.txt")][:8]
        if question.title == "ReplyNotes":
            seen = {"location": "here", "properties": ["takeable"], "state": []}
            objects = [{"name": name, **seen} for name in names]
            opened = [{"object": one, "property": "open", "new_value": "true"} for one in names[:1]]
            read = {"objects": objects, "changes": opened, "accomplishment": "heard something"}
            read["new_information"] = re.findall(r"[A-Z][^.!?\n]{10,120}[.!?]", reply)[:1]
            return {**answer, **read}
        if question.title == "ObjectiveNotes":
            wanted = [
                {"text": f"take the {name} to L1", "priority": 6, "parent": None} for name in names
            ]
            rest = ("promoted", "completed", "dropped", "merged")
            return {"discovered": wanted[:2], **{name: [] for name in rest}}
        return answer


def hasty() -> list[str]:
    """The walkthrough up to a lock, and then without the key."""
    lines = read_commands(WALKTHROUGH)
    lock = next(n for n, line in enumerate(lines) if line.startswith("unlock"))
    return [*lines[:lock], lines[lock + 1], "look"]


pytestmark = pytest.mark.slow
DEADLY = "west, take pistol, east, north, east, west, north".split(", ")
"""The last of these commands ends the story, and is taken back."""
WOUNDING = (
    *("turn on lantern", "south", "west", "northwest", "down", "south", "east", "wait"),
    *["attack figure with sword"] * 2,
)
"""Somebody strikes back, which does harm short of an end."""
SCORED = 260
"""Turns of the walkthrough of zork1 in which points are told more than twenty times."""
PACES = ["push mountain", "southwest", "southwest", *["wait"] * 4, *["south"] * 4, *["wait"] * 3]
"""Every place that these lead to brings a point."""
UNASKED = {
    "AgentResponse.then",
    "Goal.holder",
    "ProgressReport.progress_type",
    "ProgressReport.explanation",
    "SituationUnderstanding.rated",
}
"""What no answer of a model asks for or says: lines to follow, a thing in another, explanations,
and that ratings are said again."""

MIND = Mind()


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """The ways through two stories, not to their ends, and other characters for a while."""
    path = real_story("zork1.z5")
    jericho = FrotzEnv(str(path))
    walkthrough, seed = jericho.get_walkthrough(), jericho.bindings["seed"]
    jericho.close()
    record, out = Observed(), tmp_path_factory.mktemp("runs")
    episodes: list[tuple[str | Path, int, int, Callable[[ModelQuestion], Any]]] = [
        (path, seed, SCORED, Attentive(walkthrough)),
        ("hollow", 7, len(hasty()), Attentive(hasty())),
        ("hollow", 1, 60, open_minded),
        ("morning", 1, 5, contrary),
        ("hollow", 1, 8, contrary),
        (real_story("deephome.z5"), 1, 3, open_minded),
        (real_story("deephome.z5"), 1, 4, Attentive(["inventory", "read order", "jump", "jump"])),
        (real_story("deephome.z5"), 1, len(PACES), Attentive(PACES)),
        (real_story("snacktime.z8"), 1, 4, Attentive(["look", "inventory", "jump", "jump"])),
        (real_story("zork3.z5"), 1, len(WOUNDING) + 2, Attentive([*WOUNDING, "wait", "wait"])),
        (real_story("detective.z5"), 1, len(DEADLY) + 3, Attentive([*DEADLY, "jump", "jump"])),
    ]
    asking: dict[str, Any] = {"graph": "llm", "model": f"embedded:function:{__name__}:MIND"}
    for story, story_seed, turns, MIND.character in episodes:
        record.play(story, turns, seed=story_seed, out=out, settings=SETTINGS, **asking)
    return record


@pytest.mark.usefixtures("observed")
def test_every_section_of_every_prompt_is_filled_at_some_turn() -> None:
    assert {role: sections for role, sections in MIND.unfilled.by_role.items() if sections} == {}


@pytest.mark.parametrize(
    "kind",
    [
        Reading,
        FailureAnalysis,
        ProgressReport,
        SituationUnderstanding,
        AgentResponse,
        Ruling,
    ],
)
def test_every_field_of_what_a_model_says_is_read(observed: Observed, kind: type[Value]) -> None:
    assert field_names(kind) - set(observed.values) - UNASKED == set()
