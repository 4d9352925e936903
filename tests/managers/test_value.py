"""Each term of the value does what its name says, and play modes and profiles lean the terms."""

from __future__ import annotations

import math

import pytest

from managers.belief.beliefs import AgentBeliefs, BeliefUpdater
from managers.core.handover import recall
from managers.core.mode import PlayMode
from managers.core.option import Draft
from managers.core.scene import Mind, Scene, Stance
from managers.core.value import TERMS, Valuation, exponents, profiles
from managers.language.actions import table
from managers.language.reading import FailureAnalysis
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.skills import all_skills
from tests.managers.earlier import LOFT, remembered
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told

DARK = "Darkness\nIt is pitch dark, and you can't see a thing."
OPEN = Draft("L1", "open chest", "open", "wooden chest")
TAKE = Draft("L1", "take lantern", "take", "brass lantern")


def scene(told: Told, *objectives: Objective, stance: Stance | None = None) -> Scene:
    return Scene(told.knowledge, all_skills(), objectives, stance or told.stance)


def term(name: str, told: Told, draft: Draft) -> float:
    now = scene(told)
    if name in TERMS:
        return TERMS[name](now, draft)
    skill = all_skills().by_name[name]
    return skill.weigh(now, draft) if skill.weighs(now) else 1.0


def worth(told: Told, draft: Draft, stance: Stance | None = None) -> float:
    value = Valuation(scene(told, stance=stance))
    return value.of(draft)


def test_probability_follows_what_worked_and_odds_that_are_known(mill: Told) -> None:
    before = term("probability", mill, OPEN)
    assert term("probability", mill, OPEN._replace(chance=0.5)) == pytest.approx(before / 2)
    assert term("probability", mill, OPEN._replace(probability=0.123)) == 0.123
    for _ in range(4):
        mill.say("open wooden chest", "It will not open.")
    assert term("probability", mill, OPEN) < before


def test_what_serves_an_objective_counts_more(mill: Told) -> None:
    goal = Goal(kind="open", thing="wooden chest", place="L1")
    wish = Objective(id="O1", text="open it", source="issue", goal=goal)
    plans, step = all_skills().by_name["plans"], OPEN._replace(objective="O1")
    assert plans.weigh(scene(mill, wish), step) > 1.0
    assert plans.weigh(scene(mill, wish), OPEN) == plans.weigh(scene(mill), step) == 1.0


def test_reward_is_that_of_the_kind_of_action(mill: Told) -> None:
    plain = TERMS["reward"](scene(mill), OPEN)
    assert TERMS["reward"](scene(mill), OPEN._replace(scale=2.0)) == pytest.approx(2 * plain)


def test_distance_is_less_for_what_is_far_and_nothing_out_of_reach(mill: Told) -> None:
    assert term("distance", mill, OPEN) == 1.0
    mill.say("east", YARD)
    assert 0 < term("distance", mill, OPEN) < 1.0
    assert term("distance", mill, OPEN._replace(room="L9")) == 0.0


def test_repetition_is_less_for_what_was_done_and_least_for_what_fails(mill: Told) -> None:
    assert term("repetition", mill, OPEN) == 1.0
    mill.say("open chest", "It seems to be locked.")
    refused = term("repetition", mill, OPEN)
    mill.say("take lantern", "Taken.")
    assert refused < term("repetition", mill, TAKE) < 1.0
    mill.say("unlock chest with pin", "You unlock the chest.")
    assert term("repetition", mill, OPEN) > 10 * refused


def test_what_can_be_done_again_is_worth_a_little_less_each_time(mill: Told) -> None:
    wait = Draft("L1", "wait", "wait")
    mill.say("wait", "Time passes.").say("wait", "Time passes.")
    assert term("repetition", mill, wait) == pytest.approx(table().kinds["wait"].again ** 2)


def test_memory_is_less_for_what_earlier_episodes_did_in_vain(first: Told) -> None:
    first.say("push crate", "Nothing happens.", score=5)
    again = Told(LOFT, recalled=recall(remembered(first)))
    here = again.knowledge.here
    assert term("remembered", again, Draft(here, "push crate", "move", "crate")) < 1.0
    assert term("remembered", again, Draft(here, "pull crate", "move", "crate")) == 1.0


def test_attention_goes_to_what_was_spoken_of_and_more_to_what_came_to_light(mill: Told) -> None:
    assert term("things", mill, OPEN) == 1.0
    mill.say("read label", 'It reads: "The lantern shows the way, my friend."')
    spoken = term("things", mill, TAKE)
    mill.say("move millstone", "You move the millstone, revealing a trap door.")
    shown = term("things", mill, Draft("L1", "open trap door", "open", "trap door"))
    assert 1.0 < spoken < shown


def test_what_worked_is_done_again_ever_less_gladly(mill: Told) -> None:
    examine, often = Draft("L1", "examine chest", "examine", "wooden chest"), []
    for _ in range(3):
        mill.say("examine chest", "It is an ordinary chest.")
        often.append(term("repetition", mill, examine))
    assert 0 < often[2] < often[1] < often[0] < 0.1


def test_richness_wanes_where_nothing_comes_of_much(mill: Told) -> None:
    before = term("richness", mill, OPEN)
    for number in range(6):
        mill.say(f"push stone{number}", "Nothing happens.")
    assert term("richness", mill, OPEN) < before
    assert term("richness", mill, OPEN._replace(room="L2")) == before


def test_safety_is_the_chance_to_survive(mill: Told) -> None:
    jump = Draft("L1", "jump", "use")
    assert term("safety", mill, jump) == 1.0
    mill.say("jump", "You break your neck.\n\n    *** You have died ***\n\n" + MILL)
    assert term("safety", mill, jump) < 1.0
    assert term("safety", mill, OPEN) == 1.0


def test_in_a_fight_all_else_can_wait_and_the_wounded_do_not_fight(mill: Told) -> None:
    mill.say("east", YARD + "\nA guard is here.").say("wait", "The guard swings at you.")
    fight = Draft("L2", "attack guard", "fight", "guard")
    assert term("fights", mill, fight) == 1.0
    assert term("fights", mill, Draft("L2", "examine cart", "examine", "cart")) < 1.0
    mill.say("wait", "The guard hits you. You are badly hurt.").say("west", MILL)
    assert term("fights", mill, fight) < 1.0


def test_risk_tells_kinds_that_may_do_harm(mill: Told) -> None:
    fight = Draft("L1", "attack guard", "fight")
    assert term("risk", mill, fight) < term("risk", mill, Draft("L1", "climb tree", "climb")) < 1.0
    assert term("risk", mill, TAKE) == 1.0


def test_in_the_dark_only_light_and_ways_out_count(mill: Told) -> None:
    assert term("light", mill, OPEN) == 1.0
    mill.say("north", DARK)
    here = mill.knowledge.here
    assert term("light", mill, Draft(here, "take rope", "take", "rope")) < 0.1
    assert term("light", mill, Draft(here, "turn on lantern", "light", "lantern")) == 1.0
    assert term("light", mill, Draft(here, "south", "escape")) == 1.0
    mill.say("south", MILL)
    assert term("light", mill, Draft("L1", "north", "exit")) < 0.1


def test_what_deals_with_the_blocker_counts_more_the_surer_that_is(mill: Told) -> None:
    locked = FailureAnalysis(failure_reason="locked", prerequisite="open the chest")
    beliefs = BeliefUpdater().update_from_failure_analysis(AgentBeliefs(), "north", locked)
    blocked = Scene(mill.knowledge, all_skills(), beliefs=beliefs)
    assert TERMS["blocker"](blocked, OPEN) > 2.0
    assert TERMS["blocker"](blocked, TAKE) == 1.0
    assert term("blocker", mill, OPEN) == 1.0


def test_tastes_differ_by_seed_and_only_by_a_little(mill: Told) -> None:
    tastes = [TERMS["taste"](scene(mill, stance=Stance(seed)), OPEN) for seed in range(20)]
    assert len(set(tastes)) > 10
    assert all(0.8 < taste < 1.2 for taste in tastes)


# -- all terms together ---------------------------------------------------------


def test_a_term_that_is_left_out_does_not_count(mill: Told) -> None:
    mill.say("east", YARD)
    without = Stance(1, Mind(without=("distance", "taste")))
    shown = Valuation(scene(mill, stance=without)).explain(OPEN)
    assert not {"distance", "taste"} & shown.keys()
    assert math.isclose(worth(mill, OPEN, without), math.prod(shown.values()), rel_tol=0.01)
    assert worth(mill, OPEN, without) > worth(mill, OPEN)


def test_modes_and_profiles_lean_terms_that_there_are() -> None:
    skills = tuple(one.name for one in all_skills().weighing)
    known, even = {*TERMS, *skills}, exponents(skills=skills)
    assert even.keys() == known
    for mode in PlayMode:
        assert exponents(mode.value, skills=skills).keys() == known
    for name, profile in profiles().items():
        assert profile.terms.keys() <= known
        leaned = {one for one, power in exponents("", name, skills).items() if power != even[one]}
        assert leaned == profile.terms.keys()


def test_a_term_counts_as_much_as_its_power_says(mill: Told) -> None:
    mill.say("east", YARD)
    plain, homely = (Stance(1, mode=mode) for mode in ("", PlayMode.SOLVING.value))
    more = exponents(PlayMode.SOLVING.value)["distance"] - exponents()["distance"]
    factor = term("distance", mill, OPEN) ** more
    assert worth(mill, OPEN, homely) == pytest.approx(worth(mill, OPEN, plain) * factor)


def test_the_cautious_shun_the_fight_that_the_bold_seek(mill: Told) -> None:
    mill.say("east", YARD + "\nA guard is here.").say("wait", "The guard swings at you.")
    mill.say("attack guard", "The guard hits you. You are badly hurt.")
    fight, look = Draft("L2", "attack guard", "fight", "guard"), Draft("L2", "look", "look")
    share = {
        name: worth(mill, fight, Stance(1, profile=name))
        / worth(mill, look, Stance(1, profile=name))
        for name in profiles()
    }
    assert share["bold"] > share["even"] > share["cautious"]
