"""How likely a model holds commands to be, and what its word is worth: learned by kind of command.

A model that has read much of such stories knows what people type; whether the likelier command is
the better one in play has to show. So a rating multiplies the value of an option by its power of a
weight, one for each kind of command. The weight is the coefficient of a logistic regression of what
helped on ratings, with a normal prior around 0, updated after every command that had a rating;
older commands fade. Only what is surely more than 0 counts, so that a model weighs nothing before
its likelier commands have helped more often than others.

Only deeds are rated: along walkthroughs a small model ranks them better than the planner does, and
ways no better. Ratings are told by the word: a longer command is less likely whatever it says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from environments.figures import Count
from environments.game import Value
from managers.belief.cases import renewed
from managers.language.actions import canonical, parse

Kind = Literal["take", "tell", "deed", "idea"]
"""Kinds of commands about which a model may know more or less; an idea is a command of its own."""
MOST_ROOMS, MOST_COMMANDS, MOST_IDEAS = 120, 60, 8
_WIDEST = 4.0
"""A rating further from the mean counts as so far."""
_VARIANCE = 0.12
"""How far from 0 the worth of ratings may be, before anything was seen."""
_FADES, _LEAST_SURE = 0.001, 0.12
"""What every command adds to the variance, and the most that it can be."""
_STEEPEST = 10.0
"""No worth is further from 0."""
_HELPED, _TRIED = 0.15, 6.0
"""How often a command helps, before any was seen, and what that is worth."""
_SURE_IDEA = 5.0
"""What an idea is worth, in points of the options' utility, that surely helps."""


class Ratings(Value):
    """All that a model said of deeds, by the room where they are done."""

    rooms: dict[str, dict[str, float]] = Field(default_factory=dict)
    """Room -> deed in its one form -> logarithm of the probability that it is the next thing that a
    player types there, by the word; what was asked about last stands last."""
    ideas: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Room -> commands that the model itself would type there."""

    def with_(self, room: str, said: Mapping[str, float], ideas: Iterable[str] = ()) -> Ratings:
        """With what was said of commands in a room: logarithms of whole commands."""
        rows = self.rooms.get(room, {})
        for command, one in said.items():
            by_the_word = round(one / (len(command.split()) + 1), 3)
            rows = renewed(rows, canonical(command), by_the_word, MOST_COMMANDS)
        rooms, own = renewed(self.rooms, room, rows, MOST_ROOMS), tuple(dict.fromkeys(ideas))
        found = {**self.ideas, room: own[:MOST_IDEAS]} if own else self.ideas
        return Ratings(
            rooms=rooms, ideas={name: some for name, some in found.items() if name in rooms}
        )

    def proposes(self, room: str, command: str) -> bool:
        """Whether a command is an idea of the model's own for a room."""
        form = canonical(command)
        return any(canonical(idea) == form for idea in self.ideas.get(room, ()))

    def height(self, room: str, command: str) -> float:
        """How much likelier a deed is than the mean of its room, in natural logarithms by the word.

        0 for one of which nothing is known.
        """
        rows, form = self.rooms.get(room, {}), canonical(command)
        if form not in rows:
            return 0.0
        mean = sum(rows.values()) / len(rows)
        return max(-_WIDEST, min(_WIDEST, rows[form] - mean))

    def probabilities(self, room: str, commands: Iterable[str]) -> dict[str, float]:
        """How likely each of some deeds is to be the one that is typed, the likeliest first.

        Those that nobody was asked about are left out; the others come to 1.
        """
        rows = self.rooms.get(room, {})
        said = {one: rows[form] for one in commands if (form := canonical(one)) in rows}
        most = max(said.values(), default=0.0)
        odds = {one: math.exp(logarithm - most) for one, logarithm in said.items()}
        ranked = sorted(odds, key=lambda one: -odds[one])
        return {one: odds[one] / sum(odds.values()) for one in ranked}


class Worth(Value):
    """What a model's ratings of one kind of command are worth, by what was seen."""

    mean: Annotated[float, Field(ge=-_STEEPEST, le=_STEEPEST)] = 0.0
    variance: float = Field(default=_VARIANCE, gt=0, le=_LEAST_SURE)
    tried: Count = 0
    """Commands that had a rating."""
    helped: Count = 0

    @property
    def weight(self) -> float:
        """How much it surely is, by one standard deviation; at least 0."""
        return max(0.0, self.mean - math.sqrt(self.variance))

    @property
    def chance(self) -> float:
        """How often such a command helps."""
        return (min(self.helped, self.tried) + _HELPED * _TRIED) / (self.tried + _TRIED)

    @property
    def of_idea(self) -> float:
        """What a command of the model's own is worth, in points of the options' utility."""
        return _SURE_IDEA * self.chance

    def factor(self, height: float) -> float:
        """What a rating makes of the value of an option."""
        return math.exp(self.weight * height)

    def after(self, height: float, helped: bool) -> Worth:
        """With what became of one more command that had a rating."""
        odds = math.log(self.chance / (1.0 - self.chance)) + self.mean * height
        chance = 1.0 / (1.0 + math.exp(-odds))
        variance = min(_LEAST_SURE, self.variance + _FADES)
        variance = 1.0 / (1.0 / variance + chance * (1.0 - chance) * height * height)
        mean = self.mean + variance * height * (helped - chance)
        return Worth(
            mean=round(max(-_STEEPEST, min(_STEEPEST, mean)), 4),
            variance=round(variance, 6),
            tried=self.tried + 1,
            helped=self.helped + helped,
        )


def kind_of(command: str) -> Kind:
    """The kind of a deed."""
    action = parse(command)
    if action.verb == "take":
        return "take"
    return "tell" if action.has("tells") else "deed"
