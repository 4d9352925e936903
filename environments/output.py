"""What libfrotz prints, in a place that has room for it: its own holds 8,191 letters."""

from __future__ import annotations

from ctypes import CDLL, c_int, c_long, c_size_t, c_void_p, string_at

ROOM = 1 << 20
"""Letters that one turn may print; a story that prints more has lost its way and is stopped."""
_GUARD = 1 << 12
"""A page that nobody may write: who prints into it is ended by the system, not heard half."""
_BELOW = 1 << 32
_READ_WRITE, _NOTHING = 3, 0
_PRIVATE_ANONYMOUS = 0x22


class Output:
    """Text that libfrotz writes where we say, which must outlive its copy of the library.

    libfrotz stops writing that far behind the start of its own buffer. What lies before it has
    no such end, so ours is put at a lower address.
    """

    def __init__(self, lib: CDLL) -> None:
        self._lib = lib
        self._end = c_void_p.in_dll(lib, "screen_buffer_ptr")
        lib.dumb_clear_screen()
        self._start = _pages_below(self._end.value or 0)

    def clear(self) -> None:
        """Forget what was printed so far; what follows is written here."""
        self._lib.flush_buffer()
        self._end.value = self._start

    def take(self) -> bytes:
        """What was printed since, with the last word, mostly a prompt."""
        self._lib.flush_buffer()
        printed = string_at(self._start, (self._end.value or 0) - self._start)
        self._end.value = self._start
        return printed

    def take_opening(self) -> bytes:
        """What was printed before libfrotz went back to its own buffer, as a restart does."""
        self._end.value = self._start
        return string_at(self._start)


def _pages_below(address: int) -> int:
    """Memory for the text, with the guard behind it, at a lower address."""
    libc = CDLL(None)
    libc.mmap.restype = c_void_p
    libc.mmap.argtypes = c_void_p, c_size_t, c_int, c_int, c_int, c_long
    libc.mprotect.argtypes = c_void_p, c_size_t, c_int
    wish = (address - _BELOW) // _GUARD * _GUARD
    start = int(libc.mmap(wish, ROOM + _GUARD, _READ_WRITE, _PRIVATE_ANONYMOUS, -1, 0) or 0)
    if not 0 < start < address - ROOM - _GUARD or libc.mprotect(start + ROOM, _GUARD, _NOTHING):
        raise OSError("there is no memory for what the story prints")
    return start
