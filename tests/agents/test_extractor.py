"""The rule-based extractor on sentences of the usual styles, and on stock replies."""

from __future__ import annotations

import pytest

from managers.language.reading import ObjectMention
from tests.managers.replies import read

KITCHEN = "Kitchen\nYou are in a small kitchen. A door leads north and stairs go up.\n"


def mentioned(command: str, text: str, room: str | None = None) -> dict[str, ObjectMention]:
    return {mention.name: mention for mention in read(command, text, room).objects_mentioned}


@pytest.mark.parametrize(
    ("line", "name", "location"),
    [
        ("There is a copper kettle here.", "copper kettle", "here"),
        ("You can see a copper kettle here.", "copper kettle", "here"),
        ("You can also see a copper kettle and some flour here.", "flour", "here"),
        ("Here is a copper kettle.", "copper kettle", "here"),
        ("You can also see: soot - *COPPER KETTLE* - tall jar", "copper kettle", "here"),
        ("You can also see: tall jar - card reads- MIND THE STEP", "card", "here"),
        ("A copper kettle is lying in the corner.", "copper kettle", "here"),
        ("On the ground is a copper kettle.", "copper kettle", "here"),
        (
            "Lying half buried in the mud is a copper kettle, green with age.",
            "copper kettle",
            "here",
        ),
        ("A copper kettle, dented on one side, is here.", "copper kettle", "here"),
        ("There is an object which looks like a bar of soap here.", "bar of soap", "here"),
        ("On the stove are a copper kettle and two spoons.", "copper kettle", "stove"),
        ("A copper kettle is sitting on the stove.", "copper kettle", "stove"),
        ("Sitting on the stove is a copper kettle, made in Kent.", "copper kettle", "stove"),
        ("On the stove the copper kettle sits where it always sits.", "copper kettle", "stove"),
        ("The wooden box contains:\n  A copper kettle", "copper kettle", "wooden box"),
        ("In the wooden box is a copper kettle.", "copper kettle", "wooden box"),
        ("Above the stove hangs a kettle of great age.", "kettle", "here"),
        ("There is a lump of coal here.", "lump of coal", "here"),
        ("There is a pile of leaves here.", "pile of leaves", "here"),
        ("There is a piece of white paper here.", "piece of white paper", "here"),
        ("Behind the stove hangs a copper kettle.", "copper kettle", "here"),
        ("A sullen guard, holding a copper kettle, stands here.", "copper kettle", "sullen guard"),
        ("Searching the ashes, you find a copper kettle.", "copper kettle", "here"),
        ("You reach up and find a copper kettle hidden in the flue.", "copper kettle", "here"),
    ],
)
def test_listings(line: str, name: str, location: str) -> None:
    found = mentioned("look", f"{KITCHEN}\n{line}", "Kitchen")
    assert found[name].location == location


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("You are in a garden of red flowers. There are paths\nto the north and east.", "Garden"),
        ("You are standing outside the door of a hut.\nThe door is locked.", "Outside the door"),
        ("A bell rings.\nYou are at an old, untended grave with a stone.", "Old, untended grave"),
        ("You're at Witt's End. There is a lamp here.", "Witt's End"),
        ("You are in no position to do that.", ""),
        ("You are in a hurry, it seems.", ""),
    ],
)
def test_a_story_that_names_no_rooms_says_where_one_is(text: str, title: str) -> None:
    room = read("east", text).room
    assert (room.title if room else "").startswith(title)
    assert room is None or (title and room.unnamed)
    assert room is None or room.description.startswith("You")


def test_the_title_of_a_story_is_no_room_where_it_says_where_one_is() -> None:
    opening = "The Hills\nA story in three parts, by nobody.\n\nYou are in a cave. A way leads up."
    assert read("", opening).room == read("look", "You are in a cave. A way leads up.").room


@pytest.mark.parametrize(
    "text",
    [
        "You take a couple of tentative steps across the wire.",
        "The guard gives you a quick salute and walks off.",
        "The book gives you the ability to write spells.",
    ],
)
def test_what_is_only_an_act_is_not_carried(text: str) -> None:
    assert [one for one in read("east", text).state_changes if one.new_value == "inventory"] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You get wet. Your match is ruined. It floats away.", ("match", "unknown")),
        ("A glove is hanging from the tree. You take it.", ("glove", "inventory")),
        ("Digging reveals a lamp. You take it.", ("lamp", "inventory")),
        ("The thief eyes your glove and takes it from you.", ("glove", "unknown")),
    ],
)
def test_it_is_what_one_may_carry(text: str, told: tuple[str, str]) -> None:
    assert [(one.object, one.new_value) for one in read("north", text).state_changes] == [told]


@pytest.mark.parametrize("said", ["OK.", "O.K."])
def test_what_was_to_be_done_is_done(said: str) -> None:
    found = read("take key", said)
    assert found.action_result.result == "success"
    assert [(one.object, one.new_value) for one in found.state_changes] == [("key", "inventory")]
    assert read("drop key", said).state_changes[0].new_value == "here"


def test_where_one_looks_into_something_dark_one_is_not_in_the_dark() -> None:
    assert read("look in bag", "It's too dark to see what is inside.", "Hall").room is None
    dark = read("look", "It is pitch black.", "Hall").room
    assert dark is not None
    assert dark.dark


def test_what_a_description_lists_is_a_thing_though_no_word_list_knows_it() -> None:
    described = "Shed\nOld straw. A trundler lies keel up on the boards. A door leads east.\n"
    assert mentioned("look", described)["trundler"].confidence > 0.8
    told = "Shed\nOld straw. The trundler makes you think of home. A door leads east.\n"
    assert mentioned("look", told)["trundler"].confidence < 0.5


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("You are carrying:\n  a brass lantern (lit)\n  a bag (which is open)\n    a coin", 2),
        ("You are carrying a brass lantern and a small bag.", 2),
        ("You're carrying:\n  a brass lantern\n", 1),
        ("You are carrying nothing.", 0),
        ("You are empty-handed.", 0),
        ("You have nothing.", 0),
        ("You aren't carrying anything.", 0),
    ],
)
def test_inventories_are_complete(text: str, names: int) -> None:
    extraction = read("inventory", text)
    held = [m for m in extraction.objects_mentioned if m.location == "inventory"]
    assert "inventory" in extraction.listed
    assert len(held) == names


@pytest.mark.parametrize(
    ("prose", "names"),
    [
        ("Narrow stairs lead up.", {"narrow stairs"}),
        ("It has a sink, toilet and shower.", {"sink", "toilet", "shower"}),
        ("The room is lit by magical torches.", {"magical torches"}),
        ("In the corner is a heavy table made of stone.", {"heavy table"}),
        ("You look around and wait.", set()),
    ],
)
def test_things_need_no_determiner(prose: str, names: set[str]) -> None:
    assert names <= mentioned("look", f"Kitchen\nYou are in a kitchen. {prose}", "Kitchen").keys()


def test_a_full_load_is_no_inventory() -> None:
    extraction = read("take anvil", "You're holding too many things already!")
    assert extraction.listed == ()
    assert extraction.action_result.reason == "too_heavy"


def test_to_lack_the_means_is_not_to_be_empty_handed() -> None:
    assert read("wind clock", "You have nothing to wind it with.").listed == ()
    assert read("cut rope", "You are not holding anything sharp enough.").listed == ()


def test_nested_contents_and_remarks() -> None:
    text = "You are carrying:\n  a brass lantern (lit)\n  a bag (which is open)\n    a coin"
    found = mentioned("inventory", text)
    assert found["coin"].location == "bag"
    assert found["brass lantern"].state == {"lit": "true"}
    assert found["bag"].state == {"open": "true"}


def test_nothing_is_seen_in_a_denial() -> None:
    assert "kettle" not in mentioned("look", f"{KITCHEN}\nThere is no kettle here.", "Kitchen")


@pytest.mark.parametrize(
    ("command", "reply", "reason", "prerequisite"),
    [
        ("zorble", "That's not a verb I recognise.", "unknown_verb", ""),
        ("take flurp", 'I don\'t know the word "flurp".', "unknown_word", ""),
        ("take flurp", "You can't see any such thing.", "not_here", ""),
        ("north", "You can't go that way.", "no_exit", ""),
        ("north", "The only way out is east, to the yard.", "no_exit", ""),
        ("north", "The window is closed.", "closed", "open window"),
        ("north", "You can't, since the oak door is in the way.", "closed", "open oak door"),
        ("north", "You'll have to get up first.", "posture", "get up"),
        ("north", "You'd better get out of the cart first.", "posture", "get out of cart"),
        ("open chest", "It seems to be locked.", "locked", ""),
        ("open chest", "The chest is locked.", "locked", ""),
        ("unlock chest with pin", "That doesn't seem to fit the lock.", "needs_tool", ""),
        ("take wall", "That's hardly portable.", "fixed", ""),
        ("open crates", "They seem to be locked.", "locked", ""),
        ("open doors", "The doors on this floor are all locked.", "locked", ""),
        ("look in box", "You can't see inside, since the box is closed.", "closed", "open box"),
        ("take rope", "The rope is tied to a tree.", "fixed", ""),
        ("take lever", "You tug and tug, but it stays firmly in place.", "fixed", ""),
        ("take drawer", "It's an integral part of the desk.", "fixed", ""),
        ("take tassel", "It is inseparable from the dagger.", "fixed", ""),
        ("open blind", "You can't reach the blind from here without a chair.", "blocked", ""),
        ("take anvil", "Your load is too heavy.", "too_heavy", ""),
        ("take anvil", "It is too heavy to move.", "fixed", ""),
        ("wear hat", "You aren't holding the hat.", "not_held", "take hat"),
        ("take hat", "You already have that.", "already", ""),
        ("push wall", "Nothing obvious happens.", "pointless", ""),
        ("pull wall", "You can't move the wall.", "refused", ""),
        ("wear wall", "The wall is not something you can wear.", "refused", ""),
        ("north", "The guard won't let you pass.", "blocked", ""),
        ("take key", "Which do you mean, the red key or the blue key?", "ambiguous", ""),
    ],
)
def test_refusals(command: str, reply: str, reason: str, prerequisite: str) -> None:
    result = read(command, reply).action_result
    assert (result.result, result.reason) == ("failure", reason)
    assert result.prerequisite == prerequisite


@pytest.mark.parametrize(
    ("command", "reply", "changes"),
    [
        ("take kettle", "Taken.", {("kettle", "location", "inventory")}),
        ("pull rope", "Taken.", {("rope", "location", "inventory")}),
        ("pull rope", "Taken aback, nobody says a word.", set()),
        ("take kettle", "You already have that.", {("kettle", "location", "inventory")}),
        ("drop kettle", "Dropped.", {("kettle", "location", "here")}),
        ("put kettle in box", "Done.", {("kettle", "location", "box")}),
        ("open box", "Opening the box reveals a coin.", {("box", "open", "true")}),
        ("open box", "You open the tin box.", {("tin box", "open", "true")}),
        ("unlock box with pin", "You unlock the box.", {("box", "locked", "false")}),
        ("turn on lamp", "The lamp is now on.", {("lamp", "lit", "true")}),
        ("turn on radio", "You switch the radio on.", {("radio", "on", "true")}),
        ("light lamp", "The wick catches, and the lamp burns.", {("lamp", "lit", "true")}),
        ("tie rope to hook", "You tie the rope to the hook.", {("rope", "location", "here")}),
        ("take bird", "You catch the bird in the wire cage.", {("bird", "location", "wire cage")}),
        ("press button", "The steel gate swings open.", {("steel gate", "open", "true")}),
        ("touch rune", "Then the gate swings open before you.", {("gate", "open", "true")}),
        (
            "turn wheel",
            "It turns, and the iron gate opens before you.",
            {("iron gate", "open", "true")},
        ),
        ("pull cord", "The bell rings and the hatch slides shut.", {("hatch", "open", "false")}),
        ("west", "You push the glass doors open.", {("glass doors", "open", "true")}),
        ("north", "(first wrenching the hatch open)", {("hatch", "open", "true")}),
        ("close hatch", "You slam the tin hatch shut.", {("tin hatch", "open", "false")}),
        ("open window", "You open up the window.", {("window", "open", "true")}),
        ("wait", "The porter opens a drawer.", set()),
        ("wait", '"And then the door opens," he says.', set()),
        ("eat bun", "You eat the bun. Not bad.", {("bun", "location", "gone")}),
        (
            "take all",
            "bun: Taken.\nwall: That's fixed in place.",
            {("bun", "location", "inventory")},
        ),
        ("drop it", "(the tin box)\nDropped.", {("tin box", "location", "here")}),
        ("take wall", "The wall is fixed in place.", set()),
        ("open cave", "The cave is not something you can open.", set()),
        ("drop all", "There are none at all available!", set()),
        ("drop everything", "Dropped.", set()),
        ("open box", "The box isn't open.", set()),
        ("read note", "(Taken)\nIt says: beware.", {("note", "location", "inventory")}),
        ("eat rock", "(first taking the rock)\nThat's fixed in place.", set()),
        ("wait", "The cup slips and falls to the floor.", {("cup", "location", "here")}),
        ("search bed", "Under it lies a purse! You take it.", {("purse", "location", "inventory")}),
        ("talk to aunt", "She hands you the brass key.", {("brass key", "location", "inventory")}),
        ("talk to aunt", "She returns your ring.", {("ring", "location", "inventory")}),
        ("wait", "You pocket the coin.", {("coin", "location", "inventory")}),
        ("dig", "You now have a bronze gear.", {("bronze gear", "location", "inventory")}),
        ("wait", "The bottle floats away.", {("bottle", "location", "unknown")}),
        ("wait", "The thief snatches your ring and runs.", {("ring", "location", "unknown")}),
        ("wait", "He takes the purse from you.", {("purse", "location", "unknown")}),
        ("wait", "The boat is swept away.", {("boat", "location", "unknown")}),
        ("use vase", "The vase shatters.", {("vase", "location", "gone")}),
        ("wait", "The candle is consumed.", {("candle", "location", "gone")}),
        ("pay", "You give the coin to the guard.", {("coin", "location", "guard")}),
        ("pay", "You hand the guard the coin.", {("coin", "location", "guard")}),
        ("wait", "You could take the key.", set()),
        ("wait", "You take a deep breath and a step back.", set()),
        ("wait", "She gives you a big kiss.", set()),
        ("wait", "Why don't you carry the cake around in your hands?", set()),
        ("talk to aunt", 'She says "You take the key, and then you go to the bank."', set()),
        ("get scraps", "You pick up the hot metal. Taken.", {("scraps", "location", "inventory")}),
    ],
)
def test_changes(command: str, reply: str, changes: set[tuple[str, str, str]]) -> None:
    found = read(command, reply).state_changes
    assert {(one.object, one.property, one.new_value) for one in found} == changes


def test_what_is_worn_is_named_by_a_noun() -> None:
    told = read("enter shower", "The watch you're wearing is waterproof, so that is no trouble.")
    assert "is" not in {one.name for one in told.objects_mentioned}


def test_what_is_said_behind_what_is_worn_is_not_worn() -> None:
    told = read("wear shirt", "You'll have to take off the clothes you're wearing first.")
    assert "first" not in {one.object for one in told.state_changes}
    told = read("wear shirt", "You're now wearing the clean shirt.")
    assert ("clean shirt", "worn") in {(one.object, one.property) for one in told.state_changes}


@pytest.mark.parametrize(
    ("prose", "exits"),
    [
        ("The bare branches send a shiver down your spine.", ()),
        ("It lies to the south of the river.", ()),
        ("Passages lead east and west.", ("east", "west")),
        ("A path leads southwest, and a ladder goes up.", ("southwest", "up")),
        ("You are west of a house. The south wall is bare.", ()),
        ("There is no exit to the north, but a stair leads down.", ("down",)),
        ("An E/W canyon.", ("east", "west")),
        ("A dark staircase can be seen leading upward.", ("up",)),
        ("There is a window to the east.", ()),
        ("To the east is a large window, and to the west a door.", ("west",)),
        ("To the east is a small window which is open.", ("east",)),
        ("Stairs lead up, but they are broken. A tunnel leads east.", ("east",)),
        ("The ladder that leads up is gone.", ()),
        ("To the north is a staircase leading up to the attic.", ("north",)),
        ("Only guests come down here. Torches line the walls all around an opening.", ()),
        ("To the south of the road lies a mine, and to the east is a mill.", ("east",)),
        ("There is a door in the north wall. The south wall has a doorway.", ("north", "south")),
        ("A wide stream blocks the way east.", ()),
        ("The river flows from west to east.", ()),
        ("You can go north, south or down.", ("north", "south", "down")),
        ("Exits: N, NE, D.", ("north", "northeast", "down")),
        ("An oak door, set in the southern wall, leads outside.", ("south",)),
        ("The hole goes down to an E/W passage.", ("down",)),
        ("A passage leads west, and a wall of rock is to the east.", ("west",)),
        ("The western door is open. The northern wall is bare.", ("west",)),
        ("There are doors in the north, east and south walls.", ("north", "south", "east")),
        ("On the west side of the room are the main doors.", ("west",)),
        ("The only exit is up. The sun sets in the west.", ("up",)),
        ("A staircase leads further up and down the tower.", ("up", "down")),
        ("There is a hatch in the ceiling.", ("up",)),
        ("You can go in or out.", ("in", "out")),
        ("A hatch leads aft, and the galley lies to port.", ("aft", "port")),
        ("A room to the east of you hums.", ("east",)),
        ("A few mills lie to the south of this road.", ("south",)),
        ("Obvious exits: Down.", ("down",)),
        ("Houses stand on all sides except to the east, where there is a wall.", ()),
        ("Two trails lead down the hill to the southwest and the east.", ("east", "southwest")),
        ("There is an exit down in the northwest corner.", ("northwest", "down")),
        ("The walls of the gorge rise to east and west.", ()),
        ("Exits are east, up and out.", ("east", "up", "out")),
    ],
)
def test_exits_in_prose(prose: str, exits: tuple[str, ...]) -> None:
    room = read("look", f"Cave\nYou are in a cave. {prose}", "Cave").room
    assert room is not None
    assert room.exits == exits


@pytest.mark.parametrize(
    ("text", "status", "title", "inside"),
    [
        ("<< Closet >>\nYou are in a closet.", None, "Closet", ""),
        ("-= Pantry =-\nYou are in a pantry.", None, "Pantry", ""),
        ("Bedroom (in bed)\nA plain bedroom.", "Bedroom", "Bedroom", "bed"),
        ("River, in the punt\nYou are on a river.", "River", "River", "punt"),
        ("You get up.\n\nBedroom\nThis is a bedroom.", None, "Bedroom", ""),
    ],
)
def test_titles(text: str, status: str | None, title: str, inside: str) -> None:
    room = read("look", text, status).room
    assert room is not None
    assert (room.title, room.inside) == (title, inside)


@pytest.mark.parametrize(
    "reply", ["The rope is tied to the rail.", "The rope is attached to the rail."]
)
def test_what_is_tied_has_not_refused_it(reply: str) -> None:
    assert read("tie rope to rail", reply).action_result.result == "success"


def test_a_reply_without_a_title_shows_no_room() -> None:
    assert read("examine desk", "A plain desk, none too clean.", "Study").room is None


def test_darkness() -> None:
    room = read("north", "Darkness\nIt is pitch dark, and you can't see a thing.", "Darkness").room
    assert room is not None
    assert (room.title, room.dark) == ("", True)
    assert read("north", "You have moved into a dark place.").action_result.result == "success"


def test_score_question_and_death() -> None:
    scored = read("take gem", "Taken.\n\n[Your score has just gone up by twenty-five points.]")
    assert scored.score_change == 25
    asked = read("open door", "Which do you mean, the oak door or the trap door?")
    assert (asked.question, asked.choices) == ("which", ("oak door", "trap door"))
    asked = read("take lamp", "Which do you mean, the brass lamp, or (the other one)?")
    assert (asked.question, asked.choices) == ("which", ("brass lamp",))
    menu = "\n".join(f"{number}) Ask about the mill" for number in range(1, 13))
    asked = read("talk to guard", menu)
    assert (asked.question, asked.choices[-1]) == ("menu", "12")
    ended = read("jump", "You fall.\n\n    *** You have died ***\n\nRESTART, RESTORE or QUIT?")
    assert ended.died
    assert ended.question == "end"


def test_the_thing_the_game_chose_is_part_of_the_action() -> None:
    result = read("tie rope to ring", "(the iron ring)\nYou tie the rope.").action_result
    assert result.action == "tie rope to iron ring"


def test_what_is_not_understood_is_kept() -> None:
    extraction = read("wait", "Time passes.\n\nFar away somebody plays the violin, badly.")
    assert extraction.new_information == ("Far away somebody plays the violin, badly.",)


@pytest.mark.parametrize(
    ("command", "text", "changed"),
    [
        ("push wall", "(first taking the west wall)\nThat isn't available.", []),
        ("take lamp", "You take it.", ["lamp"]),
        ("take torch", "OK, got it.", ["torch"]),
        ("ask gnome for rod", "The gnome sighs and hands it to you.", ["rod"]),
        ("ask gnome for rod", "The gnome hands the rod to you.", ["rod"]),
        ("ask for snorkel", "Mr. Brown gives you the snorkel.", ["snorkel"]),
        ("give map to gnome", "The gnome takes the map. Sighing, he hands it back.", ["map"]),
    ],
)
def test_possession_follows_the_text(command: str, text: str, changed: list[str]) -> None:
    changes = read(command, text).state_changes
    assert [one.object for one in changes if one.new_value == "inventory"] == changed


def test_a_title_ends_no_sentence() -> None:
    assert (
        "Mr. Smith nods to Dr. Hale." in read("wait", "Mr. Smith nods to Dr. Hale.").new_information
    )


def test_who_wears_something_is_no_container() -> None:
    (guard, tag) = read("examine guard", "He is wearing a nametag.").objects_mentioned[::-1]
    assert (guard.name, tag.location) == ("guard", "guard")
    assert "container" not in guard.properties
