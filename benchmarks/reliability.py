"""What an oracle does to the best score: paired with playing offline, with a 95 % interval.

`python -m benchmarks.reliability STORY [--oracle useless,sometimes] [--commands FILE]
[--seeds 1-30]`. The oracles `walkthrough` and `sometimes` take their commands from the file, else
from the catalog, else from Jericho; `deadly` is that of `benchmarks/deadly.py`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from jericho import FrotzEnv

from environments.catalog import describe, find_story
from orchestrator import play
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.statistics import interval


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
    return int(result["best_score"])


def settings_of(
    oracle: str, story: str, seed: int, commands: Path | None, folder: Path
) -> list[str]:
    """What makes `oracle` the one that is asked."""
    if oracle == "deadly":
        asked = {"use": "benchmarks.deadly:DeadlyOracle", "story": story, "seed": seed}
        return [f"nodes.oracle.{name}={value}" for name, value in asked.items()]
    settings = [f"nodes.oracle.use={oracle}"]
    if oracle in ("walkthrough", "sometimes"):
        settings.append(f"nodes.oracle.commands={commands or commands_of(story, folder)}")
    return settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("story")
    parser.add_argument("--seeds", default="1-30")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--oracle", default="useless", help="several with commas between them")
    parser.add_argument("--commands", type=Path)
    given = parser.parse_args()
    oracles = given.oracle.split(",")
    scores: dict[str, list[int]] = {oracle: [] for oracle in oracles}
    differences: dict[str, list[int]] = {oracle: [] for oracle in oracles}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in seed_range(given.seeds):
            without = score(given.story, seed, given.steps, "offline", [], folder)
            for oracle in oracles:
                settings = settings_of(oracle, given.story, seed, given.commands, folder)
                told = score(given.story, seed, given.steps, "oracle", settings, folder)
                scores[oracle].append(told)
                differences[oracle].append(told - without)
                print(
                    f"seed {seed}: {told} with {oracle}, {without} without; "
                    f"mean with {interval(scores[oracle])}, "
                    f"difference {interval(differences[oracle])}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
