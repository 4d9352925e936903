"""What can always be done, and what one can do with nothing but oneself."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import ESCAPE, Draft
from managers.core.scene import FROM_A_TRAP, Scene
from managers.core.skill import Skill
from managers.language.actions import DIRECTIONS

_ALONE = (
    "stand up", "exit", "swim", "climb", "jump", "crawl", "push", "pull", "dig", "wave", "shout",
    "pray", "sing", "sleep", "wake up", "listen", "smell", "drop all",
)  # fmt: skip
"""What one can do without a thing where no way out is known."""
_ANY_WAY = 0.01
_VERBOSE = "have every room described on every visit"


class AlwaysSkill(Skill):
    """Looks, waits, goes anywhere: for when nothing better is known."""

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """A way out where none is known, and what can be done anywhere."""
        for command in _ALONE if scene.shut_in else ():
            yield Draft(scene.here, command, "tinker", chance=FROM_A_TRAP)
        yield from _standing(scene)


def _standing(scene: Scene) -> Iterator[Draft]:
    """What can always be done, any direction at all among it."""
    for command in ("look", "inventory", "wait"):
        yield Draft(scene.here, command, kind=command)
    if not scene.attempts.rows_of("verbose"):
        yield Draft(scene.here, "verbose", "look", scale=100, purpose=_VERBOSE)
    # For when the map is wrong or nothing else is left to do.
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=_ANY_WAY)
