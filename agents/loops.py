"""A model that says the same over and over, told from one that has much to say."""

from __future__ import annotations

LONGEST = 200
"""Characters of what is repeated, at most."""
TIMES = 4
LEAST = 160
"""Characters of all repetitions together, at least."""
_EVERY = 40
"""New characters after which the end of an answer is looked at again."""
LOOP = "loop"
"""Why an answer ended that was broken off here, in the place of a server's own reason."""


def ends_in_loop(text: str) -> bool:
    """Whether a text ends with the same words, or the same blank, four times and more."""
    for period in range(1, LONGEST + 1):
        times = max(TIMES, -(-LEAST // period))
        if len(text) >= times * period and text.endswith(text[-period:] * times):
            return True
    return False


class LoopWatch:
    """Reads an answer as it comes."""

    def __init__(self) -> None:
        self._tail = ""
        self._new = 0

    def loops(self, more: str) -> bool:
        """Whether the answer, with what has just come, has begun to go round in a circle."""
        self._tail = (self._tail + more)[-TIMES * LONGEST :]
        self._new += len(more)
        if self._new < _EVERY:
            return False
        self._new = 0
        return ends_in_loop(self._tail)
