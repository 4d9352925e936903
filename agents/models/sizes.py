"""How large a model is, read from its name."""

from __future__ import annotations

import re

MAX_SHORT = 14
"""Billions of parameters up to which a model is asked in the short form by default."""
_SIZE = re.compile(
    r"(?<![a-z0-9.])(?:(\d{1,4}(?:\.\d{1,2})?)(b)|(\d{2,3})(m))(?![a-z0-9])", re.IGNORECASE
)
_BILLIONS = {"b": 1.0, "m": 0.001}


def size_in(name: str) -> float | None:
    """Billions of parameters that a name tells of; None where it tells none."""
    found = (match.groups() for match in _SIZE.finditer(name))
    sizes = [float(b or m) * _BILLIONS["b" if b else "m"] for b, _, m, _ in found]
    return max(sizes, default=None)
