"""How evidence about an oracle or a critic gets old, so that a change is noticed."""

from __future__ import annotations

KEPT_PER_JUDGEMENT = 0.99
"""What is left of older evidence after one more judgement: about the last 100 count."""
_KEPT_PER_TURN = 0.998
"""What is left of it after a turn without one; half is gone after 350 turns."""


def kept_over(turns: int) -> float:
    """What is left of evidence after some turns without a judgement."""
    return float(_KEPT_PER_TURN ** max(0, turns))
