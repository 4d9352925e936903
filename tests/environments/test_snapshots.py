"""A snapshot is small, exact in another process, and refuses what it is not."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
from jericho import FrotzEnv

from environments.game import Access, GameError, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story, read_story

StoryPath = Callable[[str], Path]


def walk(game: JerichoGame, path: Path) -> tuple[list[str], list[Step]]:
    """Jericho's walkthrough and its steps, of which number i is the state before command i."""
    jericho = FrotzEnv(str(path))
    commands: list[str] = jericho.get_walkthrough()
    seed = jericho.bindings["seed"] or 1
    jericho.close()
    steps = [game.start(seed)]
    for command in commands:
        steps.append(game.play(steps[-1].snapshot, command))
    return commands, steps


OTHERS = ("detective.z5", "library.z5", "905.z5")


@pytest.mark.parametrize(
    "name", ["zork1.z5", *(pytest.param(one, marks=pytest.mark.slow) for one in OTHERS)]
)
def test_snapshots_continue_identically_in_fresh_processes(
    story_path: StoryPath, name: str
) -> None:
    story = read_story(story_path(name))
    with open_game(story, {Access.TREE}) as game:
        commands, steps = walk(game, story.path)
    for start in random.Random(3).sample(range(len(commands)), 4):
        with open_game(story, {Access.TREE}) as fresh:
            step = steps[start]
            for number in range(start, min(start + 25, len(commands))):
                step = fresh.play(step.snapshot, commands[number])
                assert step == steps[number + 1]


def test_snapshots_are_small(story_path: StoryPath) -> None:
    story = read_story(story_path("zork1.z5"))
    with open_game(story) as game:
        _, steps = walk(game, story.path)
    assert median(len(step.snapshot) for step in steps) <= 1024


@pytest.fixture
def zork(story_path: StoryPath) -> Story:
    return read_story(story_path("zork1.z5"))


def test_a_snapshot_of_another_story_is_refused(zork: Story, story_path: StoryPath) -> None:
    with open_game(read_story(story_path("905.z5"))) as other:
        foreign = other.start(1).snapshot
    with open_game(zork) as game:
        game.start(1)
        with pytest.raises(GameError, match="belongs to story"):
            game.play(foreign, "look")


def attempt(game: JerichoGame, blob: bytes) -> Step | None:
    try:
        return game.play(blob, "north")
    except GameError:
        return None


def test_a_damaged_snapshot_is_refused_and_harmless(zork: Story) -> None:
    dice = random.Random(5)
    with open_game(zork) as game:
        start = game.start(1)
        expected = game.play(start.snapshot, "north")
        for _ in range(60):
            blob = start.snapshot[: dice.randrange(len(start.snapshot))]
            with pytest.raises(GameError, match="snapshot"):
                game.play(blob, "north")
            damaged = bytearray(start.snapshot)
            damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
            assert game.play(start.snapshot, "north") == expected
            # A bit that only fills up a byte of the compressed stream carries nothing.
            assert attempt(game, bytes(damaged)) in (None, expected)
        assert game.play(start.snapshot, "north") == expected
        assert game.faults == 0


def test_random_numbers_are_part_of_a_snapshot(zork: Story) -> None:
    with open_game(zork) as game:
        replies = {
            seed: [game.play(game.start(seed).snapshot, "hello").observation.text]
            for seed in range(1, 9)
        }
        again = {
            seed: [game.play(game.start(seed).snapshot, "hello").observation.text]
            for seed in range(1, 9)
        }
    assert replies == again
    assert len({tuple(texts) for texts in replies.values()}) > 1
