"""Two runs side by side, from the turn where they part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from orchestrator.traces.turns import TracedTurn


def compared(
    left: Mapping[int, TracedTurn],
    right: Mapping[int, TracedTurn],
    *,
    names: tuple[str, str],
    most: int,
) -> Group:
    """Up to `most` turns of both, beginning where command or reply differ first.

    Turns are matched by their numbers; what only one of them tells from its beginning on does
    not count.
    """
    first = max(min(left, default=0), min(right, default=0))
    numbers = sorted(number for number in left.keys() | right.keys() if number >= first)
    start = next((n for n in numbers if not _same(left.get(n), right.get(n))), None)
    if start is None:
        return Group(Text(f"the same {_counted(numbers)}", style="green"))
    parts: list[RenderableType] = []
    if start > first:
        parts.append(Text(f"the same up to turn {start - 1}", style="dim"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("turn", justify="right", style="dim")
    for name in names:
        table.add_column(name, ratio=1, overflow="fold")
    for number in [number for number in numbers if number >= start][:most]:
        here, there = left.get(number), right.get(number)
        table.add_row(str(number), _cell(here, there), _cell(there, here))
    parts.append(table)
    parts.append(Text(f"{names[0]}: {_standing(left)}"))
    parts.append(Text(f"{names[1]}: {_standing(right)}"))
    return Group(*parts)


def _same(one: TracedTurn | None, two: TracedTurn | None) -> bool:
    if one is None or two is None:
        return False
    return (one.command, one.reply) == (two.command, two.reply)


def _cell(turn: TracedTurn | None, other: TracedTurn | None) -> Text:
    if turn is None:
        return Text("-", style="dim")
    cell = Text(f"> {turn.command}", style="bold")
    if other is not None and other.command == turn.command:
        cell.stylize("dim")
    if turn.gained:
        cell.append(f"  {turn.gained:+d}", style="bold green" if turn.gained > 0 else "red")
    for objected in turn.objections:
        cell.append(f"\nnot {objected.command!r}: {objected.objection}", style="yellow")
    cell.append(f"\n{turn.room}: ", style="cyan")
    cell.append(" ".join(turn.reply.split())[:200], style="")
    return cell


def _counted(numbers: Iterable[int]) -> str:
    """How many turns these are, without the opening."""
    turns = sum(number > 0 for number in numbers)
    return f"{turns} turn{'s' if turns != 1 else ''}"


def _standing(numbered: Mapping[int, TracedTurn]) -> str:
    turns = [numbered[number] for number in sorted(numbered)]
    scored = [turn.score for turn in turns if turn.score is not None]
    objections = sum(len(turn.objections) for turn in turns)
    seconds = sum(turn.seconds or 0 for turn in turns)
    tokens = sum(sum(turn.tokens) for turn in turns)
    return (
        f"{_counted(numbered)}, score {scored[-1] if scored else 0}, {objections} objections, "
        f"{tokens:,} tokens, {seconds:.1f} s"
    )
