"""What tests of following and remembering start from."""

from __future__ import annotations

import pytest

from tests.managers.earlier import HALL, LOFT, YARD
from tests.managers.told import Told


@pytest.fixture
def first() -> Told:
    """An episode in which a coin scored behind the gate, and a loft lies beyond."""
    told = Told(YARD)
    told.say("open gate", "Opened.")
    told.say("north", HALL)
    told.say("take coin", "Taken.", score=5)
    told.say("up", LOFT, score=5)
    return told
