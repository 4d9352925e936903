"""Does what the agent knows decide what it does? Turns of real episodes, decided once more.

    python -m benchmarks.knowledge_effect [STORY...] [--turns 50] [--seeds 1-5] [--steps 200]

At every sampled turn the objective that is pursued, the plans, or the strongest hypothesis are
taken out of the state, and the same graph decides again; besides, with the leaning of the play mode
and with each profile. Printed is on how many of the turns on which one was active the chosen
command was another one.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.bayesian import BayesianActor
from managers.core.skill import Skills
from managers.core.value import EVEN, exponents
from managers.planning.objectives import Objective
from managers.skills import all_skills
from managers.skills.plans import PlansSkill
from managers.world.hypotheses import Hypothesis
from managers.world.view import World
from orchestrator import nodes
from orchestrator.episode import open_episode
from orchestrator.evaluation.plan import seed_range
from orchestrator.events import Event, TurnPlayed
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.turns.context import Context, Crew
from orchestrator.turns.current import current_mode

STORIES = ("zork1", "hollow", "workshop")
ANY = "any of them"


class Decision:
    """What the graph makes of a state: the command, and the knowledge it had."""

    def __init__(self, state: State, context: Context, crew: Crew) -> None:
        self.context, self.crew = context, crew
        self.before: State = {**state}
        for name in ("objective_manager", "mode", "planner"):
            update = getattr(nodes, name)(self.before, context, crew.at(name, name, 1))
            self.before = {**self.before, **update}
        post = crew.at("actor", "actor", 1)
        self.command = nodes.actor(self.before, context, post)["proposal"].command
        best = next((c for c in self.before["options"] if c.command == self.command), None)
        active = [one for one in self.before["objectives"] if one.status == "active"]
        pursued = [one for one in active if best is not None and one.id == best.objective]
        self.objective = next(iter([*pursued, *active]), None)
        self.planned = any(step.command for one in active for step in one.plan)
        ideas = World(self.before["world"]).hypotheses()
        self.hypothesis = next((one for one in ideas if not (one.tested or one.disproven)), None)

    def again(
        self, *, chaining: bool = True, modes: bool = False, profile: str = EVEN, **changes: Any
    ) -> str:
        """The command for another state of the objectives or the world, or another leaning."""
        proposal = self.before.get("proposal")
        if proposal is not None:
            told = proposal.response.model_copy(update={"new_objective": None})
            changes["proposal"] = proposal.model_copy(update={"response": told})
        mind = self.context.mind.model_copy(update={"modes": modes})
        skills = {**all_skills().by_name, "plans": PlansSkill(chaining=chaining)}
        actor = BayesianActor(profile=profile)
        crew = Crew(actor=actor, parts={"actor": actor})
        context = replace(self.context, mind=mind, skills=Skills(skills))
        edited: State = {**self.before, **changes}  # type: ignore[typeddict-item]
        return str(Decision(edited, context, crew).command)


def without_objective(decision: Decision) -> str | None:
    """The command without the objective that is pursued; None if there is none."""
    if decision.objective is None:
        return None
    gone = decision.objective.id
    return decision.again(
        objectives=[one for one in decision.before["objectives"] if one.id != gone]
    )


def without_plans(decision: Decision) -> str | None:
    """The command without any plan; None if there is none."""
    if not decision.planned:
        return None
    bare: list[Objective] = [
        one.model_copy(update={"plan": ()}) for one in decision.before["objectives"]
    ]
    return decision.again(chaining=False, objectives=bare)


def without_hypothesis(decision: Decision) -> str | None:
    """The command without the strongest untested hypothesis; None if there is none."""
    strongest: Hypothesis | None = decision.hypothesis
    if strongest is None:
        return None
    world = World(decision.before["world"])
    world.remove_hypothesis(strongest.id)
    return decision.again(world=world.data)


def with_mode(decision: Decision) -> str | None:
    """The command with the leaning of the play mode; None if that has none."""
    leans = exponents(current_mode(decision.before).state) != exponents()
    return decision.again(modes=True) if leans else None


PARTS: Mapping[str, Callable[[Decision], str | None]] = {
    "objective": without_objective,
    "plan": without_plans,
    "hypothesis": without_hypothesis,
}
LEANINGS: Mapping[str, Callable[[Decision], str | None]] = {
    "mode": with_mode,
    "cautious": lambda decision: decision.again(profile="cautious"),
    "bold": lambda decision: decision.again(profile="bold"),
}
ROWS = (*PARTS, ANY, *LEANINGS)


def effects(decisions: Sequence[Decision]) -> dict[str, tuple[int, int]]:
    """Row -> the turns on which the command was another one, and those it was active on."""
    active, changed = Counter[str](), Counter[str]()
    for decision in decisions:
        others = {name: part(decision) for name, part in {**PARTS, **LEANINGS}.items()}
        found = {name for name, other in others.items() if other is not None}
        differs = {name for name in found if others[name] != decision.command}
        active.update([*found, *([ANY] if found & PARTS.keys() else [])])
        changed.update([*differs, *([ANY] if differs & PARTS.keys() else [])])
    return {name: (changed[name], active[name]) for name in ROWS}


def sampled(story: str, seeds: Sequence[int], turns: int, steps: int) -> Iterator[Decision]:
    """Turns at even distances out of one episode for every seed."""
    each = -(-turns // len(seeds))
    for seed in seeds[:turns]:
        states: list[State] = []

        def keep(event: Event, states: list[State] = states) -> None:
            if isinstance(event, TurnPlayed):
                states.append(event.before)

        with tempfile.TemporaryDirectory() as out:
            setup = Setup.resolve(
                story,
                graph="offline",
                seed=seed,
                steps=steps,
                out=Path(out),
                fresh=True,
                checkpoints=False,
                trace=False,
                watchers=(keep,),
            )
            with open_episode(setup) as episode:
                episode.play()
                for number in range(each):
                    state = states[number * len(states) // each]
                    yield Decision(state, episode.context, setup.crew())


def main() -> None:
    """Print the shares by story."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="*", default=STORIES)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    table = Table("without the part, with the leaning", *options.stories)
    columns = []
    for story in options.stories:
        seeds = seed_range(options.seeds)
        columns.append(effects(list(sampled(story, seeds, options.turns, options.steps))))
    for name in ROWS:
        cells = [f"{changed} of {active}" for changed, active in (one[name] for one in columns)]
        table.add_row(name, *cells)
    Console().print(table)


if __name__ == "__main__":
    main()
