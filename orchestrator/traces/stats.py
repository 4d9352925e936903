"""Statistics over traces: what the roles cost, and what came of what they said."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from orchestrator.traces.reader import Run
from orchestrator.traces.turns import Turn

BINS = 5
"""Of a calibration curve, from 0 to 1."""


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
    retries: int = 0
    errors: int = 0
    open: int = 0

    def add(self, run: Run) -> None:
        """Count one run, with the model calls below it."""
        prompt, completion = run.tokens
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.llm_calls += sum(below.kind == "llm" for below in run.walk())
        self.retries += sum(
            event["name"] == "retry" for below in run.walk() for event in below.record["events"]
        )
        self.errors += run.error is not None and not run.is_waiting
        if run.seconds is None:
            self.open += 1
        else:
            self.latencies.append(run.seconds)

    @property
    def calls(self) -> int:
        return len(self.latencies) + self.open

    def percentile(self, percent: int) -> float:
        """Of the latencies, in milliseconds."""
        if len(self.latencies) < 2:
            return 1000 * sum(self.latencies)
        return 1000 * statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1]


class Outcomes(NamedTuple):
    """How commands went that came about in one way."""

    turns: int
    succeeded: int
    failed: int
    gained: int
    """Points, in all."""


class Bin(NamedTuple):
    """One point of a calibration curve."""

    low: float
    high: float
    plays: int
    predicted: float
    """Mean probability given."""
    observed: float
    """Share that succeeded."""


def role_stats(turns: Iterable[Turn]) -> list[RoleStats]:
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


def objection_stats(turns: Iterable[Turn]) -> dict[str, Outcomes]:
    """How turns went by what the critic said: nothing against, heeded, or played regardless."""
    ways: dict[str, list[Turn]] = {"accepted at once": [], "revised": [], "played regardless": []}
    for turn in turns:
        attempts = turn.attempts
        if not attempts:
            continue
        if not turn.objections:
            ways["accepted at once"].append(turn)
        elif attempts[-1].objection is None:
            ways["revised"].append(turn)
        else:
            ways["played regardless"].append(turn)
    return {way: _outcomes(found) for way, found in ways.items()}


def objective_stats(turns: Sequence[Turn]) -> dict[str, int]:
    """Objectives by source and by the last status seen, and what the actor declared."""
    seen: dict[str, dict[str, Any]] = {}
    declared = 0
    for turn in turns:
        seen |= {objective["id"]: objective for objective in turn.objectives}
        attempts = turn.attempts
        declared += bool(attempts and attempts[-1].declared)
    kept = sum(objective.get("source") == "agent" for objective in seen.values())
    counts = Counter(f"from {objective.get('source')}" for objective in seen.values())
    counts |= Counter(str(objective.get("status")) for objective in seen.values())
    return {
        "declared by the actor": declared,
        "merged or rejected": max(0, declared - kept),
        **dict(sorted(counts.items())),
    }


def calibration(turns: Iterable[Turn]) -> list[Bin]:
    """The candidates' probability of success against what came of those played."""
    pairs = [
        (float(turn.chosen[1]["probability"]), turn.result == "success")
        for turn in turns
        if turn.chosen and "probability" in turn.chosen[1] and turn.result in ("success", "failure")
    ]
    bins = []
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        inside = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1]
        if inside:
            predicted = statistics.mean(pair[0] for pair in inside)
            observed = statistics.mean(pair[1] for pair in inside)
            bins.append(Bin(low, high, len(inside), predicted, observed))
    return bins


def _outcomes(turns: Sequence[Turn]) -> Outcomes:
    results = Counter(turn.result for turn in turns)
    return Outcomes(
        turns=len(turns),
        succeeded=results["success"],
        failed=results["failure"],
        gained=sum(turn.gained for turn in turns),
    )
