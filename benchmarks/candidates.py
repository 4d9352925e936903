"""How soon a model is offered what a walkthrough does next.

`python -m benchmarks.candidates [--missed] [--access words|tree] [STORY...]` plays walkthroughs,
learns from every reply as an agent does, and looks before each command at what a model would be
offered, the likeliest first. With access `tree` the things in scope come from the object tree, as
from a reader that makes no mistake. A command is found where an offer is the same action, or
changes the story in the same way (tried in the emulator and taken back: this help is the
benchmark's alone). Directions are counted apart, as most are easy; one that does no more there
than waiting is left out, as the walkthrough is of another version of the story, or chance was
against it. An option for another room counts as its first step; what speaks to the program
(`verbose`) is no option here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from agents.extractor import RuleExtractor
from agents.shown.offers import Pool
from agents.shown.priors import Learned
from benchmarks.measures import extract
from benchmarks.stories import found_stories
from benchmarks.truth import opening, walkthrough
from environments.catalog import find_story
from environments.game import Access, GameError, Observation
from environments.jericho_game import JerichoGame
from environments.turn import Probe
from environments.walkthroughs import find_walkthrough
from managers.core.learner import learn
from managers.core.ranking import rank
from managers.core.scene import Scene
from managers.language.actions import direction_of, parse, same_action
from managers.language.history import Exchange, History
from managers.language.outcomes import refusal_in
from managers.planning.objectives import Objective
from managers.planning.progress import update_objectives, with_plans
from managers.skills import all_skills
from managers.world.knowledge import Knowledge

FIRST = (8, 20, 2000)
"""Among how many of the first offers a command is looked for; the last means all."""
_UNKNOWN = frozenset({"unknown_word", "unknown_verb"})


class Case(NamedTuple):
    """One command of a walkthrough."""

    command: str
    way: bool
    """It is a direction."""
    found: int | None
    """The place of the first option that is the same; None where there is none."""
    refused: int
    """How many of the first eight options the story's parser did not understand."""
    tried: int
    """How many of the first eight options could be tried."""


@dataclass
class Thinker:
    """The model-free part of the agent, led by somebody else's commands."""

    knowledge: Knowledge = field(default_factory=Knowledge.new)
    objectives: tuple[Objective, ...] = ()
    turn: int = 0
    words: History = field(default_factory=History)
    _extractor: RuleExtractor = field(default_factory=RuleExtractor)

    def see(self, command: str, observation: Observation) -> None:
        """Learn from a reply."""
        said = Exchange(
            self.turn, command, observation.text, observation.score, self.knowledge.here
        )
        self.words = History([*self.words.data, [*said]])
        extraction = extract(self._extractor, self.turn, command, observation)
        self.knowledge = learn(
            self.knowledge, self.turn, command, observation, extraction, all_skills()
        ).after
        self.turn += 1
        self.objectives = update_objectives(self.objectives, self.knowledge, self.turn).objectives
        self.objectives = with_plans(self.objectives, self.knowledge)

    def pool(self, taught: Learned | None = None) -> Pool:
        """What could be done now."""
        ranked = rank(Scene(self.knowledge, all_skills(), self.objectives))
        self.knowledge = self.knowledge.with_(frontier=ranked.frontier)
        return Pool(ranked.options, Scene(self.knowledge, all_skills()), self.words, taught)


class Moment(NamedTuple):
    """A turn of a walkthrough in which it does something."""

    command: str
    pool: Pool
    try_out: Callable[[Sequence[str]], list[Probe]]
    """What commands would do now."""

    @property
    def is_way(self) -> bool:
        """The command is a direction."""
        return direction_of(self.command) is not None


def moments(
    name: str, access: Access = Access.TEXT, taught: Learned | None = None
) -> Iterator[Moment]:
    """A story's walkthrough turn by turn, without what chance or another version spoils.

    Raises:
        GameError: there is no such story, or no walkthrough of it is known.
    """
    story = find_story(name)
    find_walkthrough(story)
    commands, seed = walkthrough(story)
    thinker = Thinker()
    with JerichoGame(story, (access, Access.ACTIONS)) as game:
        step = opening(game, seed)
        thinker.see("", step.observation)
        for command in commands:
            if step.observation.ended:
                return
            pool, before = thinker.pool(taught), step.snapshot
            step = game.play(before, command)
            moment = Moment(command, pool, partial(game.probe, before))
            if not parse(command).has("meta") and not _is_astray(step.observation.text):
                waited, wanted = moment.try_out(["wait", command])
                if not (moment.is_way and wanted.tree == waited.tree):
                    yield moment
            thinker.see(command, step.observation)


def case(moment: Moment) -> Case:
    """How soon its command is offered."""
    commands = [one.command for one in moment.pool.likeliest]
    wanted, *probes = moment.try_out([moment.command, *commands[: FIRST[1]]])
    first = probes[: FIRST[0]]
    at = (
        n for n, _ in enumerate(commands) if is_found(moment.command, wanted, commands, probes, n)
    )
    refused = sum(_is_refused(probe) for probe in first)
    return Case(moment.command, moment.is_way, next(at, None), refused, len(first))


def is_found(
    command: str, wanted: Probe, commands: Sequence[str], probes: Sequence[Probe], at: int
) -> bool:
    """One of several commands is the one that is wanted, or does the same."""
    same = at < len(probes) and bool(wanted.tree) and probes[at].tree == wanted.tree
    return same or same_action(commands[at], command)


def _is_astray(reply: str) -> bool:
    """The walkthrough is of another version of the story, or chance was against it."""
    refusal = refusal_in(reply)
    return refusal is not None and refusal.reason in _UNKNOWN | {"not_here", "no_exit"}


def _is_refused(probe: Probe) -> bool:
    refusal = refusal_in(probe.reply)
    return refusal is not None and refusal.reason in _UNKNOWN


def share(found: Sequence[Case], first: int) -> float | None:
    """How many of the commands are among the first options, %; None where there are none."""
    hits = sum(case.found is not None and case.found < first for case in found)
    return 100 * hits / len(found) if found else None


def _row(found: Sequence[Case]) -> list[float | None]:
    ways = [case for case in found if case.way]
    others = [case for case in found if not case.way]
    tried = sum(case.tried for case in found)
    refused = 100 * sum(case.refused for case in found) / tried if tried else None
    told: list[float | None] = []
    for part in (ways, others):
        told += [len(part), *(share(part, first) for first in FIRST)]
    return [*told, refused]


def mean_known(values: Sequence[float | None]) -> float | None:
    """Over the stories that have any such commands."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def cells(row: Sequence[float | None]) -> list[str]:
    """The figures as they are printed; a dash for one that there is not."""
    return [*("-" if one is None else f"{one:.1f}".removesuffix(".0") for one in row)]


def main() -> int:
    """Print a row a story, the mean over stories last; 2 if there is no row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="*", default=[str(path) for path in found_stories()])
    parser.add_argument("--missed", action="store_true", help="name the commands not offered")
    parser.add_argument("--access", type=Access, default=Access.TEXT)
    told = parser.parse_args()
    table = Table(
        *("story", "ways", "in 8", "in 20", "in all"),
        *("others", "in 8", "in 20", "in all", "not understood, %"),
        title="Commands of walkthroughs among the offers, %",
    )
    rows = []
    for name in told.stories:
        try:
            found = [case(moment) for moment in moments(name, told.access)]
        except GameError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        if found:
            rows.append(_row(found))
            table.add_row(name.rpartition("/")[2], *cells(rows[-1]))
        if told.missed:
            print(*(one.command for one in found if one.found is None), sep=" | ")
    if not rows:
        return 2
    table.add_section()
    table.add_row("mean", *cells([mean_known(column) for column in zip(*rows, strict=True)]))
    Console(width=120).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
