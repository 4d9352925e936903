"""How long the agent thinks: planning at turns 100, 200 and 400, and whole episodes.

    python -m benchmarks.speed [--story zork1] [--seeds 1-3]

Planning is what the ranking of the candidates and the actor take of a turn. The episodes are
played as `zork bench` plays them; `--keep` measures them with checkpoints. Of every turn the
fastest of some passes counts, whatever else the machine does meanwhile.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from benchmarks.turns import (
    SEED,
    by_hand,
    context,
    disturbance,
    fastest,
    opened,
    report,
    undisturbed,
)
from environments.game import Game
from orchestrator import roles
from orchestrator.episode import play_setup
from orchestrator.evaluation.plan import seed_range
from orchestrator.events import EpisodeEnded, Event
from orchestrator.setup import Setup
from orchestrator.state import State

PLANNING_MS, EPISODE, KEPT = 2.0, 150.0, 120.0
"""CPU a turn at turn 400; turns a second of an episode, without and with checkpoints."""
ROLES = (
    *("objective_manager", "mode", "planner", "actor", "critic", "game", "extractor", "learner"),
)
PLANNING = ("planner", "actor")
TURNS, WINDOW = (100, 200, 400), 20
PASSES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--keep", action="store_true", help="with checkpoints")
    options = parser.parse_args()
    gc.freeze()
    print(f"{options.story}, {disturbance()}")
    if not options.keep:
        think(Setup.resolve(options.story, seed=SEED))
    paces = [best_turns(options.story, seed, options.keep) for seed in seed_range(options.seeds)]
    wall, cpu = (sum(map(sum, times)) for times in zip(*paces, strict=True))
    turns = sum(len(times) for times, _ in paces)
    kind, goal = ("with", KEPT) if options.keep else ("without", EPISODE)
    print(f"  episodes {kind} checkpoints, seeds {options.seeds}, {turns} turns, {PASSES} passes")
    report("wall time", turns / wall, "turns a second", goal, least=True)
    report("one core", turns / cpu, "turns a second", goal, least=True)


def think(setup: Setup) -> None:
    """Print what the roles take about the three turns."""
    with opened(setup) as game:
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
    state, seen, crew = State(), context(setup, game), setup.crew()
    with timed_nodes(spent), undisturbed():
        for _ in range(TURNS[-1] + WINDOW):
            for times in spent.values():
                times.append(0.0)
            state = by_hand(crew, state, seen)
    return spent


@contextmanager
def timed_nodes(spent: dict[str, list[float]]) -> Iterator[None]:
    """Nodes that add what they take to the last entry of their list."""

    def timed(name: str) -> Callable[..., Any]:
        node = roles.ROLES[name].node
        assert node is not None

        def timed_node(*given: Any) -> Any:
            begun = time.thread_time()
            update = node(*given)
            spent[name][-1] += (time.thread_time() - begun) * 1000
            return update

        return timed_node

    slower = {name: replace(roles.ROLES[name], node=timed(name)) for name in ROLES}
    with mock.patch.dict(roles.ROLES, slower):
        yield


def best_turns(story: str, seed: int, kept: bool) -> tuple[list[float], list[float]]:
    """Seconds of wall and of processor time of each turn, of every turn the fastest pass."""
    passes = [timed_turns(story, seed, kept) for _ in range(PASSES)]
    wall, cpu = zip(*passes, strict=True)
    return fastest(list(wall)), fastest(list(cpu))


class Clock(NamedTuple):
    """What has passed, in seconds."""

    wall: float
    cpu: float

    def later(self, cpu: float) -> Clock:
        return self._replace(cpu=self.cpu + cpu)


def clock() -> Clock:
    return Clock(time.perf_counter(), time.process_time())


def timed_turns(story: str, seed: int, kept: bool) -> tuple[list[float], list[float]]:
    """The same of one episode of 400 turns, the emulator's processor time included.

    What the measuring itself takes is not counted.
    """
    marks: list[tuple[Clock, Clock]] = []

    def note(event: Event) -> None:
        if not isinstance(event, EpisodeEnded):
            begun = clock()
            emulator = emulator_seconds()
            marks.append((begun.later(emulator), clock().later(emulator)))

    with tempfile.TemporaryDirectory() as folder:
        setup = Setup.resolve(
            story,
            seed=seed,
            out=folder,
            checkpoints=kept,
            trace=False,
            cache=False,
            fresh=True,
            watchers=(note,),
        )
        play_setup(setup)
    turns = [(left, reached) for (_, left), (reached, _) in pairwise(marks)]
    wall = [reached.wall - left.wall for left, reached in turns]
    return wall, [reached.cpu - left.cpu for left, reached in turns]


def emulator_seconds() -> float:
    """Processor time of the processes started from here that still run."""
    children = Path("/proc/self/task", str(os.getpid()), "children").read_text(encoding="utf-8")
    spent = (Path("/proc", child, "schedstat") for child in children.split())
    return sum(int(path.read_text(encoding="utf-8").split()[0]) for path in spent) / 1e9


if __name__ == "__main__":
    main()
