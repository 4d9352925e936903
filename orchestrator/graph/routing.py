"""Where a node leads: the shipped routers, and those that a graph file names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from orchestrator.errors import ConfigError, RoleError, unknown
from orchestrator.graph.spec import Where
from orchestrator.graph.topology import Shape, Way
from orchestrator.settings.parts import load_part, make, named_fields, refuse_async, takes
from orchestrator.state import State
from orchestrator.turns.current import current_decisions, current_judgements

# -- shipped routers -----------------------------------------------------------


OTHERWISE = "otherwise"
"""The label that is taken where a router names one that its edge does not have."""


class VerdictRouter:
    """Whether any critic objects to the proposal."""

    labels = ("object", "play")
    needs = ("turn", "proposal")

    def __call__(self, state: State) -> str:
        attempt = state["proposal"].attempt
        judged = (one for one in current_judgements(state) if one.attempt == attempt)
        return "object" if any(one.objects for one in judged) else "play"


class DecisionRouter:
    """Whether the person says no; it is the person who ends such a loop."""

    labels = ("object", "play")
    needs = ("turn", "decisions")
    ends = True

    def __call__(self, state: State) -> str:
        return "play" if current_decisions(state)[-1].accept else "object"


class Again:
    """Once more, as often as the edge's `at_most` allows."""

    labels = ("again", "done")

    def __call__(self, state: State) -> str:
        return "again"


class Every:
    """In every so many turns.

    Args:
        turns: 10 is in the turns 10, 20, 30 and so on.
    """

    labels = ("due", OTHERWISE)
    needs = ("turn",)

    def __init__(self, *, turns: int) -> None:
        if not isinstance(turns, int) or turns < 1:
            raise ValueError("turns must be a whole number of 1 or more")
        self._turns = turns

    def __call__(self, state: State) -> str:
        return "due" if state["turn"] and not state["turn"] % self._turns else OTHERWISE


class InMode:
    """What the agent is about; a mode without a label of its own is `otherwise`."""

    def __call__(self, state: State) -> str:
        return state["mode"].state.value if "mode" in state else OTHERWISE


ROUTERS: Mapping[str, Any] = {
    "verdict": VerdictRouter,
    "decision": DecisionRouter,
    "again": Again,
    "every": Every,
    "mode": InMode,
}
"""By the name that a graph file gives."""


# -- the routers of a graph ----------------------------------------------------


Route = Callable[[State], str]


@dataclass(frozen=True)
class Routing:
    """Who chooses where a node leads, and how often he may choose to go back."""

    name: str
    labels: tuple[str, ...]
    route: Route
    back: tuple[str, ...] = ()
    """Labels that lead back and are bounded."""
    on: str = ""
    """The label that is taken when the bound is reached."""
    at_most: int | None = None
    needs: frozenset[str] = frozenset()
    """Fields that the router reads."""

    def label(self, state: State, runs: int) -> str:
        """The label to take when the node has run so often in this turn.

        Raises:
            RoleError: the router named a label that the edge does not have.
        """
        label = self.route(state)
        if label not in self.labels and OTHERWISE in self.labels:
            label = OTHERWISE
        if label not in self.labels:
            raise RoleError(
                f"the router of {self.name!r} answered {label!r}; its labels are: "
                f"{', '.join(self.labels)}"
            )
        spent = self.at_most is not None and runs > self.at_most
        return self.on if label in self.back and spent else label


def routing_of(name: str, way: Way, shape: Shape, where: Where) -> Routing:
    """The router of a node.

    Raises:
        ConfigError: there is no such router, its labels are others, or its bound bounds nothing.
    """
    edge = way.router
    assert edge is not None
    at = where("edges", name, "router")
    part = _part(edge.router, at)
    made: Any = make(part, edge.options, where("edges", name), edge.router)
    _check_labels(tuple(named_fields(made, "labels")), tuple(way.targets), where, name, edge.router)
    back = tuple(label for label in way.targets if shape.leads_back(name, label))
    needs = frozenset(named_fields(made, "needs"))
    routing = Routing(name, tuple(way.targets), made, needs=needs)
    if getattr(made, "ends", False):
        return replace(routing, back=back)
    if edge.at_most is None:
        return routing
    on = [label for label in way.targets if label not in back]
    at = where("edges", name, "at_most")
    if not back:
        raise ConfigError(f"{at}: none of its labels leads back; leave at_most out")
    if len(on) != 1:
        raise ConfigError(
            f"{at}: one label has to lead on when the bound is reached, and {len(on)} do "
            f"({', '.join(on) or 'none'}); add a node behind that chooses among them"
        )
    return replace(routing, back=back, on=on[0], at_most=edge.at_most)


def _part(router: str, at: str) -> Any:
    paths = {name: f"{one.__module__}:{one.__name__}" for name, one in ROUTERS.items()}
    part = load_part(router, paths, at, "router")
    if not takes(part, 1):
        raise ConfigError(
            f"{at} = {router!r}: does not take the state; a router is a function of it that names "
            "a label"
        )
    refuse_async(part, at, router)
    return part


def _check_labels(
    known: tuple[str, ...], given: tuple[str, ...], where: Where, name: str, router: str
) -> None:
    for label in given if known else ():
        if label not in known:
            told = unknown(f"label of {router}", label, known)
            raise ConfigError(f"{where('edges', name, 'to', label)}: {told}")
    for label in known:
        if label not in given and OTHERWISE not in given:
            raise ConfigError(
                f"{where('edges', name, 'to')}: says nothing of {label!r}, which {router} may "
                f"answer; add {label} = 'NODE' or otherwise = 'NODE'"
            )
