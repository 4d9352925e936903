"""What went against the grain of a turn: objections to commands, and answers that would not do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.structured import ASKING
from orchestrator.traces.reader import Run


def objections(runs: Iterable[Run]) -> tuple[str, ...]:
    """What was said against commands, by critics and by persons."""
    return tuple(dict.fromkeys(told for run in runs for told in _objections(run)))


def misanswers(runs: Iterable[Run]) -> tuple[str, ...]:
    """Which answers of models had to be asked for again, or were given up, and why."""
    asked = [run for run in runs if run.name.startswith(ASKING)]
    return tuple(told for run in asked for told in _misanswer(run))


def _objections(run: Run) -> Iterator[str]:
    for one in run.written.judgements or ():
        if one.verdict and not one.verdict.accept:
            who = one.by or "the critic"
            what = "objected to" if one.heeded else "objected in vain to"
            yield f"{who} {what} `{one.command}`: {one.verdict.reason}"
    for decision in run.written.decisions:
        if not decision.accept:
            yield f"{decision.by or 'a person'} refused `{decision.proposed}`: {decision.reason}"


def _misanswer(run: Run) -> Iterator[str]:
    ways = {"repaired": "was asked again", "failed": "gave no answer that would do"}
    told = run.answered
    if told.outcome in ways:
        why = next((message for _, message in told.faults), "")
        yield f"the {run.name.removeprefix(ASKING)}'s model {ways[told.outcome]}: {why}"
