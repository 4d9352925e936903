"""Statistics of traces as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from rich.console import Group
from rich.table import Table
from rich.text import Text

from managers.planning.objectives import Event
from orchestrator.traces.forecasts import (
    CalibrationPoint,
    critic_curve,
    curve,
    of_options,
    of_oracle,
)
from orchestrator.traces.outcomes import (
    objection_stats,
    objective_stats,
    rulings,
    trust_over_time,
)
from orchestrator.traces.reader import Trace
from orchestrator.traces.stats import RoleStats, role_stats
from orchestrator.traces.turns import TracedTurn, played, read_turns

BAR = 20
"""Characters of a full bar."""

COUNTS: dict[str, Callable[[RoleStats], int]] = {
    "models": lambda role: role.llm_calls,
    "cached": lambda role: role.cached,
    "prompt": lambda role: role.prompt_tokens,
    "answer": lambda role: role.completion_tokens,
    "retries": lambda role: role.retries,
    "repaired": lambda role: role.repaired,
    "fallbacks": lambda role: role.fallbacks,
    "errors": lambda role: role.errors,
    "open": lambda role: role.open,
}
"""Columns of the roles' table that are shown where there is something in them."""


def statistics(traces: Sequence[Trace]) -> Group:
    """All tables over the turns of some runs, each under its title.

    A turn that broke off and was played again cost what both attempts cost, and is one turn; one
    that nobody has played again cost something, and is none.
    """
    runs = [[turn for turn in played(trace.roots) if turn.has_ended] for trace in traces]
    turns = [turn for run in runs for turn in run]
    attempts = [turn for trace in traces for turn in read_turns(trace.roots)]
    openings = sum(turn.number == 0 for turn in turns)
    opened = f" and {openings} opening{'s' if openings > 1 else ''}" if openings else ""
    seconds = sum(turn.seconds or 0 for turn in attempts)
    gained = sum(turn.gained for turn in turns)
    return Group(
        Text(f"{len(turns) - openings} turns{opened} in {seconds:.1f} s, {gained} points\n"),
        *_titled("roles", _roles(attempts)),
        *_titled("objections", _objections(turns)),
        *_titled("objectives, by who wanted them", _objectives(turns)),
        *[part for run in runs for part in _records(run, _name(run) if len(runs) > 1 else "")],
        *_titled(
            "options: chance that it works, of turns that showed it",
            _curve(curve(of_options(turns))),
        ),
        *_titled("critic: chance that it fails", _curve(critic_curve(runs))),
        *_titled("oracle: chance that its advice helps", _curve(curve(of_oracle(turns)))),
    )


def _records(turns: Sequence[TracedTurn], run: str) -> Iterable[Text | Table]:
    yield from _titled(f"critic: what it said and what came of it {run}".rstrip(), _rulings(turns))
    yield from _titled(f"oracle: how far it is trusted {run}".rstrip(), _trust(turns))


def _name(run: Sequence[TracedTurn]) -> str:
    return run[0].roots[0].about.run_id if run else ""


def _titled(title: str, table: Table) -> Iterable[Text | Table]:
    return (Text(title, style="bold"), table, Text()) if table.row_count else ()


def _roles(turns: Sequence[TracedTurn]) -> Table:
    roles = role_stats(turns)
    shown = {name: count for name, count in COUNTS.items() if any(map(count, roles))}
    table = _table("role", "calls", "p50 ms", "p90 ms", "p99 ms", *shown)
    for role in roles:
        latencies = [f"{role.percentile(percent):,.1f}" for percent in (50, 90, 99)]
        counts = [count(role) for count in shown.values()]
        name = role.name if role.kind == "node" else f"  {role.name} ({role.kind})"
        table.add_row(name, str(role.calls), *latencies, *(f"{n:,}" if n else "" for n in counts))
    return table


def _objections(turns: Sequence[TracedTurn]) -> Table:
    table = _table("", "turns", "worked", "failed", "unclear", "points")
    for way, outcomes in objection_stats(turns).items():
        if outcomes.turns:
            table.add_row(way, *map(str, outcomes))
    return table


def _objectives(turns: Sequence[TracedTurn]) -> Table:
    counts = objective_stats(turns)
    shown = [event for event in get_args(Event) if any(found[event] for found in counts.values())]
    table = _table("", "declared", *shown)
    for source, found in counts.items():
        declared = sum(found[event] for event in ("added", "merged", "rejected", "reopened"))
        table.add_row(source, str(declared), *(str(found[event] or "") for event in shown))
    return table


def _rulings(turns: Sequence[TracedTurn]) -> Table:
    table = _table("", "accepted", "failed", "objected", "failed", "weight")
    for ruled in rulings(turns):
        table.add_row(ruled.source, *map(str, ruled[1:-1]), f"{ruled.weight:.2f}")
    return table


def _trust(turns: Sequence[TracedTurn]) -> Table:
    table = _table("turn", "followed", "helped", "rate", "95 %", "")
    table.columns[-1].justify = "left"
    for point in trust_over_time(turns):
        table.add_row(
            *(str(point.turn), str(point.followed), str(point.helped), f"{point.accuracy:.2f}"),
            *(f"{point.low:.2f} to {point.high:.2f}", _bar(point.accuracy)),
        )
    return table


def _curve(points: Iterable[CalibrationPoint]) -> Table:
    table = _table("chance", "turns", "given", "came so", "")
    table.columns[-1].justify = "left"
    for point in points:
        table.add_row(
            *(f"{point.low:.1f} to {point.high:.1f}", str(point.plays)),
            *(f"{point.predicted:.2f}", f"{point.observed:.2f}", _bar(point.observed)),
        )
    return table


def _bar(share: float) -> str:
    return "█" * round(BAR * share)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table
