"""What an oracle does to the score: paired with playing offline, with a 95 % interval.

`python -m benchmarks.reliability STORY [--oracle useless] [--commands FILE] [--seeds 1-30]`. The
oracles `walkthrough` and `sometimes` take their commands from the file, else from the catalog, else
from Jericho.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from jericho import FrotzEnv

from environments.catalog import describe, find_story
from orchestrator.bench import seed_range
from orchestrator.episode import play
from orchestrator.figures import interval


def commands_of(story: str, folder: Path) -> Path:
    """A file with the story's walkthrough."""
    found = find_story(story)
    entry = describe(found)
    if entry is not None and entry.walkthrough is not None:
        return entry.walkthrough
    jericho = FrotzEnv(str(found.path))
    lines = jericho.get_walkthrough()
    jericho.close()
    file = folder / f"{found.path.stem}.walkthrough.txt"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def score(story: str, seed: int, steps: int, graph: str, settings: list[str], out: Path) -> int:
    result = play(
        story,
        graph=graph,
        seed=seed,
        steps=steps,
        settings=settings,
        out=out,
        fresh=True,
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
    parser.add_argument("--commands", type=Path)
    given = parser.parse_args()
    scores: list[int] = []
    differences: list[int] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = [f"nodes.oracle.use={given.oracle}"]
        if given.oracle in ("walkthrough", "sometimes"):
            commands = given.commands or commands_of(given.story, folder)
            settings.append(f"nodes.oracle.commands={commands}")
        for seed in seed_range(given.seeds):
            told = score(given.story, seed, given.steps, "oracle", settings, folder)
            without = score(given.story, seed, given.steps, "offline", [], folder)
            scores.append(told)
            differences.append(told - without)
            print(
                f"seed {seed}: {told} with, {without} without; mean with {interval(scores)}, "
                f"difference {interval(differences)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
