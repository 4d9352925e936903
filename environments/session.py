"""One story inside the worker process: plays lines from snapshots and reads what came of them."""

from __future__ import annotations

from hashlib import blake2b, sha256
from pathlib import Path

import numpy as np

from environments import snapshot
from environments.endings import asks_what_next, tells_of_death, tells_of_victory
from environments.frotz import READ_KEY, Frotz
from environments.sanitiser import meta_word, plain_line, refusal, single_key
from environments.screen import clean, read_status, strip_status
from environments.turn import Turn
from environments.zmachine import Objects, signed, variable

_OVER = "[The story has ended.]"


class Session:
    """A story in the emulator, always at exactly one snapshot."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()[:-1]
        self._identity = sha256(data).digest()
        self._frotz = Frotz(path, 1)
        self._header = self._frotz.header
        self._initial = np.frombuffer(data[: self._header.static], dtype=np.uint8)
        self._letters = 6 if self._header.version <= 3 else 9
        self._status = ""
        self._ended = False
        self._at = b""
        self._rebind()

    def start(self, seed: int) -> Turn:
        """Restart with a seed; the turn's text is the opening."""
        raw = self._frotz.start(seed)
        self._rebind()
        self._status, self._ended = "", False
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
            line = plain_line(command, self._frotz.room_in_buffer())
            if verb := meta_word(line, self._letters):
                return self._report(refusal(verb))
        return self._outcome(self._frotz.step(line.encode("ascii")))

    def _rebind(self) -> None:
        self._objects = Objects(self._frotz.memory, self._header)
        self._dynamic = np.frombuffer(self._frotz.dynamic, dtype=np.uint8)
        self._table = self._frotz.memory[self._objects.start : self._objects.end]

    def _go(self, blob: bytes) -> None:
        if blob == self._at:
            return
        machine = snapshot.unpack(self._identity, len(self._initial), blob)
        delta = np.frombuffer(machine.delta, dtype=np.uint8)
        np.bitwise_xor(delta, self._initial, out=self._dynamic)
        self._frotz.restore(machine.registers, machine.stack)
        self._status, self._ended, self._at = machine.status, machine.ended, blob

    def _outcome(self, raw: str) -> Turn:
        """Read the text of a step, and take the snapshot after it."""
        lower, upper = self._frotz.screen.divide(raw)
        if self._header.version <= 3:
            lower = strip_status(lower)
        elif 1 in upper:
            self._status = upper[1].strip()
        text = clean(lower, upper)
        self._ended = self._frotz.quit or asks_what_next(text)
        self._at = self._pack()
        return self._report(text)

    def _pack(self) -> bytes:
        registers = self._frotz.registers()
        return snapshot.pack(
            self._identity,
            snapshot.Machine(
                registers,
                np.bitwise_xor(self._dynamic, self._initial).tobytes(),
                self._frotz.stack(registers.sp),
                self._status,
                self._ended,
            ),
        )

    def _report(self, text: str) -> Turn:
        room, score, moves = self._status_line()
        return Turn(
            text,
            self._at,
            key=self._frotz.opcode == READ_KEY,
            halted=self._frotz.halted,
            ended=self._ended,
            died=tells_of_death(text),
            won=self._ended and tells_of_victory(text),
            room=room,
            score=score,
            moves=moves,
            points=score or 0,
            turns=moves or 0,
            tree_hash=blake2b(self._table, digest_size=8).digest(),
        )

    def _status_line(self) -> tuple[str | None, int | None, int | None]:
        """Title, score and moves that a player would read at the top of the screen now."""
        if self._header.version > 3:
            status = read_status(self._status)
            return status.room, status.score, status.moves
        place, score, moves = (variable(self._frotz.memory, self._header, n) for n in range(3))
        title = self._objects.name(place) if 0 < place <= self._objects.count else None
        if self._header.time_game:
            return title, None, None
        return title, signed(score), moves
