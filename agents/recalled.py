"""An actor that plays what a model recalls of a story, without a look at what the game answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.actor import PlayerLeft
from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.parsing import PlainLine
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none
from agents.structured import AnyModel

_NUMBER = re.compile(r"^\s*(?:\d+[.):]|[-*])\s+")


class RecalledActor:
    """Asks a model once for the walkthrough, and plays that line by line, whatever comes of it.

    What it scores, the model has read before and did not find out. It leaves the game after the
    last line, and at once where the model knows none.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
    """

    splits = False

    def __init__(self, *, model: AnyModel = DEFAULT_MODEL, prompt: str = "recalled") -> None:
        self._question = Questioner("actor", model, prompt)

    def propose(self, briefing: Briefing) -> AgentResponse:
        if briefing.turn > 1:
            raise PlayerLeft("nothing more is recalled")
        answer, _ = self._question.ask(briefing, PlainLine)
        commands = tuple(_commands(answer.text)) if answer else ()
        if not commands:
            raise PlayerLeft("the model recalls nothing of this story")
        thinking = f"Recalled without playing: {len(commands)} commands."
        return AgentResponse(thinking=thinking, action=commands[0], then=commands[1:])


def _commands(text: str) -> Iterator[str]:
    """The lines that can be commands, without numbers and marks before them."""
    for line in text.splitlines():
        command = command_or_none(_NUMBER.sub("", line))
        if command is not None:
            yield command
