"""A skill: one capability of the mind, from what it notices to what it says; all hooks optional.

Skills know nothing of each other. What one of them has noticed lies on the blackboard, where all
may read it; what several think of an option, a way or a refusal is put together by the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from managers.core.option import Draft
from managers.language.actions import table
from managers.world.facts import Blackboard
from managers.world.transition import Transition

if TYPE_CHECKING:
    from managers.core.scene import Scene

S = TypeVar("S")

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


_SHIPPED = "managers.skills."
HOOKS = {
    "notice": ("board", "transition"),
    "offer": ("scene",),
    "weighs": ("scene",),
    "weigh": ("scene", "draft"),
    "toll": ("scene", "room"),
    "obstacles": ("scene",),
    "tell": ("scene",),
}
"""Name of a hook -> what it is given."""


class SkillError(TypeError):
    """A skill gave what it must not; the message says which skill, and what."""


class Skills:
    """The skills of an episode in their order, which decides between options of equal value.

    What they give is looked at here, so that a mistake is told of the skill that made it.
    """

    def __init__(self, skills: Mapping[str, Skill] | None = None) -> None:
        self.by_name: dict[str, Skill] = dict(skills or {})
        for name, skill in self.by_name.items():
            skill.name = name
        self.weighing = self._with("weigh")
        self.levying = self._with("toll")
        self._saying = {hook: self._with(hook) for hook in ("obstacles", "tell")}
        self._noticing = self._with("notice")
        self._offering = self._with("offer")

    def _with(self, hook: str) -> tuple[Skill, ...]:
        """The skills that have a hook of their own; asking the others would take time."""
        return tuple(one for one in self.by_name.values() if has_hook(one, hook))

    def __iter__(self) -> Iterator[Skill]:
        return iter(self.by_name.values())

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """The blackboard after all skills have read a turn.

        Raises:
            SkillError: one of them gave no blackboard, or one that cannot be saved.
        """
        for skill in self._noticing:
            noticed = skill.notice(board, transition)
            if is_shipped(skill):
                board = noticed
                continue
            if not isinstance(noticed, Blackboard):
                raise SkillError(
                    f"skill {skill.name!r}: notice gave {noticed!r}; it gives the blackboard, "
                    "changed or not"
                )
            for kind, rows in noticed.data.items():
                if rows is not board.data.get(kind):
                    _check_facts(skill, kind, rows)
            board = noticed
        return board

    def offers(self, scene: Scene) -> list[Draft]:
        """What all skills offer, in their order.

        Raises:
            SkillError: something that one of them offers is no draft, or none that can be valued.
        """
        made = list[Draft]()
        for skill in self._offering:
            offered = skill.offer(scene)
            if is_shipped(skill):
                made += offered
                continue
            if isinstance(offered, Draft) or not isinstance(offered, Iterable):
                raise SkillError(
                    f"skill {skill.name!r}: offer gave {offered!r}; it yields drafts, or gives a "
                    "list of them"
                )
            for draft in offered:
                if not isinstance(draft, Draft) or not draft.is_sound:
                    raise SkillError(f"skill {skill.name!r}: offer gave {draft!r}; {_sound()}")
                made.append(draft)
        return made

    def weigh(self, skill: Skill, scene: Scene, draft: Draft) -> float:
        """What a skill of somebody else's makes of a draft.

        Raises:
            SkillError: it is no factor.
        """
        factor: Any = skill.weigh(scene, draft)
        if not isinstance(factor, int | float) or not 0 <= factor < inf:
            raise SkillError(
                f"skill {skill.name!r}: weigh gave {factor!r} for {draft.command!r}; it gives a "
                "factor from 0 on"
            )
        return float(factor)

    def said(self, hook: str, kind: type[S], scene: Scene) -> Iterator[S]:
        """What all skills say in a hook that gives several of a kind, in their order.

        Raises:
            SkillError: something that one of them says is not of the kind.
        """
        for skill in self._saying[hook]:
            given = getattr(skill, hook)(scene)
            yield from given if is_shipped(skill) else _of_kind(skill, hook, given, kind)


def is_shipped(skill: Skill) -> bool:
    """Whether it is one of ours, which are looked at by tests and not in play."""
    return type(skill).__module__.startswith(_SHIPPED)


def has_hook(skill: Skill, hook: str) -> bool:
    """Whether a skill changes a hook."""
    return getattr(type(skill), hook) is not getattr(Skill, hook)


def _of_kind(skill: Skill, hook: str, given: Any, kind: type[S]) -> Iterable[S]:
    """What a hook has given, several of a kind, after a look at each."""
    alone = isinstance(given, kind) or not isinstance(given, Iterable)
    several = [given] if alone else [*given]
    wrong = several if alone else [one for one in several if not isinstance(one, kind)]
    if wrong:
        raise SkillError(
            f"skill {skill.name!r}: {hook} gave {wrong[0]!r}; it yields what is a "
            f"{kind.__name__}, or gives a list of such"
        )
    return several


def _sound() -> str:
    return (
        "a draft is Draft(room, command, kind) with texts, numbers from 0 on, and the kind one of "
        f"{', '.join(table().kinds)}"
    )


def _check_facts(skill: Skill, kind: str, rows: Iterable[Any]) -> None:
    for row in rows:
        *texts, turn, source, _sure, until = row
        plain = all(isinstance(one, str) for one in (kind, *texts, source))
        if not (plain and isinstance(turn, int) and isinstance(until, int)):
            raise SkillError(
                f"skill {skill.name!r}: the fact {kind!r} {row[:3]!r} cannot be saved; subject, "
                "room and value are texts"
            )


NONE = Skills()
"""A mind that can do nothing."""
