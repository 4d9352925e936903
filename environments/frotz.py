"""libfrotz through Jericho's `FrotzEnv`: steps, live memory, and states to come back to.

The story must be one that Jericho does not know (`environments.process` sees to it), so that
all stories behave alike and no table of a particular game is ever used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from ctypes import CDLL, addressof, c_int, c_long, c_ubyte, c_uint8, c_uint16, c_void_p
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from jericho import FrotzEnv

from environments.hooks import Hooks
from environments.letters import Letters
from environments.output import Output
from environments.screen import strip_status
from environments.zmachine import Header, Objects, word

Bytes = npt.NDArray[np.uint8]
READ_LINE, READ_KEY = 228, 246
"""The opcodes at which libfrotz waits for input."""
STACK_WORDS = 1024
_LOW_BITS = 0xFFFFFFFF
_NO_CLOCK = b"sf0"
"""A setting of libfrotz: real time never interrupts an input."""


_LIKE_ZERO = -(1 << 31)
"""A seed like 0, which Jericho takes for none: the highest bit never matters."""
_LOGS = (
    (0, "move_diff_cnt", "move_diff_objs", "move_diff_dest"),
    (1, "attr_diff_cnt", "attr_diff_objs", "attr_diff_nb"),
    (2, "attr_clr_cnt", "attr_clr_objs", "attr_clr_nb"),
)
_LOG_LENGTH = 16


class Registers(NamedTuple):
    """The interpreter's registers; `sp` and `fp` count 16-bit words from the stack's low end."""

    pc: int
    sp: int
    fp: int
    frames: int
    opcode: int
    window: int
    """The selected window."""
    random: int
    """State of the random number generator: its low 32 bits, the only ones that ever matter."""
    interval: int
    counter: int


class Halted(Exception):
    """The story did something illegal; the process must be given up."""


class StateMark(NamedTuple):
    """A state of the story within one process."""

    memory: Bytes
    stack: bytes
    registers: Registers

    @property
    def prompt(self) -> tuple[int, int]:
        """At which place in the program, and how deep in it, the story reads."""
        return self.registers.pc, self.registers.frames


class _Log:
    """One of libfrotz's logs of changes to the object tree."""

    def __init__(self, lib: CDLL, kind: int, count: str, objects: str, values: str) -> None:
        self._kind = kind << 32
        self._count = c_int.in_dll(lib, count)
        self._objects = (c_uint16 * _LOG_LENGTH).in_dll(lib, objects)
        self._values = (c_uint16 * _LOG_LENGTH).in_dll(lib, values)

    def read(self) -> Iterator[int]:
        for i in range(min(self._count.value, _LOG_LENGTH)):
            yield self._kind | self._objects[i] << 16 | self._values[i]


class Frotz:
    """One story in one copy of libfrotz. After `halted` the process must be given up.

    `before_step` is called before every line or key that the story is fed.
    """

    def __init__(self, path: Path, before_step: Callable[[], object] = lambda: None) -> None:
        self._before_step = before_step
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._env = FrotzEnv(str(path), 1)
        self._lib = lib = self._env.frotz_lib
        lib.getRngA.restype = c_long
        self._story = c_void_p.in_dll(lib, "zmp")
        self._stack = (c_uint16 * STACK_WORDS).in_dll(lib, "stack")
        self._stack_bytes = memoryview(self._stack).cast("B")
        self._opcode = c_uint8.in_dll(lib, "next_opcode")
        self._halted = c_int.in_dll(lib, "emulator_halted")
        self._program = c_void_p.in_dll(lib, "pcp")
        self._top = c_void_p.in_dll(lib, "sp")
        self._frame = c_void_p.in_dll(lib, "fp")
        self._frames = c_uint16.in_dll(lib, "frame_count")
        self._base = addressof(self._stack)
        self._logs = [_Log(lib, *names) for names in _LOGS]
        self._window = c_int.in_dll(lib, "cwin")
        self._arguments = (c_uint16 * 8).in_dll(lib, "zargs")
        self._changes = [c_int.in_dll(lib, counter) for _, counter, *_ in _LOGS]
        self._output = Output(lib)
        story = path.read_bytes()
        self.letters = Letters(story, Header.read(story))
        self._replace_file(story)
        self.hooks = Hooks(lib, self.letters)
        self.start(1)

    def _replace_file(self, story: bytes) -> None:
        """Have every restart read the story with the stand-ins of its letters."""
        prepared = bytearray(story)
        self.letters.put_in(prepared)
        cache = self._env._cache
        cache.update({name: (bytes(prepared), *rest) for name, (_, *rest) in cache.items()})

    def start(self, seed: int) -> str:
        """Restart with a seed; returns the raw opening text up to the first input."""
        self._output.clear()
        self.hooks.reset()
        self._env.seed(seed or _LIKE_ZERO)
        self._env.reset()
        opening = self._output.take_opening()
        self._lib.dumb_handle_setting(_NO_CLOCK, 0, 0)
        self._bind()
        self.letters.take_back(self.memory)
        return self.letters.printed(opening + self._output.take())

    def step(self, line: str) -> str:
        """Feed one line (or one key), without its newline; returns the output.

        libfrotz would keep further letters after a key for the next key, outside any snapshot.
        """
        if self._halted.value:
            return ""
        self._before_step()
        self.hooks.screen.marks.clear()
        self.hooks.left = False
        for count in self._changes:
            count.value = 0
        typed = self.letters.typed(line[:1] if self._opcode.value == READ_KEY else line)
        self._lib.dumb_set_next_action(typed + b"\n")
        self._run()
        output = self.letters.printed(self._output.take())
        if self.header.version > 3:
            return output
        text = strip_status(output)
        self.hooks.screen.shift(len(output) - len(text))
        return text

    def _run(self) -> None:
        """Let the story go on to its next input."""
        self.letters.put_in(self.memory)
        self._lib.zstep()
        self._lib.run_free()
        self.letters.take_back(self.memory)

    @property
    def quit(self) -> bool:
        """The story ended the session."""
        return self.hooks.quit

    @property
    def halted(self) -> bool:
        """The story did something illegal, and the interpreter stopped."""
        return bool(self._halted.value) and not self.quit

    @property
    def opcode(self) -> int:
        """What the interpreter waits for: `READ_LINE` or `READ_KEY`."""
        return self._opcode.value

    @property
    def prompt(self) -> tuple[int, int]:
        """At which place in the program, and how deep in it, the story reads."""
        return self._lib.getPC(), self._frames.value

    def registers(self) -> Registers:
        """The registers, as whole numbers."""
        lib = self._lib
        return Registers(
            pc=(self._program.value or 0) - (self._story.value or 0),
            sp=((self._top.value or 0) - self._base) // 2,
            fp=((self._frame.value or 0) - self._base) // 2,
            frames=self._frames.value,
            opcode=self._opcode.value,
            window=self._window.value,
            random=lib.getRngA() & _LOW_BITS,
            interval=lib.getRngInterval(),
            counter=lib.getRngCounter(),
        )

    def stack(self, sp: int) -> bytes:
        """The used part of the stack."""
        return bytes(self._stack_bytes[2 * sp :])

    def mark(self) -> StateMark:
        """Where the story is now, to come back to within this process."""
        registers = self.registers()
        return StateMark(self.dynamic.copy(), self.stack(registers.sp), registers)

    def back(self, mark: StateMark) -> None:
        """Return to a mark.

        Raises:
            Halted: The interpreter stopped since; what it has half done cannot be undone.
        """
        if self.halted:
            raise Halted
        self.dynamic[:] = mark.memory
        lib, registers = self._lib, mark.registers
        self._stack_bytes[2 * registers.sp :] = mark.stack
        lib.setRng(registers.random, registers.interval, registers.counter)
        self._program.value = (self._story.value or 0) + registers.pc
        self._top.value = self._base + 2 * registers.sp
        self._frame.value = self._base + 2 * registers.fp
        self._frames.value = registers.frames
        self._opcode.value = registers.opcode
        self._halted.value = 0
        self.hooks.quit = False
        if self._window.value != registers.window:
            self._arguments[0] = registers.window
            lib.z_set_window()

    def parents(self) -> npt.NDArray[np.uint16]:
        """The parent of every object, object 1 first."""
        if self.header.version <= 3:
            return self._table[:, 4].astype(np.uint16)
        return self._table[:, 6:8].copy().view(">u2").ravel().astype(np.uint16)

    def tree(self) -> Bytes:
        """Attributes and parent of every object, one row each, object 1 first."""
        width = self.objects.attribute_bytes
        return self._table[:, : width + (1 if self.header.version <= 3 else 2)].copy()

    def tree_changes(self, mark: StateMark) -> bytes:
        """Bytes of the object table that differ from a mark's: offset (two bytes) and value."""
        start, end = self.objects.start, self.objects.end
        now, before = self.dynamic[start:end], mark.memory[start:end]
        if now.tobytes() == before.tobytes():
            return b""
        changed = np.flatnonzero(now != before)
        pairs = np.empty((len(changed), 3), np.uint8)
        pairs[:, 0], pairs[:, 1], pairs[:, 2] = changed >> 8, changed & 255, now[changed]
        return pairs.tobytes()

    def events(self) -> tuple[int, ...]:
        """What the last step did to the object tree, as libfrotz logged it (see `Probe`)."""
        return tuple(event for log in self._logs for event in log.read())

    def input_room(self) -> int | None:
        """How many letters the story's own text buffer takes; None where that is unreadable.

        Decodes the first operand of the pending `read` (Standard, sections 4.2 to 4.5, and 15).
        """
        if self._opcode.value != READ_LINE:
            return 1
        address = self._first_operand()
        if not 0 < address < len(self.dynamic) - 2:
            return None
        size = self.memory[address]
        if self.header.version >= 5:
            return max(0, size - self.memory[address + 1])
        return max(0, size - 1)

    def _first_operand(self) -> int:
        pc = self._lib.getPC()
        kind = self.memory[pc] >> 6
        if kind == 0:
            return word(self.memory, pc + 1)
        value: int = self.memory[pc + 1]
        if kind == 1:
            return value
        if value == 0:
            return int(self._stack[self._lib.getSP()])
        if value < 16:
            return int(self._stack[self._lib.getFP() - value])
        return word(self.memory, self.header.variables + 2 * (value - 16))

    def _bind(self) -> None:
        """View the story's memory anew: every restart of libfrotz allocates it elsewhere."""
        size = c_int.in_dll(self._lib, "story_size").value
        block = (c_ubyte * size).from_address(self._story.value or 0)
        self.memory = memoryview(block).cast("B")
        self.header = Header.read(self.memory)
        self.objects = Objects(self.memory, self.header)
        self.dynamic: Bytes = np.frombuffer(self.memory[: self.header.static], dtype=np.uint8)
        shape = self.objects.count, self.objects.entry_size
        self._table = self.dynamic[self.objects.start : self.objects.end].reshape(shape)
