"""What a name means: adjectives distinguish, and the unknown is unknown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from managers.planning.goals import is_satisfied, parse_goal
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.planning.world_model import can_do
from managers.world.objects import GameObject
from managers.world.queries import get_object_state, where_is_object
from managers.world.things import FITS, KNOWN, SAME, fit, likeness, same_kind
from managers.world.view import World
from tests.managers.replies import HALL, YARD, Story
from tests.managers.told import Told


def hall(*things: str) -> Story:
    return Story().hears("", HALL + lying(*things), "Hall")


def lying(*things: str) -> str:
    return "\n".join(f"There is {thing} here." for thing in things)


def name_of(world: World, name: str) -> str:
    found: GameObject | None = world.resolve(name)
    return found.name if found else ""


def test_a_glass_key_is_no_iron_key() -> None:
    world = hall("an iron key").world
    assert where_is_object(world, "iron key") == "L1"
    assert where_is_object(world, "glass key") == "unknown"
    assert get_object_state(world, "glass key") == {}
    assert not is_satisfied(world, "glass key in hall")
    assert not can_do(world, "take glass key")


def test_an_iron_key_in_hand_closes_no_objective_about_a_glass_key() -> None:
    told = Told(HALL + lying("an iron key")).say("take iron key", "Taken.")
    wanted = [
        Objective(id=f"O{number}", text=text, source="agent", goal=parse_goal(text))
        for number, text in enumerate(("find the glass key", "take the iron key", "take the key"))
    ]
    done = check_objective_completion(wanted, told.knowledge)
    assert [one.id for one in done] == ["O1", "O2"]
    assert not is_satisfied(told.knowledge.world_view, "have glass key")


def test_a_bare_noun_means_the_only_one_there_is() -> None:
    story = hall("an iron key")
    assert name_of(story.world, "key") == "iron key"
    story.hears("north", YARD, "Yard")
    assert name_of(story.world, "key") == "iron key"


def test_a_bare_noun_means_one_in_reach_before_others_and_nothing_where_several_fit() -> None:
    story = hall("an iron key").hears("north", YARD + lying("a glass key"), "Yard")
    assert name_of(story.world, "key") == "glass key"
    story.hears("take glass key", "Taken.", "Yard")
    story.hears("south", HALL + lying("an iron key"), "Hall")
    assert name_of(story.world, "key") == ""
    assert where_is_object(story.world, "key") == "unknown"
    assert name_of(story.world, "iron key") == "iron key"


def test_what_was_only_called_by_its_noun_stays_as_ambiguous_as_it_is() -> None:
    story = hall("an iron key").hears("take key", "Taken.", "Hall")
    story.hears("north", YARD + lying("a glass key"), "Yard")
    assert name_of(story.world, "key") == ""


def test_a_name_may_say_more_than_is_known_but_nothing_else() -> None:
    world = hall("a key").world
    assert name_of(world, "rusty key") == "key"
    story = hall("a small brass key")
    assert name_of(story.world, "brass key") == "small brass key"
    assert name_of(story.world, "large brass key") == ""


def test_a_thing_known_by_just_this_name_comes_before_one_it_might_be() -> None:
    world = World()
    for name, room in (("key", "L1"), ("glass key", "L2"), ("iron key", "L2")):
        world.add(name, room, "listed", 0.9)
    assert world.find("glass key", "L1") == "glass_key"
    assert world.find("rusty key", "L2") == "key"
    assert world.find("key", "L1") == "key"
    assert world.find("key", "L2") is None


def test_a_bare_noun_in_reach_comes_before_its_very_name_elsewhere() -> None:
    world = World()
    world.add("key", "L1", "listed", 0.9)
    world.add("iron key", "L2", "listed", 0.9)
    assert world.find("key", "L2") == "iron_key"
    assert world.find("glass key", "L2") == "key"


def test_of_one_held_and_one_lying_there_the_second_is_taken_and_the_first_dropped() -> None:
    story = hall("an iron key").hears("take iron key", "Taken.", "Hall")
    story.hears("north", YARD + lying("a glass key"), "Yard").hears("take key", "Taken.", "Yard")
    assert [one.name for one in story.world.inventory()] == ["iron key", "glass key"]
    assert len(story.world.objects()) == 2


def test_opening_one_of_two_boxes_leaves_the_other_alone() -> None:
    story = hall("a red box", "a blue box").hears("open blue box", "You open the blue box.", "Hall")
    states = {thing.name: thing.is_("open") for thing in story.world.objects()}
    assert states == {"red box": None, "blue box": True}


@pytest.mark.parametrize(
    ("name", "known", "at_least"),
    [
        ("trapdoor", "trap door", SAME),
        ("key", "brass key", KNOWN),
        ("gold coffin", "solid-gold coffin", KNOWN),
        ("candles", "candle", FITS),
        ("sheet of paper", "paper", FITS),
        ("old leather bag", "leather bag of coins", FITS),
        ("coins", "leather bag of coins", FITS),
        ("trap", "trap door", FITS),
        ("razor-like gloves", "razor", FITS),
        ("clothes", "clean clothing", FITS),
    ],
)
def test_names_that_go_together(name: str, known: str, at_least: float) -> None:
    assert likeness(name, known) >= at_least


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("glass key", "iron key"),
        ("nasty knife", "rusty knife"),
        ("bag of rice", "bag of coins"),
        ("iron bag", "bag of coins"),
        ("statuette", "statue"),
        ("glass", "glass key"),
        ("glass key", "glass"),
        ("key", "key ring"),
    ],
)
def test_names_that_do_not(name: str, known: str) -> None:
    assert likeness(name, known) < FITS


def test_what_a_thing_has_been_called_counts_all_together() -> None:
    key = {"name": "key", "aka": ["iron key", "heavy key"]}
    assert fit("heavy iron key", key) >= KNOWN
    assert fit("glass key", key) == 0


def test_a_kind_has_several_nouns_and_its_adjectives_distinguish_too() -> None:
    assert same_kind("lamp", "brass lantern")
    assert not same_kind("glass lamp", "brass lantern")
    assert not same_kind("glass key", "iron key")
    assert not same_kind("match", "lamp")


ADJECTIVES = ("iron", "glass", "red", "blue", "small", "large", "rusty")
NOUNS = ("key", "box", "ring", "knife")
NAMES = st.builds(
    lambda before, noun: " ".join([*before, noun]),
    st.lists(st.sampled_from(ADJECTIVES), max_size=3, unique=True),
    st.sampled_from(NOUNS),
)


@settings(deadline=None)
@given(NAMES, NAMES)
def test_names_fit_where_one_says_no_more_than_the_other(name: str, known: str) -> None:
    mine, others = name.split(), known.split()
    one_noun = mine[-1] == others[-1]
    nested = set(mine) <= set(others) or set(others) <= set(mine)
    assert (likeness(name, known) >= FITS) == (one_noun and nested)
    assert (likeness(name, known) >= KNOWN) == (one_noun and set(mine) <= set(others))


@settings(deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), NAMES)
def test_what_is_resolved_fits_and_nothing_within_reach_fits_better(
    things: list[str], name: str
) -> None:
    world = World()
    for thing in things:
        world.add(thing, "L1", "listed", 0.9)
    fits = [likeness(name, thing) for thing in things]
    found = world.find(name, "L1")
    if max(fits) < FITS or fits.count(max(fits)) > 1:
        assert found is None
    else:
        assert found is not None
        assert world.rows[found]["name"] == things[fits.index(max(fits))]
