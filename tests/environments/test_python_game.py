"""A story that a Python class tells, behind the same contract as the emulator's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environments.game import Access, Game, GameError
from environments.offering import game_for_agents
from environments.python_game import PythonStory


class Walk:
    """Counts steps; `stop` ends it."""

    def __init__(self) -> None:
        self.resets = 0

    def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        self.resets, self.at = self.resets + 1, 0
        return f"Seed {seed}.", {"room": "Start", "max_score": 10}

    def step(self, command: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self.at += 1
        return f"{command} {self.at}", 2.0, command == "stop", False, {"won": self.at == 3}


class Saving(Walk):
    """The same with snapshots."""

    def snapshot(self) -> bytes:
        return bytes([self.at])

    def restore(self, snapshot: bytes) -> None:
        (self.at,) = snapshot


class Forgetful(Walk):
    """Counts on from one beginning to the next."""

    def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        at = getattr(self, "at", 0)
        opening = super().reset(seed=seed)
        self.at = at
        return opening


class Wordless(Walk):
    """No contract of Gymnasium's."""

    def step(self, command: str) -> Any:
        return command


class Silent(Walk):
    """Names what it does not tell."""

    def step(self, command: str) -> Any:
        self.at += 1
        silent = dict.fromkeys(("score", "moves", "max_score", "room"))
        return command, -0.5, False, False, silent if command != "odd" else {"score": "three"}


def game(kind: Callable[[], Any], access: tuple[Access, ...] = (Access.TEXT,)) -> Game:
    return game_for_agents(PythonStory("mine:Walk", kind, Path(__file__), "0" * 64), access)


@pytest.mark.parametrize("kind", [Walk, Saving])
def test_play_is_a_function_of_snapshot_and_command(kind: Callable[[], Any]) -> None:
    with game(kind) as played:
        opening = played.start(7)
        assert opening.observation.text == "Seed 7."
        assert (opening.observation.room, opening.tally.max_score) == ("Start", 10)
        one = played.play(opening.snapshot, "go")
        two = played.play(one.snapshot, "stop")
        assert (two.observation.text, two.observation.ended) == ("stop 2", True)
        assert (two.tally.score, two.tally.moves, two.tally.won) == (4, 2, False)
        assert played.play(one.snapshot, "stop") == two
        assert played.play(opening.snapshot, "go") == one
    with game(kind) as other:
        assert other.play(one.snapshot, "stop") == two


def test_one_with_snapshots_is_not_begun_again() -> None:
    worlds: list[Saving] = []

    def make() -> Saving:
        worlds.append(Saving())
        return worlds[-1]

    with game(make) as played:
        opening = played.start(1)
        played.play(played.play(opening.snapshot, "go").snapshot, "go")
        assert played.play(opening.snapshot, "go").observation.text == "go 1"
    assert worlds[0].resets == 1


def test_one_that_cannot_be_played_again_is_told() -> None:
    with game(Forgetful) as played:
        opening = played.start(1)
        one = played.play(opening.snapshot, "go")
        played.play(one.snapshot, "go")
        with pytest.raises(GameError, match=r"answers the same commands differently.*snapshot\(\)"):
            played.play(one.snapshot, "go")


def test_what_it_cannot_do_is_told() -> None:
    story = PythonStory("mine:Walk", Walk, Path(__file__), "0" * 64)
    assert story.limits([Access.TEXT]) == ""
    assert story.limits([Access.TEXT, Access.TREE]) == (
        "mine:Walk has no access tree: played with text alone"
    )
    with game(Walk) as played, pytest.raises(GameError, match="leave out --seed"):
        played.reseed(played.start(1).snapshot, 2)


@pytest.mark.parametrize("snapshot", [b"", b"\x91\x01", b"snapshot of another game"])
def test_another_games_snapshot_is_refused(snapshot: bytes) -> None:
    with game(Walk) as played, pytest.raises(GameError, match="is none of mine:Walk"):
        played.play(snapshot, "go")


def test_an_answer_that_is_none_is_told() -> None:
    with game(Wordless) as played:
        opening = played.start(1)
        with pytest.raises(GameError, match=r"step\('go'\) answered 'go'; expected \(text, reward"):
            played.play(opening.snapshot, "go")


def test_what_is_named_and_not_told_is_as_usual() -> None:
    with game(Silent) as played:
        one = played.play(played.start(1).snapshot, "go")
        assert (one.tally.score, one.tally.moves, one.tally.max_score) == (-1, 1, 10)
        with pytest.raises(GameError, match=r"info\['score'\] answered 'three'; expected a number"):
            played.play(one.snapshot, "odd")
