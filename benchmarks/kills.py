"""Kills episodes at random moments, resumes them, and compares with undisturbed ones.

    python benchmarks/kills.py --kills 200

A third of the kills comes at a random Python call or return, a third within or about a
transaction of the checkpoints, a third by SIGKILL from outside at a random time. A resumed
episode is killed again until it comes through. Every process is forked from this one.
With `ZORK_CHECKPOINTS` set, the killed episodes keep their turns in that database.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory, list_runs
from orchestrator.traces.reader import TraceReader
from orchestrator.traces.writer import read_segments

WAYS = ("call", "commit", "time")
LATEST_S = 0.0005
"""So long after the beginning of a commit or roll-back the death comes at the latest."""


def main() -> None:
    """Print one line per episode and the sum; exit status 1 if any differs."""
    options = arguments()
    rng = random.Random(options.seed)
    kills: collections.Counter[str] = collections.Counter()
    episodes = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        while kills.total() < options.kills:
            story = options.stories[episodes % len(options.stories)]
            out = Path(folder, str(episodes))
            fault, ways = episode(story, episodes + 1, options.steps, out, rng)
            kills.update(ways)
            episodes += 1
            differing += bool(fault)
            print(f"{story:<12} {len(ways):>2} kills  {fault or 'equal'}", flush=True)
    by_way = ", ".join(f"{kills[way]} by {way}" for way in WAYS)
    print(f"{kills.total()} kills ({by_way}) in {episodes} episodes: {differing} differ")
    sys.exit(differing > 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("stories", nargs="*", default=["hollow", "workshop", "morning"])
    return parser.parse_args()


def episode(
    story: str, seed: int, steps: int, out: Path, rng: random.Random
) -> tuple[str, list[str]]:
    """Play one undisturbed, and one with kills; returns what differs, and how it was killed."""
    calm = out / "calm"
    begun = time.monotonic()
    calls = in_child(
        lambda: counted(lambda: play(story, seed=seed, steps=steps, out=calm, fresh=True))
    )
    seconds = time.monotonic() - begun
    wild, ways = out / "wild", list[str]()
    while True:
        way = rng.choice(WAYS)
        runs = list_runs(wild)
        if runs and runs[0].status(runs[0].record()) != "killed":
            # The last kill came after the result was written.
            return difference(list_runs(calm)[0], runs[0], len(ways)), ways
        database = os.environ.get("ZORK_CHECKPOINTS", "")
        task: Callable[[], object] = partial(
            play, story, seed=seed, steps=steps, out=wild, database=database, fresh=True
        )
        if runs:
            task = partial(resume, runs[0].path)
        status = killed(task, way, rng, calls, steps, seconds)
        if status == 0:
            return difference(list_runs(calm)[0], list_runs(wild)[0], len(ways)), ways
        ways.append(way)


def killed(
    task: Callable[[], Any],
    way: str,
    rng: random.Random,
    calls: int,
    steps: int,
    seconds: float,
) -> int:
    """Run the task in a child that is killed on the way, if it is not done before.

    Returns 0 if it was done.
    """
    child = os.fork()
    if child == 0:
        if way == "call":
            arm(Countdown(rng.randrange(calls)).call)
        elif way == "commit":
            arm(Countdown(rng.randrange(3 * steps), rng.uniform(0, LATEST_S)).commit)
        run_to_the_end(task)
    if way == "time":
        time.sleep(rng.uniform(0, seconds))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit("the child failed instead of being killed; see above")
    return status


class Countdown:
    """Ends the process at the n-th event."""

    def __init__(self, left: int, delay: float = 0.0) -> None:
        self.left = left
        self.delay = delay

    def call(self, frame: FrameType, event: str, argument: Any) -> None:
        self.left -= 1
        if self.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def commit(self, frame: FrameType, event: str, argument: Any) -> None:
        """The alarm is not handled: it ends the process wherever it is, in SQLite too."""
        if event == "c_call" and getattr(argument, "__name__", "") in ("commit", "execute"):
            self.left -= 1
            if self.left == 0:
                signal.setitimer(signal.ITIMER_REAL, max(self.delay, 1e-6))


def counted(task: Callable[[], Any]) -> int:
    """How many events the task is made of."""
    countdown = Countdown(sys.maxsize)
    arm(countdown.call)
    task()
    sys.setprofile(None)
    return sys.maxsize - countdown.left


def arm(hook: Callable[[FrameType, str, Any], None]) -> None:
    """Watch all threads from here on."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    threading.setprofile(hook)
    sys.setprofile(hook)


def run_to_the_end(task: Callable[[], Any]) -> None:
    """Leave this process without what the parent has registered."""
    status = 1
    try:
        task()
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(status)


def in_child(task: Callable[[], int]) -> int:
    """The number that the task returns, computed in a child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        run_to_the_end(lambda: os.write(writing, str(task()).encode()))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return int(answer)


def difference(calm: RunDirectory, wild: RunDirectory, kills: int) -> str:
    """What is wrong with the killed run, in words; empty if nothing."""
    if calm.transcript.read_bytes() != wild.transcript.read_bytes():
        return f"another transcript: {wild.path}"
    for run in (calm, wild):
        record = run.record()
        with read_turns(run, record) as saver:
            turns = [kept.turn for kept in saver.turns(record.thread)]
        if turns != list(range(len(turns))):
            return f"turns {turns} in {run.path}"
    played = collections.Counter(games(wild))
    repeated = sum(times - 1 for times in played.values())
    return f"{repeated} commands repeated after {kills} kills" if repeated > kills else ""


def games(run: RunDirectory) -> list[int]:
    """The turn of every command that the game was given, in flight ones too."""
    reader = TraceReader()
    for part in read_segments(run.trace):
        reader.feed(part)
    return [one.inputs.get("turn", -1) for one in reader.finish().walk() if one.name == "game"]


if __name__ == "__main__":
    main()
