"""A small curve of text: how scores went from episode to episode."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 40
_SHOWN = 5
"""So many of the latest scores are told in figures."""


def curve(scores: Sequence[float]) -> str:
    """A bar for every score, from nothing to the best one; of very many each stands for several."""
    size = -(-len(scores) // _WIDEST)
    means = [statistics.fmean(scores[at : at + size]) for at in range(0, len(scores), size or 1)]
    low, high = min([0.0, *means]), max([0.0, *means])
    reach = (high - low) or 1.0
    return "".join(_BARS[round((one - low) / reach * (len(_BARS) - 1))] for one in means)


def learning(scores: Sequence[float]) -> str:
    """How episodes in a row went: `▁▃▆█ 4 episodes: 0, 10, 25, 31; mean 16.5, best 31`."""
    shown = ", ".join(f"{one:g}" for one in scores[-_SHOWN:])
    earlier = "..., " if len(scores) > _SHOWN else ""
    mean = f"mean {statistics.fmean(scores):.1f}, best {max(scores):g}"
    return f"{curve(scores)}  {len(scores)} episodes: {earlier}{shown}; {mean}"
