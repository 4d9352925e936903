"""Types of figures that are kept from episode to episode: within reason, whoever wrote them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

_MOST = 10**9
Count = Annotated[int, Field(ge=0, le=_MOST)]
Points = Annotated[int, Field(ge=-_MOST, le=_MOST)]
Number = Annotated[int, Field(ge=0, lt=2**53)]
"""What stands for something else, as a fingerprint does."""
Amount = Annotated[float, Field(ge=-_MOST, le=_MOST)]
Weight = Annotated[float, Field(ge=0, le=_MOST)]
Faded = Annotated[float, Field(ge=0, le=100)]
"""A sum of weights each of which is 0.97 of the next; it comes to 33 at most."""
Chance = Annotated[float, Field(ge=0, le=1)]
Odds = Annotated[float, Field(gt=0, lt=1)]
"""A chance that leaves a doubt."""
