"""A useless oracle against none: paired scores of the same seeds, with a 95 % interval.

Usage: python -m benchmarks.reliability STORY [--seeds 1-30] [--steps 400] [--oracle useless]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from orchestrator.bench import seed_range
from orchestrator.episode import play
from orchestrator.figures import interval


def score(story: str, seed: int, steps: int, setting: str, out: Path) -> int:
    result = play(
        story,
        graph="oracle",
        seed=seed,
        steps=steps,
        settings=[setting],
        out=out,
        checkpoints=False,
        trace=False,
    )
    return int(result["score"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("story")
    parser.add_argument("--seeds", default="1-30")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--oracle", default="useless")
    given = parser.parse_args()
    differences: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seed_range(given.seeds):
            without, told = (
                score(given.story, seed, given.steps, setting, Path(folder))
                for setting in ("nodes.oracle.enabled=false", f"nodes.oracle.use={given.oracle}")
            )
            differences.append(told - without)
            print(
                f"seed {seed}: {without} without, {told} with; {interval(differences)}", flush=True
            )


if __name__ == "__main__":
    main()
