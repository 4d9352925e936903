"""Advocates, each of which argues for one cause, and the arbiter who chooses among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field

from agents.answers import AgentResponse
from agents.bayesian import BayesianActor
from agents.briefing import Briefing
from agents.judges import BestJudge, Proposed
from agents.llm_actor import problems, stand_in, tidy
from agents.notes import Notes
from agents.prompting import DEFAULT_MODEL, Questioner
from agents.roles import Actor
from agents.short import Command, Sentence, ShortNotes
from agents.structured import AnyModel
from environments.game import Value
from managers.planning.issues import Enriched
from managers.planning.objectives import Objective

NEW_GROUND = "something new: a way that nobody has gone, a thing that nobody has looked at"


class Cause(Value):
    """Something that an advocate may argue for."""

    kind: Literal["exploration", "objective", "issue"]
    text: str
    about: str = ""
    """For an objective its id, for an issue what is known that bears on it."""


def causes(objectives: Sequence[Objective], issues: Sequence[Enriched]) -> list[Cause]:
    """Exploration first, then the active objectives and the troubles, the most important first."""
    return [Cause(kind="exploration", text=NEW_GROUND), *_wanted(objectives), *_open(issues)]


def _wanted(objectives: Sequence[Objective]) -> Iterator[Cause]:
    active = (one for one in objectives if one.status == "active")
    for one in sorted(active, key=lambda one: -one.priority):
        yield Cause(kind="objective", text=one.text, about=one.id)


def _open(issues: Sequence[Enriched]) -> Iterator[Cause]:
    """What was merely found is no trouble."""
    for one in issues:
        if one.issue.kind != "found":
            yield Cause(kind="issue", text=one.issue.content, about=one.context)


class PleaNotes(Notes):
    """What an advocate is asked for."""

    thinking: str
    action: str = Field(description="One command for the game")


class ChoiceNotes(Notes):
    """What the arbiter is asked for."""

    thinking: str
    number: int = Field(description="The number of a proposal")


class ShortPlea(ShortNotes):
    """What a small model is asked for as an advocate."""

    action: Command
    thinking: Sentence

    def whole(self) -> PleaNotes:
        """The same as a full answer."""
        return PleaNotes(thinking=self.thinking, action=self.action)


class ShortChoice(ShortNotes):
    """What a small model is asked for as the arbiter."""

    number: int
    thinking: Sentence

    def whole(self) -> ChoiceNotes:
        """The same as a full answer."""
        return ChoiceNotes(thinking=self.thinking, number=self.number)


class Advocate:
    """Proposes what serves its cause, the item of the list that it is asked for, best.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        fallback: Who proposes where the model's answer is no good twice; by default the agent's
            own actor.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "advocate",
        fallback: Actor | None = None,
    ) -> None:
        self._question = Questioner("advocate", model, prompt)
        self._fallback = fallback or BayesianActor()

    def propose(self, briefing: Briefing) -> AgentResponse:
        check = partial(_unplayable, briefing)
        answer, record = self._question.ask(briefing, PleaNotes, check, short=ShortPlea)
        if answer is None:
            return stand_in(self._fallback, briefing, record)
        return tidy(_response(answer, briefing.item), briefing, ())


def _unplayable(briefing: Briefing, answer: PleaNotes) -> Iterator[str]:
    return problems(briefing, AgentResponse(thinking="", action=answer.action))


def _response(answer: PleaNotes, cause: Any) -> AgentResponse:
    whose = f"[{cause.text}] " if isinstance(cause, Cause) else ""
    return AgentResponse(thinking=f"{whose}{answer.thinking}", action=answer.action)


class Arbiter:
    """Chooses one of several proposals; where all are the same, nobody is asked.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
    """

    def __init__(self, *, model: AnyModel = DEFAULT_MODEL, prompt: str = "arbiter") -> None:
        self._question = Questioner("arbiter", model, prompt)
        self._fallback = BestJudge()

    def choose(self, briefing: Briefing, proposals: Sequence[Proposed]) -> dict[str, Any]:
        if len({one.command for one in proposals}) == 1:
            return {"number": 0, "reason": "all propose the same"}

        def missed(answer: ChoiceNotes) -> Iterator[str]:
            if not 1 <= answer.number <= len(proposals):
                yield f"number: {answer.number} is none of 1 to {len(proposals)}"

        answer, _ = self._question.ask(briefing, ChoiceNotes, missed, short=ShortChoice)
        if answer is None:
            return self._fallback.choose(briefing, proposals)
        return {"number": answer.number - 1, "reason": answer.thinking}
