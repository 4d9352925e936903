"""What tests of following and remembering start from."""

from __future__ import annotations

import pytest

from tests.managers.earlier import LOFT, YARD, with_coin
from tests.managers.mill import MILL
from tests.managers.told import Told


@pytest.fixture
def first() -> Told:
    """An episode in which a coin scored behind the gate, and a loft lies beyond."""
    return with_coin(Told(YARD)).say("up", LOFT, score=5)


@pytest.fixture
def mill() -> Told:
    """An episode at its beginning, in the mill."""
    return Told(MILL)
