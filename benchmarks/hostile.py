"""Models that answer with whatever might break a reader, in every role at once.

    python -m benchmarks.hostile [--answers 1000] [--steps 40]

Episodes are played, resumed and forked with `testing.fake_ollama.hostile` (halves of characters,
numbers of 6,000 digits, deep nesting, escapes, NUL, 10 MB, ...) until every role has got so many
answers. Exit status 1 if a run dies, cannot be resumed, or leaves what cannot be read.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from orchestrator import play
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.traces.reader import read_trace
from testing.fake_ollama.hostile import SELF

STORIES = ("hollow", "morning", "workshop")
ROLES = ("extractor", "objective_manager", "oracle", "actor", "critic")
SETTINGS = (
    f"models.default.model=embedded:function:{SELF}",
    "models.default.max_tokens=100000",
    "models.default.num_ctx=200000",
    "nodes.objective_manager.news=0",
    "nodes.oracle.use=llm",
    "nodes.oracle.price=0",
    "nodes.critic.use=llm",
    "nodes.critic.sure=1.0",
    "nodes.critic.likely=1.0",
)
MOST_DEAD = 10
"""So many dead runs say enough."""
TOOLS = ("nodes.actor.tools=true", "nodes.critic.tools=true")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    answers: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    runs, dead, slowest = 0, 0, 0.0
    while dead < MOST_DEAD and min(answers[role] for role in ROLES) < options.answers:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                played(
                    STORIES[runs % len(STORIES)], runs, options.steps, Path(folder), answers, faults
                )
            except Exception:  # noqa: BLE001 - whatever ends a run is what is looked for
                dead += 1
                traceback.print_exc()
        runs += 1
        slowest = max(slowest, time.monotonic() - begun)
    told = ", ".join(f"{answers[role]} {role}" for role in ROLES)
    print(f"hostile answers: {told}; {faults.total()} faults of {len(faults)} kinds")
    print(f"{runs} runs, each resumed and forked, {dead} dead; the slowest took {slowest:.0f} s")
    sys.exit(dead > 0)


def played(
    story: str, number: int, steps: int, out: Path, answers: Counter[str], faults: Counter[str]
) -> None:
    """One run, resumed and forked; every second one lets models look things up."""
    settings = [*SETTINGS, *(TOOLS if number % 2 else ())]
    result = play(
        story, graph="llm", settings=settings, seed=number + 1, steps=steps, out=out, fresh=True
    )
    resumed = resume(result.run_dir, steps=3)
    for role, spent in resumed["roles"].items():
        answers[role] += spent["calls"]
        faults.update(spent["faults"])
    if resumed["end_reason"] == "steps" and resumed["steps"] != steps + 3:
        raise AssertionError(f"{resumed['steps']} turns instead of {steps + 3}")
    fork(result.run_dir, result.steps // 2, steps=2, out=out)
    if read_trace(Path(result.run_dir, "trace.jsonl")).faults:
        raise AssertionError("the trace cannot be read")


if __name__ == "__main__":
    main()
