"""How soon hidden conditions of scripted worlds are found, and what becomes of useless variables.

`python -m benchmarks.expansion [--simulations 100] [--visits 60]`
`python -m benchmarks.expansion --play deephome.z5,hollow [--seeds 1-3] [--steps 400]
[--episodes 1]` says instead what is kept while stories are played, and from which turn on.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from managers.belief.cases import Consequence
from managers.belief.dynamics import DynamicsModel
from orchestrator import play
from orchestrator.evaluation.plan import seed_range
from orchestrator.events import Event, TurnPlayed

TOLERANCE = 0.75
"""Points by which an expected reward may be off; what is at stake is 5 points."""
NOISE = ("rain", "wind", "moon", "mist")


class State(NamedTuple):
    """What the model sees of a state."""

    location: str
    tracked_state: dict[str, str]


@dataclass(frozen=True)
class World:
    """A place where one command has a hidden condition."""

    name: str
    needs: tuple[str, ...]
    """The variables that decide the outcome."""
    outcome: Callable[[Mapping[str, bool]], Consequence]
    others: tuple[str, ...] = NOISE
    """Variables that decide nothing."""
    follows: float = 0.5
    """How often the first of the others has the value of the first that decides."""

    def values(self, rng: random.Random) -> dict[str, bool]:
        values = {name: rng.random() < 0.5 for name in (*self.needs, *self.others)}
        like, one = self.others[0], self.needs[0]
        values[like] = values[one] if rng.random() < self.follows else not values[one]
        return values


OPENED, SHUT = Consequence("success", 5.0), Consequence("failure: refused", 0.0)
WORLDS = (
    World("one condition", ("tide",), lambda v: OPENED if v["tide"] else SHUT),
    World("A and B", ("tide", "lamp"), lambda v: OPENED if v["tide"] and v["lamp"] else SHUT),
    World(
        "reward only",
        ("tide",),
        lambda v: Consequence("success", 5.0 if v["tide"] else 0.0),
    ),
    World(
        "correlated distractor",
        ("tide",),
        lambda v: OPENED if v["tide"] else SHUT,
        follows=0.9,
    ),
)


class Found(NamedTuple):
    """What one simulation came to."""

    visit: int | None
    """After which all that decides was known and nothing else was kept for good."""
    error: float
    """The largest error of an expected reward at the end, in points."""
    dropped: bool
    """Whether no useless variable is kept or on trial at the end."""
    kept_wrongly: bool
    """Whether one was ever kept."""
    seconds: float


def visit(world: World, seed: int, visits: int, source: str) -> Found:
    """Visit a world and learn.

    Args:
        world: to be visited.
        seed: of the simulation.
        visits: how often the command is tried.
        source: `oracle`, who names what decides and one variable that does not, or `rules`, who
            name all there is in any order.
    """
    rng, model = random.Random(seed), DynamicsModel()
    names = [*world.needs, world.others[0]] if source == "oracle" else [*world.needs, *world.others]
    rng.shuffle(names)
    known, wrongly, seconds = None, False, 0.0
    for turn in range(1, visits + 1):
        values = world.values(rng)
        state = state_of({name: values[name] for name in model.tracked})
        outcome = world.outcome(values)
        started = time.process_time()
        model.observe(state, "wade", *outcome)
        if model.contradiction(state, "wade"):
            model.propose(names, source)
        model.review()
        seconds += time.process_time() - started
        right = set(model.kept) == set(world.needs)
        known = (known or turn) if right else None
        wrongly = wrongly or bool(set(model.kept) - set(world.needs))
    useless = set(model.tracked) - set(world.needs)
    return Found(known, error_of(model, world), not useless, wrongly, seconds / visits)


def state_of(values: Mapping[str, bool]) -> State:
    return State("L1 Ford", {name: str(value).lower() for name, value in values.items()})


def error_of(model: DynamicsModel, world: World) -> float:
    """The largest error of the expected reward over all states."""
    errors = []
    for combination in product((True, False), repeat=len(world.needs)):
        values = dict(zip(world.needs, combination, strict=True))
        expected = model.expected_reward(state_of(values), "wade")
        errors.append(abs(expected - world.outcome(values).reward))
    return max(errors)


def row(world: World, source: str, simulations: int, visits: int) -> str:
    """One line of the table."""
    runs = [visit(world, seed, visits, source) for seed in range(simulations)]
    found = sorted(run.visit for run in runs if run.visit is not None)
    half, most = (found[int(share * (len(found) - 1))] if found else 0 for share in (0.5, 0.95))
    right = sum(run.error <= TOLERANCE for run in runs)
    dropped, wrongly = sum(run.dropped for run in runs), sum(run.kept_wrongly for run in runs)
    cost = 1e3 * sum(run.seconds for run in runs) / len(runs)
    return (
        f"| {world.name} | {source} | {len(found)} | {half} | {most} | {right} | {dropped} "
        f"| {wrongly} | {cost:.2f} |"
    )


def kept_in(story: str, seed: int, steps: int, episodes: int) -> list[dict[str, int]]:
    """What an agent without a model keeps: for every episode, variables and the turns since when.

    Each episode remembers those before it.
    """
    found: list[dict[str, int]] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            for name in DynamicsModel(event.after["dynamics"]).kept:
                found[-1].setdefault(name, event.after["turn"])

    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, episodes + 1):
            found.append({})
            play(
                story,
                seed=seed,
                agent_seed=seed + number - 1,
                steps=steps,
                out=folder,
                store=Path(folder) / "memory.sqlite",
                watchers=(note,),
                episode=number,
                episodes=episodes,
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--visits", type=int, default=60)
    parser.add_argument("--play", default="", help="stories, with commas")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--episodes", type=int, default=1)
    given = parser.parse_args()
    if given.play:
        for story, seed in product(given.play.split(","), seed_range(given.seeds)):
            episodes = kept_in(story, seed, given.steps, given.episodes)
            said = ("; ".join(f"{name} ({turn})" for name, turn in one.items()) for one in episodes)
            print(f"| {story} | {seed} | {' | '.join(one or 'none' for one in said)} |", flush=True)
        return
    print(
        f"Of {given.simulations} simulations with {given.visits} visits; rewards are right within "
        f"{TOLERANCE} of 5 points.\n\n| world | named by | found | after (median) | after (95 %) "
        "| rewards right | useless dropped | ever kept wrongly | ms a visit |\n"
        f"|---|---|{'---:|' * 7}"
    )
    for world, source in product(WORLDS, ("oracle", "rules")):
        print(row(world, source, given.simulations, given.visits), flush=True)


if __name__ == "__main__":
    main()
