"""How soon the planner thinks of what a walkthrough does next.

`python -m benchmarks.candidates [--missed] [STORY...]` plays walkthroughs, learns
from every reply as an agent does under access `text`, and looks before each command at the options
that the planner would offer. A command is found where an option is the same action, or changes the
story in the same way (tried in the emulator and taken back: this help is the benchmark's alone).
Directions are counted apart, as most are easy; one that does no more there than waiting is left
out, as the walkthrough is of another version of the story, or chance was against it. An option for
another room counts as its first step; what speaks to the program (`verbose`) is no option here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from agents.extractor import RuleExtractor
from benchmarks.arguments import given
from benchmarks.measures import extract
from benchmarks.stories import found_stories
from benchmarks.truth import opening, walkthrough
from environments.catalog import find_story
from environments.game import Access, Observation
from environments.jericho_game import JerichoGame
from environments.turn import Probe
from managers.knowledge import Knowledge
from managers.language.actions import direction_of, parse, same_action
from managers.language.outcomes import refusal_in
from managers.learning.learner import learn
from managers.planning.objectives import Objective
from managers.planning.progress import update_objectives, with_plans
from managers.policy.option import Option
from managers.policy.ranking import rank
from managers.policy.scene import Scene

FIRST = (8, 20, 400)
"""Among how many of the first options a command is looked for; the last means all."""
_UNKNOWN = frozenset({"unknown_word", "unknown_verb"})
_ACCESS = (Access.TEXT, Access.ACTIONS)


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
    _extractor: RuleExtractor = field(default_factory=RuleExtractor)

    def see(self, command: str, observation: Observation) -> None:
        """Learn from a reply."""
        extraction = extract(self._extractor, self.turn, command, observation)
        self.knowledge = learn(self.knowledge, self.turn, command, observation, extraction).after
        self.turn += 1
        self.objectives = update_objectives(self.objectives, self.knowledge, self.turn).objectives
        self.objectives = with_plans(self.objectives, self.knowledge)

    def options(self) -> tuple[Option, ...]:
        """What the planner offers now, the best first."""
        ranked = rank(Scene(self.knowledge, self.objectives), limit=FIRST[-1])
        self.knowledge = self.knowledge.with_(frontier=ranked.frontier)
        return ranked.options


def cases(name: str) -> Iterator[Case]:
    """Every command of a story's walkthrough that does something."""
    story = find_story(name)
    commands, seed = walkthrough(story)
    thinker = Thinker()
    with JerichoGame(story, _ACCESS) as game:
        step = opening(game, seed)
        thinker.see("", step.observation)
        for command in commands:
            if step.observation.ended:
                return
            options, before = thinker.options(), step.snapshot
            step = game.play(before, command)
            if not parse(command).has("meta") and not _is_astray(step.observation.text):
                yield from _case(game, before, command, options)
            thinker.see(command, step.observation)


def _case(
    game: JerichoGame, snapshot: bytes, command: str, options: Sequence[Option]
) -> Iterator[Case]:
    said = (option.command for option in options)
    commands = list(dict.fromkeys(one for one in said if not parse(one).has("meta")))
    waited, wanted, *probes = game.probe(snapshot, ["wait", command, *commands[: FIRST[1]]])
    first, way = probes[: FIRST[0]], direction_of(command) is not None
    if way and wanted.tree == waited.tree:
        return
    yield Case(
        command,
        way,
        _place(command, wanted, commands, probes),
        sum(_is_refused(probe) for probe in first),
        len(first),
    )


def _place(
    command: str, wanted: Probe, commands: Sequence[str], probes: Sequence[Probe]
) -> int | None:
    for number, option in enumerate(commands):
        if same_action(option, command):
            return number
        if number < len(probes) and wanted.tree and probes[number].tree == wanted.tree:
            return number
    return None


def _is_astray(reply: str) -> bool:
    """The walkthrough is of another version of the story, or chance was against it."""
    refusal = refusal_in(reply)
    return refusal is not None and refusal.reason in _UNKNOWN | {"not_here", "no_exit"}


def _is_refused(probe: Probe) -> bool:
    refusal = refusal_in(probe.reply)
    return refusal is not None and refusal.reason in _UNKNOWN


def share(found: Sequence[Case], first: int) -> float:
    """How many of the commands are among the first options, of 1."""
    hits = sum(case.found is not None and case.found < first for case in found)
    return hits / len(found) if found else 0.0


def _row(name: str, found: Sequence[Case]) -> list[str]:
    ways = [case for case in found if case.way]
    others = [case for case in found if not case.way]
    tried = sum(case.tried for case in found)
    refused = sum(case.refused for case in found) / tried if tried else 0.0
    shares = [100 * share(part, first) for part in (ways, others) for first in FIRST]
    return [name, str(len(ways)), *(f"{one:.0f}" for one in shares[:3]), str(len(others)),
            *(f"{one:.0f}" for one in shares[3:]), f"{100 * refused:.1f}"]  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Print a row a story, the mean over stories last."""
    missed = "--missed" in arguments
    names = [one for one in arguments if not one.startswith("--")]
    table = Table(
        *("story", "ways", "in 8", "in 20", "in all"),
        *("others", "in 8", "in 20", "in all", "not understood, %"),
        title="Commands of walkthroughs among the options, %",
    )
    rows = []
    for name in names or [str(path) for path in found_stories()]:
        found = list(cases(name))
        if found:
            rows.append(_row(name.rpartition("/")[2], found))
            table.add_row(*rows[-1])
        if missed:
            print(*(case.command for case in found if case.found is None), sep=" | ")
    means = [sum(float(row[at]) for row in rows) / len(rows) for at in range(1, 10)]
    table.add_section()
    table.add_row("mean", *(f"{mean:.1f}" for mean in means))
    Console(width=120).print(table)


if __name__ == "__main__":
    main(given(__doc__))
