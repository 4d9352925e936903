"""A digest of where things are and how they are, without what moves by itself."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from environments.frotz import READ_KEY, Frotz

_KEYS = 8
"""Keys pressed at most to get through a story's introduction."""
_WAITS = 40
_DIGEST_BYTES = 8


class TreeDigest:
    """Digests one story's object tree; what changes while the protagonist waits is left out.

    That is learned once from the story's opening with a fixed seed, so that it depends on the
    story alone. The order of siblings does not count either.
    """

    def __init__(self, frotz: Frotz) -> None:
        self._frotz = frotz
        frotz.start(1)
        for _ in range(_KEYS):
            if frotz.opcode == READ_KEY:
                frotz.step(" ")
        restless = np.zeros(frotz.objects.count, dtype=bool)
        for _ in range(_WAITS):
            if frotz.opcode == READ_KEY or frotz.quit or frotz.halted:
                break
            before = frotz.tree()
            frotz.step("wait")
            restless |= (frotz.tree() != before).any(axis=1)
        self._steady = np.flatnonzero(~restless)

    def __call__(self) -> bytes:
        """The digest of the present state; equal worlds have equal digests."""
        return blake2b(
            self._frotz.tree()[self._steady].tobytes(), digest_size=_DIGEST_BYTES
        ).digest()
