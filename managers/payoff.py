"""What it has brought to follow an oracle, and to follow one's own plans."""

from __future__ import annotations

from typing import NamedTuple

from managers.fading import KEPT_PER_JUDGEMENT, kept_over

_HOPED = 5.0
"""Points that a turn on an unknown oracle's word is hoped to bring."""
_FOLLOWED = 5.0
"""How many turns that hope is worth."""
_REALISM = 0.35
"""Points that plans bring a turn for each point of utility, before anything is seen."""
_EXPECTED = 20.0
"""How much expected utility that is worth."""
_EVEN, _FEW = 0.5, 0.3
_LEAST = 0.1


class Payoff(NamedTuple):
    """Sums over the turns, the older ones faded."""

    followed: float = 0.0
    """Turns on which a recommendation was followed."""
    gained: float = 0.0
    """Points' worth that they brought."""
    expected: float = 0.0
    """Utility of the agent's own choices."""
    achieved: float = 0.0
    """Points' worth that those brought."""
    turn: int = 0
    """When a recommendation was followed last."""

    def at(self, turn: int) -> Payoff:
        """The same when some turns have passed, so that what was given up is tried again."""
        kept = kept_over(turn - self.turn)
        return self._replace(followed=self.followed * kept, gained=self.gained * kept)

    def after_advice(self, gain: float, turn: int) -> Payoff:
        """With one more turn on the oracle's word."""
        old, kept = self.at(turn), KEPT_PER_JUDGEMENT
        return old._replace(
            followed=old.followed * kept + 1.0, gained=old.gained * kept + gain, turn=turn
        )

    def after_own(self, utility: float, gain: float) -> Payoff:
        """With one more turn on one's own plan."""
        kept = KEPT_PER_JUDGEMENT
        return self._replace(
            expected=self.expected * kept + utility, achieved=self.achieved * kept + gain
        )

    @property
    def per_turn(self) -> float:
        """Points a turn on the oracle's word brings."""
        return (_HOPED * _FOLLOWED + self.gained) / (_FOLLOWED + self.followed)

    @property
    def realism(self) -> float:
        """Points a turn of one's own brings for each point of utility."""
        return max(_LEAST, (_REALISM * _EXPECTED + self.achieved) / (_EXPECTED + self.expected))

    def promise(self, rate: float) -> float:
        """What a recommendation promises, in the utility of one's own plans.

        The rate of recommendations that help tells sooner than the points: it counts as much
        as it differs from an even chance, and less where hardly any help.
        """
        telling = rate / _EVEN * min(1.0, rate / _FEW)
        return max(0.0, self.per_turn) * telling / self.realism
