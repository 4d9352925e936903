"""What an episode that was told by hand leaves to the next one."""

from __future__ import annotations

from managers.belief.beliefs import AgentBeliefs, BeliefUpdater
from managers.belief.dynamics import DynamicsModel
from managers.belief.reliability import OracleReliability
from managers.core.handover import both_memories, distil, recall
from managers.core.learner import begun_anew
from managers.language.reading import SituationUnderstanding
from managers.memory.atlas import room_key
from managers.memory.guide import Guide
from tests.managers.earlier import (
    HALL,
    LOFT,
    YARD,
    again,
    next_command,
    path_of,
    remembered,
    with_coin,
)
from tests.managers.told import Told


def test_the_best_trajectory_is_followed_and_then_left(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    for reply in ("Opened.", HALL):
        assert next_command(second) in ("open gate", "north")
        second.say(next_command(second), reply)
    assert next_command(second) == "take coin"
    second.say("take coin", "Taken.", score=5)
    assert second.knowledge.memory["guide"]["path"] == []


def test_a_step_that_is_refused_is_left_out(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    second.say("open gate", "It is already open.")
    assert next_command(second) == "north"


def test_a_trajectory_goes_on_wherever_one_comes_upon_it(first: Told) -> None:
    second = Told(HALL, recalled=recall(remembered(first)))
    path = second.knowledge.memory["guide"]
    assert Guide(path).next_step(second.knowledge.map["here"], {}) is None
    second.say("south", YARD)
    second.say("open gate", "Opened.")
    second.say("north", HALL)
    assert next_command(second) == "take coin"


def test_rooms_are_known_by_description_and_their_ways_are_supposed(first: Told) -> None:
    recalled = recall(remembered(first))
    assert {room["visits"] for room in recalled.knowledge.map["rooms"].values()} == {0}
    second = Told(HALL, recalled=recalled)
    assert len(second.knowledge.map["rooms"]) == 3
    loft = next(id for id, room in second.knowledge.map["rooms"].items() if room["title"] == "Loft")
    here = second.knowledge.map["here"]
    assert second.knowledge.map["edges"][here]["up"][:2] == [loft, 0]


def test_a_remembered_way_that_is_refused_may_be_only_shut(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    here = second.knowledge.map["here"]
    for _ in range(4):
        second.say("north", "You can't go that way.")
        assert "north" in second.knowledge.map["edges"][here]
    second.say("north", "You can't go that way.")
    assert "north" not in second.knowledge.map["edges"].get(here, {})


def test_no_step_is_done_in_the_dark(first: Told) -> None:
    memory = remembered(first)
    atlas = memory["atlas"]
    dark = {key: {**room, "bright": False} for key, room in atlas.items() if "Hall" in key}
    memory = {**memory, "atlas": {**atlas, **dark}}
    second = Told(YARD, recalled=recall(memory))
    second.say("open gate", "Opened.")
    assert next_command(second) != "north"


def test_goal_and_reliability_outlive_the_episode(first: Told) -> None:
    reliability = OracleReliability()
    reliability.update_recommendation(helped=True)
    told = SituationUnderstanding(overall_goal="find the crown", immediate_goal="open the gate")
    beliefs = BeliefUpdater(reliability).update_from_understanding(first.outlook.beliefs, told)
    first.outlook = first.outlook._replace(beliefs=beliefs, reliability=reliability.data)
    outlook = recall(remembered(first)).outlook
    assert outlook.beliefs.overall_goal == "find the crown"
    assert outlook.beliefs.current_subgoal != "open the gate"
    assert OracleReliability(outlook.reliability).record("recommendation").judged == 1


def test_the_dynamics_outlive_the_episode_under_the_rooms_of_the_next_one(first: Told) -> None:
    recalled = recall(remembered(first))
    ids = {room["title"]: id for id, room in recalled.knowledge.map["rooms"].items()}
    beliefs = AgentBeliefs(location=f"{ids['Yard']} Yard")
    model = DynamicsModel(recalled.outlook.dynamics)
    assert model.probability(beliefs, "north", f"to {ids['Hall']}") >= 0.5


def test_merging_is_done_once(first: Told) -> None:
    one, two = remembered(first), remembered(first, "two")
    both = both_memories(one, two)
    assert both["runs"] == ["one", "two"]
    assert both_memories(both, two) == both
    assert both_memories({}, one) == one


def test_what_was_done_before_its_turn_is_not_done_again(first: Told) -> None:
    first.say("open box", "Opened.", score=5)
    first.say("take pearl", "Taken.", score=9)
    second = again(first)
    second.say("open gate", "Opened.")
    second.say("north", HALL)
    second.say("up", LOFT)
    second.say("take pearl", "Taken.", score=4)
    assert "take pearl" not in path_of(second)
    assert path_of(second)[0] == "take coin"


def test_after_a_death_the_way_starts_again_without_what_has_scored(first: Told) -> None:
    first.say("take pearl", "Taken.", score=9)
    second = with_coin(again(first))
    second.say("up", "You fall.\n\n    **** You have died ****\n\n" + YARD, 5)
    assert path_of(second) == ["open gate", "north", "up", "take pearl"]


def test_among_rooms_that_look_the_same_every_step_counts() -> None:
    maze, end = "Maze\nTwisty passages.\n", "Cell\nA bare cell. The maze is south.\n"
    told = Told(YARD)
    for command, reply, score in (
        ("north", maze, 0),
        ("north", maze + "\nThere is a jar here.\n", 0),
        ("take jar", "Taken.", 5),
        ("up", end, 5),
    ):
        told.say(command, reply, score)
    second = again(told)
    second.say("north", maze)
    guide = Guide(second.knowledge.memory["guide"])
    step = guide.next_step(second.knowledge.map["here"], {})
    assert step is not None
    assert step.command == "north"


def test_what_was_read_is_known_and_what_was_gone_is_there_again(first: Told) -> None:
    first.say("read note", '"The crown is behind the third barrel, my friend."', score=5)
    first.say("take barrel", "You can't see any such thing.", score=5)
    second = again(first, LOFT)
    board = second.knowledge.board
    assert "barrel" in board.subjects("hint")
    assert not board.subjects("absent", second.knowledge.here)


def test_what_brings_nothing_where_treasures_score_is_no_treasure(first: Told) -> None:
    first.say("put coin in case", "Done.", score=10)
    first.say("take jar", "Taken.", score=12)
    assert "jar" in first.knowledge.board.subjects("treasure")
    memory = remembered(first)
    second = Told(LOFT, recalled=recall(memory))
    second.say("put coin in case", "Done.", score=5)
    second.say("put jar in case", "Done.", score=5)
    learned = distil(second.knowledge, second.outlook, memory, "two")
    assert [row[0] for row in learned["lessons"]["struck"]["treasure"]] == ["jar"]
    told = both_memories(memory, learned)["lessons"]["told"]["treasure"]
    assert "jar" not in [row[0] for row in told]


def test_what_came_to_light_in_a_known_room_is_taken_whatever_it_sounds_like(first: Told) -> None:
    second = again(first, LOFT)
    second.say("open crate", "You open the crate, revealing a porcelain dragon.")
    assert "take dragon" in second.commands()


def test_what_a_step_is_done_with_is_fetched_from_where_it_was_left() -> None:
    def taken(told: Told) -> Told:
        told.say("take rope", "Taken.").say("north", HALL)
        return told

    first = taken(Told(f"{YARD}\nThere is a rope here.\n"))
    first.say("tie rope to rail", "The rope is tied.").say("take coin", "Taken.", score=5)
    second = Told(f"{YARD}\nThere is a rope here.\n", recalled=recall(remembered(first)))
    taken(second).say("south", YARD).say("drop rope", "Dropped.").say("north", HALL)
    assert second.options()[0].route == ("south", "take rope")


def test_all_rooms_that_are_bright_are_known_again_and_all_that_was_told_is_kept(
    first: Told,
) -> None:
    memory = remembered(first)
    row = memory["atlas"][next(iter(memory["atlas"]))]
    rooms = {room_key(f"Room {number}", "bare"): row for number in range(60)}
    memory["atlas"] = {**memory["atlas"], **{key: {**row, "ways": {}} for key in rooms}}
    memory["lessons"]["told"]["hint"] = [[f"noun{number}", "", ""] for number in range(60)]
    second = Told(LOFT, recalled=recall(memory))
    assert len(second.knowledge.board.of("bright")) >= 60
    left = both_memories(memory, distil(second.knowledge, second.outlook, memory, "two"))
    assert all(room["bright"] for key, room in left["atlas"].items() if key in rooms)
    assert len(left["lessons"]["told"]["hint"]) == 60


def test_what_worked_though_it_was_hindered_was_not_in_vain(first: Told) -> None:
    first.say("take all", "coin: Taken.\nstone: Your load is too heavy.", score=5)
    second = again(first, LOFT)
    loft = second.knowledge.memory["guide"]["found"][second.knowledge.here]
    assert second.stance.past.freshness(loft, "take all") == 1.0


def test_where_the_story_begins_anew_all_is_to_be_done_again(first: Told) -> None:
    second = with_coin(again(first)).say("drop coin", "Dropped.").say("examine coin", "Old.")
    second.knowledge = begun_anew(second.knowledge)
    second.say("", YARD)
    board, attempts = second.knowledge.board, second.knowledge.attempts_view
    assert path_of(second) == ["open gate", "north", "take coin"]
    assert not board.of("left")
    assert attempts.of("L1", "open gate").times == 0
    assert attempts.of("L2", "examine coin").times == 1
    second.say("open gate", "Opened.").say("north", HALL)
    assert second.say("take coin", "Taken.", score=5).reward.items


def test_commands_lead_to_the_rooms_of_the_next_episode(first: Told) -> None:
    second = again(first, HALL).say("up", LOFT)
    third = recall(remembered(second, "two"))
    loft = next(id for id, room in third.knowledge.map["rooms"].items() if room["title"] == "Loft")
    assert second.knowledge.here != loft
    led = third.outlook.dynamics["commands"]["up"]
    assert {case["effect"] for case in led} == {f"to {loft}"}


def test_who_was_beaten_with_something_else_is_beaten(first: Told) -> None:
    first.say("attack troll with sword", "The troll dies.", score=9)
    second = with_coin(again(first)).say("up", LOFT)
    second.say("attack troll with axe", "The troll dies.", score=9)
    second.say("jump", "You fall.\n\n    **** You have died ****\n\n" + YARD, 9)
    assert path_of(second) == ["open gate", "north", "up"]


def test_to_arrive_is_no_find(first: Told) -> None:
    second = with_coin(again(first))
    assert second.knowledge.memory["guide"]["finds"] == 0
    second.say("take pearl", "Taken.", score=9)
    assert second.knowledge.memory["guide"]["finds"] == 1
