"""What changes the play mode: a statechart whose guards look at the evidence of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from managers.modes.mode import Mode, PlayMode
from managers.modes.statechart import Statechart, StateTransition
from managers.planning.objectives import Objective
from managers.policy.scene import Scene
from managers.trust.beliefs import AgentBeliefs

STALLED = 20
"""Turns without anything new after which the agent counts as stuck."""
_FRESH = 10
"""For so many turns an objective of the agent's own that moved is one it pursues."""


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
    def attacked(self) -> bool:
        """Somebody who attacked lately is here."""
        hostile = self.scene.board.subjects("hostile")
        return bool(hostile) and any(thing.name in hostile for thing in self.scene.around)

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
    def unexplored(self) -> bool:
        """A way that the text mentions, here or where one can go, was never walked."""
        map_ = self.scene.map
        return any(
            map_.mentioned(room) for room in self.scene.distances if not map_.room(room).dark
        )


def trigger(mode: Mode, now: Circumstances) -> str:
    """What happened in the turn that may change the mode, the most urgent first."""
    for name, happened in _EVENTS.items():
        if happened(mode, now):
            return name
    return ""


def advance(mode: Mode, now: Circumstances, choose: Chooser | None = None) -> Mode:
    """The mode for the coming turn.

    Args:
        mode: of the turn before.
        now: what that turn showed.
        choose: who decides where the statechart leaves a choice; the first target if nobody does.
    """
    event = trigger(mode, now)
    if not event:
        return _entered(mode, mode.state, now.turn)
    targets = chart().valid_targets(mode.state, event, agent=mode, context=now)
    if len(targets) < 2:
        return _entered(mode, targets[0] if targets else mode.state, now.turn, event)
    options = tuple(targets)
    first = _entered(mode, options[0], now.turn, event, options)
    chosen = choose(first.model_copy(update={"state": mode.state})) if choose else options[0]
    return _entered(mode, chosen if chosen in options else options[0], now.turn, event, options)


def _entered(
    mode: Mode, state: PlayMode, turn: int, event: str = "", options: tuple[PlayMode, ...] = ()
) -> Mode:
    since = mode.since if state is mode.state else turn
    return Mode(state=state, since=since, trigger=event, options=options)


@cache
def chart() -> Statechart[PlayMode]:
    """What may follow what."""
    m = PlayMode
    calm = (m.EXPLORING, m.PURSUING, m.SOLVING, m.STUCK)
    in_trouble = (m.FIGHTING, m.LOST)
    transitions = [
        *(StateTransition(mode, "attack", m.FIGHTING) for mode in (*calm, m.LOST)),
        *(StateTransition(mode, "astray", m.LOST) for mode in (*calm, m.FIGHTING)),
        *(
            StateTransition(mode, "refusal", m.SOLVING)
            for mode in (m.EXPLORING, m.PURSUING, m.STUCK)
        ),
        StateTransition(m.EXPLORING, "refusal", m.EXPLORING, has_unexplored),
        StateTransition(m.PURSUING, "refusal", m.PURSUING, has_plan),
        *(StateTransition(mode, "stall", m.STUCK) for mode in (m.EXPLORING, m.PURSUING, m.SOLVING)),
        *(
            StateTransition(mode, "stall", m.EXPLORING, has_unexplored)
            for mode in (m.PURSUING, m.SOLVING)
        ),
        *(
            StateTransition(mode, "plan", m.PURSUING, has_plan)
            for mode in (m.EXPLORING, m.SOLVING, m.STUCK)
        ),
        *(
            StateTransition(mode, event, target, guard)
            for mode, event in (
                (m.SOLVING, "progress"),
                (m.STUCK, "progress"),
                (m.PURSUING, "done"),
                *((mode, "calm") for mode in in_trouble),
            )
            for target, guard in (
                (m.PURSUING, has_plan),
                (m.SOLVING, is_blocked),
                (m.EXPLORING, None),
            )
        ),
    ]
    return Statechart(m.EXPLORING, transitions)


def has_plan(_mode: Mode, now: Circumstances) -> bool:
    """The agent is in the middle of something."""
    return now.planning


def is_blocked(_mode: Mode, now: Circumstances) -> bool:
    """Something known is in the way."""
    return now.blocked


def has_unexplored(_mode: Mode, now: Circumstances) -> bool:
    """There are ways to go that nobody has gone."""
    return now.unexplored


def _is_calm(mode: Mode, _now: Circumstances) -> bool:
    return mode.state in (PlayMode.FIGHTING, PlayMode.LOST)


def _is_refused(_mode: Mode, now: Circumstances) -> bool:
    blocker = now.beliefs.blocker
    return now.blocked and blocker is not None and blocker.turn == now.turn


def _has_progressed(_mode: Mode, now: Circumstances) -> bool:
    return now.beliefs.last_progress == now.turn


def _is_planned(mode: Mode, now: Circumstances) -> bool:
    return mode.state is not PlayMode.PURSUING and now.planning


def _is_done(mode: Mode, now: Circumstances) -> bool:
    return mode.state is PlayMode.PURSUING and not now.planning


_EVENTS: Mapping[str, Callable[[Mode, Circumstances], bool]] = MappingProxyType(
    {
        "attack": lambda mode, now: now.attacked,
        "astray": lambda mode, now: now.astray,
        "calm": _is_calm,
        "refusal": _is_refused,
        "done": _is_done,
        "progress": _has_progressed,
        "plan": _is_planned,
        "stall": lambda mode, now: now.stalled,
    }
)
"""Trigger -> whether it happened, the most urgent first."""
