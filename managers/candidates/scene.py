"""The situation as the generators of prospects and the utility terms see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from managers.affordances import affordances
from managers.candidates.prospect import Prospect
from managers.candidates.service import Services
from managers.dynamics import Dynamics
from managers.knowledge import Knowledge
from managers.leads import Leads
from managers.map import Map
from managers.objectives import Objective
from managers.world import GameObject, WorldModel


@dataclass(frozen=True)
class Scene:
    """Views of the knowledge, and what is asked of them more than once a turn."""

    map: Map
    world: WorldModel
    dynamics: Dynamics
    services: Services
    seed: int = 0

    @classmethod
    def of(cls, knowledge: Knowledge, objectives: Sequence[Objective] = (), seed: int = 0) -> Scene:
        return cls(
            Map.from_state(knowledge.map),
            WorldModel.from_state(knowledge.world),
            Dynamics(knowledge.dynamics),
            Services(objectives),
            seed,
        )

    @property
    def here(self) -> str:
        return self.map.here

    @cached_property
    def leads(self) -> Leads:
        return Leads(self.dynamics.data.get("leads", {}))

    @cached_property
    def left_undone(self) -> list[Prospect]:
        """What the rooms offered when the agent was last there; all of it for this room."""
        rows = self.dynamics.data.get("agenda", {})
        return [Prospect(*row) for entries in rows.values() for row in entries]

    @cached_property
    def held(self) -> tuple[GameObject, ...]:
        return tuple(self.world.inventory())

    @cached_property
    def around(self) -> tuple[GameObject, ...]:
        """What is visible here and not carried."""
        return tuple(self.world.at(self.here)) if self.here else ()

    @cached_property
    def distances(self) -> dict[str, int]:
        """Moves to every room that can be reached over what is known."""
        return self.map.distances(self.here) if self.here else {}

    @cached_property
    def dark_rooms(self) -> frozenset[str]:
        return frozenset(id for id, entry in self.map.data["rooms"].items() if entry.get("dark"))

    def exits(self, room: str) -> list[str]:
        """The directions the prose of a room mentions."""
        return list(self.map.data["rooms"][room]["exits"])

    def is_supposed(self, room: str, direction: str) -> bool:
        """Whether the way is believed to lead back to a known room."""
        return direction in self.map.data["edges"].get(room, {})

    @cached_property
    def lit(self) -> bool:
        """Whether a light source that is carried burns."""
        return any(
            "light-source" in classes(thing) and (thing.is_("lit") or thing.is_("on"))
            for thing in self.held
        )


def classes(thing: GameObject) -> frozenset[str]:
    """The classes of a thing: what its name says and what has been seen of it."""
    return affordances().classes(thing.name, tuple(thing.properties))
