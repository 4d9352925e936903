"""Options: what could be done now, or somewhere else after a walk."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from pydantic import Field

from environments.game import Value
from managers.language.actions import table

REPLY = "reply"
"""The kind of an answer to a question of the game; one of several excludes the others."""
ESCAPE = "escape"
"""The kind of a way out of the dark, or away from somebody who attacks."""
ADVISED = "advised"
"""The kind of an option that is somebody else's idea."""
OF_MEMORY = frozenset({"remembered", "aside"})
"""Kinds of options that an earlier episode speaks for."""
_DISTANCE_POWER = 0.8


class Draft(NamedTuple):
    """An option before it is valued: a command in a room, with what is known of its chances."""

    room: str
    """Where it has to be done, `L<n>`; for carried things the present room."""
    command: str
    kind: str
    noun: str = ""
    scale: float = 1.0
    """How much more or less than usual for its kind a success is worth."""
    chance: float = 1.0
    """How much less likely than usual for its kind it works."""
    place: str = ""
    """Where attempts at it are remembered, if not in `room`."""
    purpose: str = ""
    """What it is for, if not what its kind usually is for."""
    probability: float = 0.0
    """That it works, where more is known of it than of its kind; 0 where not."""
    objective: str = ""
    """The objective in whose plan it is the next step, `O<n>`."""
    lasting: bool = False
    """The room goes on offering it: it is remembered when one has left."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> Draft:
        """One that a room goes on offering, as it lies in the state."""
        return cls._make((*row, True))

    @property
    def is_sound(self) -> bool:
        """It has texts and numbers where they belong, and is of a kind that there is."""
        texts = (self.room, self.command, self.noun, self.place, self.purpose, self.objective)
        numbers = (self.scale, self.chance, self.probability)
        valued = all(isinstance(one, int | float) and 0 <= one < inf for one in numbers)
        return valued and all(isinstance(one, str) for one in texts) and self.kind in table().kinds

    @property
    def row(self) -> list[str | float]:
        """As it lies in the state, where a room goes on offering it."""
        return [*self[:-1]]


def discount(commands: float) -> float:
    """What is left of the worth of something that takes so many commands before it."""
    return float((commands + 1) ** -_DISTANCE_POWER)


class Option(Value):
    """A command worth considering now, and why."""

    command: str
    """What to send to the game in this turn."""
    kind: str
    """Kind of action: exit, take, open, unlock, use, fight, light, deposit, look, ..."""
    purpose: str
    """What it is for, in words a person would use: `open the window in L3 Kitchen`."""
    probability: float
    """That it succeeds."""
    value: float
    """Expected utility, with the way there taken into account; options are ranked by it."""
    terms: dict[str, float] = Field(default_factory=dict)
    """The terms that make the value, by name; those that are 1 are left out."""
    route: tuple[str, ...] = ()
    """The commands still to come on the way to the purpose, `command` first."""
    room: str = ""
    """Where the last of the route is to be played, `L<n>`."""
    objective: str | None = None
    """The objective it serves, `O<n>`."""

    @property
    def goal(self) -> str:
        """The command it is for in the end."""
        return self.route[-1] if self.route else self.command


def chosen(options: Sequence[Option], command: str, rank: int = 0) -> Option | None:
    """The option that was played, by its rank where that is told, counted from 1.

    Else the best that begins with the command: several may, each with an aim of its own.
    """
    if 0 < rank <= len(options):
        return options[rank - 1]
    return next((one for one in options if one.command == command), None)


def in_peril(options: Sequence[Option]) -> bool:
    """There is something to get away from."""
    return any(one.kind == ESCAPE for one in options)
