"""Claims: what the oracle says of the story, how probable that is, and what the game says of it.

A claim of the oracle is as probable as such claims of it were right; saying it again adds nothing:
whoever errs once for a reason will err again. The game's word settles a claim, and its denials.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from environments.game import Value
from managers.trust.wording import opposed, same

ClaimKind = Literal["overall_goal", "immediate_goal", "accomplished", "blocker"]
BELIEVED = 0.5
"""A claim more probable than this is taken for true."""
SETTLED = 0.99
"""The probability of what the game says."""
_MOST_PROBABLE = 0.98
"""Of what an oracle says."""
_FACTS = ("accomplished", "blocker")


class Claim(Value):
    """What is said, and how far it is believed."""

    kind: ClaimKind
    text: str
    credence: float
    """The probability of the claim by who says so; the game's is 1, or 0 where it denies it."""
    confidence: float | None = None
    """The oracle's own opinion of that."""
    game: bool = False
    """The game has settled it."""
    about: str = ""
    """Of a blocker: the command that it keeps from working, and where."""
    since: int = 0
    """The turn from which on it is judged: when it was first said."""
    turn: int = 0
    """When it was said last."""
    tried: int = 0
    """The last turn whose command was for it; 0 if none was."""
    passed: bool = False
    """Of a blocker: progress was made since anybody spoke of it."""

    @property
    def certain(self) -> bool:
        """The game says so."""
        return self.game and self.credence > BELIEVED

    def contradicts(self, other: Claim) -> bool:
        """They cannot both hold; what is done blocks no longer, whether said as a deed or not."""
        if self.kind in _FACTS and other.kind in _FACTS:
            settles = self.kind != other.kind and same(self.text, other.text)
            return settles or opposed(self.text, other.text)
        return self.kind == other.kind and opposed(self.text, other.text)


def probability_of(claim: Claim, claims: Sequence[Claim]) -> float:
    """The probability of a claim in view of all that is said."""
    if claim.game:
        return SETTLED if claim.certain else 1.0 - SETTLED
    if any(one.certain and one.contradicts(claim) for one in claims):
        return 1.0 - SETTLED
    return min(claim.credence, _MOST_PROBABLE)


def stated(claims: Sequence[Claim], new: Claim) -> tuple[Claim, ...]:
    """The claims with a new one, or with the same said again, in other words perhaps.

    The oracle takes back what contradicts it; the game does so for both.
    """
    kept, known = list[Claim](), False
    for one in claims:
        if one.kind == new.kind and same(one.text, new.text):
            known, changed = True, {"about": new.about or one.about, "passed": False}
            if new.game or not one.game:
                since = one.since if one.game == new.game else new.since
                said = {"credence": new.credence, "confidence": new.confidence, "game": new.game}
                changed |= {**said, "since": since, "turn": new.turn}
            kept.append(one.model_copy(update=changed))
        elif not new.contradicts(one) or (one.game and not new.game):
            kept.append(one)
    return tuple(kept if known else [*kept, new])
