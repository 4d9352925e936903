"""Room identity under `text`, passages with evidence, blocked exits, frontier and routes."""

from __future__ import annotations

import ormsgpack
import pytest

from environments.game import Facts, Observation, Thing
from managers.language.reading import ActionResult, RoomView, TurnExtraction
from managers.world.map import Map
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall with a marble floor. Doors lead north and east."
YARD = "Yard\nThis is a cobbled yard behind the house, open to the sky. The hall is south."
CAVE = "Cave\nYou are in a small cave. Passages lead in all directions."


def in_hall_and_yard() -> Story:
    """A game that describes a room on the first visit only: hall, yard, hall."""
    story = Story().hears("", HALL, "Hall").hears("north", YARD, "Yard")
    return story.hears("s", "Hall", "Hall")


def test_rooms_are_numbered_and_known_again() -> None:
    story = in_hall_and_yard()
    assert story.map.here == "L1"
    assert [room.title for room in story.map.rooms()] == ["Hall", "Yard"]
    assert story.map.moved
    assert not story.map.new_room


def test_the_way_back_is_supposed_until_it_was_walked() -> None:
    story = Story().hears("", HALL, "Hall").hears("north", YARD, "Yard")
    assert story.map.ways("L2").passages["south"].seen == 0
    story.hears("south", "Hall", "Hall")
    assert story.map.ways("L2").passages["south"].seen == 1


def test_a_supposed_way_back_that_is_refused_is_none() -> None:
    story = Story().hears("", HALL, "Hall").hears("down", YARD, "Yard")
    story.hears("up", "You can't go that way.", "Yard")
    assert "up" not in story.map.ways("L2").passages


@pytest.mark.parametrize(
    ("refusal", "left"),
    [
        ("You can only go north, west or in.", ["west", "in"]),
        ("The road is closed. The only way out is to the west.", ["west"]),
        ("You can't go that way.", ["east", "up"]),
        ("The only trouble is the wall to the west.", ["east", "up"]),
    ],
)
def test_a_refusal_may_tell_all_the_ways_there_are(refusal: str, left: list[str]) -> None:
    story = Story().hears("", "Hall\nA long hall with a door to the north.", "Hall")
    story.hears("north", YARD, "Yard").hears("south", "Hall", "Hall")
    ways = story.hears("south", refusal, "Hall").map.ways("L1")
    assert {*left} <= {*ways.mentioned, *ways.silent}
    assert ("east" in ways.silent) == ("east" in left)


def test_who_goes_into_the_dark_is_there() -> None:
    story = Story().hears("", HALL, "Hall")
    story.hears("enter hole", "Darkness\nIt is pitch dark, and you can't see a thing.", "Darkness")
    assert story.map.here == "L2"
    assert story.map.ways("L1").passages["enter hole"].to == "L2"


def test_where_the_light_goes_out_one_stays() -> None:
    story = Story().hears("", HALL, "Hall")
    dark = "Darkness\nIt is pitch dark, and you can't see a thing."
    assert story.hears("turn off lamp", dark, "Darkness").map.here == "L1"
    story.hears("pray", "Nothing happens. The lamp goes out. It is now pitch dark.", "Darkness")
    assert story.map.here == "L1"


def test_rooms_of_one_title_stay_apart() -> None:
    other = "Yard\nA narrow strip of weeds between two brick walls. A gate leads west."
    story = in_hall_and_yard().hears("east", other, "Yard")
    assert story.map.here == "L3"
    story.hears("west", "Hall", "Hall").hears("north", "Yard", "Yard")
    assert story.map.here == "L2"


def test_a_story_that_names_no_rooms_has_a_map_too() -> None:
    hut = "You are standing outside the door of a small hut.\nThere are paths east and south."
    garden = "You are in a garden of red flowers. There are paths to the\nnorth and east."
    story = Story().hears("", hut).hears("south", garden)
    assert [room.title for room in story.map.rooms()] == [
        *("Outside the door of a small hut", "Garden of red flowers"),
    ]
    story.hears("north", "You are standing outside the house.\nThe door is locked.")
    assert story.map.here == "L1"
    story.hears("south", "You are in the flower garden.")
    assert story.map.here == "L2"
    story.hears("examine flowers", "They are red.").hears("east", "You can't go that way.")
    assert story.map.here == "L2"
    assert len(story.map.rooms()) == 2
    pond = "You are at a large and perfectly calm lake. There is a path back to the west."
    story.hears("north", "You are outside the house.").hears("east", pond)
    story.hears("dive", "You are in the flower garden.").hears("look", garden)
    assert (story.map.here, len(story.map.rooms())) == ("L2", 3)


def test_where_lines_name_rooms_a_sentence_is_none() -> None:
    story = Story().hears("", HALL).hears("enter boat", "You are in the boat.")
    story.hears("north", "You are on a small sandbank. There is a path to the east.")
    assert [room.title for room in story.map.rooms()] == ["Hall"]


def test_a_walk_in_such_a_story_may_end_in_a_place_that_is_only_described() -> None:
    passage = "You are in a north-south passage, with side passages to the west."
    story = Story().hears("", passage)
    hall = "The passage widens into a vast hall, full of soldiers\nwith long bows and maces."
    story.hears("north", hall)
    assert story.map.room(story.map.here).title == "Passage widens into a vast hall"
    story.hears("east", "You can't go that way.").hears("west", "A guard stops you.")
    assert story.map.here == "L2"
    story.hears("south", passage)
    assert story.map.here == "L1"


def test_a_maze_repeats_title_and_description() -> None:
    story = in_hall_and_yard().hears("down", CAVE, "Cave").hears("east", CAVE, "Cave")
    assert story.map.here == "L4"
    assert story.map.room("L3").maze
    assert story.map.room("L4").maze
    assert not story.map.room("L1").maze
    story.hears("west", "Cave", "Cave")
    assert story.map.here == "L3"


def test_a_way_that_is_refused_where_it_was_walked_shows_another_room() -> None:
    wood = "Wood\nThis is a wood, with tall firs all around."
    story = Story().hears("", wood, "Wood").hears("north", YARD, "Yard").hears("s", "Wood", "Wood")
    story.hears("east", HALL, "Hall").hears("west", "Wood", "Wood")
    assert story.map.here == "L1"
    story.hears("north", "You can't go that way.", "Wood")
    assert story.map.here == "L1"
    story.hears("north", "You can't go that way.", "Wood")
    assert story.map.here == "L4"
    assert story.map.ways("L3").passages["west"].to == "L4"
    assert story.map.ways("L1").passages["north"].to == "L2"
    assert "north" in story.map.attempts.blocked("L4")


def test_a_way_that_is_refused_again_and_again_is_no_way() -> None:
    long = HALL + " A balustrade runs along a gallery above." * 5
    story = Story().hears("", long, "Hall").hears("north", YARD, "Yard").hears("s", "Hall", "Hall")
    for _ in range(2):
        story.hears("north", "You can't go that way.", "Hall")
    assert "north" not in story.map.ways("L1").passages


def test_a_changed_description_is_the_same_room() -> None:
    opened = YARD.replace("open to the sky", "under a sky of slate")
    story = in_hall_and_yard().hears("north", opened, "Yard")
    assert story.map.here == "L2"


def test_looking_and_refusals_do_not_move() -> None:
    story = in_hall_and_yard()
    story.hears("look", HALL, "Hall")
    assert story.map.here == "L1"
    story.hears("up", "You can't go that way.\n\n" + HALL, "Hall")
    assert story.map.here == "L1"
    assert not story.map.moved


def test_a_dark_room_gets_its_title_when_a_light_is_on() -> None:
    dark = "Darkness\nIt is pitch dark, and you can't see a thing."
    story = in_hall_and_yard().hears("down", dark, "Darkness")
    assert story.map.room("L3").dark
    cellar = "You switch the lamp on.\n\nCellar\nYou are in a vaulted cellar. Stairs lead up."
    story.hears("turn on lamp", cellar, "Cellar")
    assert story.map.here == "L3"
    assert story.map.room("L3").title == "Cellar"
    assert not story.map.room("L3").dark


def test_other_moves_are_passages_too() -> None:
    story = in_hall_and_yard().hears("climb ladder", "Loft\nThis is a dusty loft.", "Loft")
    assert story.map.ways("L1").passages["climb ladder"].to == "L3"
    story.hears("wait", "A hand grabs you.\n\n" + YARD, "Yard")
    assert story.map.here == "L2"
    assert "wait" not in story.map.ways("L3").passages


def test_blocked_exits_keep_their_cause_until_they_open() -> None:
    story = in_hall_and_yard().hears("east", "The door is closed.", "Hall")
    blocked = story.map.attempts.blocked("L1")["east"]
    assert (blocked.reason, blocked.error_message) == ("closed", "The door is closed.")
    assert blocked.count == 1
    story.hears("east", "Attic\nThis is the attic.", "Attic")
    assert story.map.attempts.blocked("L1") == {}


def test_the_frontier_names_mentioned_exits_first() -> None:
    story = Story().hears("", HALL, "Hall")
    untried = [way for _, way in story.map.unexplored(["L1"])]
    assert untried[:2] == story.map.ways("L1").mentioned == ["north", "east"]
    story.hears("north", YARD, "Yard")
    assert ("L1", "north") not in story.map.unexplored(["L1"])
    assert ("L1", untried[1]) in story.map.unexplored(story.map.lit_rooms())


def test_a_passage_that_leads_elsewhere_is_random() -> None:
    story = in_hall_and_yard().hears("east", CAVE, "Cave").hears("out", "Hall", "Hall")
    story.hears("east", "Yard", "Yard")
    assert story.map.ways("L1").passages["east"].random


def test_room_ids_of_the_tree_decide_where_they_are_granted() -> None:
    map_ = Map()
    for turn, (command, number) in enumerate((("", 40), ("e", 41), ("w", 40), ("w", 41))):
        room = RoomView(title="Cave", description="A cave like any other.")
        result = ActionResult(action=command, result="success")
        facts = Facts(room=Thing(id=number, name="Cave"))
        map_.apply(
            TurnExtraction(turn=turn, room=room, action_result=result),
            Observation(text="Cave", facts=facts),
            command,
        )
    assert [room.visits for room in map_.rooms()] == [2, 2]


def test_the_state_is_plain_and_what_was_handed_out_stays_as_it_was() -> None:
    story = in_hall_and_yard()
    before, packed = story.map.data, ormsgpack.packb(story.map.data)
    story.hears("east", "The door is closed.", "Hall").hears("down", CAVE, "Cave")
    assert ormsgpack.packb(before) == packed
    assert ormsgpack.unpackb(ormsgpack.packb(story.map.data)) == story.map.data


DARK = "Darkness\nIt is pitch dark, and you can't see a thing."
CELLAR = "Cellar\nA low cellar with a barrel in a corner, and shelves. Steps lead up to the yard."


def test_a_room_that_was_met_in_the_dark_is_known_again_in_the_light() -> None:
    story = in_hall_and_yard().hears("north", "Yard", "Yard").hears("down", DARK, "Darkness")
    story.hears("up", "Yard", "Yard").hears("down", CELLAR, "Cellar")
    assert (story.map.here, story.map.title("L3")) == ("L3", "Cellar")


def test_a_long_description_that_speaks_of_gloom_is_no_dark_room() -> None:
    hall = HALL + " The ceiling of the hall is so high that it is lost in gloom, whoever looks up."
    story = Story().hears("", hall, "Hall").hears("north", YARD, "Yard")
    story.hears("south", "Chapel\nYou are in a small chapel with white walls.", "Chapel")
    assert [room.title for room in story.map.rooms()] == ["Hall", "Yard", "Chapel"]


def test_a_dim_room_may_have_another_title_in_the_light() -> None:
    closet = "Closet\nIt is dark. You see a lot of shadows. Doors lead east and south."
    bedroom = "Bedroom\nThis is a room for somebody small, with a bed and a desk."
    story = Story().hears("", HALL, "Hall").hears("north", closet, "Closet")
    story.hears("light candle", bedroom, "Bedroom")
    assert [room.title for room in story.map.rooms()] == ["Hall", "Bedroom"]
    story = Story().hears("", HALL, "Hall").hears("north", closet, "Closet")
    story.hears("south", HALL, "Hall").hears("north", bedroom, "Bedroom")
    assert [room.title for room in story.map.rooms()] == ["Hall", "Bedroom"]


def test_a_dark_place_that_turns_into_a_known_one_is_left() -> None:
    chamber = "Dark Chamber\nThis is a small chamber with rough walls and a fireplace."
    story = in_hall_and_yard().hears("down", chamber, "Dark Chamber")
    story.hears("wait", f"The scene changes.\n\n{YARD}", "Yard")
    assert (story.map.here, story.map.title("L3")) == ("L2", "Dark Chamber")


def test_what_lies_in_a_known_room_is_not_its_description() -> None:
    listed = "Yard\nAn aluminum placard is fixed to the kitchen door."
    story = in_hall_and_yard().hears("north", listed, "Yard")
    story.hears("east", CAVE, "Cave").hears("west", listed, "Yard")
    assert story.map.here == "L2"
    assert story.map.room("L2").text.startswith("This is a cobbled yard")


def test_what_is_told_once_may_stand_before_a_description() -> None:
    hill = "You are on a green hill, with a view of the sea and of the village below."
    first = f"Hill\nWhat a splendid morning! All the birds sing, and nobody is up yet.\n\n{hill}"
    story = (
        Story().hears("", HALL, "Hall").hears("north", first, "Hill").hears("east", CAVE, "Cave")
    )
    story.hears("west", f"Hill\n{hill}", "Hill").hears("south", HALL, "Hall")
    story.hears("north", f"Hill\n{hill}", "Hill")
    assert (story.map.here, len(story.map.rooms())) == ("L2", 3)


def test_one_way_back_is_supposed_and_no_second_one() -> None:
    story = Story().hears("", HALL, "Hall").hears("up", YARD, "Yard").hears("down", HALL, "Hall")
    story.hears("east", YARD, "Yard")
    assert "west" not in story.map.ways("L2").passages


def test_what_is_told_of_the_game_is_no_place() -> None:
    menu = "About this game\nThere is more to be read here about how such games are played."
    story = in_hall_and_yard().hears("help", menu, "About this game").hears("look", HALL, "Hall")
    assert (story.map.here, len(story.map.rooms())) == ("L1", 2)


def test_the_title_that_the_status_line_shows_may_follow_a_line_of_what_happened() -> None:
    cell = "Yard\nYou are in a bare prison cell. Its door is securely fastened."
    story = in_hall_and_yard().hears("north", "Yard", "Yard")
    story.hears("push button", f'"If you wish," he replies.\n{cell}', "Yard")
    assert story.map.here == "L3"


def test_a_staircase_is_one_way_whichever_word_one_goes_by() -> None:
    lobby = "Lobby\nA dusty lobby. There is a flight of stairs heading up to the north."
    landing = "Landing\nThe stairs go up to the south and down to the north. A door leads east."
    story = Story().hears("", lobby, "Lobby").hears("up", landing, "Landing")
    assert story.map.ways("L1").passages["north"].to == "L2"
    assert story.map.ways("L2").passages["north"].to == "L1"
    assert story.map.ways("L1").mentioned == []
    assert story.map.ways("L2").mentioned == ["north", "south", "east"]


def test_storeys_of_one_title_stay_apart() -> None:
    storey = (
        "Elevator Hall\nThis is the elevator hall of the {} floor. The elevator door is to the "
        "west, and offices lie north and east. The stairs lead {}."
    )
    story = Story()
    for command, told in (
        ("", ("first", "up")),
        ("up", ("second", "up and down")),
        ("up", ("third", "down")),
    ):
        story.hears(command, storey.format(*told), "Elevator Hall")
    assert len(story.map.rooms()) == 3


def test_a_lift_leads_to_other_storeys_of_one_title() -> None:
    desk = (
        "Elevator Hall\nA desk of dark wood stands in the corner, and a portrait of the founder of "
        "the company hangs on the panelling above it, in a gilt frame."
    )
    rain = (
        "Elevator Hall\nThe carpet is torn and smells of smoke; a broken window lets the rain in, "
        "and wires dangle from the ceiling where lamps once were."
    )
    lift = "Elevator\nA small cabin with three buttons. The way out is east."
    story = Story().hears("", desk, "Elevator Hall").hears("west", lift, "Elevator")
    story.hears("push two", "It rises and stops.", "Elevator").hears("east", rain, "Elevator Hall")
    assert story.map.here == "L3"
