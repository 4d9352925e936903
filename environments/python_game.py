"""A story that a Python class tells, as a `Game`: what Gymnasium asks of it, and no more.

    class Corridor:
        def reset(self, *, seed=None): ...  # -> (text, info)
        def step(self, command): ...        # -> (text, reward, terminated, truncated, info)

With `snapshot()`, which returns bytes, and `restore(bytes)` any turn is gone back to at once;
without them by playing all commands again from the beginning.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import floor, isfinite
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import ormsgpack

from environments.game import Access, Closing, GameError, Observation, Step, Tally
from environments.plain_text import storable

METHODS = ("reset", "step")
"""What the class has to have."""
_SAVING = ("snapshot", "restore")
_TOLD = 80
_F = TypeVar("_F", int, int | None)


@dataclass(frozen=True)
class PythonStory:
    """A class that tells a story, where others are files."""

    name: str
    """As it is named in a graph file: `module:Class`."""
    make: Callable[[], Any]
    path: Path
    """The file of the class."""
    sha256: str
    """Of its name and options; what the file holds may change."""

    access: ClassVar[frozenset[Access]] = frozenset({Access.TEXT})
    """The help that agents may get from it."""
    takes_back: ClassVar[bool] = False
    """It has no command `undo`."""

    def limits(self, wanted: Collection[Access]) -> str:
        """What it cannot do of what is wanted of it, as a sentence; empty where it can do all."""
        missing = ", ".join(one.value for one in wanted if one not in self.access)
        return f"{self.name} has no access {missing}: played with text alone" if missing else ""


class GamePosition(NamedTuple):
    """Where a game stands, as it is kept in a snapshot."""

    story: str
    seed: int
    commands: list[str]
    """All of them so far; none where the class has snapshots of its own."""
    saved: bytes | None
    """The class's own snapshot, if it makes any."""
    turns: int
    score: float
    most: int | None
    """The highest score there is, once that was told."""
    replies: int
    """A checksum of all replies so far."""


class PythonGame(Closing):
    """A running story that a Python class tells."""

    access = PythonStory.access

    def __init__(self, story: PythonStory) -> None:
        self._story = story
        self._world = story.make()
        self._saves = all(callable(getattr(self._world, one, None)) for one in _SAVING)
        self._stands: GamePosition | None = None

    def start(self, seed: int) -> Step:
        """Begin the story.

        Raises:
            GameError: it answers what is no opening.
        """
        self._stands = None
        match self._world.reset(seed=seed):
            case (str(text), Mapping() as info):
                begun = GamePosition(self._story.name, seed, [], None, 0, 0.0, None, 0)
                return self._went(begun, text, 0.0, False, info)
            case answer:
                raise self._broken("reset(seed=...)", answer, "(text, info)")

    def play(self, snapshot: bytes, command: str) -> Step:
        """Play one command from a snapshot.

        Raises:
            GameError: the snapshot is of another story, or cannot be gone back to.
        """
        before = self._read(snapshot)
        if before != self._stands:
            self._go_back(before)
        return self._played(before, command)

    def reseed(self, snapshot: bytes, seed: int) -> bytes:
        """Chance is the class's own business.

        Raises:
            GameError: always.
        """
        raise GameError(
            f"{self._story.name} takes a seed when it begins and no other one later; "
            "leave out --seed"
        )

    def close(self) -> None:
        """Close what the class has opened, if it has a `close` of its own."""
        getattr(self._world, "close", lambda: None)()

    def _played(self, before: GamePosition, command: str) -> Step:
        self._stands = None
        match self._world.step(command):
            case (str(text), Real() as reward, over, cut, Mapping() as info) if isfinite(reward):
                commands = [] if self._saves else [*before.commands, command]
                turns = before.turns + 1
                after = before._replace(commands=commands, turns=turns)
                return self._went(after, text, float(reward), bool(over or cut), info)
            case answer:
                expected = "(text, reward, terminated, truncated, info)"
                raise self._broken(f"step({command!r})", answer, expected)

    def _went(
        self, position: GamePosition, text: str, reward: float, ended: bool, info: Mapping[str, Any]
    ) -> Step:
        text, most = storable(text), self._figure(info, "max_score", position.most)
        position = position._replace(
            saved=self._saved() if self._saves else None,
            score=position.score + reward,
            most=most,
            replies=zlib.crc32(text.encode(), position.replies),
        )
        self._stands = position
        score = self._figure(info, "score", floor(position.score))
        moves = self._figure(info, "moves", position.turns)
        room = storable(str(info["room"])) if info.get("room") else None
        observation = Observation(text=text, room=room, score=score, moves=moves, ended=ended)
        tally = Tally(
            score=score,
            moves=moves,
            ended=ended,
            max_score=position.most,
            died=bool(info.get("died", False)),
            won=bool(info.get("won", False)),
        )
        return Step(observation, ormsgpack.packb(tuple(position)), tally)

    def _go_back(self, position: GamePosition) -> None:
        """Stand at a position again: at once, or by playing all commands of it once more."""
        if self._saves:
            self._world.restore(position.saved)
            return
        step = self.start(position.seed)
        for command in position.commands:
            step = self._played(self._read(step.snapshot), command)
        if self._stands != position:
            raise GameError(
                f"{self._story.name} answers the same commands differently than before, so that "
                "it cannot be resumed by playing them again; let it depend on the seed alone, or "
                "give it snapshot() and restore(bytes)"
            )

    def _figure(self, info: Mapping[str, Any], name: str, usual: _F) -> int | _F:
        """A number that the class tells, rounded down; the usual one where it does not."""
        told = info.get(name)
        if told is None:
            return usual
        try:
            return floor(float(told))
        except (TypeError, ValueError, OverflowError) as error:
            raise self._broken(f"info[{name!r}]", told, "a number") from error

    def _saved(self) -> bytes:
        saved = self._world.snapshot()
        if not isinstance(saved, bytes):
            raise self._broken("snapshot()", saved, "bytes")
        return saved

    def _read(self, snapshot: bytes) -> GamePosition:
        try:
            position = GamePosition(*ormsgpack.unpackb(snapshot))
        except (TypeError, ValueError) as error:
            raise GameError(f"the snapshot is none of {self._story.name}") from error
        if position.story != self._story.name or (position.saved is not None) != self._saves:
            raise GameError(f"the snapshot is none of {self._story.name} as it is now")
        return position

    def _broken(self, call: str, answer: object, expected: str) -> GameError:
        told = repr(answer)
        told = told if len(told) <= _TOLD else f"{told[:_TOLD]}..."
        return GameError(f"{self._story.name}: {call} answered {told}; expected {expected}")
