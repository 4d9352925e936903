"""Types of figures that are kept from episode to episode, each with its bounds.

What is too large counts as the largest, as it may have grown to that; other odd ones are refused.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

_MOST = 10**9
_T = TypeVar("_T", int, float)


def _held(most: _T, value: _T) -> _T:
    """The value, or the nearest that is no further than `most` from 0."""
    return max(-most, min(most, value))


_WITHIN = AfterValidator(partial(_held, _MOST))
Count = Annotated[int, Field(ge=0), _WITHIN]
Few = Annotated[int, Field(ge=0), AfterValidator(partial(_held, 100))]
Points = Annotated[int, _WITHIN]
Number = Annotated[int, Field(ge=0, lt=2**53)]
"""An id or a fingerprint: what is too large is refused, too."""
Amount = Annotated[float, Field(allow_inf_nan=False), _WITHIN]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False), _WITHIN]
Faded = Annotated[float, Field(ge=0, allow_inf_nan=False), AfterValidator(partial(_held, 100.0))]
"""A sum of weights each of which is 0.97 of the next; it comes to 33 at most."""
Chance = Annotated[float, Field(ge=0, le=1)]
Odds = Annotated[float, Field(gt=0, lt=1)]
"""A chance that leaves a doubt."""
