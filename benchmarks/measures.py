"""The shares of what map and world model got right in a replay."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median
from time import perf_counter
from types import SimpleNamespace
from typing import NamedTuple, cast

import ormsgpack

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from benchmarks.truth import Frame, Replay, bare
from environments.game import Observation
from managers.core.learner import learn
from managers.language.layout import same_title
from managers.language.lexicon import head_of, words_of
from managers.language.reading import TurnExtraction
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from managers.world.map import Map
from managers.world.objects import GameObject
from managers.world.view import World

_DARK = ("pitch black", "pitch dark", "too dark")


def extract(
    extractor: RuleExtractor, turn: int, command: str, observation: Observation
) -> TurnExtraction:
    """What the rules read in a reply, outside of a graph."""
    asked = SimpleNamespace(turn=turn, command=command, observation=observation)
    return extractor.extract(cast(Briefing, asked))


@dataclass
class Share:
    """So many right of so many."""

    right: int = 0
    total: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

    def count(self, right: bool, what: str = "") -> None:
        """Count one case; `what` is remembered where it is wrong."""
        self.total += 1
        self.right += right
        if not right:
            self.wrong[what] += 1


class Measures:
    """Plays the learner's part over a replay and compares turn by turn."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.knowledge = Knowledge.new()
        self.owner: dict[str, int] = {}
        """Our room -> the room of the tree where it was first entered."""
        self.first: dict[int, str] = {}
        """Room of the tree -> our room for it."""
        self.seen: dict[int, int] = {}
        """Takeable thing in view once -> its place when last in view."""
        self.asserted: dict[tuple[int, str], bool] = {}
        """A state we told once -> what it was when last in view."""
        self.seconds: list[float] = []
        """What the learner took, turn by turn."""
        self.heard: set[str] = set()
        """All words the game has said so far."""
        self.shares = {
            name: Share()
            for name in (
                "room", "room in mazes", "title", "score",
                "inventory", "inventory told", "location", "location when last in view",
                "state", "state when last in view", "rooms whole", "edges",
            )
        }  # fmt: skip
        self.titles = {frame.shown for frame in replay.frames} - {""}
        """All titles shown."""
        self.mazes = self._mazes()

    @property
    def map(self) -> Map:
        """The map as known by now."""
        return self.knowledge.map_view

    @property
    def world(self) -> World:
        """The things as known by now."""
        return self.knowledge.world_view

    def _mazes(self) -> set[int]:
        """Rooms of the tree that share title and description with another."""
        looks: dict[tuple[str, str], set[int]] = {}
        for frame in self.replay.frames:
            lines = frame.observation.text.strip().splitlines()
            name = self.replay.names.get(frame.room, "")
            if name in lines and lines.index(name) + 1 < len(lines):
                text = lines[lines.index(name) + 1].split(".")[0]
                looks.setdefault((name, text), set()).add(frame.room)
        return {room for rooms in looks.values() if len(rooms) > 1 for room in rooms}

    def run(self) -> dict[str, Share]:
        """All frames in order."""
        extractor = RuleExtractor()
        for turn, frame in enumerate(self.replay.frames):
            extraction = extract(extractor, turn, frame.command, frame.observation)
            started = perf_counter()
            learned = learn(
                self.knowledge, turn, frame.command, frame.observation, extraction, all_skills()
            )
            self.knowledge = learned.after
            self.seconds.append(perf_counter() - started)
            self._compare(frame, turn)
        for turn, (ours, told) in enumerate(self.replay.scores):
            self.shares["score"].count(ours == told, f"{turn}: {ours}, not {told}")
        self._compare_rooms()
        self._compare_edges()
        return self.shares

    def _find(self, number: int) -> GameObject | None:
        """What our model offers for a thing of the tree in this turn."""
        if number not in self.found:
            self.found[number] = self._search(number)
        return self.found[number]

    def _search(self, number: int) -> GameObject | None:
        """A thing all of whose words fit, or one whose noun fits and which is there."""
        known, cut = self.replay.words[number], self.replay.letters
        offered = self.world.resolve(self.replay.names[number].lower())
        fitting = [thing for thing in (offered, *self.things) if thing is not None]
        fitting = [thing for thing in fitting if self._fits(thing, number)]
        for thing in fitting:
            for name in (thing.name, *thing.aliases):
                if all(word[:cut] in known for word in words_of(name) if word != "of"):
                    return thing
        place = self.frame.outermost(number)
        return next((thing for thing in fitting if self._place(thing) == place), None)

    def _place(self, thing: GameObject) -> int:
        at = self.world.location_of(thing.id)
        return self.frame.player if at == "inventory" else self.owner.get(at, 0)

    def _compare(self, frame: Frame, turn: int) -> None:
        self.frame = frame
        self.things = self.world.objects()
        self.found: dict[int, GameObject | None] = {}
        self.heard.update(words_of(frame.observation.text))
        if frame.room and self.map.here and not frame.observation.ended:
            self._compare_room(frame, turn)
        if frame.player:
            self._compare_inventory(frame, turn)
            self._compare_things(frame, turn)

    def _compare_room(self, frame: Frame, turn: int) -> None:
        here, room = self.map.here, self._seen_room(frame)
        self.owner.setdefault(here, room)
        self.first.setdefault(room, here)
        right = self.owner[here] == room and self.first[room] == here
        name = "room in mazes" if room in self.mazes else "room"
        title = frame.shown or bare(self.replay.names[frame.room])
        said = f"{turn} >{frame.command}: {here} is {self.owner[here]}, not {room} {title}"
        self.shares[name].count(right, said)
        self.shares["title"].count(same_title(bare(self.map.title(here)), title), said)

    def _seen_room(self, frame: Frame) -> int:
        """The room of the tree, but in a vision the one that bears the title shown, if any.

        It is a vision where a room whose own name is shown at other times has another title; one
        whose name is never shown has a name for its author alone.
        """
        names = {one.room: bare(self.replay.names[one.room]) for one in self.replay.frames}
        own = names[frame.room]
        if not frame.shown or same_title(frame.shown, own) or own not in self.titles:
            return frame.room
        found = (room for room, name in names.items() if same_title(name, frame.shown))
        return next(found, -frame.room)

    def _compare_rooms(self) -> None:
        """A room is whole if one of ours, and only it, stands for it."""
        ours: dict[int, set[str]] = {}
        for room, truth in self.owner.items():
            ours.setdefault(truth, set()).add(room)
        for truth, first in self.first.items():
            if truth not in self.mazes:
                whole = ours.get(truth) == {first}
                self.shares["rooms whole"].count(whole, self.replay.names[abs(truth)])

    def _compare_inventory(self, frame: Frame, turn: int) -> None:
        truth = [n for n, thing in frame.things.items() if thing.parent == frame.player]
        truth = [n for n in truth if not self._hidden(n, frame)]
        ours = list(self.world.inventory())
        missing = []
        for number in truth:
            fitting = [thing for thing in ours if self._fits(thing, number)]
            if fitting:
                ours.remove(fitting[0])
            else:
                missing.append(self.replay.names[number])
        extra = [thing.name for thing in ours]
        said = f"{turn} >{frame.command}: missing {missing}, too many {extra}"
        self.shares["inventory"].count(not missing and not extra, said)
        told = [name for name in missing if self.heard.intersection(words_of(name))]
        self.shares["inventory told"].count(not told and not extra, said)

    def _hidden(self, number: int, frame: Frame) -> bool:
        thing = frame.things[number]
        return thing.has(7) or thing.has(14) if self.replay.story == "zork1" else thing.has(3)

    def _fits(self, thing: GameObject, number: int) -> bool:
        known, cut = self.replay.words[number], self.replay.letters
        return any(_fits(name, known, cut) for name in (thing.name, *thing.aliases))

    def _compare_things(self, frame: Frame, turn: int) -> None:
        for number in self._in_view(frame):
            if self.replay.takeable(frame.things[number]):
                self.seen[number] = frame.outermost(number)
        for number in self.seen:
            self._compare_location(number, frame, turn)
        for number in list(self._visible(frame)):
            self._note_states(number)
        for number, state in self.asserted:
            self._compare_state(number, state, frame, turn)

    def _in_view(self, frame: Frame) -> list[int]:
        """Takeable things that a player could see now."""
        return [n for n in self._visible(frame) if self.replay.takeable(frame.things[n])]

    def _visible(self, frame: Frame) -> list[int]:
        if any(words in frame.observation.text.lower() for words in _DARK):
            return []
        found = []
        for number in frame.things:
            if number in (frame.player, frame.room) or self._hidden(number, frame):
                continue
            if frame.place(number) in (frame.player, frame.room) and not self._enclosed(
                number, frame
            ):
                found.append(number)
        return found

    def _enclosed(self, number: int, frame: Frame) -> bool:
        at = frame.things[number].parent
        while at and at not in (frame.player, frame.room):
            container = frame.things[at].has(19 if self.replay.story == "zork1" else 4)
            see_through = frame.things[at].has(12 if self.replay.story == "zork1" else 23)
            if (
                container
                and not see_through
                and not frame.things[at].has(self.replay.states["open"])
            ):
                return True
            if self._hidden(at, frame):
                return True
            at = frame.things[at].parent
        return False

    def _compare_location(self, number: int, frame: Frame, turn: int) -> None:
        name = self.replay.names[number]
        if sum(self.replay.names[n] == name for n in self.seen) > 1:
            return
        thing = self._find(number)
        place = self.world.location_of(thing.id) if thing else "?"
        ours = self._place(thing) if thing else 0
        now = frame.outermost(number) if frame.things[number].parent else 0
        rooms = set(self.owner.values()) | {frame.player}
        said = f"{name}: ours {place}={self.replay.names.get(ours)}, "
        self.shares["location"].count(
            ours == (now if now in rooms else 0) and thing is not None,
            f"{said}is {self.replay.names.get(now)}",
        )
        last = self.seen[number]
        self.shares["location when last in view"].count(
            thing is not None and ours in (last, now if now in rooms else 0),
            f"{said}was {self.replay.names.get(last)}",
        )

    def _note_states(self, number: int) -> None:
        thing = self._find(number)
        if thing is None:
            return
        for state in self.replay.states:
            if self._ours(thing, state) is not None and (number, state) in self.replay.changeable:
                truth = self.frame.things[number].has(self.replay.states[state])
                self.asserted[number, state] = truth

    @staticmethod
    def _ours(thing: GameObject, state: str) -> bool | None:
        return thing.is_("on") if state == "lit" and thing.is_("lit") is None else thing.is_(state)

    def _compare_state(self, number: int, state: str, frame: Frame, turn: int) -> None:
        thing = self._find(number)
        ours = self._ours(thing, state) if thing else None
        truth = frame.things[number].has(self.replay.states[state])
        said = f"{self.replay.names[number]} {state}: ours {ours}, is {truth}"
        self.shares["state"].count(ours == truth, said)
        last = self.asserted[number, state]
        self.shares["state when last in view"].count(ours in (truth, last), said)

    def _compare_edges(self) -> None:
        """Walked passages against those walked in the tree, mazes left out."""
        walked: dict[tuple[int, str], set[int]] = {}
        before = 0
        for frame in self.replay.frames:
            if before and before != frame.room:
                walked.setdefault((before, frame.command.lower()), set()).add(frame.room)
            before = frame.room
        true = {(start, end) for (start, _), ends in walked.items() for end in ends}
        for room in self.map.rooms():
            for passage in self.map.ways(room.id).passages.values():
                start, end = self.owner.get(room.id, 0), self.owner.get(passage.to, 0)
                if passage.seen and end and not self.mazes.intersection((start, end)):
                    names = self.replay.names
                    said = f"{names.get(start)} {passage.command} {names.get(end)}"
                    self.shares["edges"].count((start, end) in true, said)


@lru_cache(maxsize=200_000)
def _fits(name: str, known: frozenset[str], cut: int) -> bool:
    """The name's noun, and half of its words, are words for the thing."""
    words = [word[:cut] for word in words_of(name) if word != "of"]
    hits = sum(word in known for word in words)
    return head_of(name)[:cut] in known and 2 * hits >= len(words)


class Cost(NamedTuple):
    """What knowledge takes at the end of a replay."""

    size: int
    """Bytes of map and world model as they lie in a checkpoint."""
    update: float
    """Median seconds of an update."""
    step: float
    """Median seconds of a step of the bare emulator."""


def measure(replay: Replay) -> tuple[dict[str, Share], Cost]:
    """Room, inventory, location, state and map shares of one replay, and what they cost."""
    measures = Measures(replay)
    shares = measures.run()
    size = len(ormsgpack.packb([measures.map.data, measures.world.data]))
    return shares, Cost(size, median(measures.seconds), median(replay.steps))
