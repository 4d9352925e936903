"""The runs that the figures of a report are of, and links to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from orchestrator.evaluation.episodes import MOST
from orchestrator.evaluation.html import Html, interval, link, table
from orchestrator.evaluation.scores import Row, by_graph, by_place, counted
from orchestrator.evaluation.statistics import Interval
from orchestrator.recap import ENDS

HEAD = ("episode", "seed", "score", "turns", "end")


class Runs:
    """All episodes by graph and story, so that every mean leads to those it is the mean of."""

    def __init__(self, rows: Sequence[Row], links: Mapping[int, str]) -> None:
        """Number the rows.

        Args:
            rows: of the results file.
            links: from numbers of rows, counted from 1, to where they can be looked at.
        """
        self._links = links
        self._numbers = {id(row): number for number, row in enumerate(rows, start=1)}
        self._graphs = by_graph(rows)
        self._places = by_place(rows)
        self._graph_ids = {graph: f"graph-{n}" for n, graph in enumerate(self._graphs, start=1)}
        self._place_ids = {place: f"runs-{n}" for n, place in enumerate(self._places, start=1)}

    def of_graph(self, graph: str, mean: Interval) -> Html:
        """A mean over a graph's episodes, leading to them."""
        return interval(mean, self._way(self._graphs[graph], self._graph_ids[graph]))

    def of_place(self, story: str, graph: str, mean: Interval) -> Html:
        """A mean over the episodes of a graph in a story, leading to them."""
        place = story, graph
        return interval(mean, self._way(self._places[place], self._place_ids[place]))

    def listed(self, source: Path) -> list[str]:
        """All of them, a table a graph."""
        told = [
            "<h2>Episodes</h2>",
            f"<p>Play one again: <code>zork reproduce {escape(str(source))}#ROW</code>; "
            "look at one: its link, or <code>zork view</code> with its directory.</p>",
        ]
        for graph, id_ in self._graph_ids.items():
            told += [f"<h3 id={id_}>{escape(graph)}</h3>", self._table(graph)]
        return told

    def _way(self, rows: Sequence[Row], id_: str) -> str:
        """Where rows are listed; a single one is looked at at once."""
        alone = self._links.get(self._numbers[id(rows[0])]) if len(rows) == 1 else None
        return alone or f"#{id_}"

    def _table(self, graph: str) -> str:
        told: list[tuple[str, ...]] = []
        ids: list[str] = []
        for place, rows in self._places.items():
            if place[1] == graph:
                shown = [row for row in rows if self._numbers[id(row)] <= MOST]
                told += map(self._cells, shown)
                ids += [self._place_ids[place], *[""] * (len(shown) - 1)][: len(shown)]
        return table(HEAD, told, ids)

    def _cells(self, row: Row) -> tuple[str, ...]:
        number = self._numbers[id(row)]
        return (
            link(f"{number} {row['story']}", self._links.get(number)),
            *(str(row["seed"]), f"{counted(row):g}"),
            "" if row["turns"] is None else str(row["turns"]),
            str(ENDS.get(row["end_reason"], row["end_reason"])),
        )
