"""Opcodes of libfrotz put under our control: no files, a quit that stops, windows, all letters.

libfrotz calls each opcode through tables of function pointers that it exports.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CDLL, CFUNCTYPE, c_int, c_uint8, c_uint16, c_void_p, cast

from environments.letters import Letters
from environments.screen import COLUMNS, Screen
from environments.zmachine import letter_of

_Routine = CFUNCTYPE(None)
_SAVE, _RESTORE, _QUIT, _SHOW_STATUS = 0x05, 0x06, 0x0A, 0x0C
_RESTART = 0x07
_EXT_SAVE, _EXT_RESTORE, _PRINT_UNICODE, _CHECK_UNICODE = 0x00, 0x01, 0x0B, 0x0C
_CAN_PRINT, _CAN_TYPE = 1, 2
_SET_WINDOW, _SET_CURSOR = 0x2B, 0x2F
_UPPER = 1


def _nothing() -> None:
    """Take an opcode's place."""


class Hooks:
    """Our routines in one copy of libfrotz; they must live as long as it does."""

    def __init__(self, lib: CDLL, letters: Letters) -> None:
        self._lib = lib
        self._letters = letters
        self._routines: list[object] = []
        self.arguments = (c_uint16 * 8).in_dll(lib, "zargs")
        self._output = c_void_p.in_dll(lib, "screen_buffer_ptr")
        self._window = c_int.in_dll(lib, "cwin")
        self._halted = c_int.in_dll(lib, "emulator_halted")
        self._base = 0
        self.screen = Screen()
        self.quit = False
        """The story executed the quit opcode; libfrotz alone would run on past it."""
        self.left = False
        """The story tried to quit, to start anew, to save or to restore, in this turn."""
        self._install(c_uint8.in_dll(lib, "h_version").value)

    def reset(self) -> None:
        """Forget a turn; the output buffer must be empty."""
        self._base = self._output.value or 0
        self.screen.marks.clear()
        self.quit = self.left = False

    def _install(self, version: int) -> None:
        failed = self._fail_by_branch if version <= 3 else self._fail_by_store
        for index in (_SAVE, _RESTORE):
            self._replace("op0_opcodes", index, failed)
        for index in (_EXT_SAVE, _EXT_RESTORE):
            self._replace("ext_opcodes", index, self._fail_by_store)
        self._replace("op0_opcodes", _QUIT, self._stop)
        self.around("op0_opcodes", _RESTART, self._leave)
        self._replace("op0_opcodes", _SHOW_STATUS, _nothing)
        self.around("var_opcodes", _SET_WINDOW, self._note_window)
        self.around("var_opcodes", _SET_CURSOR, self._note_cursor)
        self.around("ext_opcodes", _PRINT_UNICODE, self._name_stand_in)
        self._replace("ext_opcodes", _CHECK_UNICODE, self._check_unicode)

    def _replace(self, table: str, index: int, action: Callable[[], None]) -> None:
        routine = _Routine(action)
        self._routines.append(routine)
        (c_void_p * (index + 1)).in_dll(self._lib, table)[index] = cast(routine, c_void_p).value

    def around(
        self,
        table: str,
        index: int,
        before: Callable[[], None],
        after: Callable[[], None] = _nothing,
    ) -> None:
        """Call routines of ours before and after an opcode's own."""
        address = (c_void_p * (index + 1)).in_dll(self._lib, table)[index]
        original = _Routine(address or 0)

        def action() -> None:
            before()
            original()
            after()

        self._routines.append(original)
        self._replace(table, index, action)

    def _note_window(self) -> None:
        self._lib.flush_buffer()
        self._mark(int(self.arguments[0] == _UPPER), 1)

    def _note_cursor(self) -> None:
        self._lib.flush_buffer()
        row, column = self.arguments[0], self.arguments[1]
        if self._window.value == _UPPER and 0 < row < 0x8000:
            self._mark(row, max(1, min(column, COLUMNS)))

    def _mark(self, row: int, column: int) -> None:
        self.screen.marks.append(((self._output.value or 0) - self._base, row, column))

    def _leave(self) -> None:
        self.left = True

    def _stop(self) -> None:
        self.quit = self.left = True
        self._halted.value = 1

    def _fail_by_branch(self) -> None:
        self.left = True
        self._lib.branch(0)

    def _fail_by_store(self) -> None:
        self.left = True
        self._lib.store(0)

    def _name_stand_in(self) -> None:
        self.arguments[0] = self._letters.byte_of(letter_of(self.arguments[0]))

    def _check_unicode(self) -> None:
        """Every letter can be printed; what can be typed, too, is in the story's own table."""
        code = self.arguments[0]
        typed = _CAN_TYPE if self._letters.can_type(letter_of(code)) else 0
        self._lib.store(0 if code < 0x20 or 0x7F <= code < 0xA0 else _CAN_PRINT | typed)
