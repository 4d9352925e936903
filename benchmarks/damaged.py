"""Stories with bytes changed at random: none may end in a traceback, or hang.

    python -m benchmarks.damaged [--stories 500] [--steps 12] [--first 1]

Every one is an embedded story with some bytes changed, its checksum made right again. It is opened
with every help that agents may get, played with the words of its own walkthrough, and looked into
as `zork games` does. Exit status 1 if an error comes that is no `GameError`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from environments.anatomy import dissect
from environments.catalog import find_story
from environments.game import Access, GameError
from environments.jericho_game import JerichoGame
from environments.offering import OfferingGame
from environments.process import CPU_SECONDS
from environments.story import Story, read_story

STORIES = ("hollow", "morning", "workshop")
HEADER = 64
PROGRESS = 50
"""So many stories are told of at once."""
CHANGES = (1, 4, 16, 64, 256)
HELP = (set(Access), {Access.TEXT}, {Access.TEXT, Access.WORDS, Access.TREE})


@dataclass
class Outcome:
    """What became of the damaged stories."""

    ends: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    """Seconds of the slowest turn."""
    longest: float = 0.0
    """Seconds of the longest story."""
    errors: list[str] = field(default_factory=list)


def damaged(number: int) -> bytes:
    """The bytes of a damaged story; the same number gives the same."""
    dice = random.Random(number)
    data = bytearray(find_story(STORIES[number % len(STORIES)]).data)
    length = int.from_bytes(data[0x1A:0x1C], "big") * 4
    static = int.from_bytes(data[0x0E:0x10], "big")
    end = dice.choice((static, length))
    for _ in range(dice.choice(CHANGES)):
        data[dice.randrange(HEADER, end)] = dice.randrange(256)
    if number % 5 == 0:
        data[dice.choice(range(4, 0x10))] = dice.randrange(256)
    data[0x1C:0x1E] = (sum(data[HEADER:length]) & 0xFFFF).to_bytes(2, "big")
    return bytes(data)


def commands(number: int) -> list[str]:
    """What is typed into it."""
    story = find_story(STORIES[number % len(STORIES)])
    lines = (story.path.with_suffix(".walkthrough.txt")).read_text(encoding="utf-8").splitlines()
    return random.Random(-number).sample(lines, min(len(lines), 30))


def play(story: Story, number: int, steps: int, seconds: float, outcome: Outcome) -> str:
    """Play a damaged story; how that ended."""
    dissect(story)
    help_given = HELP[number % len(HELP)]
    kind = OfferingGame if Access.ACTIONS in help_given else JerichoGame
    with kind(story, help_given, seconds) as game:
        step = game.start(1 + number)
        for command in commands(number)[:steps]:
            began = time.monotonic()
            step = game.play(step.snapshot, command)
            outcome.slowest = max(outcome.slowest, time.monotonic() - began)
            if step.observation.ended:
                return "ended"
    return "played"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stories", type=int, default=500)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=CPU_SECONDS, help="for one request")
    options = parser.parse_args()
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.first, options.first + options.stories):
            path = Path(folder) / f"damaged-{number}.z5"
            path.write_bytes(damaged(number))
            began = time.monotonic()
            outcome.ends[one(path, number, options, outcome)] += 1
            outcome.longest = max(outcome.longest, time.monotonic() - began)
            path.unlink()
            if not number % PROGRESS:
                print(f"{number}: {dict(outcome.ends)}", file=sys.stderr, flush=True)
    for error in outcome.errors:
        print(error)
    for end, times in outcome.ends.most_common():
        print(f"{times:5} {end}")
    print(f"slowest turn {outcome.slowest:.1f} s, longest story {outcome.longest:.1f} s")
    sys.exit(bool(outcome.errors))


def one(path: Path, number: int, options: argparse.Namespace, outcome: Outcome) -> str:
    """Open and play one file; how that ended."""
    try:
        return play(read_story(path), number, options.steps, options.seconds, outcome)
    except GameError as error:
        if "\n" in str(error):
            outcome.errors.append(f"{number}: several lines: {error}")
        return f"refused: {str(error).split(': ', 1)[-1][:60]}"
    except Exception:  # noqa: BLE001 - whatever comes is what is looked for
        outcome.errors.append(f"{number}: {traceback.format_exc(limit=-4)}")
        return "error"


if __name__ == "__main__":
    main()
