"""The world model as the planner asks it: what holds, what is in the way, what could be done."""

from __future__ import annotations

from managers.planning.goals import Blocker, Goal, blockers, is_satisfied
from managers.planning.resolvers import Resolver, can_do, resolvers
from managers.world.view import World


class WorldModel(World):
    """Things with place and state, failed actions, hypotheses, and what to do about them."""

    def is_satisfied(self, goal: str | Goal) -> bool:
        """Whether a goal (`have lamp`, `open door`, `coin in box`) is known to be reached."""
        return is_satisfied(self, goal)

    def get_blockers(self, goal: str | Goal) -> list[Blocker]:
        """What stands between now and a goal, as far as is known."""
        return blockers(self, goal)

    def get_hypotheses_for_blocker(self, blocker: Blocker) -> list[Resolver]:
        """What might remove a blocker, the most likely first."""
        return resolvers(self, blocker)

    def can_do(self, action: str) -> bool:
        """The things an action needs are at hand here, and it has not just failed like this."""
        return can_do(self, action)
