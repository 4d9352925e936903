"""What models are asked to write down of a reply, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from agents.prompting import command_or_none, or_none
from managers.language.reading import FailureAnalysis, ProgressReport


class Notes(BaseModel):
    """The form of an answer; what is not asked for is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NamedValue(Notes):
    """A watched condition and its value."""

    name: str
    value: str


class NotesOnFailure(Protocol):
    """Why a command failed."""

    @property
    def failure_reason(self) -> str: ...

    @property
    def prerequisite(self) -> str | None: ...

    @property
    def suggested_action(self) -> str | None: ...

    @property
    def lesson(self) -> str: ...


class NotesOnProgress(Protocol):
    """What a command has achieved."""

    @property
    def accomplishment(self) -> str | None: ...


def failure_of(notes: NotesOnFailure) -> FailureAnalysis | None:
    """Why the command failed; None where the notes give no reason."""
    reason = or_none(notes.failure_reason)
    if reason is None:
        return None
    return FailureAnalysis(
        failure_reason=reason,
        prerequisite=or_none(notes.prerequisite),
        suggested_action=command_or_none(notes.suggested_action or ""),
        lesson=or_none(notes.lesson) or "",
    )


def progress_of(notes: NotesOnProgress) -> ProgressReport:
    """What the command has achieved; what is worth no word is no progress."""
    achieved = or_none(notes.accomplishment)
    if achieved is None:
        return ProgressReport()
    return ProgressReport(made_progress=True, progress_type="story", accomplishment=achieved)


def state_of(values: Iterable[NamedValue]) -> dict[str, str]:
    """Values by name, `true` and `false` in lower case; what says nothing is left out."""
    said = {one.name.strip(): or_none(one.value) for one in values}
    return {
        name: value.lower() if value.lower() in ("true", "false") else value
        for name, value in said.items()
        if name and value and value.lower() != "unknown"
    }
