"""How the state grows: which variables get a trial, which are kept, and which are dropped."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.expansion import TOLERANCE, WORLDS, State, World, kept_in, visit
from managers.belief.dynamics import MOST_ON_TRIAL, SCORED, DynamicsModel
from managers.belief.outlook import Outlook

SIMULATIONS, VISITS = 100, 80


@pytest.mark.slow
@pytest.mark.parametrize("source", ["oracle", "rules"])
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_hidden_conditions_are_found(world: World, source: str) -> None:
    """In 95 of 100 simulations: within 80 visits, with rewards right, useless ones dropped."""
    runs = [visit(world, seed, VISITS, source) for seed in range(SIMULATIONS)]
    assert sum(run.visit is not None for run in runs) >= 95
    assert sum(run.error <= TOLERANCE for run in runs) >= 95
    assert sum(run.dropped for run in runs) >= 95
    assert sum(run.kept_wrongly for run in runs) <= 5


@pytest.mark.slow
def test_play_finds_in_a_later_episode_that_points_are_given_once() -> None:
    first, later = kept_in("hollow", 24104, 300, 2)
    assert SCORED not in first
    assert SCORED in later


@pytest.mark.slow
@pytest.mark.parametrize("seed", [24101, 24102])
def test_play_of_a_real_story_finds_it_in_one_episode(
    story_path: Callable[[str], Path], seed: int
) -> None:
    (kept,) = kept_in(str(story_path("deephome.z5")), seed, 400, 1)
    assert list(kept) == [SCORED]


class Story:
    """One command in one place, with variables that change by chance, and its model."""

    def __init__(self, seed: int, names: tuple[str, ...]) -> None:
        self.rng = random.Random(seed)
        self.names = names
        self.model = DynamicsModel()
        self.turn = 0
        self.log: list[str] = []

    def visit(self, effect: Callable[[Mapping[str, bool]], object], place: str = "L1") -> None:
        """Try the command; what `effect` says of the variables' values is what comes of it."""
        self.turn += 1
        values = {name: self.rng.random() < 0.5 for name in self.names}
        tracked = {name: str(values[name]) for name in self.model.tracked if name in values}
        self.model.observe(State(place, tracked), "wade", str(effect(values)))
        for verdict in self.model.review():
            self.log.append(f"{verdict.name}: {'kept' if verdict.useful else 'dropped'}")

    def propose(self, *names: str, source: str = "rules", chance: float | None = None) -> None:
        self.model.propose(names, source, chance)


RULED = tuple(f"open hatch {number}" for number in range(MOST_ON_TRIAL))


def test_an_oracle_gets_its_chance_though_rules_hold_all_places() -> None:
    story = Story(1, (*RULED, "tide"))
    story.propose(*RULED)
    assert len(story.model.tracked) == MOST_ON_TRIAL
    story.propose("tide", source="oracle")
    assert "tide" in story.model.tracked
    assert len(story.model.tracked) == MOST_ON_TRIAL


def test_an_oracle_that_is_hardly_ever_right_displaces_nothing() -> None:
    story = Story(1, RULED)
    story.propose(*RULED)
    story.propose("tide", source="oracle", chance=0.1)
    assert story.model.tracked == list(RULED)


def test_what_was_seen_before_a_variable_was_thought_of_counts() -> None:
    """A door is shut at first and open ever after: by the time that it is asked for, it is open."""
    model = DynamicsModel()
    for place in ("L1", "L2", "L3", "L4"):
        for opened in ("false", "false", "true", "true", "true"):
            effect = "to L9" if opened == "true" else "failure: closed"
            model.observe(State(place, {"open gate": opened}), "north", effect)
    model.propose(["open gate"], "rules")
    model.observe(State("L4", {"open gate": "true"}), "north", "to L9")
    model.review()
    assert model.kept == ["open gate"]
    assert model.expected_reward(State("L1", {"open gate": "false"}), "north") == 0
    assert model.failure_count(State("L1", {"open gate": "false"}), "north") == 2
    assert model.failure_count(State("L1", {"open gate": "true"}), "north") == 0


def scoring(rooms: int) -> DynamicsModel:
    """Every room gives its points once; the model has found out that they are given once."""
    model = DynamicsModel()
    for number in range(rooms):
        for points in (3.0, 0.0, 0.0, 0.0):
            model.observe(State(f"L{number}", {}), "north", "to L9", points)
            model.propose([SCORED], "rules", 0.5)
            model.review()
    return model


def test_points_that_are_given_once_are_not_expected_again() -> None:
    before, after = scoring(1), scoring(6)
    here = State("L0", {})
    assert before.kept == []
    assert before.expected_reward(here, "north") > 0.5
    assert after.kept == [SCORED]
    assert after.tracked == [], "nobody has to be asked for it"
    assert after.expected_reward(here, "north") < 0.5
    anew = DynamicsModel(Outlook.new()._replace(dynamics=after.data).begun_anew().dynamics)
    assert anew.expected_reward(here, "north") > 1.5


def test_a_trial_that_is_never_put_to_the_test_loses_its_place_in_time() -> None:
    story = Story(1, ("tide",))
    story.propose(*RULED)
    for _ in range(40):
        story.visit(lambda values: story.rng.random() < 0.5)
        story.propose("tide")
    assert "tide" in story.model.tracked
    assert story.log == [], "none of them was judged"


@pytest.mark.slow
def test_more_suggestions_than_places_are_tried_in_turn() -> None:
    many = tuple(f"noise {number}" for number in range(12))
    found = 0
    for seed in range(20):
        story = Story(seed, (*many, "tide"))
        for _ in range(60):
            story.visit(lambda values: values["tide"])
            if story.model.contradictions():
                story.propose(*many, "tide")
        found += story.model.kept == ["tide"]
    assert found >= 19


def test_a_variable_that_explains_a_little_in_many_places_is_kept() -> None:
    """As in play, where hardly any command is tried more than a few times in one place."""
    story = Story(4, ("dark",))
    story.propose("dark")
    for number in range(14):
        for dark in (True, False, True, False):
            story.names = ()
            tracked = {"dark": str(dark)} if story.model.tracked else {}
            story.model.observe(State(f"L{number}", tracked), "north", "death" if dark else "to L1")
            story.model.review()
    assert story.model.kept == ["dark"]
    assert story.model.contradictions() == []
    lit = State("L3", {"dark": "False"})
    assert story.model.probability(lit, "north", "to L1") > 0.65


def test_two_changes_alone_explain_nothing_in_however_many_places() -> None:
    """Whatever changed between two different outcomes fits them; that is no evidence."""
    story = Story(4, ("dark",))
    story.propose("dark")
    for number in range(60):
        for dark in (True, False):
            state = State(f"L{number}", {"dark": str(dark)})
            story.model.observe(state, "north", "death" if dark else "to L1")
            story.model.review()
    assert story.model.kept == []


def test_a_second_condition_is_found_though_it_was_dropped() -> None:
    """At first only the tide decides; later one needs the lamp, too."""
    story = Story(3, ("tide", "lamp"))
    for turn in range(120):
        if story.model.contradictions():
            story.propose("tide", "lamp")
        late = turn >= 45
        story.visit(lambda values, late=late: values["tide"] and (values["lamp"] or not late))
    assert story.log[:2] == ["tide: kept", "lamp: dropped"]
    assert sorted(story.model.kept) == ["lamp", "tide"]


def test_a_variable_that_was_kept_for_another_gives_way() -> None:
    """The mist lies over the ford at low tide, until one day it does not."""
    story = Story(5, ("mist", "tide"))
    story.propose("mist")
    for _ in range(30):
        story.visit(lambda values: values["mist"])
    assert story.model.kept == ["mist"]
    for _ in range(60):
        if story.model.contradictions():
            story.propose("tide")
        story.visit(lambda values: values["tide"])
    assert "tide" in story.model.kept
    high = State("L1", {"tide": "False", "mist": "True"})
    assert story.model.probability(high, "wade", "True") < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("source", ["oracle", "rules"])
def test_chance_is_not_explained(source: str) -> None:
    """Eight variables that have nothing to do with a coin, 60 visits, 100 coins."""
    names = tuple(f"noise {number}" for number in range(8))
    wrong = 0
    for seed in range(100):
        story = Story(seed, names)
        for _ in range(60):
            if story.model.contradictions():
                story.propose(*names, source=source, chance=0.1)
            story.visit(lambda values: story.rng.random() < 0.5)  # noqa: B023
        wrong += "kept" in " ".join(story.log)
    assert wrong <= 5


def test_names_are_tracked_as_they_are_read() -> None:
    story = Story(1, ())
    story.propose("  Sand   is BARE ", "", "x" * 200)
    story.propose("sand is bare", source="oracle")
    assert story.model.tracked == ["sand is bare"]
