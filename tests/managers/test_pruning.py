"""What is left out of a trajectory when it is handed on."""

from __future__ import annotations

from managers.memory.archive import SUPPOSED, unpacked
from managers.memory.distilling import distil
from managers.memory.trail import TrailStep, pruned
from tests.managers.earlier import YARD, with_coin
from tests.managers.told import Told


def left(*steps: TrailStep, alike: tuple[str, ...] = ()) -> list[str]:
    return [step.command for step in pruned(steps, alike)]


def test_what_is_taken_and_never_used_is_left_out() -> None:
    taken = [TrailStep("A", f"take {noun}", 0, "A") for noun in ("lunch", "pearl", "sword", "lamp")]
    put = TrailStep("A", "put pearl in case", 5, "A")
    assert left(*taken, put) == ["take pearl", "take sword", "take lamp", "put pearl in case"]


def test_walks_are_left_out_except_among_rooms_that_look_the_same() -> None:
    walk = [
        TrailStep("A", "north", 0, "B"),
        TrailStep("B", "east", 0, "C"),
        TrailStep("C", "take pearl", 5, "C"),
    ]
    assert left(*walk) == ["take pearl"]
    assert left(*walk, alike=("B",)) == ["north", "east", "take pearl"]


def test_what_may_have_opened_a_way_is_kept() -> None:
    opened = TrailStep("A", "move crate", 0, "A")
    on, back = TrailStep("A", "down", 0, "B"), TrailStep("B", "up", 0, "A")
    scored = TrailStep("B", "take pearl", 5, "B")
    assert left(opened, on, scored) == ["move crate", "take pearl"]
    assert left(on, back, opened, on, scored) == ["take pearl"]


def test_what_was_put_down_on_the_way_is_taken_once_and_kept() -> None:
    put, take = TrailStep("A", "drop sword", 0, "A"), TrailStep("A", "take sword", 0, "A")
    blow = TrailStep("B", "attack bear with sword", 5, "B")
    assert left(take, put, take, put, take, blow) == ["take sword", "attack bear with sword"]


def test_what_may_have_set_something_going_elsewhere_is_kept() -> None:
    push, walk = TrailStep("A", "push button", 0, "A"), TrailStep("A", "north", 0, "B")
    known = TrailStep("B", "south", 0, "A")
    assert left(walk, known, push, walk, TrailStep("B", "take pearl", 5, "B"))[0] == "push button"


def test_what_is_named_later_or_done_with_a_tool_is_kept() -> None:
    case, rope = TrailStep("A", "open case", 0, "A"), TrailStep("A", "take rope", 0, "A")
    tied = TrailStep("A", "tie rope to rail", 0, "A")
    scored = TrailStep("A", "put pearl in case", 5, "A")
    assert left(case, rope, tied, scored) == [one.command for one in (case, rope, tied, scored)]
    assert left(TrailStep("A", "open box", 0, "A"), scored) == [scored.command]


def test_the_archive_holds_both_and_the_shorter_one_is_to_be_proven() -> None:
    told = with_coin(Told(YARD))
    cells = unpacked(distil(told.knowledge, told.outlook, {}, "one")["archive"])
    steps = {cell.point.held == SUPPOSED: [step[1] for step in cell.steps] for cell in cells}
    assert steps[True] == ["open gate", "take coin"]
    assert steps[False] == ["open gate", "north", "take coin"]


def test_a_walk_into_a_maze_that_led_out_again_is_left_out() -> None:
    into, out = TrailStep("A", "west", 0, "M"), TrailStep("M", "east", 0, "A")
    look = TrailStep("M", "examine wall", 0, "M")
    on = TrailStep("A", "north", 0, "N"), TrailStep("N", "take pearl", 5, "N")
    assert left(into, look, out, *on, alike=("M",)) == ["take pearl"]
    through = TrailStep("M", "south", 0, "N"), TrailStep("N", "take pearl", 5, "N")
    assert left(into, *through, alike=("M",)) == ["west", "south", "take pearl"]
