"""Our readers agree with Jericho's tables over its own walkthroughs, without using them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jericho import FrotzEnv

from environments.game import Access, Step
from environments.jericho_game import open_game
from environments.story import read_story

StoryPath = Callable[[str], Path]
Turn = tuple[Step, FrotzEnv, dict[str, int]]
KEY_OPCODE = 246


def side_by_side(path: Path) -> Iterator[Turn]:
    """Jericho's walkthrough played in both, up to the end of the story."""
    jericho = FrotzEnv(str(path))
    jericho.seed(jericho.bindings["seed"] or 1)
    jericho.reset()
    with open_game(read_story(path), {Access.TREE}) as game:
        step = game.start(jericho.bindings["seed"] or 1)
        while step.observation.awaiting == "key" and jericho.frotz_lib.get_opcode() != KEY_OPCODE:
            step = game.play(step.snapshot, "")
        for command in jericho.get_walkthrough():
            _, _, _, info = jericho.step(command)
            step = game.play(step.snapshot, command)
            yield step, jericho, info
            if step.observation.ended:
                break
    jericho.close()


def walkthrough(path: Path) -> list[str]:
    jericho = FrotzEnv(str(path))
    commands: list[str] = jericho.get_walkthrough()
    jericho.close()
    return commands


def inventory_of(jericho: FrotzEnv) -> list[int]:
    return sorted(thing.num for thing in jericho.get_inventory())


def known_to(jericho: FrotzEnv, step: Step) -> list[int]:
    """Our inventory as Jericho's list would end it: at the first object beyond its count."""
    assert step.observation.facts
    known = []
    for thing in step.observation.facts.inventory:
        if jericho.get_object(thing.id) is None:
            break
        known.append(thing.id)
    return sorted(known)


def agreement(path: Path) -> tuple[Counter[str], int, Step]:
    counts: Counter[str] = Counter()
    turns = 0
    for last, jericho, info in side_by_side(path):
        turns += 1
        facts, place = last.observation.facts, jericho.get_player_location()
        title = place.name.strip().lower() if place else None
        counts["score"] += last.tally.score == info["score"]
        counts["moves"] += last.tally.moves == info["moves"]
        counts["title"] += (last.observation.room or "").lower() == title
        if facts and facts.place:
            counts["place"] += facts.place.id == (place.num if place else 0)
            counts["inventory"] += known_to(jericho, last) == inventory_of(jericho)
    return counts, turns, last


def test_zork_agrees_on_every_turn(story_path: StoryPath) -> None:
    counts, turns, last = agreement(story_path("zork1.z5"))
    assert turns == 396
    assert counts["score"] == counts["place"] == counts["inventory"] == turns
    # Jericho runs on past the final quit opcode, which counts a move that the story does not.
    assert counts["moves"] == turns - 1
    assert "350 points), in 394 moves" in last.observation.text
    assert last.tally.moves == 394
    assert (last.tally.score, last.tally.max_score) == (350, 350)
    assert last.tally.ended
    assert last.tally.won


@pytest.mark.parametrize("name", ["detective.z5", "advent.z5", "pentari.z5", "temple.z5"])
def test_other_games_agree(story_path: StoryPath, name: str) -> None:
    counts, turns, _ = agreement(story_path(name))
    for fact in ("score", "moves", "place", "inventory"):
        assert counts[fact] >= 0.95 * turns, (fact, counts[fact], turns)


@pytest.mark.parametrize("name", ["905.z5", "library.z5"])
def test_clock_games_agree_on_score_and_room(story_path: StoryPath, name: str) -> None:
    counts, turns, _ = agreement(story_path(name))
    for fact in ("score", "place"):
        assert counts[fact] >= 0.95 * turns, (fact, counts[fact], turns)


@pytest.fixture
def stranger(story_path: StoryPath, tmp_path: Path) -> Path:
    """Zork I with another serial number: a valid story that Jericho does not know."""
    data = bytearray(story_path("zork1.z5").read_bytes())
    data[0x12:0x18] = b"991231"
    length = 2 * int.from_bytes(data[0x1A:0x1C], "big")
    data[0x1C:0x1E] = (sum(data[0x40:length]) & 0xFFFF).to_bytes(2, "big")
    path = tmp_path / "stranger.z3"
    path.write_bytes(data)
    return path


def test_a_stranger_is_read_as_well(story_path: StoryPath, stranger: Path) -> None:
    with open_game(read_story(stranger), {Access.TREE}) as game:
        step = game.start(12)
        for (expected, _, _), command in zip(
            side_by_side(story_path("zork1.z5")), walkthrough(story_path("zork1.z5")), strict=True
        ):
            step = game.play(step.snapshot, command)
            assert (step.observation, step.tally) == (expected.observation, expected.tally)
    assert (step.tally.score, step.tally.ended, step.tally.won) == (350, True, True)


def test_a_stranger_dies_and_lives_on(stranger: Path) -> None:
    with open_game(read_story(stranger), {Access.TREE}) as game:
        step = game.start(12)
        for command in ("south", "east", "east", "east"):
            step = game.play(step.snapshot, command)
            assert not step.tally.died
        step = game.play(step.snapshot, "jump")
        assert step.tally.died
        assert not step.tally.ended
        assert game.play(step.snapshot, "look").observation.facts
