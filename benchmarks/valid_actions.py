"""Our valid actions against Jericho's own on the states of its walkthroughs: time and recall.

Jericho finds nouns with spaCy; a stand-in takes its place that tags the words of the story's
dictionary, which finds more than spaCy does and costs less. Both sides are timed in processor
seconds, state by state in turn. An outcome is one class of Jericho's world differences; it is
found if one of our commands leads to the same class.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jericho
from jericho import util

from environments.catalog import find_story
from environments.game import Access
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story, read_story
from environments.valid_actions import BUDGET, ActionFinder

STORIES = ("zork1", "detective", "library")
CURVE = (200, 400, 600, 800, 1200, 2400)
SHARED = Path(__file__).parents[2] / "shared" / "games"
SEED = 12
"""Where a walkthrough names no seed."""


def tag_dictionary_words(env: Any) -> None:
    """Put a tagger of dictionary words in the place of spaCy."""
    words = {word.word: word for word in env.get_dictionary()}
    letters = max(map(len, words))

    def extract(text: str) -> set[tuple[str, str]]:
        found = (
            (token, words.get(token[:letters])) for token in re.findall(r"[\w'-]+", text.lower())
        )
        tagged = (
            (token, "NOUN" if w.is_noun else "ADJ" if w.is_adj else "") for token, w in found if w
        )
        return {(token, tag) for token, tag in tagged if tag}

    util.extract_objs = extract


@dataclass
class Tally:
    """What was counted on one story with one budget."""

    seconds: float = 0.0
    tried: int = 0
    listed: int = 0
    outcomes: int = 0
    found: int = 0
    next_actions: int = 0
    next_found: int = 0


class Match:
    """One story in Jericho and in our game, walked through side by side."""

    def __init__(self, story: Story) -> None:
        self.env = jericho.FrotzEnv(str(story.path))
        tag_dictionary_words(self.env)
        seed = self.env.bindings.get("seed") or SEED
        self.env.seed(seed)
        self.env.reset()
        self.game = open_game(story, {Access.TEXT, Access.ACTIONS})
        self.step = self.game.start(seed)
        while self.step.observation.awaiting == "key":
            self.step = self.game.play(self.step.snapshot, "")
        self.finder = ActionFinder(self.game, self.step.snapshot)
        self.theirs: list[float] = []

    def states(self, every: int) -> Iterator[str]:
        """Stop at every state of the walkthrough that counts; yields the next command."""
        for number, command in enumerate(self.env.get_walkthrough()):
            state = self.env.get_state()
            self._compare_memory(state[0].tobytes())
            if number % every == 0:
                yield command
                self.env.set_state(state)
            self.env.step(command)
            self.step = self.game.play(self.step.snapshot, command)

    def _compare_memory(self, theirs: bytes) -> None:
        ours = self.game.memory(self.step.snapshot)[: len(theirs)]
        differing = sum(a != b for a, b in zip(ours[64:], theirs[64:], strict=True))
        if differing:
            raise SystemExit(f"the two games differ in {differing} bytes: no fair comparison")

    def outcome(self, state: Any, command: str) -> tuple[bool, tuple[Any, ...]]:
        """Whether a command changes the world by Jericho's judgement, and how."""
        self.env.set_state(state)
        score = self.env.get_score()
        _, _, done, info = self.env.step(command)
        changed = info["score"] != score or done or self.env._world_changed()
        difference = tuple(
            tuple((int(a), int(b)) for a, b in part) for part in self.env._get_world_diff()
        )
        return bool(changed), difference

    def compare(self, next_command: str, budgets: list[int], tallies: list[Tally]) -> None:
        """Find the valid actions of this state both ways and count what we found."""
        state = self.env.get_state()
        started = time.process_time()
        theirs = self.env.get_valid_actions(use_parallel=False)
        self.theirs.append(time.process_time() - started)
        wanted = {self.outcome(state, command)[1] for command in theirs}
        changes, next_outcome = self.outcome(state, next_command)
        for budget, tally in zip(budgets, tallies, strict=True):
            started = processor_seconds(self.game)
            found = self.finder.find(self.step.snapshot, self.step.observation.text, budget)
            tally.seconds += processor_seconds(self.game) - started
            reached = [self.outcome(state, action.command) for action in found.actions]
            ours = {difference for changed, difference in reached if changed}
            tally.tried += found.tried
            tally.listed += len(found.actions)
            tally.outcomes += len(wanted)
            tally.found += len(wanted & ours)
            tally.next_actions += changes
            tally.next_found += changes and next_outcome in ours
        self.env.set_state(state)


def processor_seconds(game: JerichoGame) -> float:
    """Processor time of this process and of the game's worker so far."""
    worker = Path(f"/proc/{game.pid}/schedstat").read_text(encoding="ascii").split()[0]
    return time.process_time() + int(worker) / 1e9


def measure(name: str, every: int, budgets: list[int]) -> tuple[list[float], list[Tally]]:
    """Walk through one story; Jericho's seconds for each state, and a tally for each budget."""
    match = Match(find(name))
    tallies = [Tally() for _ in budgets]
    for command in match.states(every):
        match.compare(command, budgets, tallies)
    match.game.close()
    return match.theirs, tallies


def find(name: str) -> Story:
    """The story in `ZORK_STORIES`, or else in ../shared/games."""
    shared = SHARED / f"{name}.z5"
    return read_story(shared) if shared.exists() else find_story(name)


def report(name: str, budget: int, theirs: list[float], tally: Tally) -> str:
    """One line of the table."""
    states = len(theirs)
    return (
        f"{name:<10} {budget:>6} {states:>6} {1e3 * sum(theirs) / states:>8.1f} "
        f"{1e3 * tally.seconds / states:>8.1f} {sum(theirs) / tally.seconds:>6.1f}x "
        f"{tally.tried / states:>6.0f} {tally.listed / states:>6.1f} "
        f"{tally.found:>5}/{tally.outcomes:<5} {tally.found / tally.outcomes:>6.1%} "
        f"{tally.next_found:>4}/{tally.next_actions}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="*", default=STORIES)
    parser.add_argument("--every", type=int, default=1, help="take every so manieth state")
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--curve", action="store_true", help="show the trade-off over budgets")
    options = parser.parse_args()
    budgets = sorted({*CURVE, options.budget}) if options.curve else [options.budget]
    print(
        "story      budget states Jericho     ours  ratio  tried listed outcomes found        next"
    )
    measured = {}
    for name in options.stories:
        theirs, tallies = measured[name] = measure(name, options.every, budgets)
        for budget, tally in zip(budgets, tallies, strict=True):
            print(report(name, budget, theirs, tally), flush=True)
    print("(milliseconds of processor time a state)")
    for number, budget in enumerate(budgets):
        print(summary(budget, [(theirs, tallies[number]) for theirs, tallies in measured.values()]))


def summary(budget: int, parts: list[tuple[list[float], Tally]]) -> str:
    """The figures over all stories."""
    ratio = sum(sum(theirs) for theirs, _ in parts) / sum(tally.seconds for _, tally in parts)
    recall = statistics.mean(tally.found / tally.outcomes for _, tally in parts)
    least = min(tally.found / tally.outcomes for _, tally in parts)
    found = sum(tally.next_found for _, tally in parts)
    wanted = sum(tally.next_actions for _, tally in parts)
    return (
        f"budget {budget}: {ratio:.1f}x faster in sum, recall {recall:.1%} in mean and "
        f"{least:.1%} at least, next actions {found}/{wanted} ({found / wanted:.1%})"
    )


if __name__ == "__main__":
    main()
