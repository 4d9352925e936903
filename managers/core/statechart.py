"""Statecharts over any enum: what may follow what, and when; who chooses is up to the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

S = TypeVar("S", bound=Enum)

Guard = Callable[[Any, Any], bool]
"""Whether a transition may be taken by this agent in this context."""


class StatechartError(ValueError):
    """The chart contradicts itself, or is asked about a state that is not its own."""


class AmbiguousTransition(StatechartError):
    """Several states may follow: ask `valid_targets`, and somebody who can choose."""

    def __init__(self, state: Enum, trigger: str, targets: Sequence[Enum]) -> None:
        names = ", ".join(target.name for target in targets)
        super().__init__(f"{trigger!r} in {state.name} may lead to {names}: choose one of them")
        self.targets = tuple(targets)


@dataclass(frozen=True)
class StateTransition(Generic[S]):
    """`trigger` leads from `source` to `target` where the guard lets it."""

    source: S
    trigger: str
    target: S
    guard: Guard | None = None

    def __str__(self) -> str:
        source, target = (getattr(end, "name", end) for end in (self.source, self.target))
        return f"{source} --{self.trigger}--> {target}"


class Statechart(Generic[S]):
    """States, triggers and guards; refused if they contradict each other."""

    def __init__(self, initial: S, transitions: Iterable[StateTransition[S]]) -> None:
        self.initial = initial
        self.states: type[S] = type(initial)
        self.transitions = tuple(transitions)
        if faults := [*self._faults()] or [*self._unreachable()]:
            raise StatechartError("; ".join(faults))

    def valid_targets(
        self, state: S, trigger: str, *, agent: Any = None, context: Any = None
    ) -> list[S]:
        """The states that may follow, in the order they were declared, each once.

        Guards are asked only where an agent is given.
        """
        if not isinstance(state, self.states):
            known = ", ".join(member.name for member in self.states)
            raise StatechartError(f"{state!r} is no {self.states.__name__} (known: {known})")
        allowed = (
            t.target
            for t in self.transitions
            if (t.source, t.trigger) == (state, trigger)
            and (agent is None or t.guard is None or t.guard(agent, context))
        )
        return list(dict.fromkeys(allowed))

    def fire(self, agent: Any, trigger: str, context: Any = None) -> S | None:
        """The one state that follows the agent's; None where none does.

        To set the agent's state is up to the caller, as is the choice where several may follow.
        """
        targets = self.valid_targets(agent.state, trigger, agent=agent, context=context)
        if len(targets) > 1:
            raise AmbiguousTransition(agent.state, trigger, targets)
        return targets[0] if targets else None

    def _faults(self) -> Iterator[str]:
        for number, t in enumerate(self.transitions):
            for end in (t.source, t.target):
                if not isinstance(end, self.states):
                    yield f"{t}: {end!r} is no {self.states.__name__}"
            if not t.trigger.strip():
                yield f"{t} has no trigger"
            if t in self.transitions[:number]:
                yield f"{t} is there twice"

    def _unreachable(self) -> Iterator[str]:
        reached = {self.initial}
        while more := {t.target for t in self.transitions if t.source in reached} - reached:
            reached |= more
        if names := [state.name for state in self.states if state not in reached]:
            yield f"{', '.join(names)} cannot be reached from {self.initial.name}"
