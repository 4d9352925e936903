"""One story inside the worker process: plays lines from snapshots and reads what came of them."""

from __future__ import annotations

from hashlib import blake2b, sha256
from pathlib import Path

import numpy as np

from environments import snapshot
from environments.endings import asks_what_next, tells_of_death, tells_of_victory
from environments.facts import Facts
from environments.frotz import READ_KEY, READ_LINE, Frotz
from environments.player import find_player
from environments.sanitiser import meta_word, plain_line, refusal, single_key
from environments.screen import clean, strip_status
from environments.turn import Turn

_OVER = "[The story has ended.]"
_EARLY_STATES = 12
"""States that the search for the protagonist visits at the opening; later on, one a turn."""


class Session:
    """A story in the emulator, always at exactly one snapshot."""

    def __init__(self, path: Path, *, tree: bool) -> None:
        data = path.read_bytes()[:-1]
        self._tree = tree
        self._identity = sha256(data).digest()
        self._frotz = Frotz(path)
        header = self._frotz.header
        self._initial = np.frombuffer(data[: header.static], dtype=np.uint8)
        self._old = header.version <= 3
        self._letters = 6 if self._old else 9
        self._status = ""
        self._player = 0
        self._ended = False
        self._blob = b""
        self._bind()

    def start(self, seed: int) -> Turn:
        """Restart with a seed; the turn's text is the opening."""
        raw = self._frotz.start(seed)
        self._bind()
        self._status, self._player, self._ended = "", 0, False
        return self._outcome(raw)

    def view(self, blob: bytes) -> Turn:
        """Go to a snapshot; the turn has no text."""
        self._go(blob)
        return self._report("")

    def play(self, blob: bytes, command: str) -> Turn:
        """Play one command from a snapshot."""
        self._go(blob)
        if self._ended:
            return self._report(_OVER)
        if self._frotz.opcode == READ_KEY:
            line = single_key(command)
        else:
            line = plain_line(command, self._frotz.input_room())
            if verb := meta_word(line, self._letters):
                return self._report(refusal(verb))
        return self._outcome(self._frotz.step(line.encode("ascii")))

    def _bind(self) -> None:
        frotz = self._frotz
        objects = frotz.objects
        self._facts = Facts(frotz.memory, frotz.header, objects)
        self._table = frotz.memory[objects.start : objects.end]

    def _go(self, blob: bytes) -> None:
        if blob == self._blob:
            return
        position = snapshot.unpack(self._identity, self._initial, blob)
        self._frotz.back(position.mark)
        self._status, self._player = position.status, position.player
        self._ended, self._blob = position.ended, blob

    def _outcome(self, raw: str) -> Turn:
        """Read the text of a step, and take the snapshot after it."""
        lower, upper = self._frotz.screen.divide(raw)
        if self._old:
            lower = strip_status(lower)
        elif 1 in upper:
            self._status = upper[1].strip()
        text = clean(lower, upper)
        self._ended = self._frotz.quit or asks_what_next(text)
        if self._tree and not self._player and self._frotz.opcode == READ_LINE and not self._ended:
            self._player = find_player(self._frotz, _EARLY_STATES)
        position = snapshot.Position(self._frotz.mark(), self._status, self._player, self._ended)
        self._blob = snapshot.pack(self._identity, self._initial, position)
        return self._report(text)

    def _report(self, text: str) -> Turn:
        status = self._facts.status(self._status)
        return Turn(
            text,
            self._blob,
            key=self._frotz.opcode == READ_KEY,
            halted=self._frotz.halted,
            ended=self._ended,
            died=tells_of_death(text),
            won=self._ended and tells_of_victory(text),
            room=status.room,
            score=status.score,
            moves=status.moves,
            points=status.score or 0,
            turns=status.moves or 0,
            tree_hash=blake2b(self._table, digest_size=8).digest(),
            tree=self._facts.tree(self._player) if self._tree and self._player else None,
        )
