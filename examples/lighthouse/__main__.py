"""Agents of one's own in a game of one's own: `python -m examples.lighthouse [--out runs]`.

The same by `zork play --graph examples/lighthouse/lighthouse.toml --trust`; the same agents play
another story with `-s nodes.game.use=jericho --game hollow`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from orchestrator import play
from orchestrator.events import Event, TurnPlayed

GRAPH = Path(__file__).with_name("lighthouse.toml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs"))
    options = parser.parse_args()
    diary: list[str] = []

    def watch(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            diary[:] = event.after["diary"]

    result = play(
        graph=str(GRAPH),
        trust=True,
        seed=7,
        steps=60,
        out=options.out,
        fresh=True,
        watchers=(watch,),
    )
    print(Path(result.run_dir, "transcript.txt").read_text(encoding="utf-8"))
    print(f"{result.score} of {result.max_score} points in {result.steps} turns. The diary:")
    for line in diary:
        print(f"  {line}")


if __name__ == "__main__":
    main()
