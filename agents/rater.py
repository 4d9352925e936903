"""A rater that asks a model how likely commands are: once for a room, behind what was news."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from langchain_core.messages import HumanMessage

from agents.briefing import Briefing
from agents.choice import ask_for_one, is_new
from agents.conversation import news
from agents.models.embedded import FunctionModel
from agents.models.likelihood import LikelihoodQuestion, Likelihoods, Scored
from agents.models.providers import Likely, provider_of
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none
from agents.structured import AnyModel, Asker
from managers.belief.ratings import Ratings
from managers.language.actions import WORDS, canonical, parse

_WAYS = (*WORDS, "go")
"""What no idea begins with: nothing tells a model which way is right."""
_NOT_CHOSEN = -2.0
"""What a command has that a model did not choose, which tells no probabilities."""


class LikelihoodRater:
    """Asks a model for the probability of each command where it is done, and for its own ideas.

    A deed is asked about once in a room; ways are not, since nothing tells a model which is right.
    The model sees what was news so far and not the agent's own circling: it finds likely what it
    has just seen. One that tells no probabilities chooses one of the commands.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        most: Commands that are asked about at once.
        propose: Commands of its own that the model is asked for in a new room; how often they help
            is learned.
        choose: Whether a model that tells no probabilities is asked to choose one command instead.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "likely",
        most: int = 8,
        propose: int = 0,
        choose: bool = True,
    ) -> None:
        self._question = Questioner("rater", model, prompt)
        self._most, self._propose, self._choose = most, propose, choose
        asker = self._question.asker
        told = provider_of(asker.config.provider).likelihoods(asker.model, asker.config)
        self._telling = None if told is None else _answering(asker, told)

    @property
    def asks(self) -> bool:
        """Whether it ever asks its model anything."""
        return self._choose or self._telling is not None

    def rate(self, briefing: Briefing, known: Ratings) -> Ratings:
        """The ratings with those of what can be done here and was not asked about yet."""
        room = briefing.map.here
        commands = list(islice(_unrated(briefing, known), self._most)) if room else []
        if not commands or not self.asks:
            return known
        propose = 0 if room in known.rooms else self._propose
        answer = self.ask(briefing, LikelihoodQuestion(commands, propose, _WAYS))
        if answer is None:
            return known
        said = {one.command: one.logarithm for one in answer.commands if one.command in commands}
        ideas = filter(None, map(command_or_none, answer.proposed))
        own = [one for one in ideas if is_new(briefing, one)]
        return known.with_(room, said, own[:propose])

    def ask(self, briefing: Briefing, wanted: LikelihoodQuestion) -> Likelihoods | None:
        """What the model answers to one question behind the news; None where that is no use."""
        talk = news(self._question.template.render(briefing).system, briefing)
        if self._telling is not None:
            asked = [*talk, HumanMessage(wanted.text)]
            self._telling.served = self._question.asker.served
            return self._telling.ask("rater", asked, Likelihoods, prompt=self._question.label)[0]
        best, _ = ask_for_one(self._question, talk, wanted.commands)
        if best is None:
            return None
        scores = [
            Scored(command=one, logarithm=0.0 if one == best else _NOT_CHOSEN)
            for one in wanted.commands
        ]
        return Likelihoods(commands=scores)


def _answering(asker: Asker, told: Likely) -> Asker:
    """Asks the same model for probabilities, counted and kept like all its answers."""
    return Asker(
        FunctionModel(function=told, model=asker.config.model),
        asker.config.model_copy(update={"method": "auto"}),
        cache=asker.cache,
        ledger=asker.ledger,
        breaker=asker.breaker,
        pace=asker.pace,
    )


def _unrated(briefing: Briefing, known: Ratings) -> Iterator[str]:
    """The deeds that could be done here and were not asked about yet."""
    room = briefing.map.here
    seen = set(known.rooms.get(room, ()))
    for option in briefing.options:
        form = canonical(option.goal)
        if option.room == room and form not in seen and not parse(form).direction:
            seen.add(form)
            yield option.goal
