"""Every field that is written is read, by a whole episode of the shipped graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest

import game_files
from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.shown.situation import Situation
from environments.game import Value
from managers.core.option import Option
from managers.language.reading import TurnExtraction
from managers.planning.objectives import Objective
from orchestrator import nodes
from orchestrator.episode import open_episode
from orchestrator.graph.build import route_opening
from orchestrator.graph.routing import VerdictRouter
from orchestrator.setup import Setup
from orchestrator.state import WRITES, State
from orchestrator.turns.briefings import brief
from orchestrator.turns.context import Context, Crew
from tests.orchestrator.watched import Log, WatchedState, watched

SEED = 5
"""With it somebody comes into the dark."""
MAX_OBJECTIONS = 2
WALKTHROUGH = Path(game_files.__file__).parent / "hollow.walkthrough.txt"
ON_REQUEST = ("approval", "causes", "issues", "judge", "rater", "vote")
"""Roles that a graph has only if its file names them."""
FOR_SEVERAL = {"causes", "issues", "item", "proposals", "opinions", "ratings", "rounds"}
"""Fields for nodes that run side by side, or in a loop, or only in some graphs."""
FOR_ONE_OF_SEVERAL = {
    "Briefing.item",
    "Briefing.sample",
    "Briefing.notes",
    "Briefing.proposals",
    "Briefing.ratings",
    "Briefing.shown",
}
FOR_WATCHERS = {"objective_changes", "Option.terms"}
"""Fields that nodes leave to the console, to the statistics of traces, and to who looks at them."""
SELDOM = {
    *("Goal.holder", "RoomView.claimed", "RoomView.unnamed"),
    *("TurnExtraction.choices", "TurnExtraction.score_change"),
}
"""What these episodes have no use for: a thing in another one, what only a model claims or takes
back, which of several things is meant, points of which only the text tells, and rooms that no line
names."""
REDUCED = {
    field: kind.__metadata__[0]
    for field, kind in get_type_hints(State, include_extras=True).items()
    if hasattr(kind, "__metadata__")
}
"""Field -> how what a node writes is joined to what stands there."""
STORIES = {"hollow": 60, "morning": 25, "workshop": 25}
"""Story -> turns after which all is seen that it has to show."""


class Table(NamedTuple):
    """What stays put in an episode, and who plays it."""

    context: Context
    crew: Crew


class Observed:
    """What a few episodes read and wrote."""

    def __init__(self) -> None:
        self.reads: Log = {}
        self.writes: dict[str, set[str]] = {}
        self.values: Log = {}
        self.filled: set[str] = set()
        self.stale: list[str] = []

    def play(
        self, story: str | Path, turns: int, commands: Sequence[str] = (), **more: Any
    ) -> None:
        """Observe an episode: the graph's way through the nodes.

        `commands`, where there are any, are played instead of the proposals.
        """
        setup = Setup.resolve(story, fresh=True, checkpoints=False, trace=False, **more)
        with open_episode(setup) as episode:
            play_by_hand(self, Table(episode.context, setup.crew()), commands, turns)

    def node(self, name: str, state: WatchedState, table: Table) -> None:
        post = table.crew.at(name, name, int(name not in ("game", "extractor", "learner")))
        update = getattr(nodes, name)(state, table.context, post)
        self.writes.setdefault(name, set()).update(update)
        for field, value in update.items():
            self.note_filled(value)
            joined = value
            if field in REDUCED and field in state:
                joined = REDUCED[field](dict.__getitem__(state, field), value)
            state[field] = watched(joined, self.values)

    def note_filled(self, value: Any) -> None:
        if isinstance(value, Value):
            for field in type(value).model_fields:
                content = value.__dict__[field]
                if content not in (None, "", (), {}, False, 0):
                    self.filled.add(f"{type(value).__name__}.{field}")
                self.note_filled(content)
        elif isinstance(value, tuple | list):
            for item in value:
                self.note_filled(item)

    def brief(self, state: WatchedState, table: Table, node: str) -> None:
        ahead = node in ("objective_manager", "actor", "critic")
        briefing = brief(state, table.context, table.crew, state["turn"] + ahead)  # type: ignore[arg-type]
        for part in parts_of(Situation):
            if content := getattr(briefing.situation, part):
                self.filled.add(f"Situation.{part}")
                self.note_filled(content)
        for field in fields(Briefing):
            if getattr(briefing, field.name) not in (None, "", ()):
                self.filled.add(f"Briefing.{field.name}")
        self.stale += stale(briefing, node)


def parts_of(kind: type) -> list[str]:
    """What is found out when somebody asks for it."""
    return [name for name, part in vars(kind).items() if isinstance(part, cached_property)]


def stale(briefing: Briefing, node: str) -> Iterator[str]:
    """What in a briefing belongs to an earlier turn than it should."""
    reads = briefing.turn if node == "extractor" else briefing.turn - 1
    if briefing.extraction is not None and briefing.extraction.turn != reads:
        yield f"turn {briefing.turn} {node}: extraction of turn {briefing.extraction.turn}"
    if node == "extractor" and briefing.extraction is not None:
        yield f"turn {briefing.turn}: the extractor is shown an extraction"
    if node in ("objective_manager", "extractor") and briefing.objections:
        yield f"turn {briefing.turn} {node}: objections"
    if node in ("objective_manager", "extractor") and briefing.proposal:
        yield f"turn {briefing.turn} {node}: a proposal"


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """Episodes as they come, and one that walks into a fight and waits for the end."""
    record, out = Observed(), tmp_path_factory.mktemp("runs")
    asking: dict[str, Any] = {"graph": "oracle", "settings": ["nodes.oracle.use=useless"]}
    for story, turns in STORIES.items():
        record.play(story, turns, seed=SEED, out=out, **asking)
    record.play("hollow", STORIES["hollow"], doom(), seed=7, out=out, **asking)
    return record


def doom() -> list[str]:
    """What cannot be, twice, the walkthrough up to the fight, and then nothing."""
    lines = WALKTHROUGH.read_text(encoding="utf-8").splitlines()
    fight = next(n for n, line in enumerate(lines) if line.startswith("attack"))
    return [*["eat sky"] * 2, *lines[:fight], *["wait"] * 20]


def play_by_hand(record: Observed, table: Table, commands: Sequence[str], turns: int) -> None:
    """See `Observed.play`; the state notes its readers."""
    state = WatchedState({}, record.reads)
    typed: State = state  # type: ignore[assignment]
    while not state or (state["turn"] < turns and not state["score"].last.won):
        if route_opening(typed) == "turn":
            record.brief(state, table, "objective_manager")
            for node in ("objective_manager", "mode", "planner", "oracle"):
                record.node(node, state, table)
            for attempt in range(1 + MAX_OBJECTIONS):
                if attempt and VerdictRouter()(typed) != "object":
                    break
                record.brief(state, table, "actor")
                record.node("actor", state, table)
                if state["turn"] < len(commands):
                    said = {"command": commands[state["turn"]]}
                    response = AgentResponse(thinking="", action=said["command"])
                    told = {**said, "response": response}
                    state["proposal"] = state["proposal"].model_copy(update=told)
                record.brief(state, table, "critic")
                record.node("critic", state, table)
        record.node("game", state, table)
        record.brief(state, table, "extractor")
        record.node("extractor", state, table)
        record.node("learner", state, table)


@pytest.mark.slow
def test_every_state_field_is_written_by_its_one_writer_and_read(observed: Observed) -> None:
    absent = WRITES["approval"] | FOR_SEVERAL
    shipped = {node: set(names) for node, names in WRITES.items() if node not in ON_REQUEST}
    assert observed.writes == shipped
    assert set(observed.reads) == set(State.__annotations__) - absent - FOR_WATCHERS


@pytest.mark.slow
@pytest.mark.parametrize("kind", [TurnExtraction, Option, Objective])
def test_every_field_of_a_value_is_read_by_somebody(observed: Observed, kind: type[Value]) -> None:
    assert field_names(kind) - set(observed.values) - FOR_WATCHERS - SELDOM == set()


@pytest.mark.slow
def test_every_section_of_a_briefing_is_filled_at_some_turn(observed: Observed) -> None:
    names = {f"Briefing.{field.name}" for field in fields(Briefing)} - FOR_ONE_OF_SEVERAL
    names |= {f"Situation.{part}" for part in parts_of(Situation)}
    assert names - observed.filled == set()


@pytest.mark.slow
def test_every_field_of_a_reading_is_filled_at_some_turn(observed: Observed) -> None:
    names = field_names(TurnExtraction) | field_names(Option) | field_names(Objective)
    assert names - observed.filled - SELDOM == set()


@pytest.mark.slow
def test_nothing_of_an_earlier_turn_is_shown_as_current(observed: Observed) -> None:
    assert observed.stale == []


def field_names(kind: type[Value]) -> set[str]:
    """`Type.field` of the type and of all value types that its fields hold."""
    found = [kind]
    for one in found:
        for field in one.model_fields.values():
            for part in (field.annotation, *getattr(field.annotation, "__args__", ())):
                if isinstance(part, type) and issubclass(part, Value) and part not in found:
                    found.append(part)
    return {f"{one.__name__}.{field}" for one in found for field in one.model_fields}
