"""How far this episode has followed what earlier ones found, and which rooms it recognises.

Plain data in the state field `memory`; empty without one.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterator
from dataclasses import replace
from itertools import pairwise

from managers.language.actions import classes, direction_of
from managers.memory.atlas import room_key, same_room
from managers.memory.lessons import Past
from managers.world.knowledge import Knowledge
from managers.world.trail import GuideData, MemoryData, Row, TrailStep, is_fight, same_act
from managers.world.transition import Transition

_WALK = 40
"""So many steps of mere walking are looked ahead over."""
_PATIENCE = 24
"""Turns without progress after which a step is given up."""
_LONGEST = 320
"""Steps of a trail; a full one stays as it is: what came first is needed for what came later."""


class Guide:
    """A view of the plain data; what changes it returns new data."""

    def __init__(self, data: GuideData) -> None:
        self.data = data

    def next_step(self, here: str, reachable: Container[str]) -> TrailStep | None:
        """What comes next, with the room as this episode names it.

        Walking only serves to get to the next act: the step nearest to it that can be played
        here, or else in a room that can be reached, is the next one. Among rooms that look the
        same nothing tells one where one is but the steps so far.
        """
        key, steps = self.key(here), self._ahead()
        last_first = steps[::-1]
        for room, command, points in steps if self._is_twin(key) else last_first:
            if same_room(room, key):
                return TrailStep(here, command, points)
        for room, command, points in last_first:
            for id in self.named(room):
                if id in reachable:
                    return TrailStep(id, command, points)
        return None

    def _is_twin(self, key: str) -> bool:
        """On the way one walked from a room of that key to another one of it."""
        steps = self.data["target"][1] if self.data["target"] else []
        return any(
            room == then == key and direction_of(command)
            for (room, command, _), (then, *_) in pairwise(steps)
        )

    def _ahead(self) -> list[Row]:
        """The next act with the walk there."""
        path = self.data["path"][:_WALK]
        for number, (_, command, points) in enumerate(path, start=1):
            if points or not direction_of(command):
                return path[:number]
        return path

    def key(self, id: str) -> str:
        """The remembered room that a room of this episode is; empty for none."""
        return self.data.get("found", {}).get(id, "")

    def named(self, key: str) -> list[str]:
        """The rooms of this episode that are the remembered one."""
        return [id for id, known in self.data["found"].items() if same_room(known, key)]

    def fruitful(self, past: Past) -> Iterator[tuple[TrailStep, list[str]]]:
        """Commands that scored in rooms found again, with what had to be carried for each."""
        for room, command, points, needed in past.lessons["deeds"]:
            for id in self.named(room):
                yield TrailStep(id, command, points), needed

    # -- after a turn ---------------------------------------------------------

    def followed(self, played: Transition) -> GuideData:
        """The data after a turn."""
        path, idle = self._left(played)
        data, score = self.data, played.after.score
        arrived, earned = data["arrived"], data["earned"]
        if arrived is None and not path:
            arrived = played.turn
        if played.scored > 0:
            earned = [*earned, [self.key(played.start), played.command]]
        return {
            **data,
            "path": path,
            "idle": idle,
            "arrived": arrived,
            "top": max(data["top"], score),
            "finds": data["finds"] + (score > data["top"] and data["arrived"] is not None),
            "earned": earned,
        }

    def _left(self, played: Transition) -> tuple[list[Row], int]:
        """What is left of the path after a turn, and for how many turns nothing came of it."""
        path, idle = self.data["path"], self.data["idle"]
        if played.harm >= 1 and self.data["target"]:
            return [one for one in self.data["target"][1] if not self._has_earned(one)], 0
        if not path:
            return path, idle
        key, ahead, walks = self.key(played.start), self._ahead(), direction_of(played.command)
        steps = ahead if walks else path
        same = (
            number
            for number, (room, command, _) in enumerate(steps)
            if same_act(command, played.command) and same_room(room, key)
        )
        number = next(same, None)
        if number is not None:
            points, rest = path[number][2], path[number + 1 :]
            early, done = number >= len(ahead), _is_done(played, points)
            refused = not (points or walks or played.after.foes or is_fight(played.command))
            if early and done:
                return [*path[:number], *rest], idle
            if not early and (done or refused):
                return rest, 0
        idle += not played.after.board.of("wound")
        return (path[len(ahead) :], 0) if idle > _PATIENCE else (path, idle)

    def _has_earned(self, step: Row) -> bool:
        """It has scored in this life or an earlier one."""
        earned = self.data["earned"]
        return any(room == step[0] and same_act(command, step[1]) for room, command in earned)


def _is_done(played: Transition, points: int) -> bool:
    """Whether a step brought what it once did; a fight goes on until nobody is left."""
    if direction_of(played.command):
        return played.moved
    if points > 0:
        return played.scored > 0
    return not played.after.foes if is_fight(played.command) else played.worked


# -- every turn ---------------------------------------------------------------


def follow(transition: Transition, past: Past) -> Transition:
    """The transition with the trail, the progress on earlier ones, and rooms found again."""
    after, memory = transition.after, transition.after.memory
    guide = memory["guide"]
    if transition.command:
        memory = _with_trail(transition)
    if guide:
        if transition.command:
            guide = Guide(guide).followed(transition)
        memory = {**memory, "guide": _located(guide, after, past)}
    return replace(transition, after=after.with_(memory=memory))


def _with_trail(played: Transition) -> MemoryData:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    after, memory, start = played.after, played.after.memory, played.start
    if played.reading.died or memory["died"]:
        return {**memory, "died": 1}
    worked = played.moved if played.action.direction else played.worked
    full = len(memory["trail"]) >= _LONGEST
    if full or not start or not (played.scored or worked) or _is_needless(played):
        return memory
    held = zlib.crc32(" ".join(sorted(thing.noun for thing in after.held)).encode())
    step = TrailStep(start, played.command, played.scored, after.here, held)
    return {**memory, "trail": _lengthened(memory["trail"], step)}


def _is_needless(played: Transition) -> bool:
    """It only told something, or saw to a lamp or a load, as whoever comes again does as needed."""
    action, start = played.action, played.start
    stays = start == played.after.here and bool(direction_of(played.command))
    if not played.gain and (action.has("tells") or stays):
        return True
    narrow = played.after.board.subjects("narrow", start)
    for_nothing = action.verb == "drop" and not played.gain and not narrow
    lamp = action.verb in ("light", "extinguish") and "light-source" in classes(action.object)
    return not played.scored and (for_nothing or lamp)


def _lengthened(trail: list[Row], step: TrailStep) -> list[Row]:
    """The trail with one more step, without walking that led back and all but the last blow."""
    room, command, *_ = step
    if is_fight(command):
        trail = [one for one in trail if one[2] or one[0] != room or not same_act(one[1], command)]
    trail = [*trail, list(step)]
    for index in range(len(trail) - 1, -1, -1):
        room, _, points, to, _ = trail[index]
        if points or room == to:
            break
        if room == step.to:
            return trail[:index]
    return trail


def _located(guide: GuideData, after: Knowledge, past: Past) -> GuideData:
    """With the remembered room that this one is, or what later episodes will call it."""
    here, found = after.here, guide["found"]
    if not here or here in found:
        return guide
    row = after.map_view.data["rooms"][here]
    title, own = row["title"], room_key(row["title"], row["text"])
    key = past.recognised(title, own) or (own if title else "")
    return {**guide, "found": {**found, here: key}} if key else guide
