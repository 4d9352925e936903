"""How long the agent thinks: planning at turns 100, 200 and 400, and whole episodes.

    python -m benchmarks.speed [--story zork1] [--seeds 1-3]

Planning is what the ranking of the candidates and the actor take of a turn. The episodes are
played as `zork bench` plays them, without checkpoints and traces; `--keep` measures them with both.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from benchmarks.turns import SEED, by_hand, context, fastest, report, undisturbed
from environments.game import Game
from environments.jericho_game import open_game
from orchestrator import nodes
from orchestrator.bench import seed_range
from orchestrator.episode import open_episode
from orchestrator.setup import Setup
from orchestrator.state import State

PLANNING_MS, EPISODE, KEPT = 2.0, 150.0, 110.0
"""CPU a turn at turn 400; turns a second of an episode, without and with checkpoints."""
ROLES = ("objective_manager", "rank", "actor", "critic", "game", "extractor", "learner")
"""The nodes, and the ranking of the candidates within the first of them."""
PLANNING = ("rank", "actor")
TURNS, WINDOW = (100, 200, 400), 20
PASSES = 3


class Pace(NamedTuple):
    """How fast an episode went."""

    turns: int
    wall: float
    cpu: float
    """Seconds of this process and of the emulator's."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--keep", action="store_true", help="with checkpoints and traces")
    options = parser.parse_args()
    gc.freeze()
    print(f"{options.story}, load {os.getloadavg()[0]:.1f}")
    if not options.keep:
        think(Setup.resolve(options.story, seed=SEED))
    paces = [best_pace(options.story, seed, options.keep) for seed in seed_range(options.seeds)]
    kind = "with checkpoints and traces" if options.keep else "without checkpoints"
    goal = KEPT if options.keep else EPISODE
    turns = sum(pace.turns for pace in paces)
    print(f"  episodes {kind}, seeds {options.seeds}, {turns} turns, best of {PASSES}")
    report(
        "wall time", turns / sum(pace.wall for pace in paces), "turns a second", goal, least=True
    )
    report("one core", turns / sum(pace.cpu for pace in paces), "turns a second", goal, least=True)


def think(setup: Setup) -> None:
    """Print what the roles take about the three turns."""
    with open_game(setup.story) as game:
        passes = [timed_roles(setup, game) for _ in range(PASSES)]
    best = {name: fastest([spent[name] for spent in passes]) for name in ROLES}
    best["planning"] = [sum(turn) for turn in zip(*(best[name] for name in PLANNING), strict=True)]
    medians: list[float] = []
    for name, times in best.items():
        medians = [
            statistics.median(times[turn - WINDOW // 2 : turn + WINDOW // 2]) for turn in TURNS
        ]
        shown = "  ".join(f"{ms:6.2f}" for ms in medians)
        print(f"  {name:<24}{shown}  ms CPU about turns {', '.join(map(str, TURNS))}")
    report("planning", medians[-1], f"ms CPU about turn {TURNS[-1]}", PLANNING_MS)


def timed_roles(setup: Setup, game: Game) -> dict[str, list[float]]:
    """Milliseconds of every role in every turn of an episode; all attempts of a turn together."""
    spent: dict[str, list[float]] = {name: [] for name in ROLES}
    state, seen = State(), context(setup, game)
    with timed_nodes(spent), undisturbed():
        for _ in range(TURNS[-1] + WINDOW):
            for times in spent.values():
                times.append(0.0)
            state = by_hand(setup, state, seen)
    return spent


@contextmanager
def timed_nodes(spent: dict[str, list[float]]) -> Iterator[None]:
    """Nodes that add what they take to the last entry of their list."""

    def timed(name: str) -> Callable[..., Any]:
        node = getattr(nodes, name)

        def timed_node(*given: Any) -> Any:
            begun = time.thread_time()
            update = node(*given)
            spent[name][-1] += (time.thread_time() - begun) * 1000
            return update

        return timed_node

    with mock.patch.multiple(nodes, **{name: timed(name) for name in ROLES}):
        yield


def best_pace(story: str, seed: int, kept: bool) -> Pace:
    """An episode of 400 turns, the fastest of some."""
    return min((pace(story, seed, kept) for _ in range(PASSES)), key=lambda one: one.cpu)


def pace(story: str, seed: int, kept: bool) -> Pace:
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup.resolve(
            story, seed=seed, out=folder, checkpoints=kept, trace=kept, cache=False, fresh=True
        )
        children = cpu_of(resource.RUSAGE_CHILDREN)
        with open_episode(setup) as episode:
            wall, cpu = time.perf_counter(), time.process_time()
            result = episode.play()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return Pace(result["steps"], wall, cpu + cpu_of(resource.RUSAGE_CHILDREN) - children)


def cpu_of(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
