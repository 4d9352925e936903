"""What has changed in a dict since an earlier state of it, and the dict that this makes again.

Values of the state are replaced and never edited: what is the same object has not changed, and
nobody needs to look into it.
"""

from __future__ import annotations

from itertools import compress, repeat
from operator import is_not
from typing import Any, NamedTuple

Values = dict[Any, Any]
Told = tuple[Values, dict[Any, Any], list[Any], list[Any]]
"""What stands under a key now; what has changed in the dict that stood there before, told alike;
the keys that are gone; and those that come last now, in their order."""

_MISSING = object()


class Changes(NamedTuple):
    """What makes one dict of another."""

    told: Told

    @classmethod
    def between(cls, old: Values, new: Values) -> Changes:
        """What makes the one of the other."""
        return cls(_changes(old, new))

    def applied(self, old: Values) -> Values:
        """The new one, made of the old one."""
        return _applied(old, self.told)


def _changes(old: Values, new: Values) -> Told:
    values, within = {}, {}
    differs = map(is_not, map(old.get, new, repeat(_MISSING)), new.values())
    for key, value in compress(new.items(), differs):
        before = old.get(key)
        if type(before) is type(value) is dict:
            within[key] = _changes(before, value)
        else:
            values[key] = value
    keys, before = list(new), list(old)
    if keys[: len(before)] == before:
        return values, within, [], []
    gone = [key for key in before if key not in new]
    touched = len(values) + len(within)
    first, last = keys[: len(keys) - touched], keys[len(keys) - touched :]
    moved = {*gone, *last}
    in_place = first == [key for key in before if key not in moved]
    return values, within, gone, last if in_place else keys


def _applied(old: Values, told: Told) -> Values:
    values, within, gone, last = told
    new = old | values | {key: _applied(old[key], inner) for key, inner in within.items()}
    for key in gone:
        del new[key]
    for key in last:
        new[key] = new.pop(key)
    return new
