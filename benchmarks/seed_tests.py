"""The three tests of the oracle's specification, asked of a real model.

    python -m benchmarks.seed_tests --model local:MODEL.gguf [--times 5] [--style short]

1. In bed, with the telephone ringing, is one of the sensible commands recommended?
2. "You'll have to get up first." after `go east`: is getting up named as what comes first?
3. Of recommendations that help seven times in ten, does the agent learn that they do?

Every answer is printed; the third test needs no model. Exit status 1 if a test fails: the first two
have to come out well in more than half of the times.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from agents.models import ModelConfig
from agents.oracle import LLMOracle
from agents.shown.situation import Situation
from agents.structured import Asker
from environments.game import Observation
from managers.belief.reliability import OracleReliability
from managers.core.option import Option
from managers.language.history import History

OPENING = (
    "Bedroom\nThe phone is ringing loudly. You are lying in bed, still groggy. The alarm clock "
    "shows 9:05 AM. You're going to be late for work!"
)
COMMANDS = (
    *("answer phone", "sleep", "stand up", "take blanket", "put pillow on bed", "look"),
    "inventory",
)
SENSIBLE = ("answer", "stand", "get up", "get out")
REFUSAL = "You'll have to get up first."
RISING = ("stand", "get up", "get out", "rise")


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, print and judge; 1 if a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="as provider:name")
    parser.add_argument("--base-url", help="where its server is")
    parser.add_argument("--style", choices=("auto", "short", "full"), default="auto")
    parser.add_argument("--times", type=int, default=5, help="seeds of the model to ask with")
    given = parser.parse_args(arguments)
    fields = {"model": given.model, "base_url": given.base_url, "style": given.style}
    told: dict[str, list[bool]] = {"understanding": [], "failure": []}
    for seed in range(1, given.times + 1):
        asker = Asker.of(ModelConfig(seed=seed, timeout=600, **fields))
        print(f"seed {seed}")
        told["understanding"].append(understands(asker))
        told["failure"].append(explains(asker))
        usage = asker.ledger.by_role()["oracle"]
        print(f"  {usage.seconds:.1f} s, {usage.output_tokens} tokens answered")
    told["reliability"] = list(learned(given.times))
    for test, outcomes in told.items():
        print(f"{test}: {sum(outcomes)} of {len(outcomes)}")
    return int(any(2 * sum(outcomes) <= len(outcomes) for outcomes in told.values()))


def understands(asker: Asker) -> bool:
    """Whether what it recommends in bed is sensible."""
    found = LLMOracle(model=asker).analyse_situation(in_bed("", OPENING))
    print(f"  goal: {found.overall_goal or found.immediate_goal}; in the way: ", end="")
    print(f"{found.blocking_condition}; recommended: {found.recommended_action}")
    return any(word in (found.recommended_action or "").lower() for word in SENSIBLE)


def explains(asker: Asker) -> bool:
    """Whether it names getting up as what comes before going east."""
    found = LLMOracle(model=asker).analyse_failure(in_bed("go east", REFUSAL))
    if found is None:
        print("  go east: no analysis")
        return False
    print(f"  go east: {found.failure_reason}; first: {found.prerequisite or '-'}; ", end="")
    print(f"suggested: {found.suggested_action}")
    first = f"{found.prerequisite} {found.suggested_action}".lower()
    return any(word in first for word in RISING)


def learned(times: int) -> Iterator[bool]:
    """Whether the rate of help is learned within a tenth, with so many seeds."""
    for seed in range(times):
        chance, reliability = random.Random(seed), OracleReliability()
        for _ in range(100):
            reliability.update_recommendation(chance.random() < 0.7)
        yield 0.6 < reliability.recommendation_accuracy < 0.8


def in_bed(command: str, reply: str) -> Briefing:
    """The turn in which a reply has come to a command."""
    history: list[list[str | int | None]] = [[0, "", OPENING]]
    if command:
        history.append([1, command, reply])
    briefing = Briefing(
        turn=1,
        seed=1,
        command=command,
        observation=Observation(text=reply),
        extraction=None,
        situation=Situation(place="L1 Bedroom", exits={}, options=COMMANDS),
        recent=(),
        objectives=(),
        options=tuple(
            Option(command=one, kind="other", purpose=one, probability=0.5, value=1.0)
            for one in COMMANDS
        ),
        history=History(history),
        offers=list(COMMANDS),
    )
    return replace(briefing, extraction=RuleExtractor().extract(briefing))


if __name__ == "__main__":
    sys.exit(main())
