"""What did harm in an episode, as far as a command may be to blame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from managers.language.actions import direction_of, parse
from managers.world.attempts import HELD, AttemptRow, AttemptsData

MOST_PLACES = 60
_LATELY = 15
"""For so many turns before a death in a room what was done there may be to blame, too."""


def deadly(
    attempts: AttemptsData, feared: Mapping[str, Mapping[str, float]], keys: Mapping[str, str]
) -> list[list[Any]]:
    """Harm that commands did in this episode, and how often they were played; worst first.

    What others did is not a command's fault: it would happen elsewhere, or be done again.
    """
    blame: dict[tuple[str, str], float] = {}
    for room, rows in attempts.items():
        for action, row in rows.items() if room != HELD else ():
            expected = feared.get(room, {}).get(action, 0.0)
            own = max(0.0, row.get("harm", 0.0) - expected - row.get("dealt", 0.0))
            if own or expected:
                blame[room, action] = max(own, blame.get((room, action), 0.0))
            if own >= 1.0:
                blame |= {(room, cause): 1.0 for cause in _causes(rows, row.get("turn", -1))}
    found: list[list[Any]] = []
    for (room, action), harm in blame.items():
        times = attempts[room][action].get("times", 0)
        if room in keys and times:
            found.append([keys[room], action, round(harm, 3), times])
    return sorted(found, key=lambda entry: -entry[2])[:MOST_PLACES]


def _causes(rows: Mapping[str, AttemptRow], died: int) -> Iterator[str]:
    """What had changed something in the room shortly before one died there."""
    for action, row in rows.items():
        parsed = parse(action)
        harmless = direction_of(action) or parsed.has("tells") or parsed.verb in _HARMLESS
        if row.get("worked") and not harmless and died - _LATELY <= row.get("turn", -1) < died:
            yield action


_HARMLESS = frozenset({"take", "drop", "put", "wait"})
