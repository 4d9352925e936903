"""The graph of a turn as it is drawn: by its file alone, from the start down to the end."""

from __future__ import annotations

from pathlib import Path

from orchestrator.config import load_config
from orchestrator.viewer.diagram import Diagram
from orchestrator.viewer.drawings import turn_diagram

COUNCIL = """
sequence = [["strict", "mild"], "vote"]
nodes.strict = { role = "critic", use = "rules", into = "opinions" }
nodes.mild = { role = "critic", use = "nowhere:Mild", into = "opinions" }
nodes.vote.use = "veto"
"""
GRAPH = """
extends = "offline"
sequence = ["objective_manager", "mode", "planner", ["bold", "cautious"], "judge", "critic",
            "game", "extractor", "learner"]
insert.audit = { use = "nowhere:audit", after = "game" }
nodes.bold = { role = "actor", use = "bayesian", into = "proposals" }
nodes.cautious = { role = "actor", use = "nowhere:Actor", each = "issues", into = "proposals" }
nodes.judge.use = "best"
nodes.critic.use = "graph:council.toml"

[edges.critic]
router = "verdict"
to = { object = "objective_manager", play = "game" }
at_most = 1
"""


def drawn(folder: Path) -> Diagram:
    (folder / "council.toml").write_text(COUNCIL, encoding="utf-8")
    (folder / "own.toml").write_text(GRAPH, encoding="utf-8")
    return turn_diagram(load_config(str(folder / "own.toml")))


def test_branches_inserts_and_graphs_within_are_drawn_without_their_code(tmp_path: Path) -> None:
    ways = {(edge.start, edge.end) for edge, _ in drawn(tmp_path).lines}
    assert {("planner", "bold"), ("planner", "cautious"), ("cautious", "judge")} <= ways
    assert {("judge", "critic.strict"), ("judge", "critic.mild"), ("game", "audit")} <= ways
    assert {("critic.mild", "critic.vote"), ("critic.vote", "objective_manager")} <= ways
    assert ("critic.vote", "game") in ways
    assert drawn(tmp_path).names["critic.mild"] == "critic.mild (nowhere:Mild)"


def test_all_that_leads_on_leads_down_and_no_boxes_overlap(tmp_path: Path) -> None:
    picture = drawn(tmp_path)
    up = [edge for edge, (first, *_, last) in picture.lines if last[1] < first[1]]
    assert [(edge.start, edge.label) for edge in up] == [("critic.vote", "object")]
    boxes = [*picture.boxes.values()]
    assert min(boxes, key=lambda box: box.y) == picture.boxes["__start__"]
    assert not any(a.overlaps(b) for n, a in enumerate(boxes) for b in boxes[:n])


def test_a_loop_and_the_way_past_an_empty_list_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'extends = "offline"\n'
        'sequence = ["issues", "own", "advocate", "actor", "judge",\n'
        '            "game", "extractor", "learner"]\n'
        'edges.actor = { router = "again", at_most = 2, '
        'to = { again = "actor", done = "judge" } }\n'
        'nodes.actor = { use = "random", into = "proposals" }\n'
        'nodes.own = { role = "actor", use = "bayesian", into = "proposals" }\n'
        'nodes.advocate = { role = "actor", use = "random", each = "issues", into = "proposals" }\n'
        'nodes.judge.use = "best"\n'
    )
    picture = turn_diagram(load_config(str(tmp_path / "own.toml")))
    labels = {(edge.start, edge.end): edge.label for edge, _ in picture.lines}
    assert labels["actor", "actor"] == "again"
    assert labels["own", "advocate"] == "each of issues"
    assert labels["own", "actor"] == "none"
    (loop,) = (points for edge, points in picture.lines if edge.start == edge.end)
    assert loop[0][0] == loop[-1][0] == picture.boxes["actor"].right < max(x for x, _ in loop)
