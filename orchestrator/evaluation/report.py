"""A results file as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import islice
from pathlib import Path

from orchestrator.errors import RunError
from orchestrator.evaluation import charts
from orchestrator.evaluation.compare import Comparison, compare, levels
from orchestrator.evaluation.episodes import MOST, transcripts, viewed
from orchestrator.evaluation.knowledge import critic_points, trusted
from orchestrator.evaluation.leaderboard import Rank, conditions, leaderboard, markdown
from orchestrator.evaluation.scores import Row, counted
from orchestrator.evaluation.statistics import FEWEST
from orchestrator.evaluation.tables import ROLE_COLUMNS, lines, role_lines, told_role
from orchestrator.pages import policy_tag

STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .25rem .7rem; border-bottom: 1px solid #8884 }
td { white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.wide { overflow-x: auto } .conditions { columns: 2; padding-left: 1.2rem }
figure { margin: 1rem 0; background: #fff; border-radius: .4rem; display: inline-block }
figure svg { max-width: 100%; height: auto } figcaption { color: #444; padding: 0 1rem .6rem }
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
    links = transcripts(rows, source)
    try:
        links |= viewed(rows, target) if episodes else {}
        target.write_text(page(rows, source, links), encoding="utf-8")
    except OSError as error:
        raise RunError(f"{str(target)!r}: cannot be written: {error.strerror}") from error


def page(rows: Sequence[Row], source: Path, links: Mapping[int, str]) -> str:
    """The whole page, with links from the numbers of rows to where they can be looked at."""
    title = f"Results of {source.name}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _list(conditions(rows)),
        *_leaders(leaderboard(rows)),
        *_curves(rows),
        *_comparisons(_against_first(rows)),
        *_roles(rows),
        *_learning(rows),
        *_stories(rows),
        *_knowledge(rows),
        *_episodes(rows, source, links),
        "<h2>As Markdown</h2>",
        f"<pre class=wide>{escape(markdown(rows))}</pre>",
    ]
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        f"{policy_tag(style=INLINE)}"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style>\n" + "\n".join(parts) + "</html>\n"
    )


def _leaders(places: Sequence[Rank]) -> list[str]:
    if not places:
        return ["<p>No story's maximum is known: see the scores by story.</p>"]
    asked = any(one.calls for one in places)
    costs = ("calls", "tokens", "cost") if asked else ()
    head = ("graph", "stories", "episodes", "mean, %", "median", "IQM", "area", "deaths")
    told = []
    for one in places:
        spent = (f"{one.calls:.0f}", f"{one.tokens:,.0f}", f"{one.cost:.4g}") if asked else ()
        told.append(
            (
                *(one.graph, str(one.stories), str(one.episodes)),
                *(str(one.mean), str(one.median), str(one.iqm), str(one.area)),
                *(f"{one.deaths:.2f}", *spent, f"{one.seconds:.1f}", _known(one.detectable)),
            )
        )
    return [
        "<h2>Leaderboard</h2>",
        _table((*head, *costs, "seconds", "detectable"), told),
        "<p>Scores in percent of the maximum with 95 % intervals of a bootstrap stratified by "
        f"story, over independent seeds; fewer than {FEWEST} are listed instead. Area is the mean "
        "of the best score so far over the commands; deaths and costs are of an episode; "
        "detectable is the smallest difference of means that two such samples show.</p>",
        _figure(charts.bars(places), "Mean score, best graph first."),
    ]


def _curves(rows: Sequence[Row]) -> list[str]:
    if not any(row["max_score"] for row in rows):
        return []
    told = ["<h2>Score against what it took</h2>"]
    for axis, place in charts.AXES.items():
        if any(row["curve"][-1][place] for row in rows):
            drawn = charts.curves(rows, axis)
            told.append(_figure(drawn, f"Mean best score so far against {axis}."))
    return told


def _against_first(rows: Sequence[Row]) -> list[Comparison]:
    """Every graph against the first one, as far as they can be paired."""
    try:
        (name, base), *others = levels(rows, "graph").items()
    except RunError:
        return []
    found = []
    for other, own in others:
        try:
            found.append(compare(base, own, "graph", names=(name, other)))
        except RunError:
            continue
    return found


def _comparisons(found: Sequence[Comparison]) -> list[str]:
    if not found:
        return []
    head = ("graph", "pairs", "difference, points", "% of maximum", "chance of a better episode")
    told = [
        (
            *(one.second, str(len(one.overall.pairs)), str(one.overall.score)),
            *("-" if one.share is None else str(one.share), f"{one.improvement:.2f}"),
            *(_known(one.detectable), str(len(one.unpaired))),
        )
        for one in found
    ]
    base = found[0].first
    return [
        f"<h2>Less {escape(base)}, paired by story and seed</h2>",
        _table((*head, "detectable, points", "not paired"), told),
        _figure(charts.differences(found), f"Difference to {base}, with 95 % intervals."),
    ]


def _roles(rows: Sequence[Row]) -> list[str]:
    told = [tuple(told_role(line).values()) for line in role_lines(rows)]
    if not told:
        return []
    return [
        "<h2>What a turn cost the models</h2>",
        _table(tuple(ROLE_COLUMNS), told),
        "<p>Questions, tokens and seconds of a role, on average of all turns; uncached are the "
        "tokens of the prompt that the server had to read anew; faulty answers are counted over "
        "all episodes.</p>",
    ]


def _learning(rows: Sequence[Row]) -> list[str]:
    series = [row for row in rows if row["episodes"] > 1 and row["max_score"]]
    if not series:
        return []
    return ["<h2>Episode after episode</h2>", _figure(charts.learning(series), "Mean score.")]


def _stories(rows: Sequence[Row]) -> list[str]:
    head = ("story", "graph", "n", "score", "median", "best", "of maximum", "deaths")
    told = [
        (
            *(line.game, line.graph, str(line.episodes), str(line.score), f"{line.median:g}"),
            *(str(line.best), "-" if line.of_maximum is None else f"{line.of_maximum:.1%}"),
            f"{line.deaths:.2f}",
        )
        for line in lines(rows)
    ]
    return ["<h2>By story</h2>", _table(head, told)]


def _knowledge(rows: Sequence[Row]) -> list[str]:
    points, held = critic_points(rows), trusted(rows)
    told = ["<h2>What the agents knew of themselves</h2>"] if points or held else []
    if held:
        judged = ", ".join(f"{one.judged} of kind {one.kind}" for one in held)
        told.append(_figure(charts.trust(held), f"How often an oracle was right: {judged}."))
    if points:
        plays = sum(point.plays for point in points)
        told.append(_figure(charts.calibration(points), f"The critic on {plays} commands."))
    return told


def _episodes(rows: Sequence[Row], source: Path, links: Mapping[int, str]) -> list[str]:
    head = ("episode", "graph", "seed", "score", "turns", "end")
    told = [
        (
            _link(row, number, links.get(number)),
            *(row["graph"], str(row["seed"]), f"{counted(row):g}"),
            *("" if row["turns"] is None else str(row["turns"]), row["end_reason"]),
        )
        for number, row in enumerate(islice(rows, MOST), start=1)
    ]
    note = (
        f"<p>Play one again: <code>zork reproduce {escape(str(source))}#ROW</code>; look at one: "
    )
    return [
        "<h2>Episodes</h2>",
        f"<details><summary>{len(rows)} rows</summary>",
        f"{note}<code>zork view</code> with its directory.</p>",
        _table(head, told),
        "</details>",
    ]


class Html(str):
    """A text that is HTML already; all others are escaped."""


def _link(row: Row, number: int, place: str | None) -> str:
    """The row's number and story, with a link to where it can be looked at."""
    told = f"{number} {row['story']}"
    return told if place is None else Html(f"<a href='{escape(place)}'>{escape(told)}</a>")


def _html(text: str) -> Html:
    return text if isinstance(text, Html) else Html(escape(text))


def _list(items: Iterable[str]) -> str:
    return "<ul class=conditions>" + "".join(f"<li>{escape(one)}" for one in items) + "</ul>"


def _known(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.1f}"


def _table(head: Sequence[str], told: Iterable[Sequence[str]], *, plain: bool = False) -> str:
    """Cells are text; with `plain` they are HTML already."""
    titles = "".join(f"<th scope=col>{_html(title)}" for title in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{one if plain else _html(one)}" for one in cells) for cells in told
    )
    return f"<div class=wide><table><thead><tr>{titles}</thead><tbody>{body}</tbody></table></div>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
