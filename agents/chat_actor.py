"""An actor that plays by the plain transcript: the game's words go in, a command comes out."""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.parsing import PlainLine
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none
from agents.structured import AnyModel

NOTHING_SAID = "look"
"""What is played where a model says nothing that could be a command, twice."""


class ChatActor:
    """What a model makes of the game's words alone: the baseline of all graphs with models.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
    """

    def __init__(self, *, model: AnyModel = DEFAULT_MODEL, prompt: str = "transcript") -> None:
        self._question = Questioner("actor", model, prompt)

    def propose(self, briefing: Briefing) -> AgentResponse:
        answer, _ = self._question.ask(briefing, PlainLine, _problems)
        command = command_or_none(answer.text) if answer else None
        return AgentResponse(thinking="", action=command or NOTHING_SAID)


def _problems(line: PlainLine) -> Iterator[str]:
    if command_or_none(line.text) is None:
        yield f"{line.text[:40]!r} is not one game command"
