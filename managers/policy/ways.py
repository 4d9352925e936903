"""Ways: the cheapest over the map for somebody who wants to arrive alive, and the untried ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from managers.language.actions import canonical
from managers.language.exits import exits_in
from managers.language.outcomes import refusal_in
from managers.policy.option import Draft
from managers.world.map import Map, Passage

if TYPE_CHECKING:
    from managers.policy.scene import Scene

_BACK = 1.5
_RANDOM = 3.0
_BLOCKED = 8.0
_DARK = 15.0
_SHUNNED = 15.0
_DEADLY = 30.0
_NEAREST = 30
"""How many unexplored ways are weighed, nearest first; the cost must not grow with the map."""
_SUPPOSED = 0.1
"""What it is worth to see that a way leads back, as it is supposed to."""
_TO_A_MAZE = 0.2
"""What a way is worth that earlier episodes went and have no room for on their map."""
_VAGUE = 7
"""From so many mentioned ways on, the prose says no more than that one is in the open."""
_ANY = 0.5
"""How likely a way is where the prose says that ways lead everywhere."""
_FREE = 0.6
"""How likely a way is free where something has changed since it was refused."""
_OPENED = 1.5
_DISCOURAGED = 0.85
"""How much less likely a way is for every other one that was refused there."""
_PASSING = 0.3
"""How likely a way is free that no text names and that was refused in the story's own words."""
_LIKELY = {"up": 0.4, "down": 0.5, "in": 0.3, "out": 0.3}
_DIAGONAL = 0.35
_SEE = "see in the light what the dark has hidden"


class Routes:
    """Costs and commands from one room to all that can be reached.

    A walked passage costs 1; supposed ones, those that lead now here now there or were
    blocked when tried last, dark rooms, those one had better shun, and deadly commands cost more.
    What was blocked or objected to often costs a great deal, until something is changed in its
    room. `counts` says which passages there are.
    """

    def __init__(
        self,
        map_: Map,
        start: str,
        *,
        unlit: frozenset[str],
        shunned: frozenset[str] = frozenset(),
        changed: Callable[[str], int] = lambda _: -1,
        counts: Callable[[str, Passage], bool] = lambda _room, _passage: True,
    ) -> None:
        self._best: dict[str, tuple[float, str, str]] = {start: (0.0, "", "")} if start else {}
        self._first: dict[str, str] = {start: ""}
        queue = [(0.0, start)] if start else []
        done: set[str] = set()
        while queue:
            cost, room = heappop(queue)
            if room in done:
                continue
            done.add(room)
            blocked = map_.attempts.blocked(room)
            for command, passage in map_.ways(room).passages.items():
                to = passage.to
                if to in done or not counts(room, passage):
                    continue
                length = 1.0 if passage.seen else _BACK
                length += _SHUNNED * (to in shunned) + _RANDOM * passage.random
                length += _DARK * (to in unlit)
                total = cost + length + _DEADLY * map_.attempts.danger(room, command)
                refusal = blocked.get(canonical(command)) if blocked else None
                if refusal is not None:
                    stands = refusal.turn > changed(room)
                    total += _BLOCKED * ((refusal.count + refusal.objected) ** 2 if stands else 1)
                known = self._best.get(to)
                if known is None or total < known[0]:
                    self._best[to] = (total, room, command)
                    self._first[to] = self._first[room] or command
                    heappush(queue, (total, to))
        self.costs = {room: cost for room, (cost, _, _) in self._best.items()}
        """Room to the cost of getting there."""

    def rooms(self, room: str) -> tuple[str, ...]:
        """The rooms one passes on the way to a room, the last one first."""
        passed: list[str] = []
        while room in self._best and self._best[room][1]:
            passed.append(room)
            room = self._best[room][1]
        return tuple(passed)

    def first(self, room: str) -> str:
        """The first command on the way to a room, empty where there is none."""
        return self._first.get(room, "")

    def to(self, room: str) -> tuple[str, ...]:
        """The commands to a room, empty for the present one or one out of reach."""
        return tuple(self._best[passed][2] for passed in reversed(self.rooms(room)))


def unexplored(scene: Scene) -> Iterator[Draft]:
    """Ways nobody has gone yet, in this room and in those that can be reached."""
    distances, past = scene.distances, scene.stance.past
    rooms = sorted(scene.map.lit_rooms(), key=lambda room: distances.get(room, inf))
    for room, way in islice(scene.map.unexplored(rooms), _NEAREST):
        mentioned, scale = scene.exits(room), 1.0
        if scene.leads_back(room, way):
            scale = _SUPPOSED
        elif way not in scene.map.ways(room).passages and past:
            scale = _TO_A_MAZE if past.worked(scene.guide.key(room), way) else 1.0
        if way in mentioned:
            chance = 1.0 if len(mentioned) < _VAGUE else _ANY
            yield Draft(room, way, "exit", scale=scale, chance=chance)
        else:
            chance = _LIKELY.get(way, _DIAGONAL if len(way) > 5 else 1.0)
            chance *= _DISCOURAGED ** len(scene.attempts.blocked(room))
            yield Draft(room, way, "probe" if mentioned else "wander", scale=scale, chance=chance)


def hidden(scene: Scene) -> Iterator[Draft]:
    """Rooms of which the dark has hidden everything: with a light, go and see."""
    for room in sorted(scene.dark_rooms - {scene.here}) if scene.lit else ():
        yield Draft(room, "look", "exit", purpose=_SEE)


def opened(scene: Scene) -> Iterator[Draft]:
    """Ways that an action seems to have opened."""
    for way in scene.board.of("opened"):
        passage = scene.map.ways(way.room).passages.get(way.subject)
        if not (passage and passage.seen):
            yield Draft(way.room, way.subject, "exit", scale=_OPENED)


def refused(scene: Scene) -> Iterator[Draft]:
    """Ways that were refused before something changed in their room, or that may have changed.

    A refusal in the story's own words may pass (`You are paralyzed by fear`), but not one that is
    heard in several rooms, or that tells of other ways.
    """
    blocked = {room: scene.attempts.blocked(room) for room in scene.distances}
    said = Counter(
        words for ways in blocked.values() for words in {one.error_message for one in ways.values()}
    )
    for room, ways in blocked.items():
        changed, exits = scene.knowledge.changed_here(room), scene.exits(room)
        for way, refusal in ways.items():
            if scene.leads_back(room, way):
                continue
            if refusal.turn <= changed and len(exits) < _VAGUE:
                yield Draft(room, way, "exit", chance=_FREE)
            elif said[refusal.error_message] == 1 and not exits_in(refusal.error_message):
                stock = refusal_in(refusal.error_message)
                if stock is None or stock.reason != "no_exit":
                    yield Draft(room, way, "exit", chance=1.0 if way in exits else _PASSING)
