"""Two runs side by side, from the turn where they part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from orchestrator.traces.turns import Turn


def compared(
    one: Sequence[Turn], two: Sequence[Turn], *, names: tuple[str, str], most: int
) -> Group:
    """Up to `most` turns of both, beginning where command or reply differ first."""
    start = parting(one, two)
    if start is None:
        return Group(Text(f"the same {len(one)} turns", style="green"))
    parts: list[RenderableType] = []
    if start:
        parts.append(Text(f"the same up to turn {one[start - 1].number}", style="dim"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("turn", justify="right", style="dim")
    for name in names:
        table.add_column(name, ratio=1)
    for left, right in list(zip_longest(one[start:], two[start:]))[:most]:
        number = (left or right).number
        table.add_row(str(number), _cell(left, right), _cell(right, left))
    parts.append(table)
    parts.append(Text(f"{names[0]}: {_standing(one)}"))
    parts.append(Text(f"{names[1]}: {_standing(two)}"))
    return Group(*parts)


def parting(one: Sequence[Turn], two: Sequence[Turn]) -> int | None:
    """Index of the first turn that differs in command or reply; None if all are the same."""
    for index, (left, right) in enumerate(zip_longest(one, two)):
        if left is None or right is None:
            return index
        if (left.command, left.reply) != (right.command, right.reply):
            return index
    return None


def _cell(turn: Turn | None, other: Turn | None) -> Text:
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


def _standing(turns: Sequence[Turn]) -> str:
    scored = [turn.score for turn in turns if turn.score is not None]
    objections = sum(len(turn.objections) for turn in turns)
    seconds = sum(turn.seconds or 0 for turn in turns)
    tokens = sum(sum(turn.tokens) for turn in turns)
    return (
        f"{len(turns)} turns, score {scored[-1] if scored else 0}, {objections} objections, "
        f"{tokens:,} tokens, {seconds:.1f} s"
    )
