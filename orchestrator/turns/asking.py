"""Asking the roles: their answers are checked, and an oracle may be asked more than one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.briefing import Briefing
from managers.belief.deliberation import Advice, Deliberation
from managers.core.mode import PlayMode
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding
from orchestrator.errors import RoleError
from orchestrator.turns.awaiting import settled

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
        raise _misfit(role, answer, kind.__name__, error) from error


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
        variables=tuple(_fitting(suggested or (), Sequence[str])),
        state=dict(_fitting(values or {}, Mapping[str, str])),
    )


def choice_of_mode(oracle: Any, briefing: Briefing) -> PlayMode | None:
    """What an oracle makes of the choice that the play mode leaves; None if it is not asked.

    Raises:
        RoleError: the answer is no mode.
    """
    chosen: PlayMode | None = _fitting(_asked(oracle, "choose_mode", briefing), PlayMode | None)
    return chosen


def _asked(oracle: Any, method: str, briefing: Briefing) -> Any:
    """The answer to a further question; None from an oracle that does not take it."""
    ask = getattr(oracle, method, None)
    return settled(ask(briefing)) if ask is not None else None


def _fitting(answer: Any, kind: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(answer)
    except ValidationError as error:
        raise _misfit("oracle", answer, str(kind), error) from error


def _misfit(role: str, answer: Any, kind: str, error: ValidationError) -> RoleError:
    faults = "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg'].lower()}"
        for fault in error.errors()
    )
    return RoleError(f"the {role} answered {answer!r}, no {kind}: {faults}")
