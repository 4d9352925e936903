"""What an episode that was told by hand leaves to the next one."""

from __future__ import annotations

from managers.memory.distilling import distil, merge
from managers.memory.guide import Guide
from managers.memory.recalling import recall
from managers.policy.scene import Scene
from tests.managers.earlier import HALL, LOFT, YARD, again, remembered, with_guide
from tests.managers.told import Told


def next_command(told: Told) -> str:
    return told.options()[0].command


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


def test_whoever_is_attacked_leaves_things_alone(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    second.say("open gate", "Opened.")
    second.say("north", f"{HALL}\nA bear is here.\n")
    assert next_command(second) == "take coin"
    second.say("wait", "The bear claws at you.")
    assert "remembered" not in [one.kind for one in second.options()]


def test_no_step_is_done_in_the_dark(first: Told) -> None:
    memory = remembered(first)
    dark = {key: [*room[:3], 0] for key, room in memory["rooms"].items() if "Hall" in key}
    memory = {**memory, "rooms": {**memory["rooms"], **dark}}
    second = Told(YARD, recalled=recall(memory))
    second.say("open gate", "Opened.")
    assert next_command(second) != "north"


def test_what_killed_is_feared_and_avoided(first: Told) -> None:
    first.say("climb rafters", "The beam breaks.\n\n    *** You have died ***\n")
    memory = remembered(first)
    assert [entry[:2] for entry in memory["deadly"]] == [["Loft #" + _print(), "climb rafters"]]
    assert all("climb rafters" not in str(node) for node in memory["archive"]["nodes"])
    second = Told(HALL, recalled=recall(memory))
    second.say("up", LOFT)
    assert second.situation().dangers["climb rafters"] >= 0.5


def _print() -> str:
    told = Told(LOFT)
    key = next(iter(distil(told.knowledge, told.outlook, {}, "x")["rooms"]))
    return str(key.rpartition("#")[2])


def test_a_fight_is_fought_until_nobody_is_left(first: Told) -> None:
    first.say("down", HALL.replace("There is a coin here.", "A rat is here. The rat attacks you."))
    first.say("attack rat", "The rat dies.", score=9)
    second = Told(HALL, recalled=recall(remembered(first)))
    second.knowledge = with_guide(second, _at_the_rat(second))
    for _ in range(3):
        second.say("attack rat", "You miss the rat. The rat attacks you.")
        assert second.knowledge.memory["guide"]["path"][0][1] == "attack rat"
    second.say("attack rat", "The rat dies.", score=9)
    assert second.knowledge.memory["guide"]["path"] == []


def _at_the_rat(told: Told):
    memory = told.knowledge.memory["guide"]
    return {**memory, "path": memory["path"][-1:]}


def test_goal_and_reliability_outlive_the_episode(first: Told) -> None:
    goal = {"overall_goal": "find the crown", "goals": {"find the crown": 0.8}}
    beliefs = first.outlook.beliefs.model_copy(update=goal)
    track = {"recommendation": [10, 9, 8.0, 1.0, 40]}
    first.outlook = first.outlook._replace(beliefs=beliefs, reliability=track)
    outlook = recall(remembered(first)).outlook
    assert outlook.beliefs.overall_goal == "find the crown"
    assert outlook.reliability == {"recommendation": [10, 9, 8.0, 1.0, 0]}


def test_the_dynamics_outlive_the_episode_under_the_rooms_of_the_next_one(first: Told) -> None:
    recalled = recall(remembered(first))
    ids = {room["title"]: id for id, room in recalled.knowledge.map["rooms"].items()}
    seen = recalled.outlook.transitions["contexts"][f"{ids['Yard']}|north"]["seen"]
    assert list(seen[""]) == [f"to {ids['Hall']}"]


def test_merging_is_done_once(first: Told) -> None:
    one, two = remembered(first), remembered(first, "two")
    both = merge(one, two)
    assert both["runs"] == ["one", "two"]
    assert merge(both, two) == both
    assert merge({}, one) == one


def test_a_question_is_kept_with_its_answer_and_forgotten_with_it(first: Told) -> None:
    first.say("down", HALL, score=5)
    first.say("enter door", "Which do you mean, the oak door or the iron door?", score=5)
    first.say("oak door", "Store\nShelves and sacks. The hall is east.\n", score=5)
    commands = [step[1] for step in first.knowledge.memory["trail"]]
    assert commands[-2:] == ["enter door", "oak door"]
    first.say("east", HALL, score=5)
    assert [step[1] for step in first.knowledge.memory["trail"]] == commands[:-2]


def path_of(told: Told) -> list[str]:
    return [step[1] for step in told.knowledge.memory["guide"]["path"]]


def test_of_a_fight_the_last_blow_is_remembered_and_of_what_was_put_down_nothing(
    first: Told,
) -> None:
    first.say("attack rat with lamp", "You miss the rat.", score=5)
    first.say("drop lamp", "Dropped.", score=5)
    first.say("turn on lantern", "The lantern is now on.", score=5)
    first.say("attack rat with sword", "The rat dies.", score=9)
    commands = [step[1] for step in first.knowledge.memory["trail"]]
    assert commands[-1] == "attack rat with sword"
    assert not {"attack rat with lamp", "drop lamp", "turn on lantern"} & set(commands)


def test_what_was_done_before_its_turn_is_not_done_again(first: Told) -> None:
    first.say("open box", "Opened.", score=5)
    first.say("take pearl", "Taken.", score=9)
    second = again(first)
    second.say("open gate", "Opened.")
    second.say("north", HALL)
    second.say("up", LOFT)
    second.say("take pearl", "Taken.", score=4)
    assert path_of(second) == ["take coin"]


def test_after_a_death_the_way_starts_again_without_what_has_scored(first: Told) -> None:
    first.say("take pearl", "Taken.", score=9)
    second = again(first)
    for command, reply, score in (
        ("open gate", "Opened.", 0),
        ("north", HALL, 0),
        ("take coin", "Taken.", 5),
        ("up", "You fall.\n\n    **** You have died ****\n\n" + YARD, 5),
    ):
        second.say(command, reply, score)
    assert path_of(second) == ["open gate", "take pearl"]


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


def test_what_was_read_or_tried_or_is_not_there_is_known(first: Told) -> None:
    first.say("read note", '"The crown is behind the third barrel, my friend."', score=5)
    first.say("take barrel", "You can't see any such thing.", score=5)
    second = again(first, LOFT)
    board = second.knowledge.board
    assert "barrel" in board.subjects("hint")
    assert board.subjects("absent", second.knowledge.here) == {"barrel"}


def test_a_word_of_the_prose_that_nobody_knows_is_looked_at_in_a_later_episode() -> None:
    quay = "Quay\nA gribble lies keel up on the stones. The yard is east.\n"
    told = Told(quay)
    told.say("east", YARD, score=5)
    assert "examine gribble" not in told.say("west", quay, score=5).commands()
    second = again(told, quay)
    assert "examine gribble" in second.commands()
    assert "push gribble" not in second.commands()
    second.say("examine gribble", "It is a small boat.")
    assert "push gribble" in second.commands()


def test_what_brings_nothing_where_treasures_score_is_no_treasure(first: Told) -> None:
    first.say("put coin in case", "Done.", score=10)
    first.say("take jar", "Taken.", score=12)
    assert "jar" in first.knowledge.board.subjects("treasure")
    memory = remembered(first)
    second = Told(LOFT, recalled=recall(memory))
    second.say("put coin in case", "Done.", score=5)
    second.say("put jar in case", "Done.", score=5)
    learned = distil(second.knowledge, second.outlook, memory, "two")
    assert learned["refuted"] == ["jar"]
    assert "jar" not in merge(memory, learned)["treasures"]


def test_what_brought_something_to_light_is_done_again(first: Told) -> None:
    first.say("push crate", "Behind the crate you find a lever.", score=5)
    second = again(first, LOFT)
    aside = next(one for one in second.options() if one.command == "push crate")
    assert aside.kind == "remembered"
    second.say("push crate", "Behind the crate you find a lever.")
    kinds = {one.kind for one in second.options() if one.command == "push crate"}
    assert "remembered" not in kinds


def test_what_came_to_light_in_a_known_room_is_taken_whatever_it_sounds_like(first: Told) -> None:
    second = again(first, LOFT)
    second.say("open crate", "You open the crate, revealing a porcelain dragon.")
    assert "take dragon" in second.commands()


def test_a_fight_on_the_way_that_hurts_is_left_and_gone_back_to(first: Told) -> None:
    first.say("attack gribble with sword", "The gribble dies.", score=9)
    second = again(first)
    for command, reply, score in (
        ("open gate", "Opened.", 0),
        ("north", HALL, 0),
        ("take coin", "Taken.", 5),
        ("take sword", "Taken.", 5),
        ("up", LOFT, 5),
    ):
        second.say(command, reply, score)
    assert next_command(second) == "attack gribble with sword"
    second.say("attack gribble with sword", "You miss. The blade opens your arm. You are hurt.")
    assert next_command(second) == "down"
    second.say("down", HALL)
    for _ in range(30):
        second.say("wait", "Time passes.")
    assert path_of(second) == ["attack gribble with sword"]
    assert next_command(second) == "up"


def test_a_fight_that_hurts_is_left_off_the_way_too(first: Told) -> None:
    first.say("attack gribble with sword", "The gribble dies.", score=9)
    second = again(first, LOFT)
    guide = {**second.knowledge.memory["guide"], "path": []}
    second.knowledge = with_guide(second, guide)
    second.say("take sword", "Taken.")
    assert "attack gribble with sword" in second.commands()
    second.say("down", HALL)
    second.say("up", LOFT)
    second.say("examine rafters", "The blade opens your arm. You are hurt.")
    assert next_command(second) == "down"
    second.say("attack gribble with sword", "The gribble dies.", score=4)
    assert "attack gribble with sword" not in second.commands()


RAT = HALL.replace("There is a coin here.", "A rat is here. The rat attacks you.")
BITTEN = "You miss the rat. The rat bites you.\n\n    *** You have died ***\n\n"


def test_whoever_dies_in_a_fight_does_not_fear_the_blow(first: Told) -> None:
    first.say("down", RAT)
    first.say("attack rat with sword", BITTEN + YARD)
    assert remembered(first)["deadly"] == []


def test_what_a_death_costs_is_not_what_such_a_command_is_worth(first: Told) -> None:
    before = first.knowledge.rates["kinds"].get("fight", (0, 0, 0.0))[2]
    first.say("down", RAT, score=5)
    first.say("attack rat", BITTEN + YARD, score=-5)
    assert first.knowledge.rates["kinds"]["fight"][2] >= before


def test_a_room_where_somebody_barred_the_way_is_shunned_by_the_unarmed(first: Told) -> None:
    cave = "Cave\nA damp cave. The hall is north, a tunnel leads east.\n\nA nasty ogre is here.\n"
    first.say("down", HALL, score=5)
    first.say("east", cave, score=5)
    first.say("east", "The ogre blocks your way.", score=5)
    memory = remembered(first)
    assert [(key.partition(" #")[0], foe) for key, foe in memory["barred"]] == [
        ("Cave", "nasty ogre")
    ]
    second = Told(HALL, recalled=recall(memory))
    scene = Scene(second.knowledge)
    assert {scene.map.title(id) for id in scene.shunned} == {"Cave"}
    assert max(scene.distances.values()) > 10
    second.say("take sword", "Taken.", score=5)
    assert second.say("east", cave, score=5).options()[0].kind == "fight"


def test_what_was_done_in_a_room_shortly_before_one_died_there_is_blamed_too(first: Told) -> None:
    first.say("push lever", "A stream of water breaks out of the wall.", score=5)
    first.say("examine beams", "The water is up to your neck.", score=5)
    first.say("down", "You drown.\n\n    *** You have died ***\n", score=5)
    feared = [entry[1] for entry in remembered(first)["deadly"]]
    assert set(feared) == {"down", "push lever"}


def test_what_a_step_is_done_with_is_fetched_from_where_it_was_left() -> None:
    def taken(told: Told) -> Told:
        told.say("take rope", "Taken.").say("north", HALL)
        return told

    first = taken(Told(f"{YARD}\nThere is a rope here.\n"))
    first.say("tie rope to rail", "The rope is tied.").say("take coin", "Taken.", score=5)
    second = Told(f"{YARD}\nThere is a rope here.\n", recalled=recall(remembered(first)))
    taken(second).say("south", YARD).say("drop rope", "Dropped.").say("north", HALL)
    assert second.options()[0].route == ("south", "take rope")


def test_a_foe_is_struck_with_the_best_that_is_carried() -> None:
    bear = f"{HALL}\nA bear is here.\n"
    first = Told(f"{YARD}\nThere is a knife here.\n").say("take knife", "Taken.")
    first.say("north", bear).say("up", "The bear blocks your way.")
    first.say("attack bear with knife", "The bear is dead.", score=5)
    second = Told(
        f"{YARD}\nThere is a knife here.\nThere is a sword here.\n",
        recalled=recall(remembered(first)),
    )
    second.say("take knife", "Taken.").say("take sword", "Taken.").say("north", bear)
    assert next_command(second) == "attack bear with sword"
