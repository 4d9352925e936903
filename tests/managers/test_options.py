"""What there is to do now or after a walk, and in which order."""

from __future__ import annotations

import copy

import pytest

from environments.game import ValidAction
from managers.core.option import Option
from managers.core.ranking import rank
from managers.core.scene import Scene, Stance
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.skills import all_skills
from managers.skills.requests import Asked
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told


def test_mentioned_ways_come_before_unmentioned_ones(mill: Told) -> None:
    commands = mill.commands()
    assert {"north", "east"} <= set(commands)
    assert commands.index("east") < commands.index("southwest")


def test_things_are_taken_and_containers_opened(mill: Told) -> None:
    commands = mill.commands()
    assert "open chest" in commands
    assert any(command in commands[:4] for command in ("take lantern", "take all"))


def test_what_failed_as_things_are_falls_behind(mill: Told) -> None:
    before = mill.commands().index("open chest")
    mill.say("open chest", "You can't open that.")
    assert mill.commands().index("open chest") > before


def test_what_is_locked_stays_so_whatever_else_changes(mill: Told) -> None:
    def worth() -> float:
        return max(one.value for one in mill.options() if one.route[-1] == "open chest")

    mill.say("open chest", "It seems to be locked.")
    refused = worth()
    mill.say("turn on lantern", "The brass lantern is now on.")
    assert worth() <= refused
    mill.say("unlock chest with pin", "You unlock the chest.")
    assert worth() > 10 * refused


def works(command: str, reply: str, **effect: int) -> ValidAction:
    return ValidAction(command=command, reply=reply, effect=command, **effect)


LEVER = works("pull lever", "With a groan the millstone turns aside, and a shaft opens below you.")
CRANK = works("turn crank", "It squeaks.")


def test_of_what_the_emulator_knows_to_work_the_most_telling_comes_first(mill: Told) -> None:
    found = (works("east", "Yard"), CRANK, LEVER, works("jump", "You die.", ended=1))
    mill.say("look", MILL, actions=found)
    commands = mill.commands()
    assert commands.index("pull lever") < commands.index("turn crank")
    assert "east" in commands
    assert not {"jump", "north", "take lantern"} & set(commands[: commands.index("turn crank")])
    assert {"examine lantern", "open chest"} <= set(commands)


def test_points_that_the_emulator_foresees_come_first_and_lost_ones_never(mill: Told) -> None:
    mill.say("look", MILL, actions=(LEVER, works("take lantern", "Taken.", points=5)))
    assert mill.commands()[0] == "take lantern"
    mill.say("look", MILL, actions=(LEVER, works("burn chest", "Oh no.", points=-5)))
    assert "burn chest" not in mill.commands()


def test_what_the_emulator_tries_and_the_game_refuses_is_no_option(mill: Told) -> None:
    refused = works("take all", "chest: That's hardly portable.\nlamp: You already have that.")
    mill.say("look", MILL, actions=(LEVER, refused))
    assert "take all" not in mill.commands()


def test_something_far_away_starts_with_the_way_there(mill: Told) -> None:
    mill.say("east", YARD).options()
    mill.say("west", MILL)
    key = best(mill, "take key")
    assert key.command == "east"
    assert key.route == ("east", "take key")
    assert key.room == "L2"


def test_a_request_is_followed_and_then_what_it_blocked(mill: Told) -> None:
    mill.say("north", "You'll have to open the door first.")
    assert "open door" in mill.commands()[:4]
    mill.say("open door", "You open the door.")
    assert "north" in mill.commands()[:4]
    assert best(mill, "north").kind == "retry"


def test_a_key_goes_to_what_was_found_locked(mill: Told) -> None:
    mill.say("open chest", "It seems to be locked.").say("east", YARD).say("take key", "Taken.")
    best = next(one for one in mill.options() if one.kind == "unlock")
    assert best.route == ("west", "unlock chest with key")


def test_darkness_calls_for_light_or_the_way_back(mill: Told) -> None:
    mill.say("take lantern", "Taken.")
    mill.say("north", "Darkness\nIt is pitch dark, and you can't see a thing.")
    best = mill.options()[0]
    assert best.kind in ("light", "escape")
    assert any(one.kind == "light" for one in mill.options()[:4])


def test_who_attacks_is_fought(mill: Told) -> None:
    mill.say("east", "Yard\nWeeds. The mill is back to the west.\n\nA guard is here.")
    mill.say("wait", "The guard swings his club at you.")
    fight = [one for one in mill.options()[:8] if one.kind == "fight"]
    assert [one.command for one in fight] == ["attack guard"]


def test_treasures_go_where_a_deposit_scored(mill: Told) -> None:
    mill.say("take lantern", "Taken.", score=5)
    mill.say("open chest", "You open the chest.", score=5)
    mill.say("put lantern in chest", "You put the brass lantern into the chest.", score=10)
    mill.say("east", "Yard\nWeeds. West is the mill.\n\nThere is a golden crown here.", score=10)
    mill.say("take crown", "Taken.", score=14)
    deposit = next(one for one in mill.options() if one.kind == "deposit")
    assert deposit.route == ("west", "put crown in chest")
    assert "take lantern" not in mill.commands()


def test_an_objective_raises_what_serves_it_and_is_named(mill: Told) -> None:
    goal = Goal(kind="open", thing="chest", place="L1")
    objective = Objective(id="O1", text="open it", source="agent", priority=9, goal=goal)
    plain = best(mill, "open chest")
    served = next(one for one in mill.options((objective,)) if one.route[-1] == "open chest")
    assert plain.objective is None
    assert served.objective == "O1"
    assert served.value > plain.value
    done = objective.model_copy(update={"status": "done"})
    assert mill.options((done,)) == mill.options()


def test_same_seed_same_ranking_other_seed_other_taste(mill: Told) -> None:
    assert mill.options(seed=3) == mill.options(seed=3)
    assert mill.options(seed=3) != mill.options(seed=4)


def test_learning_leaves_what_it_got_untouched(mill: Told) -> None:
    before = mill.knowledge
    kept = copy.deepcopy(before)
    mill.say("open chest", "You open the wooden chest, revealing a rope.").say("east", YARD)
    assert before == kept


def test_few_options_share_their_first_command(mill: Told) -> None:
    mill.say("east", YARD).say("west", MILL)
    commands = [one.command for one in mill.options()]
    assert max(commands.count(command) for command in commands) <= 3


def test_what_stands_ajar_is_opened_and_a_lever_is_pulled() -> None:
    told = Told("Shed\nA small window is slightly ajar. There is a lever here.\n")
    kinds = {one.command: one.kind for one in told.options()[:6]}
    assert kinds["open window"] == "open"
    assert kinds["pull lever"] == "work"


def test_what_is_out_of_sight_for_want_of_light_is_worth_more_with_light() -> None:
    told = Told("Porch\nA door leads north.\n\nThere is a lamp here.\n").say("take lamp", "Taken.")
    told.say("turn on lamp", "The lamp is now on.")
    told.say("north", "Hall\nA stove stands here. A passage leads south.\n\nThere is a box here.")
    told.options()
    told.say("south", "Porch\nA door leads north.")
    lit = best(told, "open box").value
    told.say("wait", "Time passes. The lamp is nearly out.")
    assert best(told, "open box").value < lit / 2


def test_the_value_is_the_product_of_the_terms_that_are_shown(mill: Told) -> None:
    for one in mill.options()[:8]:
        product = 1.0
        for term in one.terms.values():
            product *= term
        assert one.value == pytest.approx(product, rel=0.02, abs=2e-3)


def test_the_best_come_first_however_few_are_asked_for(mill: Told) -> None:
    scene = Scene(mill.knowledge, all_skills(), stance=Stance(1))
    every = rank(scene, limit=100).options
    assert [one.value for one in every] == sorted((one.value for one in every), reverse=True)
    assert rank(scene, limit=3).options == every[:3]


def test_of_a_room_that_was_left_the_best_is_remembered(mill: Told) -> None:
    mill.options()
    offered = mill.knowledge.frontier["L1"]
    away = mill.say("east", YARD).options()
    kept = mill.knowledge.frontier["L1"]
    assert all(row in offered for row in kept)
    assert 0 < len(kept) < len(offered)
    assert any(one.room == "L1" and one.route[0] == "west" and one.route[1:] for one in away)


def best(told: Told, command: str) -> Option:
    """The best option that ends with a command."""
    return next(one for one in told.options() if one.goal == command)


def test_a_treasure_whose_place_is_closed_stays_one(mill: Told) -> None:
    mill.say("take lantern", "Taken.", score=5).say("open chest", "You open the chest.", score=5)
    mill.say("put lantern in chest", "You put the brass lantern into the chest.", score=10)
    mill.say("east", YARD + "There is a golden crown here.", score=10)
    mill.say("take crown", "Taken.", score=14).say("west", MILL, score=14)
    mill.say("put crown in chest", "The wooden chest is closed.", score=14)
    assert "crown" in mill.knowledge.board.subjects("treasure")


def test_what_was_done_long_before_it_was_asked_for_is_not_yet_tried(mill: Told) -> None:
    mill.say("take lantern", "Taken.")
    for _ in range(3):
        mill.say("turn on lantern", "The brass lantern is now on.")
        mill.say("turn off lantern", "The brass lantern is now off.")
    mill.say("north", "You'll have to turn on the lantern first.")
    mill.say("turn on lantern", "You can't do that.")
    (request,) = Scene(mill.knowledge, mill.skills).view(Asked).requests
    assert (request.done, request.tries) == (False, 1)


def test_only_the_noun_that_is_unclear_is_said_again(mill: Told) -> None:
    mill.say("put coin in coin slot", "Which coin do you mean, the silver coin or the gold coin?")
    replies = mill.knowledge.board.subjects("reply")
    assert replies == {"put silver coin in coin slot", "put gold coin in coin slot"}


def test_what_was_refused_in_another_room_is_worth_less_here() -> None:
    told = Told("Hall\nA hall with a window. A door leads north.")
    told.say("open window", "That's not something you can open.")
    told.say("north", "Yard\nA yard with a window and a gate. The hall is south.")
    here = {one.goal: one for one in told.options() if one.room == "L2"}
    assert here["open window"].terms["things"] == 0.5
    assert "things" not in here["open gate"].terms
