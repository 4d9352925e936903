"""The readers of a story's memory, on story files alone: no emulator."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from jericho import FrotzEnv

from environments.zmachine import Header, Objects, Text, property_span, signed, variable
from tests.environments.tiny_story import tiny_story

StoryPath = Callable[[str], Path]
GAMES = ["zork1.z5", "detective.z5", "905.z5", "advent.z5", "library.z5", "pentari.z5", "temple.z5"]


@pytest.fixture(params=GAMES)
def story(request: pytest.FixtureRequest, story_path: StoryPath) -> Path:
    return story_path(request.param)


def read(path: Path) -> tuple[Header, Objects]:
    data = path.read_bytes()
    header = Header.read(data)
    return header, Objects(data, header)


def test_header(story_path: StoryPath) -> None:
    header, _ = read(story_path("zork1.z5"))
    assert (header.version, header.time_game) == (3, False)


def test_trees_agree_with_jericho(story: Path) -> None:
    header, objects = read(story)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jericho = FrotzEnv(str(story))
    memory = jericho.get_state()[0]
    live = Objects(memory.tolist() + [0] * (0x10000 - len(memory)), header)
    assert live.count >= len(jericho.get_world_objects()) - 1
    for thing in jericho.get_world_objects()[1:]:
        if thing.num < 1:
            continue
        family = live.parent(thing.num), live.sibling(thing.num), live.child(thing.num)
        assert family == (thing.parent, thing.sibling, thing.child)
        numbers = [number for number in thing.properties if number]
        assert list(objects.properties(thing.num))[: len(numbers)] == numbers
        assert live.attributes(thing.num)[:4] == bytes(b & 255 for b in thing._attr)
    jericho.close()


def test_names_are_decoded_with_abbreviations(story_path: StoryPath) -> None:
    _, objects = read(story_path("zork1.z5"))
    assert objects.name(1) == "pair of hands"
    assert objects.name(180) == "West of House"
    assert objects.count == 250


def test_families_are_consistent(story: Path) -> None:
    _, objects = read(story)
    for number in range(1, objects.count + 1):
        for child in objects.children(number):
            assert objects.parent(child) == number
            assert number in objects.ancestors(child)


def test_every_name_is_printable(story: Path) -> None:
    _, objects = read(story)
    names = [objects.name(number) for number in range(1, objects.count + 1)]
    assert all(name.isprintable() for name in names)
    assert sum(map(bool, names)) > objects.count // 2


def test_properties_end_where_the_span_ends(story: Path) -> None:
    header, objects = read(story)
    low, high = property_span(objects)
    assert objects.end <= low < high <= header.static


def test_objects_outside_the_tree_are_errors(story: Path) -> None:
    _, objects = read(story)
    for number in (0, objects.count + 1, -1):
        with pytest.raises(IndexError, match="outside the tree"):
            objects.parent(number)


def test_a_damaged_tree_does_not_loop() -> None:
    data = bytearray(tiny_story())
    header = Header.read(data)
    objects = Objects(data, header)
    assert objects.count == 1
    data[objects.start + 4] = data[objects.start + 5] = data[objects.start + 6] = 1
    assert objects.children(1) == [1]
    assert objects.ancestors(1) == [1]


def test_a_small_story() -> None:
    data = tiny_story()
    header = Header.read(data)
    assert Objects(data, header).name(1) == "inn"
    assert variable(data, header, 0) == 1
    assert Text(data, header).decode(len(data) - 1, 3) == ""


def test_words_are_signed() -> None:
    assert [signed(word) for word in (0, 0x7FFF, 0x8000, 0xFFFF)] == [0, 32767, -32768, -1]
