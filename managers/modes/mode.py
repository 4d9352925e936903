"""Play modes: what the agent can be about, and what changes it.

A statechart whose guards look at the evidence of the game says what may follow what.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType

from environments.game import Value
from managers.modes.statechart import Guard, Statechart, StateTransition
from managers.planning.objectives import Objective
from managers.policy.scene import Scene
from managers.trust.beliefs import AgentBeliefs

STALLED = 20
"""Turns without anything new after which the agent counts as stuck."""
_FRESH = 10
"""For so many turns an objective of the agent's own that moved is one it pursues."""


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


Chooser = Callable[[Mode], PlayMode]
"""Chooses one of the options of a mode, whose state is still the one before."""


@dataclass(frozen=True)
class Circumstances:
    """One turn's evidence; guards look at no more of it than they need."""

    turn: int
    scene: Scene
    beliefs: AgentBeliefs
    objectives: Sequence[Objective]

    @property
    def astray(self) -> bool:
        """In the dark, or in a place that has no name yet."""
        return not self.scene.here or (self.scene.world.dark and not self.scene.lit)

    @property
    def planning(self) -> bool:
        """An objective of the agent's own moved lately."""
        return any(
            one.source == "agent" and one.status == "active" and self.turn - one.updated <= _FRESH
            for one in self.objectives
        )

    @property
    def blocked(self) -> bool:
        """Something is believed to be in the way."""
        return self.beliefs.blocking_condition is not None

    @property
    def stalled(self) -> bool:
        """Nothing new has come for long."""
        return self.turn - self.beliefs.last_progress >= STALLED

    @property
    def refused(self) -> bool:
        """It has just been said."""
        blocker = self.beliefs.blocker
        return self.blocked and blocker is not None and blocker.turn == self.turn

    @property
    def unexplored(self) -> bool:
        """A way that the text mentions, here or where one can go, was never walked."""
        map_ = self.scene.map
        return any(
            map_.mentioned(room) for room in self.scene.distances if not map_.room(room).dark
        )


def advance(mode: Mode, now: Circumstances, choose: Chooser | None = None) -> Mode:
    """The mode for the coming turn.

    Args:
        mode: of the turn before.
        now: what that turn showed.
        choose: who decides where the statechart leaves a choice; the first target if nobody does.
    """
    event = next((name for name, happened in _EVENTS.items() if happened(mode, now)), "")
    targets = chart().valid_targets(mode.state, event, agent=mode, context=now) if event else []
    state = targets[0] if targets else mode.state
    options = tuple(targets) if len(targets) > 1 else ()
    if options and choose is not None:
        chosen = choose(mode.model_copy(update={"trigger": event, "options": options}))
        state = chosen if chosen in options else state
    since = mode.since if state is mode.state else now.turn
    return Mode(state=state, since=since, trigger=event, options=options)


_EVENTS: Mapping[str, Callable[[Mode, Circumstances], bool]] = MappingProxyType(
    {
        "attack": lambda _, now: now.scene.attacked,
        "astray": lambda _, now: now.astray,
        "calm": lambda mode, _: mode.state in (PlayMode.FIGHTING, PlayMode.LOST),
        "refusal": lambda _, now: now.refused,
        "done": lambda mode, now: mode.state is PlayMode.PURSUING and not now.planning,
        "progress": lambda _, now: now.beliefs.last_progress == now.turn,
        "plan": lambda mode, now: mode.state is not PlayMode.PURSUING and now.planning,
        "stall": lambda _, now: now.stalled,
    }
)
"""Trigger -> whether it happened, the most urgent first."""
_CHART = (
    ("exploring pursuing solving stuck lost", "attack", "fighting", ""),
    ("exploring pursuing solving stuck fighting", "astray", "lost", ""),
    ("exploring pursuing stuck", "refusal", "solving", ""),
    ("exploring", "refusal", "exploring", "unexplored"),
    ("pursuing", "refusal", "pursuing", "planning"),
    ("exploring pursuing solving", "stall", "stuck", ""),
    ("pursuing solving", "stall", "exploring", "unexplored"),
    ("exploring solving stuck", "plan", "pursuing", "planning"),
    *(
        entry
        for modes, event in (
            ("solving stuck", "progress"),
            ("pursuing", "done"),
            ("fighting lost", "calm"),
        )
        for entry in (
            (modes, event, "pursuing", "planning"),
            (modes, event, "solving", "blocked"),
            (modes, event, "exploring", ""),
        )
    ),
)
"""In which modes, on what, which other one may follow; and what of the circumstances lets it."""


@cache
def chart() -> Statechart[PlayMode]:
    """What may follow what."""
    transitions = (
        StateTransition(PlayMode(mode), event, PlayMode(target), _guard(shown) if shown else None)
        for modes, event, target, shown in _CHART
        for mode in modes.split()
    )
    return Statechart(PlayMode.EXPLORING, transitions)


def _guard(shown: str) -> Guard:
    return lambda _, now: bool(getattr(now, shown))
