"""Which object is the protagonist: found by walking about and seeing what always moves along."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from environments.frotz import READ_KEY, Frotz, Mark
from environments.zmachine import variable

_WALKS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
    "up", "down", "in", "out", "stand", "get up", "exit",
)  # fmt: skip
_IDLE = "wait"
_SELF = ("yourself", "you", "me", "self", "myself", "player", "cretin", "(self object)", "selfobj")
_VARIABLES = 240
_ENOUGH = 3
"""Different places at which an object must have arrived before the search may stop early."""

Moves = dict[int, set[tuple[int, int]]]
"""Object -> the (from, to) pairs of parents between which it moved."""


def find_player(frotz: Frotz, states: int) -> int:
    """The protagonist's object number, 0 where nothing moved twice within `states` states.

    Starts from the present state and comes back to it.
    """
    start = frotz.mark()
    moves: Moves = {}
    queue, seen = [start], {frotz.parents().tobytes()}
    for _ in range(states):
        if not queue:
            break
        here = queue.pop(0)
        for mark, parents in _neighbours(frotz, here, moves):
            if parents not in seen:
                seen.add(parents)
                queue.append(mark)
        if best := _best(frotz, moves, _ENOUGH):
            break
    else:
        best = 0
    frotz.back(start)
    return best or _best(frotz, moves, 2)


def _neighbours(frotz: Frotz, here: Mark, moves: Moves) -> Iterator[tuple[Mark, bytes]]:
    """Try every walk from one state; yields the states where something moved."""
    frotz.back(here)
    before = frotz.parents()
    restless = set(_moved(frotz, here, before, _IDLE))
    for walk in _WALKS:
        moved = [n for n in _moved(frotz, here, before, walk) if n not in restless]
        after = frotz.parents()
        for number in moved:
            pair = int(before[number - 1]), int(after[number - 1])
            if all(pair):
                moves.setdefault(number, set()).add(pair)
        if moved and frotz.opcode != READ_KEY:
            yield frotz.mark(), after.tobytes()


def _moved(frotz: Frotz, here: Mark, before: npt.NDArray[np.uint16], line: str) -> list[int]:
    frotz.back(here)
    frotz.step(line.encode())
    return [int(n) + 1 for n in np.flatnonzero(frotz.parents() != before)]


def _best(frotz: Frotz, moves: Moves, places: int) -> int:
    able = [n for n, pairs in moves.items() if len({to for _, to in pairs}) >= places]
    objects = frotz.objects
    values = {variable(frotz.memory, frotz.header, i) for i in range(_VARIABLES)}
    return max(
        able,
        key=lambda n: (
            len(moves[n]),
            objects.name(n).lower() in _SELF,
            n in values,
            bool(objects.child(n)),
            -n,
        ),
        default=0,
    )
