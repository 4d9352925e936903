"""libfrotz through Jericho's `FrotzEnv`: steps, live memory, registers; no files, no hot keys.

Every story is loaded as one that Jericho does not know (see `story_copy`), so that all stories
behave alike and what Jericho's own tables say is never used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_char_p, c_int, c_long, c_ubyte, c_uint8, c_uint16, c_void_p, cast
from pathlib import Path

from jericho import FrotzEnv

from environments.screen import Screen
from environments.snapshot import Registers
from environments.zmachine import Header, word

READ_LINE, READ_KEY = 228, 246
"""The opcodes at which libfrotz waits for input."""
STACK_WORDS = 1024
_WORD_MASK = 0xFFFFFFFF

_Hook = CFUNCTYPE(None)
_SAVE, _RESTORE, _QUIT, _SHOW_STATUS = 0x05, 0x06, 0x0A, 0x0C
_EXT_SAVE, _EXT_RESTORE = 0x00, 0x01
_SPLIT_WINDOW, _SET_WINDOW, _SET_CURSOR = 0x2A, 0x2B, 0x2F


class Frotz:
    """One story in one copy of libfrotz. After `halted` the process must be given up."""

    def __init__(self, path: Path, seed: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._env = FrotzEnv(str(path), seed)
        self._lib = lib = self._env.frotz_lib
        lib.getRngA.restype = c_long
        lib.dumb_get_screen.restype = c_char_p
        self._zmp = c_void_p.in_dll(lib, "zmp")
        self._stack = (c_uint16 * STACK_WORDS).in_dll(lib, "stack")
        self._stack_bytes = memoryview(self._stack).cast("B")
        self._opcode = c_uint8.in_dll(lib, "next_opcode")
        self._halted = c_int.in_dll(lib, "emulator_halted")
        self._window = c_int.in_dll(lib, "cwin")
        self._arguments = (c_uint16 * 8).in_dll(lib, "zargs")
        self._output = c_void_p.in_dll(lib, "screen_buffer_ptr")
        self._base = 0
        self._kept: list[object] = []
        self.screen = Screen()
        self.quit = False
        """The story executed the quit opcode; libfrotz alone would run on past it."""
        self._install()
        self.start(seed)

    def start(self, seed: int) -> str:
        """Restart with a seed; returns the raw opening text up to the first input."""
        self._lib.dumb_clear_screen()
        self._base = self._output.value or 0
        self.screen.marks.clear()
        self.quit = False
        self._env.seed(seed)
        text, _ = self._env.reset()
        self._lib.dumb_handle_setting(b"sf0", 0, 0)
        self._bind()
        return str(text) + self._rest()

    def step(self, line: bytes) -> str:
        """Feed one line (or one key), without its newline; returns the raw output."""
        self.screen.marks.clear()
        text = self._lib.step(line + b"\n")
        return str(text, "latin-1") + self._rest()

    @property
    def halted(self) -> bool:
        """The story did something illegal, and the interpreter stopped."""
        return bool(self._halted.value) and not self.quit

    @property
    def opcode(self) -> int:
        """What the interpreter waits for: `READ_LINE` or `READ_KEY`."""
        return int(self._opcode.value)

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
            random=lib.getRngA() & _WORD_MASK,
            interval=lib.getRngInterval(),
            counter=lib.getRngCounter(),
        )

    def stack(self, sp: int) -> bytes:
        """The used part of the stack."""
        return bytes(self._stack_bytes[2 * sp :])

    def restore(self, registers: Registers, stack: bytes) -> None:
        """Set registers and stack; the caller writes `dynamic` itself."""
        lib = self._lib
        self._stack_bytes[2 * registers.sp :] = stack
        lib.setRng(registers.random, registers.interval, registers.counter)
        lib.setPC(registers.pc)
        lib.setSP(registers.sp)
        lib.setFP(registers.fp)
        lib.setFrameCount(registers.frames)
        self._opcode.value = registers.opcode
        self._halted.value = 0
        self.quit = False
        if self._window.value != registers.window:
            self._arguments[0] = registers.window
            lib.z_set_window()

    def room_in_buffer(self) -> int | None:
        """How many letters the story's own text buffer takes; None where that is unreadable.

        Decodes the first operand of the pending `read` (Standard, sections 4.2-4.5 and 15).
        """
        if self.opcode != READ_LINE:
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
        block = (c_ubyte * size).from_address(self._zmp.value or 0)
        self.memory = memoryview(block).cast("B")
        self.header = Header.read(self.memory)
        self.dynamic = self.memory[: self.header.static]
        self._lib.dumb_clear_screen()
        self._base = self._output.value or 0

    def _install(self) -> None:
        """Take files and the quit opcode away from the story, and note where it prints."""
        failed = self._fail_by_branch if self.memory_version() <= 3 else self._fail_by_store
        for index in (_SAVE, _RESTORE):
            self._replace("op0_opcodes", index, failed)
        for index in (_EXT_SAVE, _EXT_RESTORE):
            self._replace("ext_opcodes", index, self._fail_by_store)
        self._replace("op0_opcodes", _QUIT, self._stop)
        self._replace("op0_opcodes", _SHOW_STATUS, lambda: None)
        self._precede("var_opcodes", _SET_WINDOW, self._note_window)
        self._precede("var_opcodes", _SET_CURSOR, self._note_cursor)

    def memory_version(self) -> int:
        """The story's Z-machine version."""
        return int(c_uint8.in_dll(self._lib, "h_version").value)

    def _replace(self, table: str, index: int, action: Callable[[], None]) -> int:
        cells = (c_void_p * (index + 1)).in_dll(self._lib, table)
        original = cells[index] or 0
        hook = _Hook(action)
        self._kept.append(hook)
        cells[index] = cast(hook, c_void_p).value
        return original

    def _precede(self, table: str, index: int, note: Callable[[], None]) -> None:
        cells = (c_void_p * (index + 1)).in_dll(self._lib, table)
        original = _Hook(cells[index] or 0)

        def action() -> None:
            self._lib.flush_buffer()
            note()
            original()

        self._kept.append(original)
        self._replace(table, index, action)

    def _offset(self) -> int:
        return (self._output.value or 0) - self._base

    def _note_window(self) -> None:
        self.screen.marks.append((self._offset(), int(self._arguments[0] == 1), 1))

    def _note_cursor(self) -> None:
        row, column = self._arguments[0], self._arguments[1]
        if self._window.value == 1 and 0 < row < 0x8000:
            self.screen.marks.append((self._offset(), row, max(1, min(column, 128))))

    def _stop(self) -> None:
        self.quit = True
        self._halted.value = 1

    def _fail_by_branch(self) -> None:
        self._lib.branch(0)

    def _fail_by_store(self) -> None:
        self._lib.store(0)
