"""What the learner writes: the three state fields that hold all the agent has learned."""

from __future__ import annotations

from typing import Any, NamedTuple

from managers.dynamics import Dynamics
from managers.map import Map
from managers.world import WorldModel


class Knowledge(NamedTuple):
    """Plain data, one entry per state field; the views are made when they are needed."""

    world: dict[str, Any]
    map: dict[str, Any]
    dynamics: dict[str, Any]

    @classmethod
    def new(cls) -> Knowledge:
        """What is known before the first word of the story."""
        return cls(WorldModel.empty().data, Map.empty().data, Dynamics.empty().data)
