"""What a recommendation promises: by what kind of idea it is, and by what came of that command."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from managers.text.commands import parse_command

Idea = Literal["planned", "concrete", "vague"]
"""The planner has thought of it, too; it names a thing or a way; it does neither."""
IDEAS: tuple[Idea, ...] = ("planned", "concrete", "vague")
_DOUBTFUL = 0.5


def idea_of(command: str, *, planned: bool) -> Idea:
    """What kind of idea a recommended command is."""
    if planned:
        return "planned"
    parts = parse_command(command)
    return "concrete" if parts.object or parts.direction else "vague"


def essential(command: str) -> str:
    """The same for all words for one command."""
    return " ".join(filter(None, parse_command(command)))


class Promise(NamedTuple):
    """What a recommendation promises, in the utility of the agent's own candidates."""

    planned: float
    concrete: float
    vague: float
    shares: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
    """How many are likely to be of each kind."""
    repute: Mapping[str, float] = MappingProxyType({})
    """What is left of it for commands that did nothing when they were recommended before."""

    def of(self, command: str, *, planned: bool) -> float:
        """What it promises to follow the recommendation of a command."""
        promised = getattr(self, idea_of(command, planned=planned))
        return float(promised * self.repute.get(essential(command), 1.0))

    def beyond(self, best: float) -> float:
        """By how much a recommendation is likely to exceed what the agent can do by itself."""
        promised = (self.planned, self.concrete, self.vague)
        kinds = zip(self.shares, promised, strict=True)
        return sum(share * max(0.0, one - best) for share, one in kinds)

    def discredited(self, command: str | None) -> bool:
        """A recommendation that has done nothing before; it is worth asking once more."""
        return bool(command) and self.repute.get(essential(str(command)), 1.0) < _DOUBTFUL
