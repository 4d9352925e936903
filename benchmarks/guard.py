"""An emulator that watches what reading a line changes in a story's memory."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

import numpy as np

from environments import snapshot
from environments.frotz import READ_LINE, Frotz
from environments.sanitiser import MetaCommands, plain_line
from environments.story import Story
from environments.vocabulary import Vocabulary

_READ = 0x24
"""The opcode `read` among those with a variable number of operands."""
_VARIABLE_BYTES = 480


class Guard:
    """Counts reads that changed memory outside the story's text and parse buffers.

    From version 5 on, `read` also stores the terminating key, maybe in a global variable.
    """

    def __init__(self, frotz: Frotz) -> None:
        self.overwrites = 0
        self._frotz = frotz
        self._before = frotz.dynamic.copy()
        frotz.hooks.around("var_opcodes", _READ, self._note, self._compare)

    def _note(self) -> None:
        self._text, self._parse = self._frotz.hooks.arguments[0], self._frotz.hooks.arguments[1]
        self._before = self._frotz.dynamic.copy()

    def _compare(self) -> None:
        changed = self._frotz.dynamic != self._before
        letters, tokens = int(self._before[self._text]), int(self._frotz.dynamic[self._parse + 1])
        changed[
            self._text : self._text + letters + (2 if self._frotz.header.version >= 5 else 1)
        ] = 0
        if self._parse:
            changed[self._parse : self._parse + 2 + 4 * tokens] = False
        start = self._frotz.header.variables
        stored = int(changed[start : start + _VARIABLE_BYTES].sum())
        allowed = stored if self._frotz.header.version >= 5 and stored <= 2 else 0
        self.overwrites += int(np.count_nonzero(changed)) > allowed


def overwrites(story: Story, lines: list[tuple[bytes, str]]) -> int:
    """Replay lines from their snapshots under guard; returns how many overwrote memory.

    It happens in a process of its own, whose output libfrotz may have.
    """
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, _mute) as pool:
        return pool.submit(_overwrites, story, lines).result()


def _mute() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)


def _overwrites(story: Story, lines: list[tuple[bytes, str]]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "story.z5")
        path.write_bytes(story.data + b"\0")
        frotz = Frotz(path)
    identity = sha256(story.data).digest()
    initial = np.frombuffer(story.data[: frotz.header.static], dtype=np.uint8)
    vocabulary = Vocabulary(story.data)
    meta = MetaCommands(vocabulary.letters, debugging="purloin" in vocabulary)
    guard = Guard(frotz)
    for blob, text in lines:
        frotz.back(snapshot.unpack(identity, initial, blob).mark)
        line = plain_line(text, frotz.input_room())
        if frotz.opcode == READ_LINE and not meta.find(line):
            frotz.step(line)
    return guard.overwrites
