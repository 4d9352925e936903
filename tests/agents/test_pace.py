"""Questions wait so that a model gets no more than so many tokens a minute."""

from __future__ import annotations

import time

from agents.models.pace import Pace


def test_what_was_spent_is_paid_off_before_the_next_question() -> None:
    pace, begun = Pace(60_000), time.monotonic()  # 1,000 tokens a second
    pace.wait()
    assert time.monotonic() - begun < 0.1
    pace.spent(100)
    pace.spent(200)
    pace.wait()
    assert 0.29 < time.monotonic() - begun < 3


def test_without_a_bound_nothing_waits() -> None:
    pace, begun = Pace(), time.monotonic()
    pace.spent(10**9)
    pace.wait()
    assert time.monotonic() - begun < 0.1
