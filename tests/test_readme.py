"""The README shows the graph as it is."""

from __future__ import annotations

from pathlib import Path

from orchestrator.config import load_config
from orchestrator.graph.build import compile_graph

README = Path(__file__).parent.parent / "README.md"


def test_the_picture_in_the_readme_is_the_graph_that_is_played() -> None:
    drawn = compile_graph(load_config("offline")).get_graph().draw_mermaid()
    assert f"```mermaid\n{drawn.strip()}\n```" in README.read_text(encoding="utf-8")
