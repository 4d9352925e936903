"""Resumes runs while the clock is wrong, then with the right one, and compares what was played.

    python -m benchmarks.clocks [--story hollow] [--points 20]

A run is stopped after each of so many turns, played on with the clock shifted, and played to its
end with the right clock. Exit status 1 if a transcript differs from the undisturbed one's, or a
turn is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from langgraph.checkpoint.base import id as checkpoint_ids

from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory

SHIFTS = (-3600, -60, 60)
SEED, SHIFTED, AFTER = 5, 5, 5
"""Turns with the wrong clock, and turns after them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="hollow")
    parser.add_argument("--points", type=int, default=20)
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    for point in range(1, options.points + 1):
        for seconds in SHIFTS:
            with tempfile.TemporaryDirectory() as folder:
                outcome = shifted(options.story, point, seconds, Path(folder))
            outcomes[outcome] += 1
            if outcome != "equal":
                print(f"turn {point}, {seconds:+} s: {outcome}", flush=True)
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"clock {', '.join(f'{one:+}' for one in SHIFTS)} s at {options.points} turns: {told}")
    sys.exit(outcomes.keys() != {"equal"})


def shifted(story: str, point: int, seconds: int, folder: Path) -> str:
    """Play to a turn, go on with a wrong clock, then with the right one; what differs, in words."""
    whole = point + SHIFTED + AFTER
    calm = play(story, seed=SEED, steps=whole, fresh=True, out=folder / "calm").run_dir
    run = RunDirectory(
        Path(play(story, seed=SEED, steps=point, fresh=True, out=folder / "wild").run_dir)
    )
    with clock(seconds):
        resume(run.path, steps=SHIFTED)
    with clock(0):
        resume(run.path, steps=AFTER)
    record = run.record()
    with read_turns(run, record) as saver:
        turns = [kept.turn for kept in saver.turns(record.thread)]
    if turns != list(range(whole + 1)):
        return f"turns {turns}"
    same = run.transcript.read_bytes() == RunDirectory(Path(calm)).transcript.read_bytes()
    return "equal" if same else "another transcript"


@contextmanager
def clock(seconds: int) -> Iterator[None]:
    """The clock is so far from the right time, as a process that starts now sees it."""
    now, now_ns = time.time, time.time_ns
    with (
        mock.patch.object(checkpoint_ids, "_last_v6_timestamp", None),
        mock.patch.object(time, "time", side_effect=lambda: now() + seconds),
        mock.patch.object(time, "time_ns", side_effect=lambda: now_ns() + seconds * 10**9),
    ):
        yield


if __name__ == "__main__":
    main()
