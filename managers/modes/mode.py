"""The play modes: what the agent can be about."""

from __future__ import annotations

from enum import Enum

from environments.game import Value


class PlayMode(Enum):
    """What the agent is about."""

    EXPLORING = "exploring"
    PURSUING = "pursuing"
    SOLVING = "solving"
    FIGHTING = "fighting"
    LOST = "lost"
    STUCK = "stuck"

    @property
    def description(self) -> str:
        """What the mode means, for whoever has to choose one."""
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    PlayMode.EXPLORING: "See new places and things, nearest first",
    PlayMode.PURSUING: "Carry out the plan that was begun, before anything else",
    PlayMode.SOLVING: "Deal with what is in the way, here and now",
    PlayMode.FIGHTING: "Somebody attacks: fight or flee",
    PlayMode.LOST: "It is dark, or nobody knows where this is: get back to known ground",
    PlayMode.STUCK: "Nothing new for long: go far, try what seemed unlikely or failed before",
}


class Mode(Value):
    """The play mode after a turn, and what else the statechart would have allowed."""

    state: PlayMode = PlayMode.EXPLORING
    since: int = 0
    """The turn it began after."""
    trigger: str = ""
    """What happened in the last turn; empty where nothing changes the mode."""
    options: tuple[PlayMode, ...] = ()
    """The modes to choose from, where the last turn left a choice; the first one was taken."""
