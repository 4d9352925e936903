"""How far this episode has followed what earlier ones found, and which rooms it recognises.

Plain data in the state field `memory`; empty without one.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from managers.knowledge import Knowledge
from managers.language.actions import direction_of
from managers.learning.transition import Transition
from managers.memory.atlas import room_key, same_room, title_of
from managers.memory.lessons import Past
from managers.memory.trail import (
    GuideData,
    MemoryData,
    Row,
    TrailStep,
    is_fight,
    lengthened,
    load_number,
    same_act,
)

_WALK = 40
"""So many steps of mere walking are looked ahead over."""
_PATIENCE = 24
"""Turns without progress after which a step is given up."""


class Guide:
    """A view of the plain data; what changes it returns new data."""

    def __init__(self, data: GuideData) -> None:
        self.data = data

    def __bool__(self) -> bool:
        return bool(self.data)

    @property
    def earned(self) -> list[list[str]]:
        """What has scored in this episode: the remembered room and the command of each."""
        return list(self.data.get("earned", ()))

    @property
    def lairs(self) -> set[str]:
        """The rooms of this episode in which somebody is still to be beaten on the path."""
        fights = {room for room, command, _ in self.data.get("path", ()) if is_fight(command)}
        return {id for room in fights for id in self.named(room)}

    def next_step(self, here: str, reachable: Container[str]) -> TrailStep | None:
        """What comes next, with the room as this episode names it.

        Walking only serves to get to the next act: the step nearest to it that can be played
        here, or else in a room that can be reached, is the next one. Among rooms that look the
        same nothing tells one where one is but the steps so far.
        """
        ahead = self._ahead()
        key = self.key(here)
        alike = key in self._alike
        for room, command, points in ahead if alike else reversed(ahead):
            if same_room(room, key):
                return TrailStep(here, command, points)
        for room, command, points in reversed(ahead):
            for id in self.named(room):
                if id in reachable:
                    return TrailStep(id, command, points)
        return None

    @cached_property
    def _alike(self) -> frozenset[str]:
        """The rooms from which walking led to one of the same key."""
        steps = self.data["target"][1] if self.data.get("target") else []
        return frozenset(
            room
            for (room, command, _), (then, *_) in pairwise(steps)
            if room == then and direction_of(command)
        )

    def _ahead(self) -> list[Row]:
        """The next act with the walk there."""
        path = self.data.get("path", [])[:_WALK]
        for number, (_, command, points) in enumerate(path):
            if points or not direction_of(command):
                return list(path[: number + 1])
        return list(path)

    def key(self, id: str) -> str:
        """The remembered room that a room of this episode is; empty for none."""
        return str(self.data.get("found", {}).get(id, ""))

    def named(self, key: str) -> list[str]:
        """The rooms of this episode that are the remembered one."""
        return [id for id in self._ids.get(title_of(key), ()) if same_room(self.key(id), key)]

    def fruitful(self, past: Past) -> Iterator[tuple[TrailStep, list[str]]]:
        """Commands that scored in rooms found again, with what had to be carried for each."""
        for room, command, points, needed in past.lessons["deeds"]:
            for id in self.named(room):
                yield TrailStep(id, command, points), needed

    @cached_property
    def _ids(self) -> dict[str, list[str]]:
        """By title."""
        ids: dict[str, list[str]] = {}
        for id, key in self.data.get("found", {}).items():
            ids.setdefault(title_of(key), []).append(id)
        return ids

    # -- after a turn ---------------------------------------------------------

    def followed(self, played: Transition) -> GuideData:
        """The data after a turn."""
        data = self._followed(played)
        arrived, score = data["arrived"], played.after.score
        if arrived is None and not data["path"]:
            arrived = played.turn
        found = score > data["top"] and arrived is not None
        earned = data.get("earned", [])
        if played.scored > 0:
            earned = [*earned, [self.key(played.start), played.command]]
        return {
            **data,
            "arrived": arrived,
            "top": max(data["top"], score),
            "finds": data["finds"] + found,
            "earned": earned,
        }

    def _followed(self, played: Transition) -> GuideData:
        path, wounded = self.data["path"], bool(played.after.board.of("wound"))
        if played.harm >= 1 and self.data["target"]:
            steps = self.data["target"][1]
            return self._at([step for step in steps if step[:2] not in self.earned])
        if not path:
            return self.data
        ahead, key = self._ahead(), self.key(played.start)
        number = _number(ahead, played, key)
        if number is not None and _done(played, path[number][2]):
            return self._at(path[number + 1 :])
        early = None if direction_of(played.command) else _number(path, played, key)
        if number is None and early is not None and _done(played, path[early][2]):
            return {**self.data, "path": [*path[:early], *path[early + 1 :]]}
        if number is not None and not (played.after.foes or is_fight(played.command)):
            _, command, points = path[number]
            if not points and not direction_of(command):
                return self._at(path[number + 1 :])
        idle = self.data["idle"] + (not wounded)
        return self._at(path[len(ahead) :]) if idle > _PATIENCE else {**self.data, "idle": idle}

    def _at(self, path: list[Row]) -> GuideData:
        return {**self.data, "path": path, "idle": 0}


def _number(steps: list[Row], played: Transition, key: str) -> int | None:
    """Which of the steps was just played, in the room of that key."""
    return next(
        (
            number
            for number, (room, command, _) in enumerate(steps)
            if same_act(command, played.command) and same_room(room, key)
        ),
        None,
    )


def _done(played: Transition, points: int) -> bool:
    """Whether a step brought what it once did; a fight goes on until nobody is left."""
    if direction_of(played.command):
        return played.moved
    if points > 0:
        return played.scored > 0
    return not played.after.foes if is_fight(played.command) else played.worked


# -- every turn ---------------------------------------------------------------


def follow(transition: Transition, past: Past) -> Transition:
    """The transition with the trail, the progress on earlier ones, and rooms found again."""
    after = transition.after
    if transition.command:
        after = after.with_(memory=_with_trail(transition))
    if after.memory["guide"]:
        guide = Guide(after.memory["guide"])
        if transition.command:
            guide = Guide(guide.followed(replace(transition, after=after)))
        after = after.with_(memory={**after.memory, "guide": _located(guide, after, past)})
    return replace(transition, after=after)


def _with_trail(transition: Transition) -> MemoryData:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    memory, after = transition.after.memory, transition.after
    start, action = transition.start, transition.action
    if transition.reading.died or memory["died"]:
        return {**memory, "died": 1}
    worked = transition.moved if action.direction else transition.worked
    if not start or not (transition.scored or worked):
        return memory
    held = load_number([thing.noun for thing in after.held])
    step = TrailStep(start, transition.command, transition.scored, after.here, held)
    narrow = bool(after.board.subjects("narrow", start))
    kind, gain = transition.meant.kind, transition.gain
    return {
        **memory,
        "trail": lengthened(memory["trail"], step, kind=kind, gain=gain, narrow=narrow),
    }


def _located(guide: Guide, after: Knowledge, past: Past) -> GuideData:
    """With the remembered room that this one is, or what later episodes will call it."""
    here = after.here
    if not here or guide.key(here):
        return guide.data
    room = after.map_view.data["rooms"][here]
    own = room_key(room["title"], room["text"])
    key = past.recognised(room["title"], own) or (own if room["title"] else "")
    found = guide.data["found"]
    return {**guide.data, "found": {**found, here: key}} if key else guide.data
