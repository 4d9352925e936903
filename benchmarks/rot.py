"""Flips bits of a run's checkpoints and sees whether anybody notices.

    python -m benchmarks.rot RUN [--flips 3000]

After each flip all turns are read again. Either that is refused, or every state is what it was.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from orchestrator.checkpoints.opening import read_turns
from orchestrator.errors import RunError
from orchestrator.saved.runs import RunDirectory
from orchestrator.state import State


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--flips", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts = Counter(flipped(options.run, options.flips, options.seed))
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    print(f"{options.flips} flips: {told}")
    sys.exit(counts["different"] > 0)


def flipped(run: Path, flips: int, seed: int) -> Iterator[str]:
    """`refused`, `unharmed` or `different` for every flip of one bit."""
    rng = random.Random(seed)
    expected = read(run)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(run, Path(folder, run.name)))
        database = copy / "checkpoints.sqlite"
        content = database.read_bytes()
        for _ in range(flips):
            at, bit = rng.randrange(len(content)), 1 << rng.randrange(8)
            rotten = bytearray(content)
            rotten[at] ^= bit
            database.write_bytes(rotten)
            for leftover in copy.glob("checkpoints.sqlite-*"):
                leftover.unlink()
            try:
                found = read(copy)
            except RunError:
                yield "refused"
            else:
                yield "unharmed" if found == expected else "different"


def read(run: Path) -> list[State]:
    """The states of all turns, newest first."""
    directory = RunDirectory(run)
    record = directory.record()
    with read_turns(directory, record) as saver:
        return list(saver.states(record.thread))


if __name__ == "__main__":
    main()
