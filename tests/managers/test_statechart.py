from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import pytest

from managers.statechart import AmbiguousTransition, Statechart, StatechartError, Transition


class Door(Enum):
    SHUT = "shut"
    OPEN = "open"
    LOCKED = "locked"


class Light(Enum):
    ON = "on"


@dataclass
class Hall:
    state: Door = Door.SHUT
    log: list[str] = field(default_factory=list)


def has_key(_hall: Hall, context: object) -> bool:
    return context == "key"


def creaks(hall: Hall, _context: object) -> None:
    hall.log.append("creak")


def door_chart() -> Statechart[Door]:
    return Statechart(
        Door.SHUT,
        [
            Transition(Door.SHUT, "push", Door.OPEN),
            Transition(Door.SHUT, "turn", Door.LOCKED, has_key),
            Transition(Door.LOCKED, "turn", Door.SHUT, has_key),
            Transition(Door.OPEN, "push", Door.SHUT),
            Transition(Door.OPEN, "wind", Door.SHUT),
            Transition(Door.OPEN, "wind", Door.OPEN),
        ],
        entry={Door.OPEN: creaks},
    )


def test_fire_returns_the_one_state_that_follows_and_leaves_the_agent_to_its_owner() -> None:
    hall = Hall()
    assert door_chart().fire(hall, "push") is Door.OPEN
    assert hall.state is Door.SHUT
    assert hall.log == ["creak"]


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
    assert hall.log == []


def test_valid_targets_keep_their_order_and_ask_guards_only_for_an_agent() -> None:
    chart = door_chart()
    assert chart.valid_targets(Door.OPEN, "wind") == [Door.SHUT, Door.OPEN]
    assert chart.valid_targets(Door.SHUT, "turn") == [Door.LOCKED]
    assert chart.valid_targets(Door.SHUT, "turn", agent=Hall(), context="fork") == []


def test_two_transitions_to_one_state_are_no_ambiguity() -> None:
    chart = Statechart(
        Door.SHUT,
        [
            Transition(Door.SHUT, "push", Door.OPEN, lambda _hall, _context: True),
            Transition(Door.SHUT, "push", Door.OPEN, has_key),
            Transition(Door.OPEN, "lock", Door.LOCKED),
        ],
    )
    assert chart.fire(Hall(), "push", "key") is Door.OPEN


def test_a_chosen_state_is_entered_like_one_that_was_fired() -> None:
    hall = Hall()
    assert door_chart().enter(hall, Door.OPEN) is Door.OPEN
    assert hall.log == ["creak"]


def test_triggers_of_a_state() -> None:
    assert door_chart().triggers(Door.SHUT) == ["push", "turn"]


PUSH = Transition(Door.SHUT, "push", Door.OPEN)
LOCK = Transition(Door.OPEN, "lock", Door.LOCKED)


@pytest.mark.parametrize(
    ("transitions", "entry", "complaint"),
    [
        ([PUSH, LOCK, Transition(Door.SHUT, "glow", Light.ON)], {}, "Light.ON.* is no Door"),
        ([PUSH, LOCK, Transition(Light.ON, "glow", Door.SHUT)], {}, "Light.ON.* is no Door"),
        ([PUSH, LOCK, Transition(Door.SHUT, " ", Door.OPEN)], {}, "has no trigger"),
        ([PUSH, LOCK, PUSH], {}, "SHUT --push--> OPEN is there twice"),
        ([PUSH], {}, "LOCKED cannot be reached from SHUT"),
        ([PUSH, LOCK], {Light.ON: creaks}, "entry action of <Light.ON"),
    ],
)
def test_a_chart_that_contradicts_itself_is_refused(
    transitions: list[Transition[Door]], entry: dict[Door, object], complaint: str
) -> None:
    with pytest.raises(StatechartError, match=complaint):
        Statechart(Door.SHUT, transitions, entry=entry)  # type: ignore[arg-type]


def test_a_foreign_state_is_refused() -> None:
    with pytest.raises(StatechartError, match="known: SHUT, OPEN, LOCKED"):
        door_chart().valid_targets(Light.ON, "push")  # type: ignore[arg-type]


def test_the_drawing_shows_states_triggers_and_guards() -> None:
    drawing = door_chart().draw_mermaid()
    assert drawing.startswith("stateDiagram-v2\n    [*] --> SHUT\n")
    assert "    SHUT --> LOCKED: turn [has key]\n" in drawing
    assert drawing.count("-->") == 7
