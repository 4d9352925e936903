"""Walkthroughs replayed with the object tree beside what the player sees.

The room is the outermost object around the player: one who sits in a fireplace is in the room
around it, which is also what the title line says: `Hall (in the fireplace)`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_int
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from time import perf_counter
from typing import Any, NamedTuple, Self

from jericho import FrotzEnv, UnsupportedGameWarning

from environments.catalog import describe, find_story
from environments.game import GameError, Observation, Step
from environments.jericho_game import JerichoGame
from environments.known import seed_of
from environments.story import Story
from environments.walkthroughs import find_walkthrough
from environments.zmachine import Header, Objects, Text, variable, word
from managers.language.actions import DIRECTIONS
from managers.language.layout import shown_title
from managers.language.lexicon import head_of, words_of

_PLAYERS = ("cretin", "(self object)", "yourself")
_LIBRARY = {"open": 14, "locked": 11, "lit": 13}
_STATES = {"zork1": {"open": 11, "lit": 20}, "temple": {"open": 15, "locked": 12, "lit": 14}}
"""State -> attribute number, by story; others follow the Inform 6 library."""
_ABLE = {"open": 15, "locked": 10, "lit": 21}
"""State -> attribute of the Inform 6 library that says a thing can have it."""
_FIXED = {"temple": (0, 1, 18, 20)}
_TAKEABLE_OF_ZORK = 17
_REMARK = re.compile(r"\s*\([^)]*\)\s*$")
_SENTENCE = re.compile(r"[.!?]\W*(?:\s|$)")


class Thing(NamedTuple):
    """An object of the tree at one moment."""

    parent: int
    attributes: bytes

    def has(self, number: int) -> bool:
        """Whether the attribute is set."""
        return bool(self.attributes[number // 8] & (0x80 >> number % 8))


class Frame(NamedTuple):
    """One turn: what was seen, and how it was."""

    command: str
    observation: Observation
    player: int
    room: int
    things: Mapping[int, Thing]
    shown: str = ""
    """The room's title as `look` prints it, bare; empty where it prints none, as in the dark."""

    def place(self, number: int) -> int:
        """The outermost object around a thing within the room, the player for what is carried."""
        at = self.things[number].parent
        while at and at not in (self.player, self.room):
            at = self.things[at].parent
        return at

    def outermost(self, number: int) -> int:
        """The room a thing is in, wherever that is; the player for what is carried."""
        at, around = number, [number]
        while self.things[at].parent and len(around) < 20:
            at = self.things[at].parent
            around.append(at)
            if at == self.player:
                return at
        return around[-2] if len(around) > 1 and self._holds_rooms(around[-1]) else around[-1]

    def is_scenery(self, number: int) -> bool:
        """It may belong to several rooms: in ZIL it lies in an object that no room is in."""
        at, rooms = number, self.things[self.room].parent if self.room else 0
        while self.things[at].parent and at not in (self.player, rooms):
            at = self.things[at].parent
        return bool(rooms) and at not in (number, self.player, rooms)

    def _holds_rooms(self, number: int) -> bool:
        return self.things[self.room].parent == number


@dataclass
class Replay:
    """A walkthrough, turn by turn."""

    story: str
    names: dict[int, str]
    words: dict[int, frozenset[str]]
    """What the parser understands, as the dictionary spells it."""
    letters: int
    frames: list[Frame] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    """Seconds that the bare emulator took, turn by turn."""
    scores: list[tuple[int, int]] = field(default_factory=list)
    """The score as the game layer tells it, and Jericho's, turn by turn, where it can tell."""

    @cached_property
    def states(self) -> Mapping[str, int]:
        """State -> number of its attribute."""
        return _STATES.get(self.story, _LIBRARY)

    @cached_property
    def changeable(self) -> frozenset[tuple[int, str]]:
        """Things and the states they can change: the library says so, or they did it here."""
        found = set()
        for state, own in self.states.items():
            for number, thing in self.frames[0].things.items():
                able = self.story not in _STATES and thing.has(_ABLE[state])
                if able or any(f.things[number].has(own) != thing.has(own) for f in self.frames):
                    found.add((number, state))
        return frozenset(found)

    def takeable(self, thing: Thing) -> bool:
        """The story lets one take it."""
        if self.story == "zork1":
            return thing.has(_TAKEABLE_OF_ZORK)
        return not any(thing.has(number) for number in _FIXED.get(self.story, (0, 17, 19)))


@dataclass(frozen=True)
class Scope:
    """What is within reach at one moment, as the object tree has it."""

    text: str
    """The reply."""
    room_text: str
    """All that was said in this room."""
    names: Mapping[int, tuple[str, ...]]
    """Things within reach and scenery of several rooms: number -> the words of the name."""
    words: Mapping[int, frozenset[str]]
    letters: int
    room: int
    title: str
    exits: frozenset[str]
    """Directions that lead into another room now."""
    carried: frozenset[int]
    here: frozenset[int]

    def has_moved(self, number: int, later: Scope) -> bool:
        """A thing is not where it was; what one only comes upon has not moved."""
        known = self.room == later.room or number in self.carried | later.carried
        return known and self.place(number) != later.place(number)

    @property
    def places(self) -> tuple[frozenset[int], frozenset[int]]:
        """What is carried, and what is here."""
        return self.carried, self.here

    def place(self, number: int) -> str:
        """`inventory`, `here` or `gone`."""
        if number in self.carried:
            return "inventory"
        return "here" if number in self.here else "gone"

    def has(self, name: str, numbers: Collection[int]) -> bool:
        """One of these things may be called so."""
        noun = head_of(name)[: self.letters]
        return any(noun in self.words[number] for number in numbers)

    def is_called(self, number: int, name: str) -> bool:
        """Every word of a name is one of a thing's."""
        return all(word[: self.letters] in self.words[number] for word in words_of(name))


class Beside:
    """An emulator in step with a play, which tells how things really are."""

    def __init__(self, story: Story, seed: int) -> None:
        self._story, self._seed = story, seed
        self._rest = story.path.read_bytes()
        self._header = Header.read(self._rest)
        self._emulator = emulator_of(story, seed)
        self._told = _new_replay(story.path.stem, self._emulator, self._rest, self._header)
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._emulator.close()

    def _begin(self) -> None:
        text, _ = self._emulator.reset()
        self._commands: list[str] = []
        self._rooms: dict[int, str] = {}
        self._scopes = [self._scope(text)]
        self._states = [self._emulator.get_state()]

    def at(self, commands: Sequence[str]) -> Scope:
        """How things are after these commands."""
        alike = (one == other for one, other in zip(self._commands, commands, strict=False))
        known = sum(takewhile(bool, alike))
        if known < len(commands):
            self._go_back(known)
        for command in commands[known:]:
            text, *_ = self._emulator.step(command)
            self._commands.append(command)
            self._scopes.append(self._scope(text))
            self._states.append(self._emulator.get_state())
        return self._scopes[len(commands)]

    def _go_back(self, length: int) -> None:
        """Take back all but so many commands."""
        if length < len(self._commands):
            self._emulator.set_state(self._states[length])
        del self._commands[length:], self._scopes[length + 1 :], self._states[length + 1 :]

    def _exits(self, room: int) -> frozenset[str]:
        saved, found = self._emulator.get_state(), set()
        for way in DIRECTIONS:
            self._emulator.step(way)
            now = _frame("", Observation(text=""), self._emulator, self._rest, self._header)
            if now.room not in (0, room):
                found.add(way)
            self._emulator.set_state(saved)
        return frozenset(found)

    def _scope(self, text: str) -> Scope:
        seen = Observation(text=text)
        frame = _frame("", seen, self._emulator, self._rest, self._header)
        around = {number: frame.place(number) for number in frame.things if number != frame.player}
        carried = frozenset(n for n, place in around.items() if place == frame.player)
        here = frozenset(n for n, place in around.items() if place == frame.room) - carried
        self._rooms[frame.room] = f"{self._rooms.get(frame.room, '')}\n{text}"
        near = (*carried, *here, *filter(frame.is_scenery, frame.things))
        names = {n: tuple(words_of(self._told.names[n])) for n in near if n in self._told.names}
        return Scope(
            text,
            self._rooms[frame.room],
            {number: words for number, words in names.items() if words},
            self._told.words,
            self._told.letters,
            frame.room,
            self._told.names.get(frame.room, ""),
            self._exits(frame.room),
            carried,
            here,
        )


def replay(name: str) -> Replay:
    """Play a story's walkthrough."""
    story = find_story(name)
    return replay_commands(story, *walkthrough(story))


def replay_commands(story: Story, commands: Sequence[str], seed: int) -> Replay:
    """Play some commands; the truth comes from a second emulator in step."""
    emulator = emulator_of(story, seed)
    emulator.reset()
    rest = story.path.read_bytes()
    header = Header.read(rest)
    found = _new_replay(story.path.stem, emulator, rest, header)
    with JerichoGame(story) as game:
        step = opening(game, seed)
        for command in ["", *commands]:
            if command:
                step = game.play(step.snapshot, command)
                started = perf_counter()
                emulator.step(command)
                found.steps.append(perf_counter() - started)
            frame = _frame(command, step.observation, emulator, rest, header)
            found.frames.append(frame._replace(shown=_looked(emulator)))
            if emulator.is_fully_supported:
                found.scores.append((step.tally.score, int(emulator.get_score())))
            if step.observation.ended:
                break
    emulator.close()
    return found


def walkthrough(story: Story) -> tuple[list[str], int]:
    """The commands that win a story, and the emulator seed for them; none where none is known."""
    entry = describe(story)
    try:
        commands = find_walkthrough(story).read_text(encoding="utf-8").splitlines()
    except GameError:
        commands = []
    return commands, (entry and entry.walkthrough_seed) or seed_of(story) or 1


def opening(game: JerichoGame, seed: int) -> Step:
    """The turn before the walkthrough's first command: Jericho answers by itself before it."""
    step = game.start(seed)
    emulator = emulator_of(game.story, seed)
    answers, count = emulator.frotz_lib.get_intro_actions, c_int()
    answers.restype = POINTER(c_char_p)
    for line in answers(byref(count))[: count.value]:
        step = game.play(step.snapshot, line.decode().strip())
    emulator.close()
    return step


def emulator_of(story: Story, seed: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsupportedGameWarning)
        return FrotzEnv(str(story.path), seed=seed)


def _looked(emulator: Any) -> str:
    """The title that `look` prints now: a first line that is no sentence, with more below it."""
    saved = emulator.get_state()
    text, *_ = emulator.step("look")
    emulator.set_state(saved)
    first, _, below = text.strip().partition("\n")
    return shown_title(bare(first)) if below and not _SENTENCE.search(first) else ""


def bare(title: str) -> str:
    """A title without a remark: `Shelf Room (on a chair)` -> `Shelf Room`."""
    return _REMARK.sub("", title)


def _memory(emulator: Any, rest: bytes) -> bytes:
    dynamic = bytes(emulator.get_state()[0])
    return dynamic + rest[len(dynamic) :]


def _new_replay(stem: str, emulator: Any, rest: bytes, header: Header) -> Replay:
    memory = _memory(emulator, rest)
    objects = Objects(memory, header)
    letters = 6 if header.version <= 3 else 9
    text = Text(memory, header)
    names = {n: objects.name(n) for n in range(1, objects.count + 1)}
    key = 18 if header.version <= 3 else 1
    words = {}
    for number, name in names.items():
        data = objects.properties(number).get(key, b"")
        known = (text.decode(word(data, at), letters // 3) for at in range(0, len(data) - 1, 2))
        own = (part[:letters] for part in words_of(name))
        words[number] = frozenset({*own, *(w.strip() for w in known)})
    return Replay(stem, names, words, letters)


def _player(emulator: Any, objects: Objects) -> int:
    if emulator.is_fully_supported:
        return int(emulator.get_player_object().num)
    named = (n for n in range(1, objects.count + 1) if objects.name(n) in _PLAYERS)
    return next((n for n in named if objects.parent(n)), 0)


def _frame(
    command: str, observation: Observation, emulator: Any, rest: bytes, header: Header
) -> Frame:
    memory = _memory(emulator, rest)
    objects = Objects(memory, header)
    things = {
        n: Thing(objects.parent(n), objects.attributes(n)) for n in range(1, objects.count + 1)
    }
    player = _player(emulator, objects)
    around = objects.ancestors(player) if player else []
    room = around[-1] if around else 0
    if header.version <= 3 and variable(memory, header, 0) in around:
        # Rooms of ZIL lie in an object of their own; its first variable is the room.
        room = variable(memory, header, 0)
    return Frame(command, observation, player, room, things)
