"""What a model's ratings of commands are worth is learned, and a bad one comes to weigh nothing."""

from __future__ import annotations

import math
import random

import pytest

from managers.belief.ratings import MOST_COMMANDS, MOST_ROOMS, Ratings, Worth, kind_of


def test_a_command_is_known_by_its_one_form_in_the_room_where_it_is_done() -> None:
    said = Ratings().with_("L1", {"take lamp": -9.0, "open old door": -4.0})
    assert said.rooms["L1"]["take lamp"] == -3.0, "by the word, the end being one"
    assert said.height("L1", "get lamp") == pytest.approx(-1.0)
    assert said.height("L1", "sing") == said.height("L2", "take lamp") == 0.0


def test_how_far_a_rating_counts_is_bounded() -> None:
    said = Ratings().with_("L1", {"wave": -2.0, "sing": -90.0})
    assert said.height("L1", "wave") == 4.0
    assert said.height("L1", "sing") == -4.0


def test_rooms_and_commands_are_bounded_and_the_oldest_give_way() -> None:
    said = Ratings()
    for number in range(MOST_ROOMS + 3):
        said = said.with_(f"L{number}", {"north": -1.0})
    assert len(said.rooms) == MOST_ROOMS
    assert "L0" not in said.rooms
    for number in range(MOST_COMMANDS + 3):
        said = said.with_("L9", {f"push stone{number}": -1.0})
    assert len(said.rooms["L9"]) == MOST_COMMANDS


def learned(slope: float, turns: int = 300) -> Worth:
    """The worth after commands that helped with odds that grow with their ratings."""
    rng, worth = random.Random(5), Worth()
    for _ in range(turns):
        height = rng.gauss(0.5, 1.5)
        chance = 1 / (1 + math.exp(1.7 - slope * height))
        worth = worth.after(height, rng.random() < chance)
    return worth


def test_a_model_that_can_tell_comes_to_weigh_more_and_others_nothing() -> None:
    assert learned(1.2).weight > 0.3
    assert learned(0.0).weight == Worth().weight == 0.0
    assert learned(-0.8).mean < 0.0
    assert learned(-0.8).factor(3.0) == learned(-0.8).factor(-3.0) == 1.0
    assert learned(1.2).factor(2.0) > 1.6


def test_an_upside_down_model_weighs_nothing_at_any_time() -> None:
    """What it likes does not help, and what it does not like does."""
    worth = Worth()
    for turn in range(60):
        worth = worth.after(2.5 if turn % 2 else -2.5, helped=not turn % 2)
        assert worth.factor(1.0) == 1.0


def test_what_a_command_is_about() -> None:
    told = {"get lamp": "take", "read letter": "tell", "open door": "deed"}
    assert {command: kind_of(command) for command in told} == told


def test_a_stored_worth_that_cannot_be_is_learned_from_all_the_same() -> None:
    assert Worth(tried=1, helped=90).after(1.0, helped=False).tried == 2
