"""Statistics of traces as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from orchestrator.traces.stats import (
    calibration,
    objection_stats,
    objective_stats,
    role_stats,
)
from orchestrator.traces.turns import Turn

BAR = 20
"""Characters of a full bar."""


def statistics(turns: Sequence[Turn]) -> Group:
    """All tables, each under its title."""
    seconds = sum(turn.seconds or 0 for turn in turns)
    gained = sum(turn.gained for turn in turns)
    return Group(
        Text(f"{len(turns)} turns in {seconds:.1f} s, {gained} points\n"),
        *_titled("roles", _roles(turns)),
        *_titled("objections", _objections(turns)),
        *_titled("objectives", _objectives(turns)),
        *_titled(
            "calibration: chance given to the commands played, share that worked", _bins(turns)
        ),
    )


def _titled(title: str, table: Table) -> Iterable[Text | Table]:
    return (Text(title, style="bold"), table, Text()) if table.row_count else ()


def _roles(turns: Sequence[Turn]) -> Table:
    headings = ("calls", "p50 ms", "p90 ms", "p99 ms", "models", "prompt", "answer")
    table = _table("role", *headings, "retries", "errors", "open")
    for role in role_stats(turns):
        latencies = [f"{role.percentile(percent):,.1f}" for percent in (50, 90, 99)]
        counts = [role.llm_calls, role.prompt_tokens, role.completion_tokens]
        counts += [role.retries, role.errors, role.open]
        name = role.name if role.kind == "node" else f"  {role.name} ({role.kind})"
        table.add_row(name, str(role.calls), *latencies, *(f"{n:,}" if n else "" for n in counts))
    return table


def _objections(turns: Sequence[Turn]) -> Table:
    table = _table("", "turns", "worked", "failed", "points")
    for way, outcomes in objection_stats(turns).items():
        if outcomes.turns:
            table.add_row(way, *map(str, outcomes))
    return table


def _objectives(turns: Sequence[Turn]) -> Table:
    table = _table("", "objectives")
    for what, count in objective_stats(turns).items():
        table.add_row(what, str(count))
    return table


def _bins(turns: Sequence[Turn]) -> Table:
    table = _table("chance", "turns", "given", "worked", "")
    table.columns[-1].justify = "left"
    for point in calibration(turns):
        bar = "█" * round(BAR * point.observed)
        table.add_row(
            f"{point.low:.1f} to {point.high:.1f}",
            str(point.plays),
            f"{point.predicted:.2f}",
            f"{point.observed:.2f}",
            bar,
        )
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table
