"""What the learner writes: the three state fields that hold all the agent has learned."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from managers.dynamics import Dynamics
from managers.map import Map
from managers.world import WorldModel


class _Fields(NamedTuple):
    world: dict[str, Any]
    map: dict[str, Any]
    dynamics: dict[str, Any]


class Knowledge(_Fields):
    """Plain data, one entry per state field; its views are made once and only looked at."""

    @classmethod
    def new(cls) -> Knowledge:
        """What is known before the first word of the story."""
        return cls(WorldModel.empty().data, Map.empty().data, Dynamics.empty().data)

    @classmethod
    def seen(
        cls,
        world: WorldModel,
        map_: Map,
        dynamics: dict[str, Any],
        kept: dict[str, Any] | None = None,
    ) -> Knowledge:
        """Knowledge whose views are there already; nothing is applied to them any more.

        `kept` is that of the knowledge it has grown from.
        """
        knowledge = cls(world.data, map_.data, dynamics)
        vars(knowledge).update(world_view=world, map_view=map_)
        if kept is not None:
            vars(knowledge).update(kept=kept)
        return knowledge

    def with_dynamics(self, dynamics: dict[str, Any]) -> Knowledge:
        """The same world and map with other statistics."""
        return Knowledge.seen(self.world_view, self.map_view, dynamics, self.kept)

    @cached_property
    def world_view(self) -> WorldModel:
        return WorldModel.from_state(self.world)

    @cached_property
    def map_view(self) -> Map:
        return Map.from_state(self.map)

    @cached_property
    def made_of_it(self) -> dict[str, Any]:
        """What others have computed from this knowledge alone."""
        return {}

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What others compute again only where it has changed; shared with what grows from it."""
        return {}
