"""An actor that lets a model choose: between the agent's best commands and the model's own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from langchain_core.messages import BaseMessage

from agents.answers import AgentResponse
from agents.bayesian import BayesianActor
from agents.briefing import Briefing
from agents.choice import ask_for_one, is_new
from agents.conversation import news
from agents.llm_actor import stand_in
from agents.parsing import PlainLine
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none
from agents.structured import AnyModel
from managers.core.option import Option
from managers.language.actions import canonical, parse

_FAR = 8
"""Moves on the way to where an option is that are played without asking again."""


class ChoosingActor:
    """Plays the command that a model chooses from a short list.

    The list holds the planner's best and what the model would type by itself, as long as that is
    new here. A model too small to plan can still tell the likely from the odd, and what the planner
    knows to be useless is not on the list. The way to what is done elsewhere is gone without asking
    again, unless something comes between. Where the model has no usable answer, or there is nothing
    to choose, the agent's own actor decides.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        most: Commands of the planner that are on the list.
        least: What one of them must be worth, as a share of the best one's value.
        propose: Whether the model is asked for a command of its own first.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "likely",
        most: int = 5,
        least: float = 0.25,
        propose: bool = True,
    ) -> None:
        self._question = Questioner("actor", model, prompt)
        self._most, self._least, self._propose = most, least, propose
        self._agent = BayesianActor()

    def propose(self, briefing: Briefing) -> AgentResponse:
        refused = {canonical(one.command) for one in briefing.objections}
        listed: dict[str, Option | None] = dict(
            islice(_best(briefing, refused, self._least), self._most)
        )
        talk = news(self._question.template.render(briefing).system, briefing)
        own = self._own(talk, briefing, refused) if self._propose else None
        if own is not None:
            listed.setdefault(own, None)
        if len(listed) < 2:
            return self._agent.propose(briefing)
        choice, record = ask_for_one(self._question, talk, list(listed))
        if choice is None:
            return stand_in(self._agent, briefing, record)
        option = listed[choice]
        others = " or ".join(f"`{one}`" for one in listed if one != choice)
        way = option.route[:-1] if option is not None else ()
        by = f", by {', '.join(f'`{one}`' for one in way)}" if way else ""
        return AgentResponse(
            thinking=f"The model chooses `{choice}`{by}; otherwise {others}.",
            action=choice if option is None else ". ".join(option.route[:_FAR]),
            option=next((n for n, one in enumerate(briefing.options, 1) if one is option), 0),
        )

    def _own(self, talk: list[BaseMessage], briefing: Briefing, refused: set[str]) -> str | None:
        """What the model would type by itself, where that is new here and does more than tell."""
        line, _ = self._question.ask_behind(talk, PlainLine)
        command = command_or_none(line.text) if line else None
        if command is None or not is_new(briefing, command):
            return None
        action = parse(command)
        return None if action.has("tells") or action.canonical in refused else command


def _best(briefing: Briefing, refused: set[str], least: float) -> Iterable[tuple[str, Option]]:
    """What is to be done, in words, and the option, the best first."""
    found: dict[str, Option] = {}
    ranked = sorted(briefing.options, key=lambda option: -option.value)
    for one in ranked:
        worthy = one.value >= least * ranked[0].value
        if worthy and one.route and canonical(one.command) not in refused:
            found.setdefault(_in_words(briefing, one), one)
    return found.items()


def _in_words(briefing: Briefing, option: Option) -> str:
    if len(option.route) == 1:
        return option.command
    return f"go to {briefing.map.room(option.room).title} and {option.goal}"
