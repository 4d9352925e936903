"""Routes: the cheapest ways over the map for somebody who wants to arrive alive."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from managers.language.actions import canonical
from managers.world.map import Map, Passage

_BACK = 1.5
_RANDOM = 3.0
_BLOCKED = 8.0
_DEADLY = 30.0


class Routes:
    """Costs and commands from one room to all that can be reached.

    A walked passage costs 1; supposed ones, those that lead now here now there or were blocked
    when tried last, and deadly commands cost more, and so does a room by its `toll`. What was
    blocked or objected to often costs a great deal, until something is changed in its room.
    `counts` says which passages there are.
    """

    def __init__(
        self,
        map_: Map,
        start: str,
        *,
        toll: Callable[[str], float] = lambda _: 0.0,
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
                length += toll(to) + _RANDOM * passage.random
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
