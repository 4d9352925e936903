"""The puzzle graph of a played story against what was written down by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import networkx as nx
import pytest

import game_files
from benchmarks.measures import Measures
from benchmarks.truth import replay
from managers.world.puzzles import puzzle_graph
from managers.world.things import FITS, likeness

FOLDER = Path(game_files.__file__).parent
THE_END = "escape"
"""Not a thing: the story ends with it."""


@pytest.mark.slow
@pytest.mark.parametrize("story", ["hollow", "workshop"])
def test_what_was_written_down_by_hand_is_found_by_playing(story: str) -> None:
    text = (FOLDER / f"{story}.puzzles.toml").read_text(encoding="utf-8")
    edges = [one for one in tomllib.loads(text)["edge"] if one["goal"] != THE_END]
    learned = Measures(replay(story))
    learned.run()
    graph = puzzle_graph(learned.world, learned.map)
    missing = [one for one in edges if not leads(graph, one["goal"], one["needs"])]
    assert len(edges) > 5
    assert missing == []


def leads(graph: nx.DiGraph[str], goal: str, needs: str) -> bool:
    """The goal needs it, directly or by way of something else."""
    pairs = ((one, other) for one in called(graph, goal) for other in called(graph, needs))
    return any(nx.has_path(graph, one, other) for one, other in pairs)


def called(graph: nx.DiGraph[str], name: str) -> list[str]:
    names = nx.get_node_attributes(graph, "name")
    return [id for id in graph if likeness(name.lower(), names[id].lower()) >= FITS]
