"""Which object is the protagonist: found by walking about and seeing what always moves along."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from environments.frotz import READ_KEY, Frotz, StateMark
from environments.vocabulary import Vocabulary
from environments.zmachine import variable

_WALKS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
    "up", "down", "in", "out", "stand", "get up", "exit",
)  # fmt: skip
_TAKE, _DROP = "take all", "drop all"
_NOUNS = 16
"""Words of a description that are tried as things to take."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_IDLE = "wait"
_SELF = ("yourself", "you", "me", "self", "myself", "player", "cretin", "(self object)", "selfobj")
_VARIABLES = 240
_ENOUGH = 3
"""Places at which an object must have arrived before the search stops early."""
_DECISIVE = 2
"""Places that decide when the search is over."""

Parents = npt.NDArray[np.uint16]


class PlayerSearch:
    """Evidence gathered in a sandbox; the story ends up where it was."""

    def __init__(self, frotz: Frotz, vocabulary: Vocabulary) -> None:
        self._frotz = frotz
        self._vocabulary = vocabulary
        self._moves: dict[int, set[tuple[int, int]]] = {}
        """Object -> the (from, to) pairs of parents between which walking moved it."""
        self._takers: set[int] = set()
        """Objects into which things went when taken, or out of which when dropped."""

    def run(self, states: int) -> int:
        """Search from the present state over at most `states` states.

        Returns the object's number, 0 where the evidence does not decide.
        """
        start = self._frotz.mark()
        queue, seen = [start], {self._frotz.parents().tobytes()}
        for _ in range(states):
            if not queue or self._by_walking(_ENOUGH):
                break
            for mark, key in self._neighbours(queue.pop(0)):
                if key not in seen:
                    seen.add(key)
                    queue.append(mark)
        self._frotz.back(start)
        return self._by_walking(_DECISIVE) or self._by_taking()

    def _neighbours(self, here: StateMark) -> Iterator[tuple[StateMark, bytes]]:
        """Try every walk from one state; yields the states that differ, and their trees."""
        self._frotz.back(here)
        before = self._frotz.parents()
        restless = set(self._moved(here, before, _IDLE))
        self._handle(here, before, restless)
        for walk in _WALKS:
            moved = [n for n in self._moved(here, before, walk) if n not in restless]
            after = self._frotz.parents()
            for number in moved:
                pair = int(before[number - 1]), int(after[number - 1])
                if all(pair):
                    self._moves.setdefault(number, set()).add(pair)
            if moved and self._frotz.opcode != READ_KEY:
                yield self._frotz.mark(), after.tobytes()

    def _handle(self, here: StateMark, before: Parents, restless: set[int]) -> None:
        """Drop and take things, until somebody is seen to do so."""
        for number in self._moved(here, before, _DROP):
            if number not in restless:
                self._takers.add(int(before[number - 1]))
        for line in (_TAKE, *self._takes(here)):
            if self._takers:
                return
            for number in self._moved(here, before, line):
                if number not in restless:
                    self._takers.add(int(self._frotz.parents()[number - 1]))

    def _takes(self, here: StateMark) -> list[str]:
        """Commands to take what the description of the place names."""
        self._frotz.back(here)
        words = dict.fromkeys(_WORD.findall(self._frotz.step("look").lower()))
        nouns = [w for w in words if (entry := self._vocabulary.get(w)) and entry.noun]
        return [f"take {noun}" for noun in nouns[:_NOUNS]]

    def _moved(self, here: StateMark, before: Parents, line: str) -> list[int]:
        self._frotz.back(here)
        self._frotz.step(line)
        return [int(n) + 1 for n in np.flatnonzero(self._frotz.parents() != before)]

    def _by_walking(self, places: int) -> int:
        """The object that walking moved most often, among those that came to enough places."""
        able = [n for n, pairs in self._moves.items() if len({to for _, to in pairs}) >= places]
        return max(able, key=lambda n: (len(self._moves[n]), *self._likeness(n)), default=0)

    def _by_taking(self) -> int:
        """Where walking does not decide: who takes things or bears a name for the protagonist.

        Stories keep the protagonist in a global variable.
        """
        values = self._values()
        objects = self._frotz.objects
        named = {n for n in self._moves if objects.name(n).lower() in _SELF}
        able = [n for n in sorted(self._takers | named) if n in values and objects.parent(n)]
        return max(able, key=lambda n: (n in self._moves, *self._likeness(n)), default=0)

    def _likeness(self, number: int) -> tuple[bool, bool, bool, int]:
        objects = self._frotz.objects
        named = objects.name(number).lower() in _SELF
        return named, number in self._values(), bool(objects.child(number)), -number

    def _values(self) -> set[int]:
        memory, header = self._frotz.memory, self._frotz.header
        return {variable(memory, header, i) for i in range(_VARIABLES)}
