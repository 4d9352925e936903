"""What did harm in an episode, as far as a command may be to blame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from managers.dynamics import Dynamics
from managers.text.commands import parse_command
from managers.text.directions import direction_of

MOST_PLACES = 60
_LATELY = 15
"""For so many turns before a death in a room what was done there may be to blame, too."""
_HARMLESS = frozenset(
    {"take", "drop", "put", "examine", "read", "look", "search", "inventory", "wait"}
)


def deadly(dynamics: Mapping[str, Any], keys: Mapping[str, str]) -> list[list[Any]]:
    """Harm that commands did in this episode, and how often they were played; worst first.

    What others did is not a command's fault: it would happen elsewhere, or be done again.
    """
    prior: Mapping[str, float] = dynamics.get("memory", {}).get("feared", {})
    dealt: Mapping[str, float] = dynamics.get("dealt", {})
    blame: dict[tuple[str, str], float] = {}
    for place, harm in dynamics["harm"].items():
        room, _, command = place.partition("|")
        own = max(0.0, harm - prior.get(place, 0.0) - dealt.get(place, 0.0))
        blame[room, command] = max(own, blame.get((room, command), 0.0))
        if own >= 1.0:
            blame |= {
                (room, cause): 1.0 for cause in _causes(dynamics["tried"].get(room, {}), command)
            }
    found: list[list[Any]] = []
    learned = Dynamics(dict(dynamics))
    for (room, command), harm in blame.items():
        times = learned.tried(room, command).times
        if room in keys and times:
            found.append([keys[room], command, round(harm, 3), times])
    return sorted(found, key=lambda entry: -entry[2])[:MOST_PLACES]


def _causes(tried: Mapping[str, Any], fatal: str) -> Iterator[str]:
    """What had changed something in the room shortly before one died there."""
    died = tried[fatal][2] if fatal in tried else -1
    for command, (_, successes, turn, *_) in tried.items():
        harmless = direction_of(command) or parse_command(command).verb in _HARMLESS
        if successes and not harmless and died - _LATELY <= turn < died:
            yield command
