"""Whatever a model writes down makes a difference to what its role answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from agents.answers import AgentResponse, Verdict
from agents.briefing import Briefing
from agents.council import Advocate, Arbiter, ChoiceNotes, PleaNotes
from agents.llm_actor import LLMActor
from agents.llm_critic import LLMCritic
from agents.llm_extractor import LLMExtractor, ReplyNotes
from agents.llm_objective_manager import LLMObjectiveManager, ObjectiveNotes
from agents.models.embedded import FunctionModel
from agents.oracle import LLMOracle, SituationNotes
from agents.solo_actor import OwnNotes, SoloActor
from environments.game import Observation
from tests.briefings import briefing

REPLIES = (
    "Vault\nA crown lies on a plinth. A door leads north, and the south wall is rubble.\n\n"
    "The lever creaks, and something in the wall gives way. It is said to need oil.",
    "The lever gives way. You are in a Vault now, or so it seems.",
)
"""One that the rules understand, and one that they do not."""

PLAYED = {
    "thinking": "The key may fit.",
    "action": "unlock chest",
    "new_objective": {"text": "open the chest", "priority": 4, "parent": "O1"},
    "complete_objective": "O2",
    "drop_objective": "O1",
}
NOTES: dict[type[BaseModel], dict[str, Any]] = {
    AgentResponse: PLAYED,
    OwnNotes: {
        "notes": ["The key is in the pond."],
        "wrong_notes": ["N10a"],
        "moved": [{"thing": "lamp", "to": "here"}],
        **PLAYED,
    },
    PleaNotes: {"thinking": "The key may fit.", "action": "unlock chest"},
    ChoiceNotes: {"thinking": "It is near.", "number": 2},
    Verdict: {"accept": False, "reason": "It bites.", "confidence": 0.9},
    ObjectiveNotes: {
        "discovered": [{"text": "fetch the crown", "priority": 4, "parent": "O1"}],
        "promoted": [{"text": "oil the lever", "priority": 4, "parent": "O1"}],
        "completed": [{"id": "O1", "evidence": "It is open."}],
        "dropped": ["O1"],
        "merged": [{"id": "O1", "into": "O2"}],
    },
    SituationNotes: {
        "overall_goal": "to find the crown",
        "immediate_goal": "to open the chest",
        "accomplished": ["found the cellar"],
        "blocking_condition": "the chest is locked",
        "blocking_reason": "no key",
        "recommended_action": "unlock chest",
        "action_reasoning": "The key may fit.",
        "alternative_actions": ["up"],
        "confidence": 0.7,
        "important_state_variables": ["lever_is_oiled"],
        "state": [{"name": "lever_is_oiled", "value": "true"}],
        "accomplishment": "found a key",
        "failure_reason": "locked",
        "prerequisite": "take key",
        "suggested_action": "look",
        "lesson": "Locks want keys.",
    },
    ReplyNotes: {
        "room": {"title": "Vault", "exits": ["north"], "dark": False},
        "objects": [
            {"name": "lever", "location": "here", "properties": ["scenery"], "state": ["on=true"]}
        ],
        "changes": [{"object": "wall", "property": "open", "new_value": "true"}],
        "result": "partial",
        "failure_reason": "stiff",
        "prerequisite": "oil lever",
        "suggested_action": "look",
        "lesson": "Oil helps.",
        "accomplishment": "moved the wall",
        "new_information": ["It is said to need oil."],
        "state": [{"name": "lever_is_oiled", "value": "true"}],
        "died": False,
    },
}
"""An answer of each type in which every field says something."""

OTHERS = {
    "id": "O2",
    "number": 1,
    "into": "O1",
    "parent": "O2",
    "complete_objective": "O1",
    "drop_objective": "O2",
    "dropped": "O2",
    "result": "success",
    "property": "lit",
    "exits": "south",
    "title": "Lever",
    "new_information": "A crown lies on a plinth.",
    "object": "plinth",
    "name": "plinth",
    "state": "lit=true",
    "to": "gone",
    "new_value": "false",
}
"""Another possible value, where not any text will do."""


def actor(model: FunctionModel, told: Briefing) -> Any:
    return LLMActor(model=model).propose(told)


def solo(model: FunctionModel, told: Briefing) -> Any:
    return SoloActor(model=model).propose(told)


def critic(model: FunctionModel, told: Briefing) -> Any:
    return LLMCritic(model=model).judge(told)


def objective_manager(model: FunctionModel, told: Briefing) -> Any:
    return LLMObjectiveManager(model=model, news=0).review(told)


def extractor(model: FunctionModel, told: Briefing) -> Any:
    return LLMExtractor(model=model, news=0).extract(told)


def advocate(model: FunctionModel, told: Briefing) -> Any:
    return Advocate(model=model).propose(told)


def arbiter(model: FunctionModel, told: Briefing) -> Any:
    return Arbiter(model=model).choose(told, told.proposals)


def oracle(model: FunctionModel, told: Briefing) -> Any:
    asked = LLMOracle(model=model)
    return (
        asked.analyse_situation(told),
        asked.analyse_failure(told),
        asked.detect_progress(told),
        asked.suggest_state_variables(told),
        asked.extract_state(told),
    )


ASKED: dict[type[BaseModel], Callable[[FunctionModel, Briefing], Any]] = {
    AgentResponse: actor,
    OwnNotes: solo,
    PleaNotes: advocate,
    ChoiceNotes: arbiter,
    Verdict: critic,
    ObjectiveNotes: objective_manager,
    SituationNotes: oracle,
    ReplyNotes: extractor,
}


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the plain values of an answer stand."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from paths(inner, (*path, n))
    else:
        yield path


def changed(value: Any, path: tuple[Any, ...], name: str = "") -> Any:
    """The same answer with another value in one place."""
    if path:
        copy = dict(value) if isinstance(value, dict) else list(value)
        here = path[0] if isinstance(path[0], str) else name
        copy[path[0]] = changed(value[path[0]], path[1:], here)
        return copy
    if isinstance(value, bool):
        return not value
    return OTHERS.get(name, "wait" if isinstance(value, str) else value / 2)


CASES = [(kind, path) for kind, notes in NOTES.items() for path in paths(notes)]


@pytest.mark.parametrize(
    ("kind", "path"), CASES, ids=[f"{k.__name__}.{'.'.join(map(str, p))}" for k, p in CASES]
)
def test_every_field_of_an_answer_makes_a_difference(
    kind: type[BaseModel], path: tuple[Any, ...]
) -> None:
    ask, other = ASKED[kind], changed(NOTES[kind], path)
    differences = 0
    for reply in REPLIES:
        told = briefing(
            command="pull lever",
            observation=Observation(text=reply),
            proposal=AgentResponse(thinking="", action="attack rat"),
            objections=(),
        )
        first, second = (
            ask(FunctionModel(function=lambda _, notes=notes: notes), told)
            for notes in (NOTES[kind], other)
        )
        differences += first != second
    assert differences


@pytest.mark.parametrize("kind", NOTES)
def test_the_answers_tried_have_every_field(kind: type[BaseModel]) -> None:
    assert set(NOTES[kind]) == {
        name for name in kind.model_json_schema()["properties"] if name != "requests"
    }
