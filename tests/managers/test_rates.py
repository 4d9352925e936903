"""What play teaches of actions in general: how often one works, and how rich rooms are."""

from __future__ import annotations

from managers.world.rates import Rates
from tests.managers.told import Told


def record(rates: Rates, *, worked: bool = True, gain: float = 0.0, times: int = 1) -> Rates:
    """The same action, `open box` in L1, so many times more."""
    for _ in range(times):
        rates = rates.recorded("L1", "open box", "open", "box", worked=worked, gain=gain)
    return rates


def test_probability_follows_what_happens() -> None:
    prior = Rates().probability("open box", "open", "box")
    rates = record(Rates(), worked=False, times=8)
    assert rates.probability("open box", "open", "box") < prior / 2
    assert record(Rates(), times=8).probability("open box", "open", "box") > prior


def test_an_unseen_noun_borrows_from_its_verb() -> None:
    prior = Rates().probability("open gate", "open", "gate")
    rates = record(Rates(), worked=False, times=8)
    assert rates.probability("open box", "open", "box") < rates.probability(
        "open gate", "open", "gate"
    )
    assert rates.probability("open gate", "open", "gate") < prior


def test_only_the_first_try_of_a_way_tells_how_many_ways_lead_on() -> None:
    told = Told("Hall\nA bare hall. A gate leads north, and paths lead south and west.")

    def tried() -> list[int]:
        return told.knowledge.statistics.data["counts"].get("exit", [0, 0])

    told.say("north", "The gate is closed.")  # It may be open the next time.
    assert tried() == [0, 0]
    told.say("west", "The path is flooded.").say("west", "The path is flooded.")
    assert tried() == [0, 1]
    told.say("south", "Garden\nA garden. The hall is north.")
    assert tried() == [1, 2]


def test_rooms_that_bring_nothing_get_poor() -> None:
    rates = record(Rates(), times=20)
    assert rates.richness("L1") < 0.5
    assert rates.richness("L2") == 1.0


def test_losing_points_makes_a_room_no_poorer_than_nothing_at_all() -> None:
    lost = record(Rates(), gain=-10.0, times=3)
    idle = record(Rates(), times=3)
    assert lost.richness("L1") == idle.richness("L1") > 0


def test_ways_that_nobody_mentions_are_judged_by_all_of_them() -> None:
    rates, prior = Rates(), Rates().probability("east", "probe")
    for way in ("north", "west", "up"):
        rates = rates.recorded("L1", way, "probe", "", worked=False, gain=0.0)
    assert rates.probability("east", "probe") < prior
