"""What keeps play from the points of the walkthroughs: the first thing that was never done.

Usage: python -m benchmarks.blockers [--graph offline] [--seeds 1-2] [--steps 400] [--within 100]
       STORY...
For every command of a walkthrough that scores among its first ones, and by which an episode has not
scored, the commands that it needs are gone along from the beginning: the first direction into a
room that was never seen, or the first other command that was never given, is what is in the way. A
command is needed if the points are not won without it. Points are in percent of the maximum, in the
mean of the stories.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.truth import Frame, emulator_of, replay_commands, walkthrough
from environments.catalog import find_story
from managers.language.actions import Action, canonical, direction_of, parse
from managers.language.lexicon import head_of, words_of
from orchestrator.api import play
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.scores import maximum
from orchestrator.events import Event, TurnPlayed

_TO_PEOPLE = frozenset({"talk", "ask", "tell", "show", "give"})
_TELLING = 30
"""So many characters of a reply tell which command it is the reply to, however that is worded."""


class Step(NamedTuple):
    """One command of a walkthrough, where it led and what it scored."""

    command: str
    reply: str
    room: str
    points: int
    taken: frozenset[str] = frozenset()
    """The nouns of what it brought into the hands."""


@dataclass
class Episode:
    """What was seen and done in an episode; a watcher."""

    rooms: set[str] = field(default_factory=set)
    commands: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    replies: set[str] = field(default_factory=set)
    carried: set[str] = field(default_factory=set)
    gains: set[tuple[str, int]] = field(default_factory=set)
    """Room and points, and command and points."""

    def __call__(self, event: Event) -> None:
        if not isinstance(event, TurnPlayed):
            return
        before, after = event.before, event.after
        command, observation = canonical(after["command"]), after["observation"]
        self.rooms.add(observation.room or "")
        self.read.update(words_of(observation.text))
        self.replies.add(observation.text[:_TELLING])
        self.commands.add(command)
        things = after["world"]["objects"].values()
        names = (one["name"] for one in things if one["at"] == "inventory")
        self.carried.update(head_of(name) for name in names)
        self.verbs.add(parse(command).verb)
        self.named.update(words_of(command))
        points = after["score"].last.score - before["score"].last.score
        self.gains |= {(observation.room or "", points), (command, points)}

    def has_scored(self, step: Step) -> bool:
        """The points were had, by this command or another one in the same room."""
        wanted = {(step.room, step.points), (canonical(step.command), step.points)}
        return not wanted.isdisjoint(self.gains)

    def lacks(self, step: Step) -> str:
        """What kind of thing was never done that the command takes; empty where it was."""
        if direction_of(step.command):
            return "" if step.room in self.rooms else "a room or its exit is not found"
        return "" if self._has_done(step) else self._missing(parse(step.command))

    def _has_done(self, step: Step) -> bool:
        """In the same words, or with the same things in the hands or the same reply."""
        if step.taken:
            return not step.taken.isdisjoint(self.carried)
        told = len(step.reply) >= _TELLING and step.reply[:_TELLING] in self.replies
        return told or canonical(step.command) in self.commands

    def _missing(self, action: Action) -> str:
        if action.verb == "wait":
            return "waiting"
        if action.kind in _TO_PEOPLE or action.verb in _TO_PEOPLE:
            return "people: talk, ask, show, give"
        nouns = words_of(f"{action.object} {action.second}")
        if nouns and self.named.isdisjoint(nouns):
            read = self.read.issuperset(nouns)
            return "the thing is read of and never named" if read else "the thing is never read of"
        if not nouns or action.verb not in self.verbs:
            return "the verb is never tried"
        return "verb and thing are known, not together"


class Walkthrough:
    """A story's walkthrough, its points, and what each of them needs."""

    def __init__(self, name: str, within: int) -> None:
        story = find_story(name)
        commands, seed = walkthrough(story)
        self.top = maximum(story, None)["max_score"] or 0
        self._commands = commands[:within]
        self._emulator = emulator_of(story, seed)
        self._emulator.reset()
        self._states: list[Any] = []
        taken = [*map(self._take, self._commands)]
        frames = replay_commands(story, self._commands, seed).frames
        steps = zip(_steps(frames), taken, strict=False)
        self.steps = [step._replace(taken=things) for step, things in steps]

    def _take(self, command: str) -> frozenset[str]:
        self._states.append(self._emulator.get_state())
        before = self._held()
        self._emulator.step(command)
        return self._held() - before

    def _held(self) -> frozenset[str]:
        return frozenset(head_of(one.name) for one in self._emulator.get_inventory())

    def needed(self, at: int) -> list[Step]:
        """The commands without which one does not score what it does, itself the last."""
        before = [one for one in range(at) if not self._scores_without(one, at)]
        return [self.steps[one] for one in (*before, at)]

    def _scores_without(self, left_out: int, at: int) -> bool:
        self._emulator.set_state(self._states[left_out])
        score = self._emulator.get_score()
        for command in self._commands[left_out + 1 : at + 1]:
            score = self._emulator.get_score()
            self._emulator.step(command)
        return bool(self._emulator.get_score() - score >= self.steps[at].points)


def _steps(frames: Sequence[Frame]) -> Iterator[Step]:
    score = frames[0].observation.score or 0
    for frame in frames[1:]:
        now = frame.observation.score
        points, score = (0, score) if now is None else (now - score, now)
        text = frame.observation.text
        yield Step(frame.command, text, frame.observation.room or "", points)


def first_lacking(steps: Sequence[Step], episode: Episode) -> str:
    """What the first command on the way takes that was never done."""
    lacking = (episode.lacks(step) for step in steps)
    return next(filter(None, lacking), "all was done, in another order or state")


def episode_of(name: str, graph: str, seed: int, steps: int) -> Episode:
    """Play one."""
    episode = Episode()
    with tempfile.TemporaryDirectory() as folder:
        play(name, graph=graph, seed=seed, steps=steps, fresh=True, out=folder,
             checkpoints=False, trace=False, watchers=(episode,))  # fmt: skip
    return episode


def main() -> None:
    """Print a row for each kind of blocker, the dearest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="+")
    parser.add_argument("--graph", default="offline")
    parser.add_argument("--seeds", default="1-2")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--within", type=int, default=100)
    given = parser.parse_args()
    worth: defaultdict[str, float] = defaultdict(float)
    stories: defaultdict[str, set[str]] = defaultdict(set)
    seeds = seed_range(given.seeds)
    known = [name for name in given.stories if maximum(find_story(name), None)["max_score"]]
    for name in set(given.stories).difference(known):
        print(f"left out: {name}, whose maximum Jericho does not know", file=sys.stderr)
    for name in known:
        way = Walkthrough(name, given.within)
        episodes = [episode_of(name, given.graph, seed, given.steps) for seed in seeds]
        for at, step in enumerate(way.steps):
            needed = way.needed(at) if step.points > 0 else []
            for episode in episodes if needed else ():
                kind = "scored" if episode.has_scored(step) else first_lacking(needed, episode)
                worth[kind] += 100 * step.points / way.top / len(seeds) / len(known)
                stories[kind].add(Path(name).stem)
    table = Table("what is in the way", "stories", "points, %")
    for kind, points in sorted(worth.items(), key=lambda one: -one[1]):
        table.add_row(kind, str(len(stories[kind])), f"{points:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
