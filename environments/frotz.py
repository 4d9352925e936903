"""libfrotz through Jericho's `FrotzEnv`: steps, live memory, and states to come back to.

The story must be one that Jericho does not know (`environments.process` sees to it), so that
all stories behave alike and no table of a particular game is ever used.
"""

from __future__ import annotations

import warnings
from ctypes import c_char_p, c_int, c_long, c_ubyte, c_uint8, c_uint16, c_void_p
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from jericho import FrotzEnv

from environments.hooks import Hooks
from environments.zmachine import Header, Objects, word

Bytes = npt.NDArray[np.uint8]
READ_LINE, READ_KEY = 228, 246
"""The opcodes at which libfrotz waits for input."""
STACK_WORDS = 1024
_LOW_BITS = 0xFFFFFFFF
_NO_CLOCK = b"sf0"
"""A setting of libfrotz: real time never interrupts an input."""


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


class Mark(NamedTuple):
    """A state of the story within one process."""

    memory: Bytes
    stack: bytes
    registers: Registers


class Frotz:
    """One story in one copy of libfrotz. After `halted` the process must be given up."""

    def __init__(self, path: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._env = FrotzEnv(str(path), 1)
        self._lib = lib = self._env.frotz_lib
        lib.getRngA.restype = c_long
        lib.dumb_get_screen.restype = c_char_p
        self._story = c_void_p.in_dll(lib, "zmp")
        self._stack = (c_uint16 * STACK_WORDS).in_dll(lib, "stack")
        self._stack_bytes = memoryview(self._stack).cast("B")
        self._opcode = c_uint8.in_dll(lib, "next_opcode")
        self._halted = c_int.in_dll(lib, "emulator_halted")
        self._window = c_int.in_dll(lib, "cwin")
        self._arguments = (c_uint16 * 8).in_dll(lib, "zargs")
        self._hooks = Hooks(lib)
        self.screen = self._hooks.screen
        self.start(1)

    def start(self, seed: int) -> str:
        """Restart with a seed; returns the raw opening text up to the first input."""
        self._rest()
        self._hooks.reset()
        self._env.seed(seed)
        text, _ = self._env.reset()
        self._lib.dumb_handle_setting(_NO_CLOCK, 0, 0)
        self._bind()
        return str(text) + self._rest()

    def step(self, line: bytes) -> str:
        """Feed one line (or one key), without its newline; returns the raw output.

        libfrotz would keep further letters after a key for the next key, outside any snapshot.
        """
        self.screen.marks.clear()
        if self._opcode.value == READ_KEY:
            line = line[:1]
        text = self._lib.step(line + b"\n")
        return str(text, "latin-1") + self._rest()

    @property
    def quit(self) -> bool:
        """The story ended the session."""
        return self._hooks.quit

    @property
    def halted(self) -> bool:
        """The story did something illegal, and the interpreter stopped."""
        return bool(self._halted.value) and not self.quit

    @property
    def opcode(self) -> int:
        """What the interpreter waits for: `READ_LINE` or `READ_KEY`."""
        return self._opcode.value

    def registers(self) -> Registers:
        """The registers, as whole numbers."""
        lib = self._lib
        return Registers(
            pc=lib.getPC(),
            sp=lib.getSP(),
            fp=lib.getFP(),
            frames=lib.getFrameCount(),
            opcode=self._opcode.value,
            window=self._window.value,
            random=lib.getRngA() & _LOW_BITS,
            interval=lib.getRngInterval(),
            counter=lib.getRngCounter(),
        )

    def stack(self, sp: int) -> bytes:
        """The used part of the stack."""
        return bytes(self._stack_bytes[2 * sp :])

    def mark(self) -> Mark:
        """Where the story is now, to come back to within this process."""
        registers = self.registers()
        return Mark(self.dynamic.copy(), self.stack(registers.sp), registers)

    def back(self, mark: Mark) -> None:
        """Return to a mark."""
        self.dynamic[:] = mark.memory
        lib, registers = self._lib, mark.registers
        self._stack_bytes[2 * registers.sp :] = mark.stack
        lib.setRng(registers.random, registers.interval, registers.counter)
        lib.setPC(registers.pc)
        lib.setSP(registers.sp)
        lib.setFP(registers.fp)
        lib.setFrameCount(registers.frames)
        self._opcode.value = registers.opcode
        self._halted.value = 0
        self._hooks.quit = False
        if self._window.value != registers.window:
            self._arguments[0] = registers.window
            lib.z_set_window()

    def parents(self) -> npt.NDArray[np.uint16]:
        """The parent of every object, object 1 first."""
        if self.header.version <= 3:
            return self._table[:, 4].astype(np.uint16)
        return self._table[:, 6:8].copy().view(">u2").ravel().astype(np.uint16)

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

    def _rest(self) -> str:
        """What the interpreter still buffers: the last word before the input, mostly a prompt."""
        self._lib.flush_buffer()
        rest = str(self._lib.dumb_get_screen(), "latin-1")
        self._lib.dumb_clear_screen()
        return rest

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
