"""Which commands to try: a story's templates filled with the nouns at hand, the likely ones first.

Most combinations are refused in the same words whatever the nouns are; a sample shows that, and
the rest of such a row is not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from environments.valid_actions.effects import Trial
from environments.valid_actions.grammar import Slot
from environments.valid_actions.nouns import Noun
from environments.valid_actions.templates import Template

SAMPLE = 3
"""Nouns that an unlikely verb is tried on first."""
PROMISING_SHARE = 4
"""A reply stands out that at most every fourth noun gets."""

_WHOLESALE = ("take", "drop")
"""Verbs worth trying on "all"."""

Candidate = tuple[str, tuple[Noun, ...]]
"""A command and the nouns in it."""


class Laboratory(Protocol):
    """Where candidates are tried."""

    def run(self, candidates: Sequence[Candidate]) -> list[Trial]:
        """Try candidates; those beyond the budget are missing from the result."""
        ...

    def acted(self, trial: Trial) -> bool:
        """Whether a command did to the object tree what the passing of time does not do."""
        ...


def plain(*commands: str) -> list[Candidate]:
    """Candidates without nouns."""
    return [(command, ()) for command in commands]


class Search:
    """Fills templates with one scene's nouns and has the commands tried."""

    def __init__(self, nouns: Sequence[Noun], laboratory: Laboratory) -> None:
        self._nouns = nouns
        self._held = [noun for noun in nouns if noun.held]
        self._near = [noun for noun in nouns if not noun.held]
        self._filled = [noun for noun in nouns if noun.filled]
        self._laboratory = laboratory

    def on_each(self, templates: Iterable[Template]) -> None:
        """Try verbs of one noun on every noun that fits."""
        candidates: list[Candidate] = []
        for template in templates:
            candidates += self._row(template)
            if template.slots[0].many and template.verb in _WHOLESALE:
                candidates.append((template.fill("all"), ()))
        self._try(candidates)

    def on_promising(self, templates: Iterable[Template]) -> None:
        """Try verbs of one noun on a few nouns, and go on with those that answer variously."""
        rows = [self._row(template) for template in templates]
        tried = self._try(candidate for row in rows for candidate in row[:SAMPLE])
        promising = (row[SAMPLE:] for row in rows if self._varies(_found(row[:SAMPLE], tried)))
        self._try(candidate for rest in promising for candidate in rest)

    def pairs(self, templates: Iterable[Template]) -> None:
        """Try verbs of two nouns: one tool on every target, then every tool where that promises."""
        rows = [(template, self._crosswise(template)) for template in templates]
        tried = self._try(candidate for _, row in rows for candidate in row)
        rest: list[Candidate] = []
        for template, row in rows:
            trials = _found(row, tried)
            for trial in trials:
                if self._stands_out(trial, trials, template):
                    rest += self._with_every_tool(template, trial)
        self._try(rest)

    def _try(self, candidates: Iterable[Candidate]) -> dict[str, Trial]:
        return {trial.command: trial for trial in self._laboratory.run(list(candidates))}

    def _row(self, template: Template) -> list[Candidate]:
        fitting = self._fitting(template.slots[0])
        if template.verb == "take":
            fitting = self._near
        return [(template.fill(noun.text), (noun,)) for noun in fitting]

    def _crosswise(self, template: Template) -> list[Candidate]:
        """Every target with the first tool that is not the target itself."""
        if template.takes_out:
            return [(template.fill("all", noun.text), (noun,)) for noun in self._filled]
        targets = self._fitting(template.slots[0 if template.tool_last else 1])
        pairs = ((target, next((t for t in self._held if t != target), None)) for target in targets)
        return [_pair(template, target, tool) for target, tool in pairs if tool]

    def _with_every_tool(self, template: Template, trial: Trial) -> list[Candidate]:
        if template.takes_out:
            return []
        target = trial.nouns[0]
        column = [_pair(template, target, tool) for tool in self._held if tool != target]
        if self._laboratory.acted(trial) and template.slots[0].many:
            column.append((template.fill("all", target.text), (target,)))
        return column

    def _fitting(self, slot: Slot) -> Sequence[Noun]:
        return self._held if slot.held else self._nouns

    def _varies(self, trials: Sequence[Trial]) -> bool:
        acted = any(self._laboratory.acted(trial) for trial in trials)
        return acted or len({trial.shape for trial in trials}) > 1

    def _stands_out(self, trial: Trial, row: Sequence[Trial], template: Template) -> bool:
        """Whether other tools are worth trying on this target."""
        if self._laboratory.acted(trial):
            return True
        if template.slots[0].many:
            return False
        same = sum(other.shape == trial.shape for other in row)
        return same <= max(1, len(row) // PROMISING_SHARE)


def _pair(template: Template, target: Noun, tool: Noun) -> Candidate:
    order = (target, tool) if template.tool_last else (tool, target)
    return template.fill(*(noun.text for noun in order)), (target, tool)


def _found(row: Iterable[Candidate], tried: dict[str, Trial]) -> list[Trial]:
    return [tried[command] for command, _ in row if command in tried]
