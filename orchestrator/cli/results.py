"""`zork compare`, `zork report` and `zork reproduce`: what results come to."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.arguments import Trust
from orchestrator.cli.terminal import say
from orchestrator.errors import ConfigError, RunError, check_spared
from orchestrator.evaluation.compare import (
    Comparison,
    Difference,
    compare_unpaired,
    compare_with_first,
)
from orchestrator.evaluation.compare import compare as compared
from orchestrator.evaluation.leaderboard import markdown
from orchestrator.evaluation.report import write_report
from orchestrator.evaluation.reproduce import FIGURES, find_row
from orchestrator.evaluation.reproduce import reproduce as played_again
from orchestrator.evaluation.rows import Row, read_rows
from orchestrator.evaluation.scores import agreed
from orchestrator.evaluation.statistics import DRAWN, FEWEST

MOST = 5
"""So many unpaired cells are named; the others are counted."""


def compare(
    first: Annotated[Path, typer.Argument(help="Results file.")],
    second: Annotated[
        Path | None, typer.Argument(help="Results file; left out, with --by in the first.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="What may differ: graph, model, access, lives, steps or episodes."),
    ] = None,
    best: Annotated[
        bool, typer.Option("--best", help="Best scores, whatever the plan says.")
    ] = False,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="Episodes of other seeds, story by story.")
    ] = False,
) -> None:
    """Pair episodes by story, graph, seed and steps and print second - first."""
    counts = {"counts": "best"} if best else {}
    if unpaired and (second is None or by is not None):
        raise ConfigError(
            "compare: --unpaired pairs nothing: give two results files and leave out --by"
        )
    if second is None:
        if by is None:
            raise ConfigError("compare: give two results files, or one and --by FACTOR")
        found, faults = compare_with_first(_rows(first, **counts), by)
        if not found:
            raise RunError(faults[0])
        for fault in faults:
            say(fault, err=True)
    else:
        names = (str(first), str(second))
        files = (_rows(first, **counts), _rows(second, **counts))
        if unpaired:
            found = [compare_unpaired(*files, names=names)]
        else:
            found = [compared(*files, by, names=names)]
    for one in found:
        _print_comparison(one)


def report(
    results: Annotated[Path, typer.Argument(help="Results file of zork bench.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="By default beside the results.")
    ] = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the leaderboard as Markdown instead.")
    ] = False,
    episodes: Annotated[
        bool,
        typer.Option("--episodes", help="Write a page of the viewer for each episode, too."),
    ] = False,
    gain: Annotated[
        bool,
        typer.Option("--gain", help="Of the maximum, the gain over the starting score."),
    ] = False,
) -> None:
    """Write results as one page of HTML: leaderboard, curves, comparisons, stories."""
    rows = _rows(results, of_maximum="gain") if gain else _rows(results)
    if as_markdown:
        say(markdown(rows).rstrip("\n"))
        return
    target = output or results.with_suffix(".html")
    check_spared(target, results)
    write_report(rows, results, target, episodes=episodes)
    say(f"{len(rows)} rows -> {target}")


def reproduce(
    row: Annotated[str, typer.Argument(metavar="RESULTS#ROW", help="A row, counted from 1.")],
    game: Annotated[str | None, typer.Option(help="Where its story lies, if elsewhere.")] = None,
    trust: Trust = False,
) -> None:
    """Play a row of results again and say whether it matches; exit status 1 if it does not."""
    with tempfile.TemporaryDirectory() as folder:
        found = played_again(find_row(row), Path(folder), game, trust=trust)
    for told in found.versions:
        say(f"another version: {told}")
    if not found.exact:
        say("it asked a model, which may answer differently")
    told = ", ".join(f"{name} {found.again[name]}" for name in FIGURES)
    if not found.differing:
        say(f"the same: {told}")
        return
    for name in found.differing:
        say(f"{name}: {found.row.get(name)} in the row, {found.again[name]} now")
    raise typer.Exit(1)


def _rows(path: Path, **instead: str) -> list[Row]:
    """The rows of a file, with what is asked for instead of what their plan says."""
    if not path.is_file():
        raise RunError(f"no results file {str(path)!r}; zork bench --output FILE writes one")
    rows = agreed(read_rows(path))
    if not rows:
        raise RunError(f"{str(path)!r}: has no rows; zork bench --output FILE adds them")
    rows = [{**row, **instead} for row in rows]
    if len({(row["counts"], row["of_maximum"]) for row in rows}) > 1:
        say(f"{path}: not all of its rows count the same score, or part of the maximum", err=True)
    return rows


def _print_comparison(found: Comparison) -> None:
    say(f"{found.second} less {found.first}")
    several = len(found.stories) > 1
    for line in [*found.stories, *([found.overall] if several else [])]:
        say(f"  {line.game:<14}{_pairs(line)}{_gain(line)}{_counts(line)}")
    say(f"  {_verdict(found)}")
    if found.cells > len(found.overall.pairs):
        say(
            f"  {found.cells} cells were paired; those of one story and seed are not independent "
            "and count as one pair, by their mean"
        )
    if found.overall.score.told:
        _print_more(found)
    for told in found.unpaired[:MOST]:
        say(f"  not paired: {told}")
    if len(found.unpaired) > MOST:
        say(f"  not paired: {len(found.unpaired) - MOST} more")


def _print_more(found: Comparison) -> None:
    if found.share is not None:
        without = f" (without {', '.join(found.unknown)}: not known)" if found.unknown else ""
        say(f"  score / maximum, %: {found.share}{without}")
    say(f"  chance that an episode is better: {found.improvement:.2f}")
    if found.detectable is not None:
        say(f"  smallest difference that so many show: {found.detectable:.1f}")


def _pairs(line: Difference) -> str:
    number = len(line.pairs)
    return f"{number:>4} pair{'s' if number != 1 else ' '}  " if number else ""


def _gain(line: Difference) -> str:
    """The difference with its interval, or else the pairs that it is of."""
    if line.score.told or not line.pairs:
        return str(line.score)
    pairs = ", ".join(f"seed {one.seed}: {one.first:g} -> {one.second:g}" for one in line.pairs)
    return f"{line.score.mean:.1f} ({pairs})"


def _counts(line: Difference) -> str:
    return f"  {line.better} better, {line.worse} worse" if line.pairs else ""


def _verdict(found: Comparison) -> str:
    if found.overall.pairs and not found.overall.better and not found.overall.worse:
        return "the same"
    if not found.overall.score.told:
        few = "pairs" if found.overall.pairs else "seeds on either side"
        return f"too few to show anything: it takes {FEWEST} independent {few}"
    shown = "different" if found.different else "not shown to be different"
    p, counted = found.chance
    told = "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
    return f"{shown} ({told}{'' if counted else f', of {DRAWN:,} drawn at random'})"
