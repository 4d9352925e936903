"""What came of what the roles said: objections, objectives, the oracle's advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, get_args

from managers.belief.calibration import CalibrationData, CriticCalibration
from managers.belief.reliability import OracleReliability, ReliabilityData
from managers.planning.objectives import Event
from orchestrator.traces.forecasts import last_calibration
from orchestrator.traces.turns import TracedTurn

WAYS = ("accepted at once", "revised", "overruled", "played regardless", "not judged")
"""How a command can come through the critic."""


class Outcomes(NamedTuple):
    """How commands went that came about in one way."""

    turns: int
    succeeded: int
    failed: int
    unclear: int
    """The reply did not tell, or told of a part; with those above, all turns."""
    gained: int
    """Points, in all."""


class TrustPoint(NamedTuple):
    """What is thought of the oracle after a turn."""

    turn: int
    followed: int
    """So many recommendations so far."""
    helped: int
    accuracy: float
    """Mean of the posterior."""
    low: float
    """Of its 95 % interval."""
    high: float


class Ruled(NamedTuple):
    """What came of the verdicts of one part of a critic, as far as their commands were played."""

    source: str
    accepted: int
    accepted_failed: int
    objected: int
    objected_failed: int
    weight: float
    """How much likelier to fail an objection is taken to make a command."""


def objection_stats(turns: Iterable[TracedTurn]) -> dict[str, Outcomes]:
    """How turns went by what the critic said to what was played in the end."""
    ways: dict[str, list[TracedTurn]] = {way: [] for way in WAYS}
    for turn in turns:
        if turn.attempts:
            ways[_way(turn)].append(turn)
    return {way: _outcomes(found) for way, found in ways.items()}


def objective_stats(turns: Iterable[TracedTurn]) -> dict[str, dict[Event, int]]:
    """What became of objectives, by who wanted them: `source -> event -> how often`."""
    counts: dict[str, Counter[str]] = {}
    for turn in turns:
        for change in turn.objective_changes:
            counts.setdefault(change.source, Counter())[change.event] += 1
    return {
        source: {event: counts[source][event] for event in get_args(Event)}
        for source in sorted(counts)
    }


def trust_over_time(turns: Sequence[TracedTurn], most: int = 8) -> list[TrustPoint]:
    """The oracle's record at up to `most` turns, evenly spaced; none where it never had one."""
    known = [
        (turn.number, known)
        for turn in turns
        if (known := turn.written("learner").reliability) and "recommendation" in known.records
    ]
    step = max(1, -(-len(known) // most))
    return [_trust(number, data) for number, data in reversed(known[::-1][::step])]


def rulings(turns: Sequence[TracedTurn]) -> list[Ruled]:
    """The critic's record at the end of a run, as a whole and by its parts."""
    data = last_calibration(turns) or CalibrationData()
    record = CriticCalibration(data)
    found = []
    for source in dict.fromkeys((*data.accepted, *data.objected)):
        accepted, objected = record.record("accepted", source), record.record("objected", source)
        counts = (accepted.judged, accepted.right, objected.judged, objected.right)
        found.append(Ruled(source, *counts, record.weight(source)))
    return found


def _trust(turn: int, data: ReliabilityData) -> TrustPoint:
    reliability = OracleReliability(data, turn)
    record, posterior = (
        reliability.record("recommendation"),
        reliability.posterior("recommendation"),
    )
    low, high = posterior.interval()
    return TrustPoint(turn, record.judged, record.right, posterior.mean, low, high)


def _way(turn: TracedTurn) -> str:
    *earlier, last = turn.attempts
    if last.objection is not None:
        return "overruled" if last.overruled else "played regardless"
    if earlier:
        return "revised"
    return "accepted at once" if last.verdict or last.decision else "not judged"


def _outcomes(turns: Sequence[TracedTurn]) -> Outcomes:
    results = Counter(turn.result for turn in turns)
    return Outcomes(
        turns=len(turns),
        succeeded=results["success"],
        failed=results["failure"],
        unclear=len(turns) - results["success"] - results["failure"],
        gained=sum(turn.gained for turn in turns),
    )
