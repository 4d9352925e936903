"""Skills: each stands alone, each hook counts, and a graph file changes them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from managers import skills
from managers.core.ranking import rank
from managers.core.scene import Scene
from managers.core.skill import Draft, Obstacle, Skill, SkillError, Skills
from managers.core.value import Valuation
from managers.skills import SHIPPED, all_skills
from managers.world.facts import Blackboard
from managers.world.transition import Transition
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told, with_skill, without

FOLDER = Path(skills.__file__).parent
LANTERN = Draft("L1", "take lantern", "take", "brass lantern")


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("name", SHIPPED)
def test_a_skill_is_one_file_and_imports_no_other(name: str) -> None:
    made_in = SHIPPED[name].__module__
    assert made_in == f"managers.skills.{name}"
    assert not [one for one in imported(FOLDER / f"{name}.py") if one.startswith("managers.skills")]


def test_nothing_but_the_registry_imports_a_skill() -> None:
    for package in ("managers", "orchestrator", "agents"):
        for file in (FOLDER.parents[1] / package).rglob("*.py"):
            if file.parent != FOLDER:
                assert not [one for one in imported(file) if one.startswith("managers.skills.")]


def test_no_package_of_the_mind_imports_itself_by_way_of_others() -> None:
    arrows: dict[str, set[str]] = {}
    for file in FOLDER.parent.rglob("*.py"):
        for module in imported(file):
            parts, own = module.split("."), file.parent.name
            if parts[0] == "managers" and len(parts) > 2 and parts[1] != own:
                arrows.setdefault(own, set()).add(parts[1])
    arrows.pop("managers", None)
    done: set[str] = set()
    while arrows:
        free = [name for name in arrows if arrows[name] <= done | ({*arrows[name]} - {*arrows})]
        assert free, f"a circle among {', '.join(arrows)}"
        done.update(free)
        for name in free:
            del arrows[name]


def test_without_skills_nothing_is_offered() -> None:
    told = Told(MILL, skills=Skills())
    assert told.options() == []
    assert not told.knowledge.facts


class Humming(Skill):
    """Hums once in every room."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        hummed = transition.command == "hum"
        facts = [transition.fact("here", room=transition.room)] if hummed else []
        return board.with_("hummed", facts)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        if not scene.board.subjects("hummed", scene.here):
            yield Draft(scene.here, "hum", "use")


def test_a_skill_offers_by_what_it_has_noticed() -> None:
    told = Told(MILL, skills=with_skill("humming", Humming()))
    assert "hum" in told.commands()
    told.say("hum", "You hum a tune.")
    assert "hum" not in told.commands()
    told.say("east", YARD)
    assert "hum" in told.commands()


class Against(Skill):
    """Weighs whatever takes something."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def weigh(self, scene: Scene, draft: Draft) -> float:
        return self.factor if draft.command.startswith("take") else 1.0


def test_a_skill_weighs_what_others_offer_and_is_named_for_it() -> None:
    plain, told = Told(MILL), Told(MILL, skills=with_skill("modesty", Against(0.5)))
    value = Valuation(Scene(told.knowledge, told.skills, stance=told.stance))
    before = Valuation(Scene(plain.knowledge, plain.skills, stance=plain.stance)).of(LANTERN)
    assert value.of(LANTERN) == pytest.approx(before / 2)
    assert value.explain(LANTERN)["modesty"] == 0.5


def test_what_a_skill_weighs_with_nothing_is_ruled_out() -> None:
    never = Told(MILL, skills=with_skill("modesty", Against(0.0)))
    assert not [one for one in never.commands() if one.startswith("take")]


class Toll(Skill):
    """Takes a toll of one room."""

    def toll(self, scene: Scene, room: str) -> float:
        return 7.0 if room == "L2" else 0.0


def test_a_toll_makes_a_way_longer() -> None:
    costs = []
    for known in (all_skills(), with_skill("toll", Toll())):
        told = Told(MILL, skills=known).say("east", YARD).say("west", MILL)
        costs.append(Scene(told.knowledge, known).distances["L2"])
    assert costs[1] == costs[0] + 7.0


class Oiled(Skill):
    """Knows that what stood in the way of a command is gone, or not."""

    def __init__(self, *, anew: bool) -> None:
        self.anew = anew

    def obstacles(self, scene: Scene) -> Iterable[Obstacle]:
        return [Obstacle("L1", "open chest", first="oil chest", gone=True, anew=self.anew)]


def test_a_refusal_whose_reason_is_gone_is_worth_another_try() -> None:
    values = []
    for known in (all_skills(), *(with_skill("oil", Oiled(anew=anew)) for anew in (False, True))):
        told = Told(MILL, skills=known).say("open chest", "It seems to be locked.")
        scene = Scene(told.knowledge, known)
        values.append((scene.is_hopeless("open chest", "L1"), scene.obstacle("L1", "open chest")))
    assert [hopeless for hopeless, _ in values] == [True, True, False]
    assert values[1][1].first == "oil chest"
    assert values[2][1].gone


def test_what_skills_tell_stands_in_the_situation() -> None:
    class Telling(Skill):
        def tell(self, scene: Scene) -> list[str]:
            return [f"One hums in {scene.here}."]

    told = Told(MILL, skills=with_skill("telling", Telling()))
    assert "One hums in L1." in told.situation().told


def test_a_skill_that_is_left_out_offers_and_notices_nothing() -> None:
    guard = YARD + "\nA guard is here."
    for known, foes in ((all_skills(), ["guard"]), (without("fights"), [])):
        told = Told(MILL, skills=known).say("east", guard).say("wait", "The guard swings at you.")
        assert [one.noun for one in told.knowledge.foes] == foes
        ranked = rank(Scene(told.knowledge, known), limit=300).options
        assert any(one.kind == "fight" for one in ranked) == bool(foes)


@pytest.mark.parametrize("taken", [None, -1.0, math.nan])
def test_a_toll_that_is_none_is_told_of_its_skill(taken: float) -> None:
    class Wrong(Skill):
        def toll(self, scene: Scene, room: str) -> float:
            return taken

    told = Told(MILL, skills=with_skill("wrong", Wrong())).say("east", YARD)
    with pytest.raises(SkillError, match="'wrong': toll gave"):
        told.options()


def test_a_draft_that_cannot_be_valued_is_told_of_its_skill() -> None:
    class Wrong(Skill):
        def offer(self, scene: Scene) -> Iterator[Draft]:
            yield Draft(scene.here, "hum", "use", scale=math.nan)

    with pytest.raises(SkillError, match="'wrong': offer gave"):
        Told(MILL, skills=with_skill("wrong", Wrong())).options()
