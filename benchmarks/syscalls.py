"""Kills an episode right before system calls that change a file, and sees what is lost.

    python -m benchmarks.syscalls [--kills 200] [--story hollow] [--steps 6]

Writes, syncs, renames, removals and new folders are counted over the first episode under a new
`ZORK_HOME`: run, checkpoints, trace, memory and end. The process dies before the n-th of them, for
so many n, evenly spread (all of them where there are no more). An episode may have a few calls
less than the one before: a kill that came too late is made up for by another. Then the run is
resumed, or played again where there was none yet, and compared with one that nobody disturbed;
what is remembered has to be the same, too, and the next episode to be played. Needs gcc.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from orchestrator import memory
from orchestrator.saved.runs import list_runs

SOURCE = Path(__file__).with_name("dying.c")
PLAY = (
    "import sys; from orchestrator import play\n"
    "play(sys.argv[1], seed=3, steps=int(sys.argv[2]), out=sys.argv[3])\n"
)
RESUME = "import sys; from orchestrator.resume import resume; resume(sys.argv[1])\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--story", default="hollow")
    parser.add_argument("--steps", type=int, default=6)
    options = parser.parse_args()
    episode = (options.story, str(options.steps))
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        library = room / "dying.so"
        command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        count = room / "count"
        dying = {"LD_PRELOAD": str(library), "DIE_COUNT": str(count)}
        calm = Episode(room / "calm", episode)
        calm.run(PLAY, *episode, str(calm.out), **dying)
        calls = int(count.read_text(encoding="utf-8"))
        outcomes: Counter[str] = Counter()
        for at in spread(calls, options.kills):
            wild = Episode(room / str(at), episode)
            outcome = wild.killed(calm, DIE_AT=str(at), **dying)
            outcomes[outcome] += 1
            if outcome not in GOOD:
                print(f"call {at}: {outcome}", flush=True)
            if outcomes.total() - outcomes[LATE] == options.kills:
                break
    kills = outcomes.total() - outcomes[LATE]
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{kills} kills at {calls} calls of {options.steps} turns of {options.story}: {told}")
    sys.exit(bool(outcomes.keys() - set(GOOD)))


def spread(calls: int, kills: int) -> list[int]:
    """Calls to die before: so many of them evenly, then the others from the last one back."""
    first = [1 + number * (calls - 1) // max(kills - 1, 1) for number in range(min(kills, calls))]
    return list(dict.fromkeys([*first, *range(calls, 0, -1)]))


LATE = "never killed"
"""The episode had ended before that call."""
GOOD = ("resumed", "played again", "complete", LATE)
"""Complete: the kill came after the end of the episode."""


class Episode:
    """An episode with a home of its own."""

    def __init__(self, folder: Path, episode: tuple[str, str]) -> None:
        self.out, self.home, self.episode = folder / "runs", folder / "home", episode

    def killed(self, calm: Episode, **dying: str) -> str:
        """What became of it, in words."""
        if self.run(PLAY, *self.episode, str(self.out), **dying).returncode == 0:
            return LATE
        again = self.go_on()
        if again.returncode:
            return f"unresumable: {last_line(again)}"
        if self.transcript() != calm.transcript():
            return "another transcript"
        if self.remembered() != calm.remembered():
            return "another memory"
        more = self.run(PLAY, self.episode[0], "2", str(self.out / "more"))
        return f"no later play: {last_line(more)}" if more.returncode else self.how

    def go_on(self) -> subprocess.CompletedProcess[str]:
        """Resume what there is."""
        runs = list_runs(self.out)
        if not runs:
            self.how = "played again"
            return self.run(PLAY, *self.episode, str(self.out))
        (run,) = runs
        if run.record().status == "ended":
            self.how = "complete"
            return subprocess.CompletedProcess((), 0)
        self.how = "resumed"
        return self.run(RESUME, str(run.path))

    def transcript(self) -> bytes:
        (run,) = list_runs(self.out)
        return run.transcript.read_bytes()

    def remembered(self) -> dict[str, Any]:
        """Without the name of the run, of which there is one."""
        (run,) = list_runs(self.out)
        record = run.record()
        subject = memory.Subject(record.story_sha256, record.graph)
        learned = memory.load(subject, self.home / "memory.sqlite")
        return {**learned, "runs": len(learned["runs"])}

    def run(
        self, code: str, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        settings = {**os.environ, "ZORK_HOME": str(self.home), "PYTHONHASHSEED": "0", **environment}
        command = [sys.executable, "-B", "-c", code, *arguments]
        return subprocess.run(command, env=settings, capture_output=True, text=True, check=False)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.strip().rpartition("\n")[2]


if __name__ == "__main__":
    main()
