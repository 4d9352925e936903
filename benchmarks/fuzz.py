"""Fuzz the game layer: nothing an agent can type may hang, lose or corrupt a story.

`python benchmarks/fuzz.py [--actions 100000] [--seed 1]` plays random words, mangled walkthrough
lines and hostile texts over every story found, through the product's own game layer. A second
pass replays every line in a guarded emulator, which checks that reading it changed no memory
outside the story's own input buffers.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.guard import overwrites
from benchmarks.stories import found_stories
from benchmarks.truth import walkthrough
from environments.game import GameError, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story, read_story
from environments.vocabulary import Vocabulary

EPISODE = 250
"""Actions after which a story is started anew with another seed."""
HOSTILE = (
    "\\north", "\\help", "\\s", "\\R", "\\U", "\\x", "C:\\Users\\X", "\0", "look\0", "look\nnorth",
    "look\rquit", "\x0e", "\x11", "\x15", "\x1b[2J", "quit", "restart", "save", "restore", "undo",
    "script", "unscript", "transcript on", "recording on", "replay", "#record", "#comm", "$ve",
    "showverb eight", "tree", "purloin all", "look. save", "/tmp/x. script", "", "   ", "y", "no",
    "🎉", "é" * 150, "\udcff", "x" * 5000, "take " + "lamp and " * 40, '"', "'", "? ?", ".", ",,;.",
)  # fmt: skip
VERBS = "take drop open close examine push pull turn put give ask tell eat look enter".split()


@dataclass
class Outcome:
    """What became of one story."""

    actions: int = 0
    ends: int = 0
    deaths: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    """Commands that raised an error in place of a reply."""
    growth: float = 0.0
    """Megabytes by which the worker grew."""
    slowest: float = 0.0
    """Seconds of the slowest step that was no fault."""
    lines: list[tuple[bytes, str]] = field(default_factory=list)


def texts(dice: random.Random, words: list[str], lines: list[str]) -> Iterator[str]:
    """An endless mixture of what agents say and what nobody should."""
    while True:
        kind = dice.random()
        some = [dice.choice(words) for _ in range(dice.randint(1, 4))]
        if kind < 0.35:
            yield " ".join(some)
        elif kind < 0.65:
            yield mangled(dice, dice.choice(lines), some)
        elif kind < 0.8:
            yield f"{dice.choice(VERBS)} {' '.join(some[:2])}"
        elif kind < 0.9:
            yield dice.choice(HOSTILE)
        else:
            size = dice.choice((3, 20, 60, 250, 1200))
            highest = dice.choice((0x20, 0x7F, 0xFF, 0x10FFFF))
            yield "".join(chr(dice.randrange(highest + 1)) for _ in range(dice.randint(1, size)))


def mangled(dice: random.Random, line: str, words: list[str]) -> str:
    """A walkthrough's line as it is, with another word, or with two more."""
    parts = line.split() or ["look"]
    if dice.random() < 0.5:
        return line
    parts[dice.randrange(len(parts))] = words[0]
    return " ".join(parts + words[1:2])


def fuzz(story: Story, actions: int, seed: int) -> Outcome:
    """Play random texts; every state that is reached must be playable."""
    dice = random.Random(f"{seed} {story.sha256}")
    words = [word.text for word in Vocabulary(story.data) if word.text.strip()]
    stream = texts(dice, words, walkthrough(story)[0] or ["look"])
    outcome = Outcome()
    with open_game(story) as game:
        step: Step | None = None
        size = 0.0
        for number in range(actions):
            if step is None or number % EPISODE == 0 or step.observation.ended:
                step = game.start(dice.randrange(1, 1 << 31))
            step = one(game, step, next(stream), outcome)
            if number == actions // 10:
                size = megabytes(game.pid)
        outcome.growth = megabytes(game.pid) - size
    return outcome


def megabytes(pid: int) -> float:
    """The resident memory of a process."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize() / 1e6


def one(game: JerichoGame, step: Step, text: str, outcome: Outcome) -> Step:
    """Play one text and take stock."""
    began = time.perf_counter()
    try:
        after = game.play(step.snapshot, text)
    except GameError as error:
        print(f"    lost after {text!r}: {error}")
        outcome.lost += 1
        return step
    seconds = time.perf_counter() - began
    outcome.actions += 1
    outcome.ends += after.observation.ended
    outcome.deaths += after.tally.died
    if fault := after.observation.fault:
        outcome.faults[f"{fault}: {text[:40]!r}"] = 1
        assert after.snapshot == step.snapshot, "a fault must leave the snapshot alone"
    else:
        outcome.slowest = max(outcome.slowest, seconds)
        outcome.lines.append((step.snapshot, text))
    return after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=100_000, help="over all stories together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        report(arguments.actions, arguments.seed)


def files() -> set[Path]:
    """Everything where a stray file could land: here, at home, and among temporary files."""
    return {
        path
        for folder in (Path.cwd(), Path.home(), Path(tempfile.gettempdir()))
        for path in folder.iterdir()
    }


def report(actions: int, seed: int) -> None:
    """Fuzz every story and print what became of it."""
    stories = [read_story(path) for path in found_stories()]
    before = files()
    began = time.perf_counter()
    total, changed, lost = 0, 0, 0
    print("story        actions  ends  deaths  faults  lost  overwritten  slowest ms  worker MB")
    for story in stories:
        outcome = fuzz(story, actions // len(stories), seed)
        overwritten = overwrites(story, outcome.lines)
        total, changed = total + outcome.actions, changed + overwritten
        lost += outcome.lost
        print(
            f"{story.path.stem:12} {outcome.actions:7} {outcome.ends:5} {outcome.deaths:7} "
            f"{len(outcome.faults):7} {outcome.lost:5} {overwritten:12} "
            f"{outcome.slowest * 1000:11.1f} {outcome.growth:+10.1f}"
        )
        for fault in outcome.faults:
            print(f"    restored after: {fault}")
    stray = sorted(map(str, files() - before))
    print(
        f"{total} actions in {time.perf_counter() - began:.0f} s: {lost} lost, "
        f"{changed} overwrites, files left behind: {', '.join(stray) or 'none'}"
    )


if __name__ == "__main__":
    main()
