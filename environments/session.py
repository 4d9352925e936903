"""One story inside the worker process: plays lines from snapshots and reads what came of them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from environments import snapshot
from environments.end_check import EndCheck
from environments.facts import FactReader
from environments.frotz import READ_KEY, READ_LINE, Frotz
from environments.player import PlayerSearch
from environments.probing import Prober
from environments.restless import TreeDigest
from environments.scoring import (
    NOTHING_TOLD,
    ask_score,
    asks_what_next,
    has_banner,
    read_score,
    tells_of_death,
    tells_of_victory,
)
from environments.screen import clean
from environments.turn import Probe, Surroundings, Tree, Turn
from environments.typist import Typist
from environments.vocabulary import Vocabulary

_OVER = "[The story has ended.]"
_SHOWN = 40
"""Letters of a command that we repeat."""
_UNREADABLE = "the command has no letter that the story can read"
_STATES = 12
"""States that each search for the protagonist visits."""
_EAGER = 4
"""So many turns in a row the protagonist is searched for, later every so many turns."""


class Session:
    """A story in the emulator, always at exactly one snapshot.

    Some facts come from commands that are tried and rolled back. `cautious` forbids them, as a
    story may not survive them either: for this request and for all from the snapshot it makes.
    """

    def __init__(
        self, path: Path, progress: memoryview, before_step: Callable[[], object], *, tree: bool
    ) -> None:
        data = path.read_bytes()[:-1]
        self._progress = progress
        self._identity = sha256(data).digest()
        self._frotz = Frotz(path, before_step)
        header = self._frotz.header
        self._initial = np.frombuffer(data[: header.static], dtype=np.uint8)
        words = self._vocabulary = Vocabulary(self._frotz.memory)
        self._typist = Typist(self._frotz.letters, words)
        self._is_over = EndCheck(self._frotz, words)
        self._notes = snapshot.SnapshotNotes()
        self._blob = b""
        self._reads_tree = tree
        self._digest: TreeDigest | None = None
        self._bind()

    def start(self, seed: int, cautious: bool) -> Turn:
        """Restart with a seed; the turn's text is the opening."""
        raw = self._frotz.start(seed)
        self._bind()
        self._notes = snapshot.SnapshotNotes(turns=-1, tame=cautious)
        return self._outcome(raw)

    def view(self, blob: bytes, cautious: bool) -> Turn:
        """Go to a snapshot; the turn has no text."""
        self._go(blob, cautious)
        return self._report("")

    def reseed(self, blob: bytes, seed: int, cautious: bool) -> Turn:
        """Go to a snapshot, with the random numbers of another seed from here on."""
        self._go(blob, cautious)
        mark = self._frotz.mark()
        mark = mark._replace(registers=mark.registers._replace(random=seed))
        self._frotz.back(mark)
        position = snapshot.Position(mark, self._notes)
        self._blob = snapshot.pack(self._identity, self._initial, position)
        return self._report("")

    def play(self, blob: bytes, command: str, cautious: bool) -> Turn:
        """Play one command from a snapshot."""
        self._go(blob, cautious)
        if self._notes.ended:
            return self._report(_OVER)
        before = self._frotz.prompt
        if self._frotz.opcode == READ_KEY:
            return self._outcome(self._frotz.step(self._typist.key(command)), before)
        line = self._typist.line(command, self._frotz.input_room())
        if not line:
            return self._report(_nothing_typed(command))._replace(fault=_UNREADABLE)
        if answer := self._typist.refusal(line):
            return self._report(answer)
        return self._outcome(self._frotz.step(line), before)

    def probe(self, blob: bytes, commands: list[str], idle: bytes) -> list[Probe]:
        """Try commands from a snapshot, which remains the present one."""
        self._go(blob)
        if self._notes.ended or self._frotz.opcode != READ_LINE:
            return [Probe()] * len(commands)
        prober = Prober(self._frotz, self._facts, self._typist, idle)
        return prober.run(commands, self._notes.status, self._progress)

    def surroundings(self, blob: bytes) -> Surroundings:
        """The objects around the protagonist."""
        self._go(blob)
        return self._facts.surroundings(self._notes.player)

    def memory(self, blob: bytes) -> bytes:
        """The dynamic memory at a snapshot."""
        self._go(blob)
        return self._frotz.dynamic.tobytes()

    def _bind(self) -> None:
        frotz = self._frotz
        self._facts = FactReader(frotz.memory, frotz.header, frotz.objects)

    def _go(self, blob: bytes, cautious: bool = False) -> None:
        if blob != self._blob:
            position = snapshot.unpack(self._identity, self._initial, blob)
            self._frotz.back(position.mark)
            self._notes, self._blob = position.notes, blob
        if cautious:
            self._notes = self._notes._replace(tame=True)

    def _outcome(self, raw: str, before: tuple[int, int] | None = None) -> Turn:
        """Read the text of a step, and take the snapshot after it.

        `before` is where the story waited for the line.
        """
        if self._frotz.halted:
            return Turn("", self._blob, halted=True)
        lower, upper = self._frotz.hooks.screen.divide(raw)
        text = clean(lower, upper)
        notes = self._notes._replace(
            status=upper[1].strip() if 1 in upper else self._notes.status,
            ended=self._frotz.quit or self._has_ended(text, before),
        )
        self._notes = self._learn(notes, text)
        position = snapshot.Position(self._frotz.mark(), self._notes)
        self._blob = snapshot.pack(self._identity, self._initial, position)
        return self._report(text)

    def _has_ended(self, text: str, before: tuple[int, int] | None) -> bool:
        """Whether the story is over; that is looked into where it asks otherwise than before."""
        asks = asks_what_next(text)
        if self._notes.tame:
            return asks
        moved = before is not None and before != self._frotz.prompt
        return (asks or moved or has_banner(text)) and self._is_over(text)

    def _learn(self, notes: snapshot.SnapshotNotes, text: str) -> snapshot.SnapshotNotes:
        """Bring the notes up to date; what the memory does not tell is tried and rolled back."""
        status = self._facts.status(notes.status)
        free = self._frotz.opcode == READ_LINE and not notes.ended and not notes.tame
        if self._reads_tree and not notes.player and free:
            notes = notes._replace(player=self._find_player(), unknown=min(notes.unknown + 1, 255))
        wanted = status.score is None or not notes.maximum
        if free and wanted:
            told = ask_score(self._frotz)
        else:
            told = read_score(text.rpartition("***")[2]) if notes.ended else NOTHING_TOLD
        final = told.score if notes.ended and told.maximum else None
        return notes._replace(
            points=_first(final, status.score, told.score, notes.points),
            turns=_first(status.moves, told.turns, notes.turns + 1),
            maximum=told.maximum or notes.maximum,
        ).bounded()

    def _find_player(self) -> int:
        """Search in the first turns, then now and then."""
        unknown = self._notes.unknown
        if unknown >= _EAGER and unknown % _EAGER:
            return 0
        return PlayerSearch(self._frotz, self._vocabulary).run(_STATES)

    def _report(self, text: str) -> Turn:
        notes = self._notes
        status = self._facts.status(notes.status)
        complete = 0 < notes.maximum <= notes.points
        return Turn(
            text,
            self._blob,
            key=self._frotz.opcode == READ_KEY,
            ended=notes.ended,
            died=tells_of_death(text),
            won=notes.ended and (complete or tells_of_victory(text)),
            room=status.room,
            score=status.score,
            moves=status.moves,
            points=notes.points,
            turns=notes.turns,
            maximum=notes.maximum or None,
            tree=self._tree(),
        )

    def _tree(self) -> Tree | None:
        notes = self._notes
        if not self._reads_tree or not notes.player:
            return None
        if not self._digest and not notes.tame:
            here = self._frotz.mark()
            self._digest = TreeDigest(self._frotz)
            self._bind()
            self._frotz.back(here)
        digest = self._digest() if self._digest and not notes.tame else b""
        return self._facts.tree(notes.player, digest)


def _first(*values: int | None) -> int:
    """The first value that is known; the last always is."""
    return next(value for value in values if value is not None)


def _nothing_typed(command: str) -> str:
    """What we answer to a command without a word."""
    shown = command.strip()[:_SHOWN]
    return f"[Nothing was typed: {shown!r} has no letter that this story can read.]"
