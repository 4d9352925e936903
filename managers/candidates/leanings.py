"""How play mode and profile lean the utility: what they add to its exponents, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from managers.modes import PlayMode

Terms = Mapping[str, float]
"""Term of `utility.TERMS` -> what is added to its exponent."""

MODES: Mapping[PlayMode, Terms] = MappingProxyType(
    {
        PlayMode.EXPLORING: {},
        PlayMode.PURSUING: {"worth": 0.2},
        PlayMode.SOLVING: {"nearness": 0.25},
        PlayMode.FIGHTING: {"safety": 1.0, "taste": -0.5},
        PlayMode.LOST: {"nearness": 0.3, "visibility": 0.5},
        PlayMode.STUCK: {"nearness": -0.25, "probability": -0.2, "liveliness": 0.5},
    }
)


class Profile(NamedTuple):
    """A way to play."""

    name: str
    interests: tuple[str, ...]
    personality: str
    terms: Terms


EVEN = "even"
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        EVEN: Profile(EVEN, ("places", "things", "puzzles"), "weighs chances", {}),
        "cautious": Profile(
            "cautious",
            ("things at hand", "coming back alive"),
            "careful: avoids fights, the dark, and whatever might kill",
            {"safety": 3.0, "prudence": 3.0, "probability": 0.2, "visibility": 1.0},
        ),
        "bold": Profile(
            "bold",
            ("unknown places", "big wins"),
            "daring: goes far, fights, and tries what others think unlikely",
            {"safety": -0.7, "prudence": -1.0, "probability": -0.2, "nearness": -0.3},
        ),
    }
)


class Leaning(NamedTuple):
    """What a mode and a profile add to the exponents of the terms."""

    terms: tuple[tuple[str, float], ...] = ()


NEUTRAL = Leaning()


@cache
def leaning_of(mode: PlayMode | None, profile: str = EVEN) -> Leaning:
    """What a mode, if it counts, and a profile make together."""
    by_mode: Terms = MODES[mode] if mode else {}
    by_profile = PROFILES[profile].terms
    names = dict.fromkeys((*by_mode, *by_profile))
    return Leaning(
        tuple((name, by_mode.get(name, 0.0) + by_profile.get(name, 0.0)) for name in names)
    )
