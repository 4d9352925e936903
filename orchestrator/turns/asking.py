"""Asking parts and nodes: answers that are waited for and checked, and what a node may write."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.briefing import Briefing
from managers.belief.deliberation import Advice, Deliberation
from managers.core.mode import PlayMode
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding
from orchestrator.errors import RoleError
from orchestrator.settings.parts import takes
from orchestrator.state import State, Update
from orchestrator.turns.context import Context


def settled(answer: Any) -> Any:
    """The answer itself; of an asynchronous part, what it comes to.

    All of them run in one event loop in a thread of its own, so that what they keep between turns
    (a client, a lock) stays with the loop that it was made in.
    """
    if not inspect.isawaitable(answer):
        return answer
    coming = asyncio.run_coroutine_threadsafe(_outcome(answer), _loop())
    try:
        value, error = coming.result()
    except BaseException:
        coming.cancel()
        raise
    if error is not None:
        raise error
    return value


async def _outcome(answer: Awaitable[Any]) -> tuple[Any, BaseException | None]:
    """What it comes to, or what it raises: asyncio makes some errors anew, or ends its loop."""
    try:
        return await answer, None
    except BaseException as error:  # noqa: BLE001 - raised again, in the thread that waits
        return None, error


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="async parts", daemon=True).start()
    return loop


Answer = TypeVar("Answer", bound=BaseModel)


def checked(role: str, answer: Any, kind: type[Answer]) -> Answer:
    """The answer as its type; a dict or any object with the same fields will do.

    One that is still to come is waited for.

    Raises:
        RoleError: the answer does not fit, and how.
    """
    answer = settled(answer)
    if isinstance(answer, kind):
        return answer
    try:
        return kind.model_validate(answer, from_attributes=True)
    except ValidationError as error:
        raise _misfit(f"the {role} answered", answer, kind.__name__, error) from error


def consult(oracle: Any, briefing: Briefing, deliberation: Deliberation) -> Advice:
    """Everything an oracle can say of a turn: the situation, and what else it has methods for.

    Raises:
        RoleError: an answer does not fit.
    """
    understanding = checked("oracle", oracle.analyse_situation(briefing), SituationUnderstanding)
    model, last = briefing.dynamics, briefing.extraction
    failed = last is not None and last.action_result.result == "failure"
    failure = _asked(oracle, "analyse_failure", briefing) if briefing.command and failed else None
    progress = _asked(oracle, "detect_progress", briefing) if briefing.command else None
    suggested = (
        _asked(oracle, "suggest_state_variables", briefing) if model.contradictions() else None
    )
    values = _asked(oracle, "extract_state", briefing) if model.tracked else None
    return Advice(
        turn=briefing.turn,
        deliberation=deliberation,
        number=briefing.advice.number + 1 if briefing.advice else 1,
        understanding=understanding,
        failure=failure and checked("oracle", failure, FailureAnalysis),
        progress=progress and checked("oracle", progress, ProgressReport),
        variables=tuple(fitting("the oracle answered", suggested or (), Sequence[str])),
        state=dict(fitting("the oracle answered", values or {}, Mapping[str, str])),
    )


def choice_of_mode(oracle: Any, briefing: Briefing) -> PlayMode | None:
    """What an oracle makes of the choice that the play mode leaves; None if it is not asked.

    Raises:
        RoleError: the answer is no mode.
    """
    answer = _asked(oracle, "choose_mode", briefing)
    chosen: PlayMode | None = fitting("the oracle answered", answer, PlayMode | None)
    return chosen


def _asked(oracle: Any, method: str, briefing: Briefing) -> Any:
    """The answer to a further question; None from an oracle that does not take it."""
    ask = getattr(oracle, method, None)
    return settled(ask(briefing)) if ask is not None else None


def fitting(said: str, value: Any, kind: Any) -> Any:
    """A value as its type.

    Args:
        said: Who gave it, for messages: `the oracle answered`.
        value: What was given.
        kind: The type, of which a dict of its fields will do.

    Raises:
        RoleError: it does not fit, and how.
    """
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        name = kind.__name__ if isinstance(kind, type) else str(kind)
        raise _misfit(said, value, name, error) from error


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _misfit(said: str, answer: Any, kind: str, error: ValidationError) -> RoleError:
    faults = "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg'].lower()}"
        for fault in error.errors()
    )
    return RoleError(f"{said} {answer!r}, no {kind}: {faults}")


class Node(Protocol):
    """What the graph calls."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> Update: ...


def keeping_contract(
    name: str, node: Callable[..., Any], needs: frozenset[str], writes: frozenset[str]
) -> Node:
    """The node, with its updates checked; a node that takes the state alone gets only that."""
    takes_runtime = takes(node, 2)
    needed = sorted(needs)

    def checked(state: State, *, runtime: Runtime[Context]) -> Update:
        for field in needed:
            if field not in state:
                raise RoleError(
                    f"node {name!r} reads {field!r}, which a node before it may write and did not"
                )
        try:
            update = settled(node(state, runtime) if takes_runtime else node(state))
        except (StopIteration, asyncio.CancelledError, SystemExit, GeneratorExit) as error:
            # Whoever runs the node would take them for its own; one ends the program wordlessly.
            raised = RuntimeError(f"it raised {type(error).__name__}")
            raise raised.with_traceback(error.__traceback__) from error
        if not isinstance(update, dict):
            raise RoleError(f"node {name!r} returned {update!r}; expected a dict of state fields")
        for field in update:
            if field not in writes:
                allowed = ", ".join(sorted(writes)) or "none; declare them with writes = [...]"
                raise RoleError(f"node {name!r} wrote {field!r}; it may write: {allowed}")
        return update

    return checked
