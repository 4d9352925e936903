"""A fork as it was played from its opening: what it took over is its parent's, and so on up."""

from __future__ import annotations

from pathlib import Path

from orchestrator.errors import RunError
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.traces.reader import read_trace
from orchestrator.traces.turns import TracedTurn, played


def lineage(trace: Path, out: Path = RUNS) -> dict[int, TracedTurn]:
    """The turns of a run by their numbers, those before a fork as its parent's trace tells them.

    Of a turn that was broken off and played again the last attempt counts. Where a parent is not
    among the runs any more, or has no trace, the turns begin where the fork does.

    Args:
        trace: of the run; its parents are looked for beside it, and under `out`.
        out: where runs are.

    Raises:
        RunError: the trace cannot be read.
    """
    turns = {turn.number: turn for turn in played(read_trace(trace).roots)}
    seen = {trace.resolve()}
    above = _parent(trace, out)
    while above and above[0].resolve() not in seen:
        trace, until = above
        seen.add(trace.resolve())
        try:
            found = played(read_trace(trace).roots)
        except RunError:
            break
        turns = {turn.number: turn for turn in found if turn.number <= until} | turns
        above = _parent(trace, out)
        if above:
            above = above[0], min(until, above[1])
    return dict(sorted(turns.items()))


def _parent(trace: Path, out: Path) -> tuple[Path, int] | None:
    """The trace of the run that one was forked from, and at which turn."""
    try:
        parent = RunDirectory(trace.parent).record().parent
        if parent is None:
            return None
        beside = trace.parent.parent / parent.run_id
        found = RunDirectory(beside) if beside.is_dir() else RunDirectory.find(parent.run_id, out)
    except RunError:
        return None
    return found.trace, parent.turn
