"""The ranked candidate actions of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from environments.game import Value

REPLY = "reply"
"""The kind of an answer to a question of the game; one of several excludes the others."""

RETRACED = "retraced"
"""The kind of a command that was played in the very same situation before."""
ESCAPE = "escape"
"""The kind of a way out of the dark, or away from somebody who attacks."""


class Candidate(Value):
    """A command worth considering now, and why."""

    command: str
    """What to send to the game in this turn."""
    kind: str
    """Action class: exit, take, open, unlock, use, fight, light, deposit, look, ..."""
    purpose: str
    """What it is for, in words a person would use: `open the window in L3 Kitchen`."""
    probability: float
    """That it succeeds."""
    utility: float
    """Expected, with the way there taken into account; candidates are ranked by it."""
    route: tuple[str, ...] = ()
    """The commands still to come on the way to the purpose, `command` first."""
    room: str = ""
    """Where the last of the route is to be played, `L<n>`."""
    objective: str | None = None
    """The objective it serves, `O<n>`."""


def in_peril(candidates: Sequence[Candidate]) -> bool:
    """There is something to get away from."""
    return any(one.kind == ESCAPE for one in candidates)
