"""What is left out of a trajectory when it is handed on."""

from __future__ import annotations

from managers.memory.archive import SUPPOSED, unpacked
from managers.memory.distilling import distil
from managers.memory.pruning import pruned
from managers.memory.trail import Step
from tests.managers.earlier import HALL, YARD
from tests.managers.told import Told


def left(*steps: Step, alike: tuple[str, ...] = ()) -> list[str]:
    return [step.command for step in pruned(steps, alike)]


def test_what_is_taken_and_never_used_is_left_out() -> None:
    taken = [Step("A", f"take {noun}", 0, "A") for noun in ("lunch", "pearl", "sword", "lamp")]
    put = Step("A", "put pearl in case", 5, "A")
    assert left(*taken, put) == ["take pearl", "take sword", "take lamp", "put pearl in case"]


def test_walks_are_left_out_except_among_rooms_that_look_the_same() -> None:
    walk = [Step("A", "north", 0, "B"), Step("B", "east", 0, "C"), Step("C", "take pearl", 5, "C")]
    assert left(*walk) == ["take pearl"]
    assert left(*walk, alike=("B",)) == ["north", "east", "take pearl"]


def test_what_may_have_opened_a_way_is_kept() -> None:
    opened = Step("A", "move crate", 0, "A")
    on, back = Step("A", "down", 0, "B"), Step("B", "up", 0, "A")
    scored = Step("B", "take pearl", 5, "B")
    assert left(opened, on, scored) == ["move crate", "take pearl"]
    assert left(on, back, opened, on, scored) == ["take pearl"]


def test_what_was_put_down_on_the_way_is_taken_once_and_kept() -> None:
    put, take = Step("A", "drop sword", 0, "A"), Step("A", "take sword", 0, "A")
    blow = Step("B", "attack bear with sword", 5, "B")
    assert left(take, put, take, put, take, blow) == ["take sword", "attack bear with sword"]


def test_what_may_have_set_something_going_elsewhere_is_kept() -> None:
    push, walk = Step("A", "push button", 0, "A"), Step("A", "north", 0, "B")
    known = Step("B", "south", 0, "A")
    assert left(walk, known, push, walk, Step("B", "take pearl", 5, "B"))[0] == "push button"


def test_what_is_named_later_or_done_with_a_tool_is_kept() -> None:
    case, rope = Step("A", "open case", 0, "A"), Step("A", "take rope", 0, "A")
    tied = Step("A", "tie rope to rail", 0, "A")
    scored = Step("A", "put pearl in case", 5, "A")
    assert left(case, rope, tied, scored) == [one.command for one in (case, rope, tied, scored)]
    assert left(Step("A", "open box", 0, "A"), scored) == [scored.command]


def test_the_archive_holds_both_and_the_shorter_one_is_to_be_proven() -> None:
    told = Told(YARD)
    told.say("open gate", "Opened.")
    told.say("north", HALL)
    told.say("take coin", "Taken.", score=5)
    cells = unpacked(distil(told.knowledge, told.outlook, {}, "one")["archive"])
    steps = {cell.point.held == SUPPOSED: [step[1] for step in cell.steps] for cell in cells}
    assert steps[True] == ["open gate", "take coin"]
    assert steps[False] == ["open gate", "north", "take coin"]


def test_a_walk_into_a_maze_that_led_out_again_is_left_out() -> None:
    into, out = Step("A", "west", 0, "M"), Step("M", "east", 0, "A")
    look = Step("M", "examine wall", 0, "M")
    on = Step("A", "north", 0, "N"), Step("N", "take pearl", 5, "N")
    assert left(into, look, out, *on, alike=("M",)) == ["take pearl"]
    through = Step("M", "south", 0, "N"), Step("N", "take pearl", 5, "N")
    assert left(into, *through, alike=("M",)) == ["west", "south", "take pearl"]
