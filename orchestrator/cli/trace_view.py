"""Runs and turns as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from orchestrator.cli.trace_runs import MOST_OF_ERROR, answer, milliseconds, run_tree, section
from orchestrator.traces.reader import Run, first_line
from orchestrator.traces.turns import Attempt, TracedTurn
from orchestrator.traces.written import ToldClaim, ToldObjective, ToldOption, ToldProposal

WIDTHS = (4, 18, 22, 5, 3, 7, 6)
HEADINGS = ("turn", "room", "command", "score", "obj", "ms", "tokens", "reply")
NARROW = 110
"""Columns of a terminal in which a turn takes two lines."""


def turn_table(turns: Sequence[TracedTurn]) -> Group:
    """The episode in a line, then one line a turn."""
    return Group(_episode(turns[0]), turn_header(), *map(turn_line, turns))


def turn_header() -> TurnLine:
    """The heading over turn lines."""
    return TurnLine([Text(heading, style="bold") for heading in HEADINGS])


def turn_line(turn: TracedTurn) -> TurnLine:
    """A turn in one line."""
    tokens = sum(turn.tokens)
    return TurnLine(
        [
            Text(str(turn.number), style="dim"),
            Text(turn.room, style="cyan"),
            Text(turn.command, style="bold"),
            Text("" if turn.score is None else str(turn.score), style=_gain_style(turn)),
            Text(str(len(turn.objections) or ""), style="yellow"),
            Text(milliseconds(turn.seconds)),
            Text(f"{tokens:,}" if tokens else ""),
            _outcome(turn),
        ]
    )


def turn_in_full(turn: TracedTurn) -> Group:
    """A turn: what was done, why, against which objections, and what it took."""
    heading = Text(f"turn {turn.number}  {turn.room}", style="bold")
    if turn.score is not None:
        gained = f" ({turn.gained:+d})" if turn.gained else ""
        heading.append(f"  score {turn.score}{gained}", style=_gain_style(turn))
    parts: list[RenderableType] = [heading]
    parts.append(section(f"> {turn.command}", [Text(turn.reply.strip())]))
    parts.append(section("why", _why(turn)))
    parts.append(section("beliefs", _beliefs(turn)))
    parts.append(section("objectives", _objectives(turn)))
    parts.append(section("options", _options(turn)))
    parts += map(run_tree, turn.roots)
    return Group(*parts)


def _episode(turn: TracedTurn) -> Text:
    told = turn.roots[0].about
    seed = "?" if told.seed is None else told.seed
    parts = [told.run_id or "run", told.story, f"graph {told.graph or '?'}", f"seed {seed}"]
    return Text(", ".join([*parts, f"access {'+'.join(told.access)}"]), style="dim")


def _outcome(turn: TracedTurn) -> Text:
    """The reply, or what kept the turn from having one."""
    if turn.error:
        return Text(first_line(turn.error)[:MOST_OF_ERROR], style="red")
    if turn.is_open:
        return Text("open: it did not end", style="yellow")
    reply = Text(" ".join(turn.reply.split()), style="red" if turn.fault else "")
    failed = len(turn.troubles)
    return Text.assemble((f"{failed} failed  ", "yellow"), reply) if failed else reply


def _why(turn: TracedTurn) -> list[Text]:
    lines = [*_proposer(turn.attempts[-1])] if turn.part else []
    if turn.thinking:
        lines.append(Text(turn.thinking, style="italic"))
    if turn.chosen:
        rank, option = turn.chosen
        lines.append(Text(f"option {rank}: {_option(option)}"))
    elif turn.attempts and turn.attempts[-1].command == turn.command:
        lines.append(Text("no ranked option: the actor's own idea"))
    for attempt in turn.attempts:
        lines += _attempt(attempt)
    return lines


def _proposer(attempt: Attempt) -> Iterator[Text]:
    """Whose proposal it is, and where there were several, who chose it and why."""
    by = f"{attempt.by} ({attempt.part})" if attempt.by else attempt.part
    yield Text(f"proposed by {by}")
    if attempt.judge is not None:
        judge = attempt.judge
        why = f": {attempt.chosen_for}" if attempt.chosen_for else ""
        yield Text(f"chosen by {judge.name} ({judge.about.part}){why}")


def _attempt(attempt: Attempt) -> list[Text]:
    lines = [_proposed(run, one) for run in attempt.others for one in run.written.proposals or ()]
    for call in attempt.asked.walk():
        if call.kind == "llm":
            model = call.about.ls_model_name or call.name
            lines.append(Text(f"{model} answered: {answer(call)}"))
    if attempt.objection is not None:
        kind = "overruled objection" if attempt.overruled else "objection"
        objection = f"{kind} to {attempt.command!r}: {attempt.objection}"
        lines.append(Text(objection, style="yellow"))
    elif attempt.judged and not attempt.verdict:
        lines.append(Text("the critic was not asked: so far its verdicts tell too little"))
    elif attempt.verdict:
        lines.append(Text(f"accepted: {attempt.verdict.reason}", style="green"))
    if attempt.decision and attempt.decision.accept:
        lines.append(Text(f"a person let it play {attempt.decision.command!r}", style="green"))
    return lines


def _proposed(run: Run, proposal: ToldProposal) -> Text:
    """Who of several proposed what."""
    who = proposal.by or run.name
    return Text(f"{who} proposed {proposal.command!r}: {proposal.response.thinking}")


def _beliefs(turn: TracedTurn) -> list[Text]:
    held = dict(turn.beliefs)
    believed = held.pop("beliefs", None)
    if isinstance(believed, dict):
        held |= {key: value for key, value in believed.items() if value}
    lines = []
    for name, value in held.items():
        several = isinstance(value, list) and len(value) > 1
        lines.append(Text.assemble((name, "cyan"), "" if several else f"  {_short(value)}"))
        lines += [Text(f"- {_short(one)}") for one in value] if several else []
    return lines


def _objectives(turn: TracedTurn) -> list[Text]:
    lines = [
        Text(f"{one.id} {one.status}, priority {one.priority}: {one.text}{_plan(one)}")
        for one in turn.objectives
        if one.status == "active"
    ]
    for change in turn.objective_changes:
        why = f" ({change.why})" if change.why else ""
        what = f"{change.id} {change.event}: {change.text}{why}".strip()
        lines.append(Text(what, style="magenta"))
    return lines


def _plan(objective: ToldObjective) -> str:
    steps = [step.command or f"be in {step.room}" for step in objective.plan]
    return f" [{', '.join(steps)}]" if steps else ""


def _options(turn: TracedTurn) -> list[RenderableType]:
    if not turn.options:
        return []
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right")
    table.add_column(max_width=24)
    table.add_column(ratio=1)
    for rank, option in enumerate(turn.options, start=1):
        if isinstance(option, ToldOption):
            style = "bold" if option.command == turn.command else ""
            table.add_row(str(rank), Text(option.command), Text(_option(option)), style=style)
        else:
            table.add_row("", "", Text(option, style="dim"))
    return [table]


def _option(option: ToldOption) -> str:
    objective = f", for {option.objective}" if option.objective else ""
    value = "?" if option.value is None else f"{option.value:.3g}"
    chance = "?" if option.probability is None else option.probability
    return f"{option.purpose} (value {value}, p {chance}{objective})"


def _short(value: Any) -> str:
    if isinstance(value, dict) and "credence" in value:
        claim = ToldClaim.of(value)
        who = "game" if claim.game else "oracle"
        return f"{claim.kind}: {claim.text} ({who} {claim.credence:.2g})"
    if isinstance(value, dict):
        told = {key: item for key, item in value.items() if item not in ("", 0)}
        return ", ".join(f"{key} {_short(item)}" for key, item in told.items())
    return ", ".join(map(_short, value)) if isinstance(value, list) else str(value)


def _gain_style(turn: TracedTurn) -> str:
    if turn.gained > 0:
        return "bold green"
    return "red" if turn.gained < 0 else ""


class TurnLine:
    """The cells of a turn; where the terminal is narrow, the last one has a line of its own."""

    def __init__(self, cells: Sequence[Text]) -> None:
        self.cells = cells

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text(no_wrap=True, overflow="ellipsis")
        for width, cell in zip(WIDTHS, self.cells, strict=False):
            cell.truncate(width, overflow="ellipsis", pad=True)
            line.append_text(cell)
            line.append("  ")
        if options.max_width < NARROW:
            line.rstrip()
            line.append("\n" + " " * (WIDTHS[0] + 2))
        yield line.append_text(self.cells[-1])
