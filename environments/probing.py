"""Commands tried from one state and rolled back, with what each of them changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from environments.facts import FactReader
from environments.frotz import READ_LINE, Frotz, StateMark
from environments.scoring import asks_what_next, has_banner, tells_of_death
from environments.screen import clean
from environments.turn import Probe
from environments.typist import Typist
from environments.zmachine import property_span

_NOTHING = Probe()
_VARIABLE_BYTES = 480
_LONGEST = 1 << 14
"""Letters of a reply that are told."""


class Prober:
    """Tries commands in one story. The story must be left alone between construction and use."""

    def __init__(self, frotz: Frotz, facts: FactReader, typist: Typist, idle: bytes) -> None:
        self._frotz = frotz
        self._facts = facts
        self._typist = typist
        self._idle = idle
        header = frotz.header
        low, high = property_span(frotz.objects)
        self._spans = sorted(((header.variables, header.variables + _VARIABLE_BYTES), (low, high)))

    def run(self, commands: Sequence[str], status: str, progress: memoryview) -> list[Probe]:
        """Try each command from the present state, and come back to it.

        `progress` takes the number of the command being tried, for whoever survives it. The list
        ends early after a command that stopped the interpreter.
        """
        here = self._frotz.mark()
        room = self._frotz.input_room()
        self._score = self._facts.status(status).score
        found = []
        for number, command in enumerate(commands):
            progress[0] = number
            line = self._typist.line(command, room)
            if not line or self._typist.refusal(line):
                found.append(_NOTHING)
                continue
            found.append(self._try(here, line, status))
            if self._frotz.halted:
                break
            self._frotz.back(here)
        return found

    def _try(self, here: StateMark, line: str, status: str) -> Probe:
        frotz = self._frotz
        raw = frotz.step(line)
        if frotz.halted:
            return Probe(fault=True)
        lower, upper = frotz.hooks.screen.divide(raw)
        text = clean(lower, upper)
        tree = frotz.tree_changes(here)
        score = self._facts.status(upper.get(1, status).strip()).score
        return Probe(
            text[:_LONGEST],
            tree,
            frotz.events(),
            () if tree and tree != self._idle else self._variables(here),
            0 if score is None or self._score is None else score - self._score,
            frotz.quit or asks_what_next(text) or (has_banner(text) and self._asks_anew(here)),
            tells_of_death(text),
        )

    def _asks_anew(self, here: StateMark) -> bool:
        """Whether the story waits for another line than that of a command."""
        return self._frotz.opcode == READ_LINE and self._frotz.prompt != here.prompt

    def _variables(self, here: StateMark) -> tuple[int, ...]:
        """Changed bytes of global variables and properties, as address << 8 | value."""
        now, before = self._frotz.dynamic, here.memory
        found: list[int] = []
        for low, high in self._spans:
            changed = np.flatnonzero(now[low:high] != before[low:high]) + low
            found += ((changed << 8) | now[changed]).tolist()
        return tuple(found)
