"""A critic that asks a model only where its rules are not sure."""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import AgentResponse, Ruling, Verdict
from agents.briefing import Briefing
from agents.critic import RuleCritic
from agents.prompting import DEFAULT_MODEL, Questioner
from agents.roles import Critic
from agents.short import Sentence, ShortNotes
from agents.structured import AnyModel
from managers.core.option import chosen
from managers.language.actions import parse

MODEL = "model"
"""The source of a verdict that is not by the rules."""


_TAKEN_FOR = 0.7
"""The confidence of a small model's verdict, which is not asked how sure it is."""


class ShortVerdict(ShortNotes):
    """What a small model is asked for."""

    accept: bool
    reason: Sentence

    def whole(self) -> Verdict:
        """As sure as such verdicts are taken to be before they have proved their worth."""
        return Verdict(accept=self.accept, reason=self.reason, confidence=_TAKEN_FOR)


class LLMCritic:
    """Rules first; a model where they object weakly, or something unplanned cannot be undone.

    An actor that proposes the same again although it has heard why not gets its way. A model
    whose objections have not told what fails is asked less and less whether it has one.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        sure: A rule's objection stands from this confidence on.
        believed: A model's objection counts from this confidence on.
        likely: A lasting command needs no second opinion if the planner gives it this chance.
        rules: Who judges first; the rule-based critic by default.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "critic",
        tools: bool = False,
        sure: float = 0.75,
        believed: float = 0.6,
        likely: float = 0.5,
        rules: Critic | None = None,
    ) -> None:
        self._question = Questioner("critic", model, prompt, tools=tools)
        self._rules = rules or RuleCritic()
        self._sure = sure
        self._believed = believed
        self._likely = likely

    def judge(self, briefing: Briefing) -> Verdict:
        if _insists(briefing):
            return Verdict(accept=True, reason="the actor insists", confidence=0.5)
        verdict = self._rules.judge(briefing)
        if briefing.proposal is None or not self._unsure(verdict, briefing.proposal, briefing):
            return verdict
        if verdict.accept and not briefing.asks_critic(MODEL):
            return verdict
        second, _ = self._question.ask(briefing, Verdict, _problems, short=ShortVerdict)
        return self._weighed(second) if second else verdict

    def _weighed(self, second: Verdict) -> Ruling:
        if second.accept or second.confidence >= self._believed:
            return Ruling(**second.model_dump(), source=MODEL)
        doubt = f"accepted with a doubt: {second.reason}"
        return Ruling(accept=True, reason=doubt, confidence=1.0 - second.confidence, source=MODEL)

    def _unsure(self, verdict: Verdict, proposal: AgentResponse, briefing: Briefing) -> bool:
        lasting = parse(proposal.action).has("lasting")
        if not verdict.accept:
            return verdict.confidence < self._sure
        planned = chosen(briefing.options, proposal.action, proposal.option)
        return lasting and (planned.probability if planned else 0.0) < self._likely


def _insists(briefing: Briefing) -> bool:
    """It has heard why not; the same question would bring the same answer."""
    proposal = briefing.proposal
    return proposal is not None and proposal.action in (one.command for one in briefing.objections)


def _problems(verdict: Verdict) -> Iterator[str]:
    if not verdict.accept and not verdict.reason.strip():
        yield "reason: an objection needs one"
