"""Replies that a hostile or broken story may give: the time of a turn grows with their length."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count, islice

import pytest

from managers.core.forgetting import MOST_ROOMS, MOST_THINGS
from managers.language.mentions import MOST_MENTIONED
from orchestrator.config import load_config
from orchestrator.harnesses.player import Player

OPENING = "Kitchen\nYou are in the kitchen. There is a lamp here. Exits lead north and east.\n"
_SHARE = 2.6
"""Twice as long a text takes at most so many times as long."""
_NOTHING_S = 0.08
"""What takes less than this is not compared: it is mostly the rest of the turn."""

Text = Callable[[int], str]


def repeated(part: str) -> Text:
    return lambda length: (part * (length // len(part) + 1))[:length]


def numbered(form: str) -> Text:
    """Something new in every sentence."""
    return lambda length: "".join(islice(map(form.format, count()), length // len(form) + 1))[
        :length
    ]


def mixed(length: int) -> str:
    signs = [*range(32, 127), *range(160, 0x2FFF)]
    return "".join(map(chr, random.Random(1).choices(signs, k=length)))


FAST: dict[str, Text] = {
    "brackets": repeated("("),
    "stops": repeated("."),
    "blanks": repeated(" "),
    "empty lines": repeated("\n \n"),
    "new things": numbered("There is a w{0} here. "),
}
OTHERS: dict[str, Text] = {
    **{f"only {one!r}": repeated(one) for one in "a[{\"'`,;:!?-_*=|\t1"},
    **{
        part: repeated(part)
        for part in (
            "()", "(a\n", "\n(taking ", "a, ", "a and ", "a: ", "- ", "a.b", "1 ", "1 of 1 ",
            "the ", "the king of ", "in the box is ", "You can see a lamp, ", "which do you mean ",
            "which a do you mean ", "what do you want to a: ", "what do you want\n", "do you ",
            "your score has gone up by ", "understood you as far as wanting to a ", "** a ", "** ",
            "north ", "N ", "exit, up and ", "a path leads north. ", "stairs lead up to the north ",
            "blow ", "slash you ", "the door is ", "make sure that the a is ", '"a. ', ".\n",
            "Ab Cd ",
            "You are killed. ", "It is pitch dark. ", "you put the lamp in the box and ",
        )
    },
    "new names": numbered("w{0} "),
    "a list": lambda length: "You can see " + numbered("a thing{0}, ")(length) + "here.",
    "an inventory": lambda length: "You are carrying:\n" + numbered("  a thing{0}\n")(length),
    "rooms": numbered("Room {0}\n"),
    "nested": numbered("a box{0} (which is open), in which are\n  "),
    "any signs": mixed,
}  # fmt: skip


def seconds(text: str) -> float:
    """The processor's time for reading a reply and choosing the next command."""
    player = Player(load_config("offline"))
    player.begin(OPENING)
    player.command()
    start = time.process_time()
    player.reply(text, 0)
    player.command()
    return time.process_time() - start


def grows_with_length(text: Text, length: int) -> None:
    tries = ((seconds(text(length // 2)), seconds(text(length))) for _ in range(3))
    shares = (whole / max(half, _NOTHING_S) for half, whole in tries)
    assert any(share <= _SHARE for share in shares)


@pytest.fixture(scope="module", autouse=True)
def warm(home_of_module: object) -> None:
    """Patterns are compiled once."""
    seconds(" ".join(text(400) for text in (FAST | OTHERS).values()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAST)
def test_a_longer_reply_takes_as_much_longer(kind: str) -> None:
    grows_with_length(FAST[kind], 16_000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAST | OTHERS)
def test_the_worst_of_long_replies_takes_as_much_longer(kind: str) -> None:
    grows_with_length((FAST | OTHERS)[kind], 64_000)


@pytest.mark.slow
def test_a_story_that_names_ever_more_is_forgotten_in_part() -> None:
    player = Player(load_config("offline"))
    player.begin(OPENING)
    things = 0
    for turn in range(-(-MOST_THINGS // MOST_MENTIONED) + 2):
        player.command()
        named = range(things, things := things + MOST_MENTIONED + 20)
        player.reply(" ".join(f"There is a w{one} here." for one in named), 0)
        assert len(player.state["extraction"].objects_mentioned) <= MOST_MENTIONED, turn
    known = player.state["world"]["objects"]
    assert len(known) == MOST_THINGS
    assert player.state["world"]["turn"] in {row["seen"] for row in known.values()}
    assert not any(row["name"] == "w0" for row in known.values())


@pytest.mark.slow
def test_rooms_seen_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_ROOMS > 100
    monkeypatch.setattr("managers.core.forgetting.MOST_ROOMS", 6)
    monkeypatch.setattr("managers.core.forgetting.MOST_THINGS", 8)
    player = Player(load_config("offline"))
    player.begin(OPENING)
    for turn in range(24):
        player.command()
        room = (
            f"Hall of Number {turn}\nThis is hall {turn}, wide and bare, with exits on all sides."
        )
        player.reply(f"{room}\n\nThere is a w{turn} here. There is a brass lamp here.", turn)
    map_, world = player.state["map"], player.state["world"]
    assert len(map_["rooms"]) == 6
    assert map_["here"] in map_["rooms"]
    assert len(world["objects"]) <= 8
    rooms = map_["rooms"].keys()
    assert all(edge[0] in rooms for ways in map_["edges"].values() for edge in ways.values())
    assert player.state["attempts"].keys() <= {*rooms, "inventory", ""}
