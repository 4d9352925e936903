"""What is tried and rolled back is what playing would have brought."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.game import Access, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import read_story
from environments.zmachine import Header, Objects, property_span

StoryPath = Callable[[str], Path]
COMMANDS = ["look", "wait", "north", "south", "east", "west", "up", "take all", "open mailbox"]
STORIES = Path(__file__).parents[2] / "game_files"


@pytest.fixture(params=["zork1.z5", "detective.z5", "905.z5"])
def game(request: pytest.FixtureRequest, story_path: StoryPath) -> Iterator[JerichoGame]:
    with open_game(read_story(story_path(request.param)), set(Access)) as game:
        yield game


def test_probing_tells_what_playing_brings(game: JerichoGame) -> None:
    start = game.start(12)
    before = game.memory(start.snapshot)
    header = Header.read(before)
    objects = Objects(before, header)
    for command, probe in zip(COMMANDS, game.probe(start.snapshot, COMMANDS), strict=True):
        played = game.play(start.snapshot, command)
        assert probe.reply == played.observation.text
        assert probe.points == played.tally.score - start.tally.score
        assert (probe.ended, probe.died) == (played.tally.ended, played.tally.died)
        patched = bytearray(before)
        for i in range(0, len(probe.tree), 3):
            offset = int.from_bytes(probe.tree[i : i + 2], "big")
            patched[objects.start + offset] = probe.tree[i + 2]
        after = game.memory(played.snapshot)
        assert patched[objects.start : objects.end] == after[objects.start : objects.end]
        if not probe.tree:
            changes = dict(divmod(change, 256) for change in probe.variables)
            low, high = property_span(objects)
            for address in (*range(low, high), *range(header.variables, header.variables + 480)):
                assert changes.get(address, before[address]) == after[address]


def test_probing_leaves_no_trace(game: JerichoGame) -> None:
    start = game.start(12)
    expected = [game.play(start.snapshot, command) for command in COMMANDS]
    first = game.probe(start.snapshot, COMMANDS * 40)
    assert first == game.probe(start.snapshot, COMMANDS) * 40
    assert [game.play(start.snapshot, command) for command in COMMANDS] == expected


def test_moves_are_logged(game: JerichoGame) -> None:
    start = game.start(12)
    around = game.surroundings(start.snapshot)
    for command, probe in zip(COMMANDS, game.probe(start.snapshot, COMMANDS), strict=True):
        after = game.surroundings(game.play(start.snapshot, command).snapshot)
        if after.room != around.room:
            assert around.player << 16 | after.room in probe.events


def test_what_is_not_for_the_story_is_not_sent(game: JerichoGame) -> None:
    start = game.start(12)
    for probe in game.probe(start.snapshot, ["quit", "save", "", "\\help", "look. restart"][:3]):
        assert not any(probe)


def test_surroundings(story_path: StoryPath) -> None:
    with open_game(read_story(story_path("zork1.z5")), set(Access)) as game:
        step = game.start(12)
        for command in ("open mailbox", "take leaflet"):
            step = game.play(step.snapshot, command)
        around = game.surroundings(step.snapshot)
        objects = Objects(memory := game.memory(step.snapshot), Header.read(memory))
        assert [objects.name(number) for number in around.held] == ["leaflet"]
        assert objects.name(around.room) == "West of House"
        assert "small mailbox" in [objects.name(number) for number in around.near]
        assert around.player not in around.near


def digest(step: Step) -> str:
    assert step.observation.facts
    return step.observation.facts.digest


@pytest.mark.parametrize("name", ["zork1.z5", "detective.z5", "hollow.z5"])
def test_the_digest_knows_the_world_again(name: str, story_path: StoryPath) -> None:
    path = STORIES / name if (STORIES / name).exists() else story_path(name)
    with open_game(read_story(path), {Access.TREE}) as game:
        step = game.start(12)
        for command in ("look", "wait", "inventory", "wait", "wait", "look"):
            after = game.play(step.snapshot, command)
            assert digest(after) == digest(step), command
            step = after
        moved = game.play(step.snapshot, "north")
        assert digest(moved) != digest(step)
