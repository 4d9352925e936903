"""Claims: what somebody says of the story, and how probable that makes it.

A source that is right more often than not adds the logarithm of its odds, and takes as much from
what denies the claim. Saying it again adds nothing: whoever errs once for a reason will err again.
The game's word settles a claim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from environments.game import Value
from managers.trust.wording import opposed, same

ClaimKind = Literal["overall_goal", "immediate_goal", "accomplished", "blocker"]
GAME = "game"
"""The source that is never doubted."""
ORACLE = "oracle"
"""The source of an oracle's words where there is one oracle."""
BELIEVED = 0.5
"""A claim more probable than this is taken for true."""
SETTLED = 0.99
"""The probability of what the game says."""
_MOST_PROBABLE = 0.98
"""Of what anybody else makes of a claim."""
_FACTS = ("accomplished", "blocker")


class Statement(Value):
    """That a source says so."""

    source: str
    credence: float
    """The probability of the claim if nobody else had spoken of it; the game's 0 denies it."""
    confidence: float | None = None
    """The source's own opinion of that."""
    turn: int = 0
    """Of the last time."""

    @property
    def support(self) -> float:
        """The evidence in log odds; the word of a source that is mostly wrong is none."""
        credence = min(self.credence, _MOST_PROBABLE)
        return math.log(credence / (1.0 - credence)) if credence > BELIEVED else 0.0


class Claim(Value):
    """What is said, and by whom."""

    kind: ClaimKind
    text: str
    about: str = ""
    """Of a blocker: the command that it keeps from working, and where."""
    since: int = 0
    """The turn from which on it is judged: when a source first said it."""
    tried: int = 0
    """The last turn whose command was for it; 0 if none was."""
    passed: bool = False
    """Of a blocker: progress was made since anybody spoke of it."""
    statements: tuple[Statement, ...]

    def by(self, source: str) -> Statement | None:
        """What a source says of it."""
        return next((one for one in self.statements if one.source == source), None)

    @property
    def turn(self) -> int:
        """When it was said last."""
        return max(one.turn for one in self.statements)

    @property
    def certain(self) -> bool:
        """The game says so."""
        return any(one.source == GAME and one.credence > BELIEVED for one in self.statements)

    def contradicts(self, other: Claim) -> bool:
        """They cannot both hold; what is done blocks no longer, whether said as a deed or not."""
        if self.kind in _FACTS and other.kind in _FACTS:
            settles = self.kind != other.kind and same(self.text, other.text)
            return settles or opposed(self.text, other.text)
        return self.kind == other.kind and opposed(self.text, other.text)

    def with_statement(self, new: Statement) -> Claim:
        """With a source's word, in the place of its old one."""
        rest = (one for one in self.statements if one.source != new.source)
        return self.model_copy(update={"statements": (*rest, new)})

    def without(self, source: str) -> Claim | None:
        """Without what a source says of it; None if nobody else says it."""
        rest = tuple(one for one in self.statements if one.source != source)
        return self.model_copy(update={"statements": rest}) if rest else None


def probability_of(claim: Claim, claims: Sequence[Claim]) -> float:
    """The probability of a claim in view of all that is said."""
    if claim.by(GAME) is not None:
        return SETTLED if claim.certain else 1.0 - SETTLED
    rivals = [other for other in claims if claim.contradicts(other)]
    if any(rival.certain for rival in rivals):
        return 1.0 - SETTLED
    support = sum(one.support for one in claim.statements)
    odds = support - sum(one.support for rival in rivals for one in rival.statements)
    best = max(one.credence for one in claim.statements)
    return min(1.0 / (1.0 + math.exp(-odds)), _MOST_PROBABLE if support else best)


def stated(claims: Sequence[Claim], new: Claim) -> tuple[Claim, ...]:
    """The claims with one more statement, of a new claim or of the same in other words.

    Its source takes back what contradicts it; the game does so for everybody.
    """
    (by,) = new.statements
    kept: list[Claim | None] = []
    for one in claims:
        if one.kind == new.kind and same(one.text, new.text):
            since = one.since if one.by(by.source) else new.since
            about = {"since": since, "about": new.about or one.about, "passed": False}
            new = one.with_statement(by).model_copy(update=about)
            kept.append(new)
        elif new.contradicts(one):
            kept.append(None if by.source == GAME else one.without(by.source))
        else:
            kept.append(one)
    return tuple(one for one in (kept if new in kept else [*kept, new]) if one is not None)
