from __future__ import annotations

import enum
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from managers.core.statechart import (
    AmbiguousTransition,
    Statechart,
    StatechartError,
    StateTransition,
)


class Door(Enum):
    SHUT = "shut"
    OPEN = "open"
    LOCKED = "locked"


class Light(Enum):
    ON = "on"


@dataclass
class Hall:
    state: Door = Door.SHUT


def has_key(_hall: Hall, context: object) -> bool:
    return context == "key"


def door_chart() -> Statechart[Door]:
    return Statechart(
        Door.SHUT,
        [
            StateTransition(Door.SHUT, "push", Door.OPEN),
            StateTransition(Door.SHUT, "turn", Door.LOCKED, has_key),
            StateTransition(Door.LOCKED, "turn", Door.SHUT, has_key),
            StateTransition(Door.OPEN, "push", Door.SHUT),
            StateTransition(Door.OPEN, "wind", Door.SHUT),
            StateTransition(Door.OPEN, "wind", Door.OPEN),
        ],
    )


def test_fire_returns_the_one_state_that_follows_and_leaves_the_agent_to_its_owner() -> None:
    hall = Hall()
    assert door_chart().fire(hall, "push") is Door.OPEN
    assert hall.state is Door.SHUT


@pytest.mark.parametrize(("context", "expected"), [("key", Door.LOCKED), ("fork", None)])
def test_a_guard_decides_on_agent_and_context(context: str, expected: Door | None) -> None:
    assert door_chart().fire(Hall(), "turn", context) is expected


def test_an_unknown_trigger_leads_nowhere() -> None:
    assert door_chart().fire(Hall(), "sing") is None


def test_ambiguity_is_refused_and_names_its_targets() -> None:
    hall = Hall(Door.OPEN)
    with pytest.raises(AmbiguousTransition, match="SHUT, OPEN") as caught:
        door_chart().fire(hall, "wind")
    assert caught.value.targets == (Door.SHUT, Door.OPEN)


def test_valid_targets_keep_their_order_and_ask_guards_only_for_an_agent() -> None:
    chart = door_chart()
    assert chart.valid_targets(Door.OPEN, "wind") == [Door.SHUT, Door.OPEN]
    assert chart.valid_targets(Door.SHUT, "turn") == [Door.LOCKED]
    assert chart.valid_targets(Door.SHUT, "turn", agent=Hall(), context="fork") == []


def test_two_transitions_to_one_state_are_no_ambiguity() -> None:
    chart = Statechart(
        Door.SHUT,
        [
            StateTransition(Door.SHUT, "push", Door.OPEN, lambda _hall, _context: True),
            StateTransition(Door.SHUT, "push", Door.OPEN, has_key),
            StateTransition(Door.OPEN, "lock", Door.LOCKED),
        ],
    )
    assert chart.fire(Hall(), "push", "key") is Door.OPEN


PUSH = StateTransition(Door.SHUT, "push", Door.OPEN)
LOCK = StateTransition(Door.OPEN, "lock", Door.LOCKED)


@pytest.mark.parametrize(
    ("transitions", "complaint"),
    [
        ([PUSH, LOCK, StateTransition(Door.SHUT, "glow", Light.ON)], "Light.ON.* is no Door"),
        ([PUSH, LOCK, StateTransition(Light.ON, "glow", Door.SHUT)], "Light.ON.* is no Door"),
        ([PUSH, LOCK, StateTransition(Door.SHUT, " ", Door.OPEN)], "has no trigger"),
        ([PUSH, LOCK, PUSH], "SHUT --push--> OPEN is there twice"),
        ([PUSH], "LOCKED cannot be reached from SHUT"),
    ],
)
def test_a_chart_that_contradicts_itself_is_refused(
    transitions: list[StateTransition[Door]], complaint: str
) -> None:
    with pytest.raises(StatechartError, match=complaint):
        Statechart(Door.SHUT, transitions)


def test_a_foreign_state_is_refused() -> None:
    with pytest.raises(StatechartError, match="known: SHUT, OPEN, LOCKED"):
        door_chart().valid_targets(Light.ON, "push")  # type: ignore[arg-type]


# -- any enum, any transitions -----------------------------------------------------


class Text(enum.StrEnum):
    A = "a"
    B = "b"
    C = "c"
    D = "d"


class Number(enum.IntEnum):
    A = 0
    B = 1
    C = 2
    D = 3


class Auto(Enum):
    A = enum.auto()
    B = enum.auto()
    C = enum.auto()
    D = enum.auto()


class Bit(enum.Flag):
    A = enum.auto()
    B = enum.auto()
    C = enum.auto()
    D = enum.auto()


class Pair(Enum):
    A = (1, "x")
    B = (1, "y")
    C = ()
    D = None


class Anyone(NamedTuple):
    """An agent in a state; guards ask the context what it allows."""

    state: Any


@dataclass(frozen=True)
class Allowed:
    """A guard that asks the context for its number."""

    number: int

    def __call__(self, _agent: Any, context: frozenset[int]) -> bool:
        return self.number in context


ENUMS: st.SearchStrategy[type[Enum]] = st.sampled_from([Text, Number, Auto, Bit, Pair, Door])
TRIGGERS = st.sampled_from(["go", "stop"])


@st.composite
def charted(draw: st.DrawFn) -> tuple[type[Enum], Enum, list[StateTransition[Any]]]:
    states = draw(ENUMS)
    state: st.SearchStrategy[Enum] = st.sampled_from(list(states))
    guard = st.none() | st.builds(Allowed, st.integers(0, 3))
    transition = st.builds(StateTransition, state, TRIGGERS, state, guard)
    return states, draw(state), draw(st.lists(transition, max_size=20, unique=True))


def reachable(initial: Enum, transitions: list[StateTransition[Any]]) -> set[Enum]:
    reached = {initial}
    for _ in transitions:
        reached |= {t.target for t in transitions if t.source in reached}
    return reached


@given(charted())
def test_a_chart_is_refused_exactly_where_a_state_cannot_be_reached(
    made: tuple[type[Enum], Enum, list[StateTransition[Any]]],
) -> None:
    states, initial, transitions = made
    missing = [state for state in states if state not in reachable(initial, transitions)]
    if not missing:
        assert Statechart(initial, transitions).transitions == tuple(transitions)
        return
    names = ", ".join(state.name for state in missing)
    with pytest.raises(StatechartError, match=f"{names} cannot be reached from {initial.name}"):
        Statechart(initial, transitions)


@given(charted(), TRIGGERS, st.frozensets(st.integers(0, 3)))
def test_valid_targets_are_the_allowed_ones_in_order_and_fire_takes_only_a_single_one(
    made: tuple[type[Enum], Enum, list[StateTransition[Any]]], trigger: str, allowed: frozenset[int]
) -> None:
    states, initial, some = made
    link = [StateTransition(initial, "link", state) for state in states]
    chart = Statechart(initial, [*some, *link])
    for state in states:
        leaving = [t for t in some if t.source is state and t.trigger == trigger]
        open_ = [t for t in leaving if t.guard is None or t.guard(None, allowed)]
        expected = list(dict.fromkeys(t.target for t in open_))
        found = chart.valid_targets(state, trigger, agent=Anyone(state), context=allowed)
        assert found == expected
        assert set(found) <= set(chart.valid_targets(state, trigger))
        if len(expected) > 1:
            with pytest.raises(AmbiguousTransition) as refused:
                chart.fire(Anyone(state), trigger, allowed)
            assert refused.value.targets == tuple(expected)
        else:
            assert chart.fire(Anyone(state), trigger, allowed) is next(iter(expected), None)
