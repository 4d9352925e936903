"""Counts that outlive an episode: what it added, sums, and how far they count for the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.language.actions import table

TABLES = ("kinds", "verbs", "nouns")
"""Those of the state field `rates`."""
_DISCOUNT = 0.5
_MOST_COUNTED = 40.0
"""Older observations fade beyond so many of the same."""
_MOST_ENTRIES = 200


def difference(table: Mapping[str, Any], prior: Mapping[str, Any]) -> dict[str, list[float]]:
    """What was counted in this episode alone."""
    own = {}
    for key, counts in table.items():
        before = prior.get(key, (0, 0, 0))
        if counts[1] > before[1]:
            own[key] = [round(now - was, 3) for now, was in zip(counts, before, strict=True)]
    return own


def total(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[float]]:
    """Both counted together, bounded."""
    summed = {}
    for key in [*old, *(key for key in new if key not in old)]:
        both = zip(old.get(key, (0, 0, 0)), new.get(key, (0, 0, 0)), strict=True)
        summed[key] = _scaled([one + other for one, other in both])
    often = sorted(summed, key=lambda key: (-summed[key][1], key))[:_MOST_ENTRIES]
    return {key: summed[key] for key in often}


def discounted(table: Mapping[str, Any]) -> dict[str, list[float]]:
    """As the priors that an episode starts with."""
    return {key: [round(_DISCOUNT * count, 3) for count in table[key]] for key in table}


def unspent(kinds: Mapping[str, Any]) -> dict[str, list[float]]:
    """Counts of classes of actions, each worth as much as before anything was found.

    What earlier episodes came to find of little worth was so after the best had been had.
    """
    prior = table().kinds
    return {
        kind: [successes, times, round(successes * prior[kind].worth, 3)]
        for kind, (successes, times, _) in kinds.items()
        if kind in prior
    }


def _scaled(counts: list[float]) -> list[float]:
    factor = min(1.0, _MOST_COUNTED / counts[1])
    return [round(count * factor, 3) for count in counts]
