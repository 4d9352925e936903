"""Play modes: what the agent can be about, and what changes it.

A statechart whose guards look at the evidence of the game says what may follow what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from environments.game import Value
from managers.belief.beliefs import AgentBeliefs
from managers.core.scene import Scene
from managers.core.statechart import Guard, Statechart, StateTransition
from managers.planning.objectives import Objective

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


@dataclass(frozen=True)
class Circumstances:
    """One turn's evidence; its properties are what guards of transitions look at."""

    turn: int
    scene: Scene
    beliefs: AgentBeliefs
    objectives: Sequence[Objective]

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
    def unexplored(self) -> bool:
        """A way that the text mentions, here or where one can go, was never walked."""
        known, rooms = self.scene.map, self.scene.distances
        return any(known.ways(room).mentioned for room in rooms if not known.room(room).dark)


def advance(
    mode: Mode, now: Circumstances, choose: Callable[[Mode], PlayMode] | None = None
) -> Mode:
    """The mode for the coming turn; `choose` sees the mode before, with the options there are."""
    event = _event(mode.state, now)
    targets = chart().valid_targets(mode.state, event, agent=mode, context=now)
    state = targets[0] if targets else mode.state
    options = tuple(targets) if len(targets) > 1 else ()
    if options and choose is not None:
        chosen = choose(mode.model_copy(update={"trigger": event, "options": options}))
        state = chosen if chosen in options else state
    since = mode.since if state is mode.state else now.turn
    return Mode(state=state, since=since, trigger=event, options=options)


def _event(state: PlayMode, now: Circumstances) -> str:
    """The most urgent of what happened; empty where nothing did that changes a mode.

    `astray` is in the dark or in no known room; `calm` is neither that nor under attack.
    """
    scene, beliefs, blocker = now.scene, now.beliefs, now.beliefs.blocker
    happened = {
        "attack": any(one.name in scene.board.subjects("hostile") for one in scene.around),
        "astray": not scene.here or (scene.world.dark and not scene.knowledge.lit),
        "calm": state in (PlayMode.FIGHTING, PlayMode.LOST),
        "refusal": blocker is not None and blocker.turn == now.turn,
        "done": state is PlayMode.PURSUING and not now.planning,
        "progress": beliefs.last_progress == now.turn,
        "plan": state is not PlayMode.PURSUING and now.planning,
        "stall": now.turn - beliefs.last_progress >= STALLED,
    }
    return next((event for event, is_so in happened.items() if is_so), "")


_CHART = (
    ("exploring pursuing solving stuck lost", "attack", "fighting", ""),
    ("exploring pursuing solving stuck fighting", "astray", "lost", ""),
    ("exploring pursuing stuck", "refusal", "solving", ""),
    ("exploring", "refusal", "exploring", "unexplored"),
    ("pursuing", "refusal", "pursuing", "planning"),
    ("exploring pursuing solving", "stall", "stuck", ""),
    ("pursuing solving", "stall", "exploring", "unexplored"),
    ("exploring solving stuck", "plan", "pursuing", ""),
    ("solving stuck", "progress", "pursuing", "planning"),
    ("solving stuck", "progress", "solving", "blocked"),
    ("solving stuck", "progress", "exploring", ""),
    ("pursuing", "done", "solving", "blocked"),
    ("pursuing", "done", "exploring", ""),
    ("fighting lost", "calm", "pursuing", "planning"),
    ("fighting lost", "calm", "solving", "blocked"),
    ("fighting lost", "calm", "exploring", ""),
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
