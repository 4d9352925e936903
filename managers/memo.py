"""Values made from entries of the state, each made once: entries are replaced, never edited."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class Memo(Generic[V]):
    """The last value for every key, with the entries it was made from."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[Any, ...], V]] = {}

    def value(self, key: str, entries: tuple[Any, ...], make: Callable[[], V]) -> V:
        """The value for a key, made anew where an entry is another object than before."""
        known = self._known.get(key)
        if known is not None and all(map(is_, known[0], entries)):
            return known[1]
        value = make()
        self._known[key] = (entries, value)
        return value
