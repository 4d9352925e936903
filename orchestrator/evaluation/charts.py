"""Charts of results as SVG, drawn by matplotlib (`EXTRAS=pictures`), dark where the page is."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from environments.extras import installing
from orchestrator.errors import ConfigError
from orchestrator.evaluation.compare import Comparison
from orchestrator.evaluation.knowledge import CriticPoint, Trusted
from orchestrator.evaluation.leaderboard import Rank
from orchestrator.evaluation.scores import Row, by_graph, curve_in, part, strata
from orchestrator.evaluation.statistics import Interval, estimate
from orchestrator.traces.forecasts import CalibrationPoint

AXES = {"commands": 0, "model calls": 2, "tokens": 3, "cost": 4}
"""What a score is drawn against, and where that stands in a curve's points."""
_SAMPLES = 120
_INK = "#0a0b0c"
"""Stands for the colour of the text around, whatever that is."""
_STYLE: dict[str, Any] = {
    "svg.hashsalt": "zork",
    "text.parse_math": False,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "figure.constrained_layout.use": True,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK
    ),
}


def check_installed() -> None:
    """See to it that charts can be drawn.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    try:
        importlib.import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise ConfigError(f"charts need matplotlib: {installing('pictures')}") from error


def bars(places: Sequence[Rank]) -> str:
    """The graphs' means with their intervals."""
    told = [(place.graph, place.mean) for place in reversed(places)]
    return _intervals(told, "mean score, % of the maximum")


def differences(comparisons: Sequence[Comparison]) -> str:
    """What graphs gain over the first one, with intervals; a line at 0."""
    percent = all(one.share for one in comparisons)
    told = [
        (one.second, (percent and one.share) or one.overall.score) for one in reversed(comparisons)
    ]
    unit = "% of the maximum" if percent else "points"
    return _intervals(told, f"difference to {comparisons[0].first}, {unit}", zero=True)


def curves(rows: Sequence[Row], axis: str) -> str:
    """The mean best score so far against what was spent, a line a graph with its interval."""
    with _figure((7.2, 3.6)) as (axes, drawn):
        for graph, own in by_graph(rows).items():
            scored = [row for row in own if row["max_score"]]
            if not scored:
                continue
            end = max(row["curve"][-1][AXES[axis]] for row in scored)
            xs = np.linspace(0, end, _SAMPLES)
            heights = np.array([_heights(row, AXES[axis], xs) for row in scored])
            band = [_at(heights[:, place], scored) for place in range(_SAMPLES)]
            (line,) = axes.plot(xs, [one.mean for one in band], label=graph, drawstyle="steps-post")
            lows, highs = zip(*(one.drawn for one in band), strict=True)
            axes.fill_between(xs, lows, highs, alpha=0.15, color=line.get_color(), step="post")
        axes.set(xlabel=axis, ylabel="best score so far, % of the maximum", ylim=(0, None))
        _legend(axes)
    return drawn[0]


def scores(runs: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """The score over the turns of runs, a line a run; points are (turn, score)."""
    with _figure((7.2, 3.4)) as (axes, drawn):
        for name, points in runs.items():
            turns, heights = zip(*points, strict=True) if points else ((), ())
            axes.plot(turns, heights, label=name, drawstyle="steps-post")
        axes.set(xlabel="turn", ylabel="score")
        _legend(axes)
    return drawn[0]


def forecasts(told: Mapping[str, Sequence[CalibrationPoint]]) -> str:
    """Chances that were given against how often things came so, a line for who gave them."""
    with _figure((4.2, 3.8)) as (axes, drawn):
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
        for name, points in told.items():
            if points:
                given = [point.predicted for point in points]
                axes.plot(given, [point.observed for point in points], marker="o", label=name)
        axes.set(xlabel="chance given", ylabel="came so", xlim=(0, 1), ylim=(0, 1))
        _legend(axes)
    return drawn[0]


def learning(rows: Sequence[Row]) -> str:
    """The mean score of each episode of a series, a line a graph."""
    with _figure((7.2, 3.2)) as (axes, drawn):
        for graph, own in by_graph(rows).items():
            scored = [row for row in own if row["max_score"]]
            longest = max((len(row["series"]) for row in scored), default=0)
            means = [
                np.mean(
                    [
                        100 * part(row, row["series"][n]["score"])
                        for row in scored
                        if n < len(row["series"])
                    ]
                )
                for n in range(longest)
            ]
            axes.plot(range(1, longest + 1), means, marker="o", label=graph)
        axes.set(xlabel="episode", ylabel="final score, % of the maximum", ylim=(0, None))
        _legend(axes)
    return drawn[0]


def calibration(points: Sequence[CriticPoint]) -> str:
    """Foretold chances of failure against what came of the commands."""
    with _figure((3.8, 3.4)) as (axes, drawn):
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
        sizes = [20 + 200 * point.plays / max(p.plays for p in points) for point in points]
        told = ([p.foretold for p in points], [p.failed for p in points])
        axes.scatter(*told, s=sizes, alpha=0.7)
        axes.set(xlabel="foretold", ylabel="failed", xlim=(0, 1), ylim=(0, 1))
    return drawn[0]


def trust(told: Sequence[Trusted]) -> str:
    """How far an oracle's answers held, with credible intervals."""
    return _intervals([(one.kind, one.held) for one in reversed(told)], "held", limits=(0, 1))


def _intervals(
    told: Sequence[tuple[str, Interval]],
    label: str,
    *,
    zero: bool = False,
    limits: tuple[float, float] | None = None,
) -> str:
    with _figure((7.2, 0.9 + 0.42 * len(told))) as (axes, drawn):
        places = range(len(told))
        means = [one.mean for _, one in told]
        lows, highs = zip(*(one.drawn for _, one in told), strict=True)
        spread = [np.subtract(means, lows), np.subtract(highs, means)]
        axes.barh(
            places, means, xerr=np.abs(spread), ecolor=_INK, height=0.6, capsize=3, alpha=0.75
        )
        axes.set(yticks=list(places), yticklabels=[name for name, _ in told], xlabel=label)
        if zero:
            axes.axvline(0, color=_INK, linewidth=0.8)
        if limits:
            axes.set_xlim(*limits)
        axes.grid(visible=False, axis="y")
    return drawn[0]


def _legend(axes: Any) -> None:
    """What is drawn, by name; nothing where nothing is, of which matplotlib would warn."""
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, fontsize=9)


def _heights(row: Row, axis: int, xs: Any) -> Any:
    points = curve_in(row, axis)
    places = np.searchsorted([x for x, _ in points], xs, side="right") - 1
    return 100 * np.array([part(row, y) for _, y in points])[places.clip(0)]


def _at(values: Any, rows: Sequence[Row]) -> Interval:
    """The mean of the stories' means with its interval."""
    return estimate(strata(zip(rows, map(float, values), strict=True)), times=300)


@contextmanager
def _figure(size: tuple[float, float]) -> Iterator[tuple[Any, list[str]]]:
    """Axes to draw on, and where the SVG is when it is done; no names that change with time."""
    matplotlib: Any = importlib.import_module("matplotlib")
    drawing: Any = importlib.import_module("matplotlib.figure")
    drawn: list[str] = []
    with matplotlib.rc_context(_STYLE):
        figure = drawing.Figure(figsize=size)
        yield figure.subplots(), drawn
        content = io.StringIO()
        figure.savefig(content, format="svg", metadata={"Date": None}, transparent=True)
    text = content.getvalue()
    drawn.append(text[text.index("<svg") :].replace(_INK, "currentColor"))
