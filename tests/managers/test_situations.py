"""What the situation calls for: fights, wounds, lights, and what a model is offered."""

import pytest

import prompts
from agents.shown.offers import offers
from agents.shown.situation import Situation
from agents.shown.usual import usual
from managers.core.option import Option
from managers.core.scene import Scene
from managers.language.history import History, HistoryData
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.skills import all_skills
from managers.world.facts import Blackboard
from managers.world.queries import MoveThing
from tests.briefings import briefing
from tests.managers.replies import Story
from tests.managers.told import Told

HALL = """Hall
You are in a long stone hall. Doors lead north and east.

You can see a sword here.
You can see a lamp here.
"""
GATE = """Gate
A narrow gate stands at the end of the road. The way back is west.

A guard is here.
"""
LIT_CELLAR = "Cellar\nYou are in a damp cellar. A hole leads down, the hall is west."
CELLAR = "Cellar\nIt is pitch dark, and you can't see a thing."


@pytest.fixture
def hall() -> Told:
    return Told(HALL).say("verbose", "Maximum verbosity.")


def board(told: Told) -> Blackboard:
    return told.knowledge.board


def kinds(told: Told) -> list[str]:
    return [one.kind for one in told.options()]


def test_who_bars_the_way_is_fought_before_anything_else_is_done(hall):
    hall.say("take sword", "Taken.").say("east", GATE)
    hall.say("north", "The guard blocks your way.")
    assert hall.commands()[0] == "attack guard with sword"


def test_who_merely_attacks_is_rather_left(hall):
    hall.say("take sword", "Taken.").say("east", GATE)
    hall.say("wait", "The guard swings at you.")
    assert hall.options()[0].kind == "escape"


def test_who_attacks_is_told_from_whose_name_hides_in_another():
    road = Told("Road\nA dusty road leads east.\n\nAn old man is here.\nA woman is here.")
    road.say("wait", "The woman attacks you with a knife!")
    assert [one.noun for one in road.knowledge.foes] == ["woman"]


def test_wounds_end_a_fight_for_now(hall):
    hall.say("take sword", "Taken.").say("east", GATE)
    hall.say("north", "The guard blocks your way.")
    for _ in range(2):
        hall.say("attack guard with sword", "The guard hits you. You are badly hurt.")
    assert len(board(hall).of("wound")) == 2
    assert hall.options()[0].command == "west"


def test_a_way_is_free_once_who_barred_it_is_dead(hall):
    hall.say("take sword", "Taken.").say("east", GATE)
    hall.say("north", "The guard blocks your way.")
    hall.say("attack guard with sword", "The guard falls dead.")
    assert not board(hall).of("barring")
    way = next(one for one in hall.options() if one.route == ("north",))
    assert way.kind == "exit"


def test_a_sword_that_was_struck_down_is_taken_up_again(hall):
    hall.say("take sword", "Taken.").say("east", GATE)
    hall.say("north", "The guard blocks your way.")
    hall.say("attack guard with sword", "You don't have the sword.")
    assert hall.commands()[0] == "take sword"


def test_what_was_too_heavy_is_taken_once_something_is_put_down(hall):
    hall.say("take lamp", "Taken.").say("take leaflet", "Taken.")
    hall.say("east", "Vault\nBare rock. The hall is west.\n\nThere is a golden crown here.")
    hall.say("take crown", "Your load is too heavy.")
    assert hall.commands()[0] != "take crown"
    hall.say("drop leaflet", "Dropped.")
    assert hall.commands()[0] == "take crown"


def test_what_a_death_has_taken_is_fetched_again(hall):
    hall.say("take lamp", "Taken.").say("take sword", "Taken.")
    hall.say("drop sword", "Dropped. A blow hits you! Do you want me to try reincarnating you?")
    assert hall.situation().inventory == ()
    assert board(hall).subjects("discarded") == {"sword"}


def test_a_lamp_that_was_lit_in_other_words_is_a_light(hall):
    hall.say("take lamp", "Taken.")
    hall.say("turn on lamp", "The wick sputters, and the lamp burns with a small blue flame.")
    assert hall.situation().lit


def test_a_lamp_that_leaves_one_in_the_dark_is_no_light_until_it_is_lit_again(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    hall.say("wait", "Your lamp gives a sigh, and that is that.\n\nIt is now pitch dark in here.")
    assert not hall.situation().lit
    assert board(hall).subjects("failing") == {"lamp"}
    hall.say("turn on lamp", "The lamp is now on.\n\n" + HALL)
    assert not board(hall).subjects("failing")


def test_a_match_that_goes_out_is_not_the_lamp(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    hall.say("wait", "Time passes. The match has gone out.")
    assert hall.situation().lit


def test_with_a_light_that_fails_one_leaves_the_dark_in_time(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    cave = "Cave\nA low cave with ways east, north and south. The hall is west."
    hall.say("east", f"{cave}\n\nThere is a coin here.")
    assert hall.options()[0].command != "west"
    hall.say("wait", "Time passes. The lamp is nearly out.")
    assert hall.options()[0].route == ("west", "look")


def test_of_bright_rooms_that_are_as_near_the_first_that_was_found_is_gone_to(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    hall.say("east", "Cave\nA cave with ways up, down, north and south. The hall is west.")
    for way, back in {"north": "south", "south": "north", "up": "down", "down": "up"}.items():
        room = f"Room {way}\nA bare room. The way back is {back}."
        hall.say(way, room).say("turn off lamp", "The lamp is now off.").say("look", room)
        hall.say("turn on lamp", "The lamp is now on.").say(back, "Cave")
    hall.say("wait", "The lamp is nearly out.")
    nearest = next(one for one in hall.options() if one.goal == "look" and one.kind == "escape")
    assert nearest.route == ("north", "look")


def test_a_room_lit_by_a_lamp_that_was_put_down_there_is_not_bright(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    hall.say("east", "Cave\nA low cave. The hall is west.").say("drop lamp", "Dropped.")
    hall.say("look", "Cave\nA low cave. The hall is west.\n\nThere is a lamp here (lit).")
    assert hall.knowledge.here not in board(hall).subjects("bright")


def test_a_lamp_that_is_already_off_is_off(hall):
    hall.say("take lamp", "Taken.").say("turn on lamp", "The lamp is now on.")
    assert hall.situation().lit
    hall.say("turn off lamp", "It is already off.")
    assert not hall.situation().lit


def test_what_comes_to_light_comes_first(hall):
    hall.say("move rug", "You move the rug, revealing the dusty cover of a closed trap door.")
    assert hall.commands()[0] in ("open trap door", "take all", "take sword", "take lamp")
    assert board(hall).subjects("revealed", "L1") == {"closed trap door"}


def test_a_death_leaves_the_hands_empty_and_the_place_where_one_wakes(hall):
    hall.say("take lamp", "Taken.")
    hall.say(
        "east",
        "The guard strikes you down.\n\n   ****  You have died  ****\n\n"
        "Forest\nYou are in a forest. A path leads south.",
    )
    assert hall.situation().inventory == ()
    assert hall.situation().place.endswith("Forest")
    assert "guard" not in " ".join(hall.situation().things)


def offered(*commands: str, kind: str = "use", story: Told) -> list[str]:
    """What a model is shown where the planner thinks of some commands."""
    options = [
        Option(command=one, kind=kind, purpose=f"{n}", probability=0.5, value=1)
        for n, one in enumerate(commands)
    ]
    scene = Scene(story.knowledge, all_skills())
    return list(offers(options, scene, History([[0, "", HALL, None, ""]])))


def test_a_model_is_offered_each_command_once_and_eight_at_most(hall):
    shown = offered("east", "e", "north", "east", story=hall)
    assert "e" not in shown
    assert len(shown) == len(set(shown)) == 8


def test_a_model_is_offered_what_players_usually_do(hall):
    shown = offered(story=hall)
    assert {"take sword", "take lamp", "east"} <= set(shown)
    assert "push wall" not in shown


@pytest.mark.parametrize("kind", ["remembered", "advised"])
def test_what_an_earlier_episode_or_a_model_tells_is_offered_first(hall, kind):
    assert offered("push wall", kind=kind, story=hall)[0] == "push wall"


def test_what_a_model_has_suggested_is_offered_first(hall):
    scene = Scene(hall.knowledge, all_skills())
    said = History([[0, "", HALL, None, ""]])
    assert offers(hall.options(), scene, said, suggested="take lamp")[0] == "take lamp"
    assert offers(hall.options(), scene, said, suggested="go east")[0] == "east"


@pytest.mark.parametrize(
    ("wish", "command"),
    [
        ("Take the lamp.", "take lamp"),
        ("take lamp in the Hall to light the cellar", None),
        ("Take the lamp (it is under the sword)", None),
    ],
)
def test_an_objective_is_offered_where_it_is_a_command(hall, wish, command):
    scene = Scene(hall.knowledge, all_skills())
    shown = offers((), scene, History([[0, "", HALL, None, ""]]), [wish])
    assert shown[0] == (command or shown[0])
    assert not [one for one in shown if len(one.split()) > 4]


def test_who_stands_here_is_spoken_to_rather_than_who_is_only_mentioned():
    told = Told(
        "Yard\nA yard. Paintings of a king, a queen, a knight and a maid hang on the walls.\n\n"
        "A warden is here.\n"
    )
    asked = usual(Scene(told.knowledge, all_skills()), History(), ["ask {} about {}"])
    people = [one.command.split()[1] for one in asked if one.command.startswith("ask ")]
    assert people[0] == "warden"


def test_what_ended_the_story_is_offered_again_only_when_something_has_changed(hall):
    said = [[0, "", HALL, None, ""], [1, "take lamp", "It bites. You die.", None, "L1"]]
    ended = History([*said, [2, "undo", "[`take lamp` is taken back.]", None, "L1"]])
    assert "take lamp" not in offers((), Scene(hall.knowledge, all_skills()), ended)
    for _ in range(3):
        hall.say("wait", "Time passes.")
    hall.say("open gate", "Opened.")
    assert "take lamp" in offers((), Scene(hall.knowledge, all_skills()), ended)


def test_words_of_closed_classes_name_nothing(hall):
    said = "The somewhat a very old. She sees the himself, the it."
    made = usual(
        Scene(hall.knowledge, all_skills()), History([[0, "look", said, None, "L1"]]), ["take {}"]
    )
    assert not {"take it", "take himself", "take a", "take somewhat"} & {
        one.command for one in made
    }


def test_a_model_is_not_offered_what_failed_or_is_about_the_game_itself(hall):
    hall.say("take sword", "You can't do that.")
    assert not {"take sword", "verbose"} & set(offered("take sword", "verbose", story=hall))


def test_what_only_a_letter_speaks_of_is_not_in_sight(hall):
    hall.say("read letter", 'The letter reads: "Look for the golden stone, my friend."')
    assert "stone" not in hall.situation().visible
    assert {"sword", "lamp"} <= set(hall.situation().visible) <= set(hall.situation().things)


def shown(story: Story) -> Situation:
    return Situation(Scene(story.knowledge, all_skills()))


def history(*turns: tuple[str, str]) -> History:
    return History([[at, command, reply, None] for at, (command, reply) in enumerate(turns)])


def test_what_a_rule_only_guessed_is_not_said_to_be_carried() -> None:
    story = Story().hears("", HALL, "Hall").hears("take lamp", "The lamp is yours.", "Hall")
    assert [one.name for one in story.world.inventory()] == ["lamp"]
    assert shown(story).carried == ()
    story.hears("take sword", "Taken.", "Hall")
    assert shown(story).carried == ("sword",)
    story.hears("inventory", "You are carrying:\n  a sword\n  a lamp", "Hall")
    assert set(shown(story).carried) == {"sword", "lamp"}


def test_a_list_that_nobody_could_read_is_quoted() -> None:
    told = (("", HALL), ("inventory", "One sword, my lord! Rusty."), ("wait", "Time passes."))
    story = Story()
    for command, reply in told:
        story.hears(command, reply, "Hall")
    unread = shown(story).unread(history(*told))
    assert unread is not None
    assert unread.reply == "One sword, my lord! Rusty."
    assert shown(story).unread(history(*told, ("undo", "All is as it was."))) is None
    story.hears("inventory", "You are carrying:\n  a sword", "Hall")
    assert shown(story).listed == 3
    assert shown(story).unread(history(*told, ("inventory", "You are carrying:"))) is None


@pytest.mark.parametrize(
    ("reply", "came_from"),
    [("You have come for your pager.\n\nHall", ""), ("Please answer yes or no.", "L1")],
)
def test_what_came_instead_of_a_list_is_not_said_to_be_one(reply: str, came_from: str) -> None:
    story = Story().hears("", HALL, "Hall").hears("inventory", reply, "Hall")
    rows: HistoryData = [[0, "", HALL, None, ""], [1, "inventory", reply, None, came_from]]
    assert shown(story).unread(History(rows)) is None
    assert shown(story).unread(History([*rows, [2, "wait", "Hm.", None, "L1"]])) is None


def test_an_objective_comes_with_the_refusal_of_what_it_wants() -> None:
    told = (("", HALL), ("take sword", "That's hardly portable."), ("take lamp", "Taken."))
    story = Story()
    for command, reply in told:
        story.hears(command, reply, "Hall")
    rows: HistoryData = [[at, *one, None, "L1"] for at, one in enumerate(told)]
    goals = [Goal(kind="have", thing=one, place="L1") for one in ("old sword", "lamp", "crown")]
    wanted = [
        Objective(id=f"O{at}", text=f"take the {goal.thing}", source="issue", goal=goal)
        for at, goal in enumerate(goals)
    ]
    found = [shown(story).refused(one, History(rows)) for one in wanted]
    assert [one and one.turn for one in found] == [1, None, None]
    asked = briefing(objectives=wanted, situation=shown(story), history=History(rows))
    user = prompts.render("actor", asked).user
    assert "take the old sword (tried in turn 1: That's hardly portable.)\n" in user
    assert "take the lamp\n" in user


def test_what_the_game_only_asked_back_about_was_not_done() -> None:
    rows: HistoryData = [
        [0, "", HALL, None, ""],
        [1, "drop book", "Which do you mean, the old book or the black book?", None, "L1"],
        [2, "unlock door", "What do you want to unlock the door with?", None, "L1"],
        [3, "push wall", "Nothing happens.", None, "L1"],
    ]
    assert shown(Story().hears("", HALL, "Hall")).played(History(rows)) == ["push wall"]


def test_what_is_put_down_is_what_is_carried_of_this_noun() -> None:
    story = Story().hears("", HALL + "You can see a nasty little axe here.\n", "Hall")
    story.hears("take axe", "Taken.", "Hall").hears("drop axe and sword", "dwarvish axe: Dropped.")
    assert shown(story).carried == ()


def test_a_refusal_about_something_else_takes_nothing_away() -> None:
    story = Story().hears("", HALL, "Hall").hears("take sword", "Taken.", "Hall")
    story.hears("dig floor with sword", "You don't have anything to dig with.", "Hall")
    assert shown(story).carried == ("sword",)


def test_what_a_command_calls_by_its_noun_is_what_the_reply_calls_by_more() -> None:
    story = Story().hears("", f"{HALL}\n\nA heavy wooden door is closed here.", "Hall")
    assert story.world.resolve("wooden door").is_("open") is False
    story.hears("open door", "You open the cellar door.", "Hall")
    door = story.world.resolve("wooden door")
    assert door.is_("open")
    assert door.id == story.world.resolve("cellar door").id


def test_doors_of_other_rooms_stay_there_and_no_door_is_two() -> None:
    story = Story().hears("", f"{HALL}\n\nA door is closed here.", "Hall")
    yard = "Yard\nA cobbled yard, open to the sky.\n\nA wooden door is closed here."
    story.hears("north", yard, "Yard")
    for command, reply in (("open door", "The red door swings open."), ("push door", "It creaks.")):
        story.hears(command, reply, "Yard")
    rooms = [story.world.room_of(id) for id in story.world.rows if "door" in id]
    assert (rooms.count("L1"), rooms.count("L2")) == (1, 1)


def test_what_floats_away_and_was_never_seen_is_no_thing() -> None:
    story = Story().hears("", HALL, "Hall").hears("wait", "The mist floats away.", "Hall")
    assert story.world.resolve("mist") is None


def test_failures_are_told_with_the_words_of_the_game() -> None:
    replies = (
        ("take door", "That's fixed in place. It would not help."),
        ("north", "A wall bars it."),
        ("take key", "Which do you mean, the red key or the blue key?"),
    )
    story = Story().hears("", HALL, "Hall")
    for command, reply in replies:
        story.hears(command, reply, "Hall")
    said = History([[n, *one, None, "L1"] for n, one in enumerate((("", HALL), *replies))])
    assert shown(story).refusals(said) == list(said.exchanges[1:3])


def test_what_was_played_here_is_told_once() -> None:
    story = Story().hears("", HALL, "Hall")
    commands = ("look", "take sword", "undo", "take sword", "north", "examine lamp")
    said = History([[n, one, "As you say.", None, "L1"] for n, one in enumerate(("", *commands))])
    assert shown(story).played(said) == ["take sword", "examine lamp"]


def test_ways_are_told_to_the_places_that_objectives_name() -> None:
    story = Story().hears("", HALL, "Hall").hears("east", GATE, "Gate").hears("west", HALL, "Hall")
    story.hears("east", GATE, "Gate")
    objectives = ("find the way west of L1", "open the gate in L2", "look for a key in L9")
    assert shown(story).ways_to(objectives) == {"L1": "`west`"}


def test_of_a_long_way_the_first_commands_are_told() -> None:
    story = Story().hears("", HALL, "Hall")
    for number in range(8):
        room = f"Cave {'abcdefgh'[number]}"
        story.hears("east", f"{room}\nYou are in cave number {number}; a tunnel leads west.", room)
    way = shown(story).ways_to(["back to L1"])["L1"]
    assert way == f"{', '.join(['`west`'] * 6)}, ... (8 commands), as it seems"


def test_one_stair_is_one_way() -> None:
    tower = "Tower\nYou are at the foot of a tower. Stairs lead up."
    top = "Top\nYou are on a windy platform, high above the fields and woods."
    story = Story().hears("", tower, "Tower").hears("climb stairs", top, "Top")
    story.hears("down", "Tower", "Tower")
    assert shown(story).untried == ()


def test_ways_nobody_has_gone_tell_what_is_known_of_them() -> None:
    attic = "Attic\nYou are in a dusty attic under the roof. Doors lead east and west."
    story = Story().hears("", HALL, "Hall").hears("north", "A bear growls at you.", "Hall")
    story.hears("east", GATE, "Gate")
    assert shown(story).untried == ("west (perhaps back to L1 Hall)",)
    assert shown(story).elsewhere[0].ways == ("north (tried in turn 1)",)
    assert shown(story).elsewhere[0].route == "`west`, as it seems"
    assert shown(story).ways_to(["open the door in L1"]) == {"L1": "`west`, as it seems"}
    story.hears("out", attic, "Attic")
    lost = [(one.place, one.route) for one in shown(story).elsewhere]
    assert lost == [("L1 Hall", "")]


def test_what_was_listed_elsewhere_is_told_with_its_turn() -> None:
    story = Story().hears("", HALL, "Hall").hears("east", GATE, "Gate")
    assert shown(story).lying == ("lamp in L1 Hall (turn 0)", "sword in L1 Hall (turn 0)")
    story.hears("west", HALL, "Hall").hears("take sword", "Taken.", "Hall")
    story.hears("east", GATE, "Gate")
    assert shown(story).lying == ("lamp in L1 Hall (turn 2)",)


def test_who_has_read_it_says_where_a_thing_is() -> None:
    story = Story().hears("", HALL, "Hall").hears("ask for pole", "It is yours, says he.", "Hall")
    story.hears("wait", "Time passes.", requests=[MoveThing(thing="pole", to="inventory")])
    assert shown(story).carried == ("pole",)
    story.hears("drop pole", "Dropped.", requests=[MoveThing(thing="sword", to="inventory")])
    assert shown(story).carried == ("sword",)
    story.hears("wait", "Time passes.", requests=[MoveThing(thing="sword", to="gone")])
    assert shown(story).carried == ()


def test_what_hits_in_vain_gives_way_to_something_else(hall):
    hall.say("take gizmo", "Taken.").say("take whatsit", "Taken.").say("east", GATE)
    hall.say("north", "The guard blocks your way.")
    first = hall.commands()[0]
    for _ in range(3):
        hall.say(first, "You might as well tickle him.")
    assert hall.commands()[0] in {
        "attack guard with gizmo",
        "attack guard with whatsit",
    } - {first}


def test_what_one_had_already_is_there_again_once_it_is_put_down(hall):
    hall.say("take lamp", "Taken.").say("take lamp", "You already have that.")
    hall.say("drop lamp", "Dropped.").say("look", HALL)
    assert "lamp" in [thing.noun for thing in hall.knowledge.around]
