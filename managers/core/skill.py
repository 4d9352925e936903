"""A skill: one capability of the mind, from what it notices to what it says; all hooks optional.

Skills know nothing of each other. What one of them has noticed lies on the blackboard, where all
may read it; what several think of an option, a way or a refusal is put together by the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from managers.core.option import Draft
from managers.world.facts import Blackboard
from managers.world.transition import Transition

if TYPE_CHECKING:
    from managers.core.scene import Scene

__all__ = ["NONE", "Blackboard", "Draft", "Obstacle", "Skill", "Skills", "Transition"]


class Obstacle(NamedTuple):
    """What stands in the way of a command that was refused, or stood there."""

    room: str
    """Where the command was refused, `L<n>`."""
    command: str
    first: str = ""
    """The command that has to come before it; empty where none is known."""
    gone: bool = False
    """It is dealt with, so that the command is worth another try."""
    anew: bool = False
    """It is dealt with so surely that the command counts as one nobody has tried."""


class Skill:
    """One capability. A class of one's own changes the hooks that it needs and leaves the others.

    Its options are the keyword arguments of its `__init__`. The same instance serves all turns of
    an episode, so that nothing about the play may be kept in it: what has to be known later is
    noted on the blackboard, which is saved with the state.
    """

    name = ""
    """What the graph file calls it; the name of its term in the value of options."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """The blackboard with the facts of the turn just played, without those that are over."""
        return board

    def offer(self, scene: Scene) -> Iterable[Draft]:
        """What could be done now, here or elsewhere.

        Each draft says how likely it works and what a success is worth, compared with others of
        its kind.
        """
        return ()

    def weighs(self, scene: Scene) -> bool:
        """Whether `weigh` has anything to say in this scene; it is not asked where not."""
        return True

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """A factor of an option's value: 1 leaves it, 2 doubles it, 0 rules the option out."""
        return 1.0

    def toll(self, scene: Scene, room: str) -> float:
        """What it costs to enter a room on the way to another one, in commands besides the walk."""
        return 0.0

    def obstacles(self, scene: Scene) -> Iterable[Obstacle]:
        """What stands in the way of commands that were refused, as far as this skill knows."""
        return ()

    def tell(self, scene: Scene) -> Iterable[str]:
        """Lines about the situation for a model that is asked what to do."""
        return ()


class Skills:
    """The skills of an episode in their order, which decides between options of equal value."""

    def __init__(self, skills: Mapping[str, Skill] | None = None) -> None:
        self.by_name: dict[str, Skill] = dict(skills or {})
        for name, skill in self.by_name.items():
            skill.name = name
        self.noticing = self._with("notice")
        self.offering = self._with("offer")
        self.weighing = self._with("weigh")
        self.levying = self._with("toll")
        self.explaining = self._with("obstacles")
        self.telling = self._with("tell")

    def _with(self, hook: str) -> tuple[Skill, ...]:
        """The skills that have a hook of their own; asking the others would take time."""
        return tuple(
            one
            for one in self.by_name.values()
            if getattr(type(one), hook) is not getattr(Skill, hook)
        )

    def __iter__(self) -> Iterator[Skill]:
        return iter(self.by_name.values())


NONE = Skills()
"""A mind that can do nothing."""
