"""What the roles cost, over the turns of one trace or several."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.asking import CACHED
from agents.structured import ASKING
from orchestrator.traces.reader import Run
from orchestrator.traces.turns import TracedTurn


@dataclass
class RoleStats:
    """One node, model or tool, over all turns."""

    name: str
    kind: str
    latencies: list[float] = field(default_factory=list)
    """Seconds, of the runs that ended."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    llm_calls: int = 0
    cached: int = 0
    """Answers of an earlier episode that were taken instead of asking."""
    retries: int = 0
    """Calls that failed and were made again."""
    repaired: int = 0
    """Answers that were no good and were mended when asked for again."""
    fallbacks: int = 0
    """Questions without a usable answer, where the role went on by its rules."""
    errors: int = 0
    open: int = 0

    def add(self, run: Run) -> None:
        """Count one run, with the model calls below it."""
        prompt, completion = run.tokens
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.errors += run.error is not None and not run.is_waiting
        if run.seconds is None:
            self.open += 1
        else:
            self.latencies.append(run.seconds)
        for below in run.walk():
            self._add_call(below)
            if below.name.startswith(ASKING):
                self._add_question(below, went_on=run.error is None)

    @property
    def calls(self) -> int:
        return len(self.latencies) + self.open

    def percentile(self, percent: int) -> float:
        """Of the latencies, in milliseconds."""
        if len(self.latencies) < 2:
            return 1000 * sum(self.latencies)
        return 1000 * statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1]

    def _add_call(self, run: Run) -> None:
        self.retries += run.retries
        if run.kind == "llm":
            self.cached += run.name == CACHED
            self.llm_calls += run.name != CACHED

    def _add_question(self, question: Run, *, went_on: bool) -> None:
        calls = [run for run in question.walk() if run.kind == "llm"]
        self.retries += sum(run.error is not None for run in calls[:-1])
        outcome = question.answered.outcome
        self.repaired += outcome == "repaired"
        self.fallbacks += outcome == "failed" and went_on


def role_stats(turns: Iterable[TracedTurn]) -> list[RoleStats]:
    """Nodes in the order of a turn, then what they call: models and tools by name."""
    nodes: dict[str, RoleStats] = {}
    called: dict[str, RoleStats] = {}
    for turn in turns:
        for run in turn.nodes:
            nodes.setdefault(run.name, RoleStats(run.name, "node")).add(run)
        for run in turn.walk():
            if run.kind != "chain":
                called.setdefault(run.name, RoleStats(run.name, run.kind)).add(run)
    return [*nodes.values(), *called.values()]
