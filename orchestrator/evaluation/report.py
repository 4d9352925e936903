"""A results file as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from orchestrator.errors import RunError
from orchestrator.evaluation import charts
from orchestrator.evaluation.compare import Comparison, compare_with_first
from orchestrator.evaluation.episodes import transcripts, viewed
from orchestrator.evaluation.html import figure, interval, known, table
from orchestrator.evaluation.knowledge import critic_points, trusted
from orchestrator.evaluation.leaderboard import Rank, conditions, leaderboard, markdown
from orchestrator.evaluation.report_runs import Runs
from orchestrator.evaluation.scores import Row
from orchestrator.evaluation.statistics import FEWEST
from orchestrator.evaluation.tables import ROLE_COLUMNS, lines, role_lines, told_role
from orchestrator.pages import policy_tag

STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem clamp(1rem, 3vw, 3rem) }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem }
p, ul { max-width: 75rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: right; vertical-align: top; padding: .25rem .4rem;
  border-bottom: 1px solid #8884 }
th { font-size: .85em; vertical-align: bottom }
th:first-child, td:first-child { text-align: left }
td small { display: block; opacity: .75; max-width: 8rem; margin-left: auto }
tr:target { background: #fc06 }
.wide { overflow-x: auto } .conditions { columns: 2; padding-left: 1.2rem }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  gap: 1rem }
figure { margin: 0; max-width: 60rem } figure svg { width: 100%; height: auto }
figcaption { opacity: .75; padding: 0 1rem .6rem }
@media (max-width: 40rem) { .conditions { columns: 1 } }
"""
INLINE = "'unsafe-inline'"
"""The charts are full of style attributes."""


def write_report(
    rows: Sequence[Row], source: Path, target: Path, *, episodes: bool = False
) -> None:
    """Write the report of some rows, with `episodes` a page of the viewer for each of them, too.

    Raises:
        ConfigError: matplotlib is not installed.
        RunError: there are no rows, none of them can be looked at, or a file cannot be written.
    """
    if not rows:
        raise RunError(f"{str(source)!r}: has no rows to report")
    charts.check_installed()
    links = transcripts(rows, source, target)
    try:
        links |= viewed(rows, source, target) if episodes else {}
        target.write_text(page(rows, source, links), encoding="utf-8")
    except OSError as error:
        raise RunError(f"{str(target)!r}: cannot be written: {error.strerror}") from error


def page(rows: Sequence[Row], source: Path, links: Mapping[int, str]) -> str:
    """The whole page, with links from the numbers of rows to where they can be looked at."""
    title, runs = f"Results of {source.name}", Runs(rows, links)
    parts = [
        f"<h1>{escape(title)}</h1>",
        _list(conditions(rows)),
        *_leaders(leaderboard(rows), runs),
        *_curves(rows),
        *_comparisons(_against_first(rows)),
        *_roles(rows),
        *_learning(rows),
        *_stories(rows, runs),
        *_knowledge(rows),
        "<h2>As Markdown</h2>",
        f"<pre class=wide>{escape(markdown(rows))}</pre>",
        *runs.listed(source),
    ]
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        f"{policy_tag(style=INLINE)}"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style>\n" + "\n".join(parts) + "</html>\n"
    )


def _leaders(places: Sequence[Rank], runs: Runs) -> list[str]:
    if not places:
        return ["<p>No story's maximum is known: see the scores by story.</p>"]
    asked = any(one.calls for one in places)
    costs = ("calls", "tokens", "cost") if asked else ()
    head = ("graph", "stories", "episodes", "by story, %", "unweighted, %")
    spreads = ("median", "IQM", "area", "deaths")
    told = []
    for one in places:
        spent = (f"{one.calls:.0f}", f"{one.tokens:,.0f}", f"{one.cost:.4g}") if asked else ()
        told.append(
            (
                *(one.graph, str(one.stories), str(one.episodes)),
                *(runs.of_graph(one.graph, score) for score in (one.mean, one.unweighted)),
                *(interval(score) for score in (one.median, one.iqm, one.area)),
                *(f"{one.deaths:.2f}", *spent, f"{one.seconds:.1f}", known(one.detectable)),
            )
        )
    return [
        "<h2>Leaderboard</h2>",
        table((*head, *spreads, *costs, "seconds", "detectable"), told),
        "<p>Scores in percent of the maximum with 95 % intervals of a bootstrap stratified by "
        f"story, over independent seeds; fewer than {FEWEST} are listed instead. By story is the "
        "mean of the stories' means, unweighted that of all episodes; each leads to its runs. "
        "Area is the mean of the best score so far over the commands; deaths and costs are of an "
        "episode; "
        "detectable is the smallest difference of means that two such samples show.</p>",
        figure(charts.bars(places), "Mean score, best graph first."),
    ]


def _curves(rows: Sequence[Row]) -> list[str]:
    if not any(row["max_score"] for row in rows):
        return []
    drawn = [
        figure(charts.curves(rows, axis), f"Mean best score so far against {axis}.")
        for axis, place in charts.AXES.items()
        if any(row["curve"][-1][place] for row in rows)
    ]
    return ["<h2>Score against what it took</h2>", "<div class=charts>", *drawn, "</div>"]


def _against_first(rows: Sequence[Row]) -> list[Comparison]:
    """Every graph against the first one, as far as they can be paired."""
    try:
        return compare_with_first(rows, "graph")[0]
    except RunError:
        return []


def _comparisons(found: Sequence[Comparison]) -> list[str]:
    if not found:
        return []
    head = ("graph", "pairs", "difference, points", "% of maximum", "chance of a better episode")
    told = [
        (
            *(one.second, str(len(one.overall.pairs)), str(one.overall.score)),
            *("-" if one.share is None else str(one.share), f"{one.improvement:.2f}"),
            *(known(one.detectable), str(len(one.unpaired))),
        )
        for one in found
    ]
    base = found[0].first
    return [
        f"<h2>Less {escape(base)}, paired by story and seed</h2>",
        table((*head, "detectable, points", "not paired"), told),
        figure(charts.differences(found), f"Difference to {base}, with 95 % intervals."),
    ]


def _roles(rows: Sequence[Row]) -> list[str]:
    told = [tuple(told_role(line).values()) for line in role_lines(rows)]
    if not told:
        return []
    return [
        "<h2>What a turn cost the models</h2>",
        table(tuple(ROLE_COLUMNS), told),
        "<p>Questions, tokens and seconds of a role, on average of all turns; uncached are the "
        "tokens of the prompt that the server had to read anew; faulty answers are counted over "
        "all episodes.</p>",
    ]


def _learning(rows: Sequence[Row]) -> list[str]:
    series = [row for row in rows if row["episodes"] > 1 and row["max_score"]]
    if not series:
        return []
    return ["<h2>Episode after episode</h2>", figure(charts.learning(series), "Mean score.")]


def _stories(rows: Sequence[Row], runs: Runs) -> list[str]:
    head = ("story", "graph", "n", "score", "median", "best", "of maximum", "deaths")
    told = [
        (
            *(line.game, line.graph, str(line.episodes)),
            *(runs.of_place(line.game, line.graph, line.score), f"{line.median:g}"),
            *(interval(line.best), "-" if line.of_maximum is None else f"{line.of_maximum:.1%}"),
            f"{line.deaths:.2f}",
        )
        for line in lines(rows)
    ]
    return ["<h2>By story</h2>", table(head, told)]


def _knowledge(rows: Sequence[Row]) -> list[str]:
    points, held = critic_points(rows), trusted(rows)
    told = []
    if held:
        judged = ", ".join(f"{one.judged} of kind {one.kind}" for one in held)
        told.append(figure(charts.trust(held), f"How often an oracle was right: {judged}."))
    if points:
        plays = sum(point.plays for point in points)
        told.append(figure(charts.calibration(points), f"The critic on {plays} commands."))
    if not told:
        return []
    return ["<h2>What the agents knew of themselves</h2>", "<div class=charts>", *told, "</div>"]


def _list(items: Iterable[str]) -> str:
    return "<ul class=conditions>" + "".join(f"<li>{escape(one)}" for one in items) + "</ul>"
