"""How well the text alone tells where one is, what one has, and where and how things are.

Replays walkthroughs under access `text` and compares map and world model with the object tree,
turn by turn: `python -m benchmarks.knowledge [STORY...]`. Known stories are the embedded ones and
those that Jericho has a walkthrough for.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.arguments import given
from benchmarks.measures import Share, measure
from benchmarks.truth import replay

STORIES = ("zork1.z5", "hollow", "morning", "workshop")


def main(stories: Sequence[str]) -> None:
    """Print the shares of must-shows 1 and 2 by story."""
    results = {story: measure(replay(story)) for story in stories}
    names = list(next(iter(results.values()))[0])
    table = Table("share of what is right", *results)
    for name in names:
        table.add_row(name, *(_cell(shares[name]) for shares, _ in results.values()))
    costs = [cost for _, cost in results.values()]
    table.add_section()
    table.add_row("size", *(f"{cost.size / 1000:.1f} kB" for cost in costs))
    table.add_row("update, median", *(f"{1000 * cost.update:.2f} ms" for cost in costs))
    table.add_row("update / emulator step", *(f"{cost.update / cost.step:.1f}" for cost in costs))
    Console().print(table)


def _cell(share: Share) -> str:
    if not share.total:
        return "-"
    return f"{100 * share.right / share.total:.1f} % of {share.total}"


if __name__ == "__main__":
    main(given(__doc__) or STORIES)
