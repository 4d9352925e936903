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
_PERILOUS = frozenset({"attack", "dive", "drink", "eat", "jump", "swim"})
"""What may kill whoever does it for no good reason, anywhere."""


def idea_of(command: str, *, planned: bool) -> Idea:
    """What kind of idea a recommended command is."""
    if planned:
        return "planned"
    parts = parse_command(command)
    return "concrete" if parts.object or parts.direction else "vague"


def essential(command: str) -> str:
    """The same for all words for one command."""
    return " ".join(filter(None, parse_command(command)))


def trusted(rate: float) -> float:
    """What is left of what somebody says where an even chance of being right is not enough."""
    return max(0.0, 2.0 * rate - 1.0)


class Promise(NamedTuple):
    """What a recommendation promises, in the utility of the agent's own candidates."""

    planned: float
    concrete: float
    vague: float
    shares: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
    """How many are likely to be of each kind."""
    repute: Mapping[str, float] = MappingProxyType({})
    """What is left of it for commands that did nothing when they were recommended before."""
    rates: tuple[float, ...] = (1.0, 1.0, 1.0)
    """How often those of each kind, or all of them, surely help, by what was seen and not hoped."""

    def of(self, command: str, *, planned: bool, peril: bool = False) -> float:
        """What it promises to follow the recommendation of a command."""
        promised = getattr(self, idea_of(command, planned=planned))
        repute = self.repute.get(essential(command), 1.0)
        return float(promised * repute * self.trust(command, planned=planned, peril=peril))

    def trust(self, command: str, *, planned: bool, peril: bool = False) -> float:
        """1, but where it may kill: nobody risks their neck on hope that somebody knows better."""
        if not peril and parse_command(command).verb not in _PERILOUS:
            return 1.0
        return trusted(self.rates[IDEAS.index(idea_of(command, planned=planned))])

    def beyond(self, best: float, *, peril: bool = False) -> float:
        """By how much a recommendation is likely to exceed what the agent can do by itself."""
        trust = (trusted(rate) if peril else 1.0 for rate in self.rates)
        kinds = zip(self.shares, (self.planned, self.concrete, self.vague), trust, strict=True)
        return sum(share * max(0.0, one * rest - best) for share, one, rest in kinds)

    def discredited(self, command: str | None) -> bool:
        """A recommendation that has done nothing before; it is worth asking once more."""
        return bool(command) and self.repute.get(essential(str(command)), 1.0) < _DOUBTFUL
