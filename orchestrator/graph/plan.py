"""The sequences and edges of a graph file, with its extra nodes in and what is switched off out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from orchestrator.errors import ConfigError
from orchestrator.graph.spec import EdgeConfig, InsertConfig, PartGraph, Step
from orchestrator.graph.where import Where

Branches = list[list[str]]
"""Nodes in a row, several rows at the same time; a step of a single node is one row of one."""
LAST = "END"
"""What a graph file calls the end."""
GAME, APPROVAL = "game", "approval"


@dataclass
class Edge:
    """Where a node leads: label -> nodes; without a router the label is empty."""

    targets: dict[str, tuple[str, ...]]
    router: EdgeConfig | None = None


@dataclass
class GraphPlan:
    """What a graph file says, in one form."""

    turn: list[Branches]
    opening: list[Branches] = field(default_factory=list)
    edges: dict[str, Edge] = field(default_factory=dict)

    def insert(self, name: str, extra: InsertConfig) -> None:
        """Put a node after another one, or before it; what opens the story stays the first."""
        if extra.after:
            self._put(name, extra.after, 1)
            if extra.after in self.edges:
                self.edges[name] = self.edges.pop(extra.after)
            if not self._has(name):
                self.edges[extra.after] = Edge({"": (name,)})
        elif extra.before:
            self._put(name, extra.before, 0)
            self._lead(extra.before, (name,))
            if not self._has(name):
                self.edges[name] = Edge({"": (extra.before,)})

    def leave_out(self, name: str) -> None:
        """Take a node out; what led to it leads to what follows it in the sequence."""
        following = tuple(self._following(name))
        self.edges.pop(name, None)
        self._lead(name, following)
        for sequence in (self.turn, self.opening):
            for branches in sequence:
                for branch in branches:
                    branch[:] = [node for node in branch if node != name]
                branches[:] = [branch for branch in branches if branch]
            sequence[:] = _flattened(branches for branches in sequence if branches)

    def approve(self, where: Where) -> None:
        """Have a person asked before the game, who may send the turn back to its actor."""
        said = self.edges["critic"].targets.get("object") if "critic" in self.edges else None
        actor = said or tuple(name for step in self.turn for name in step[0] if name == "actor")
        if not actor:
            raise ConfigError(
                f"{where('approve')}: no node named 'actor' to go back to; put 'approval' into the "
                "sequence, and say in [edges.approval] where its labels object and play lead"
            )
        self._put(APPROVAL, GAME, 0)
        self._lead(GAME, (APPROVAL,))
        to = {"object": actor[0], "play": GAME}
        router = EdgeConfig(router="decision", to=to)
        self.edges[APPROVAL] = Edge({label: (node,) for label, node in to.items()}, router)

    def _put(self, name: str, anchor: str, behind: int) -> None:
        for sequence in (self.turn, self.opening):
            for number, branches in enumerate(sequence):
                for branch in branches:
                    begins = sequence is self.opening and not number and branch[0] == anchor
                    if anchor in branch and (behind or not begins):
                        branch.insert(branch.index(anchor) + behind, name)
            sequence[:] = _flattened(sequence)

    def _has(self, name: str) -> bool:
        return any(name in branch for step in (*self.turn, *self.opening) for branch in step)

    def _lead(self, old: str, instead: tuple[str, ...]) -> None:
        """Have all edges that lead to a node lead to others."""
        for edge in self.edges.values():
            for label, nodes in edge.targets.items():
                changed = [instead if node == old else (node,) for node in nodes]
                edge.targets[label] = tuple(node for some in changed for node in some)

    def _following(self, name: str) -> Iterator[str]:
        for sequence in (self.turn, self.opening):
            for branches, after in pairwise([*sequence, [[LAST]]]):
                for branch in branches:
                    if name in branch:
                        rest = branch[branch.index(name) + 1 :]
                        yield from rest[:1] or (one[0] for one in after)
                        return
        if name in self.edges and self.edges[name].router is None:
            yield from self.edges[name].targets[""]


def plan_of(
    part: PartGraph,
    opening: Sequence[Step] = (),
    insert: Mapping[str, InsertConfig] | None = None,
) -> GraphPlan:
    """What a graph file comes to.

    Args:
        part: Nodes and edges.
        opening: The sequence before the first turn, of a whole graph.
        insert: Extra nodes.
    """
    plan = GraphPlan(
        _steps(part.sequence), _steps(opening), _edges(part, (*part.sequence, *opening))
    )
    for name, extra in (insert or {}).items():
        plan.insert(name, extra)
    for name, node in part.nodes.items():
        if not node.active:
            plan.leave_out(name)
    return plan


def _edges(part: PartGraph, steps: Iterable[Step]) -> dict[str, Edge]:
    """Those of the nodes that are in the graph; a base graph may tell of others."""
    edges: dict[str, Edge] = {}
    queue = [name for step in steps for branch in _branches(step) for name in branch]
    for name in queue:
        if name in part.edges and name not in edges:
            edges[name] = _edge(part.edges[name])
            queue += [node for nodes in edges[name].targets.values() for node in nodes]
    return edges


def _edge(edge: str | EdgeConfig) -> Edge:
    if isinstance(edge, str):
        return Edge({"": (edge,)})
    return Edge({label: (node,) for label, node in edge.to.items()}, edge)


def _steps(sequence: Sequence[Step]) -> list[Branches]:
    return list(_flattened(map(_branches, sequence)))


def _branches(step: Step) -> Branches:
    if isinstance(step, str):
        return [[step]]
    return [[branch] if isinstance(branch, str) else list(branch) for branch in step]


def _flattened(steps: Iterable[Branches]) -> list[Branches]:
    """A single branch is no branch but a part of the sequence."""
    flat: list[Branches] = []
    for branches in steps:
        flat += [branches] if len(branches) > 1 else [[[node]] for node in branches[0]]
    return flat
