"""The rule-based critic: what was just refused, or is known to kill."""

from __future__ import annotations

from agents.answers import AgentResponse, Ruling
from agents.briefing import Briefing
from managers.belief.calibration import RULES
from managers.core.option import chosen
from managers.language.actions import canonical, parse

_UNPLANNED = 0.7
"""The chance that what nobody planned works."""
_SHOWN = 120


class RuleCritic:
    """Objects to proposals that play has already shown to be bad.

    Args:
        danger: The estimated chance of death from which on it objects.
        once: It objects only to what did harm, and only once to a command here; who has heard it
            and insists may go on. For actors whose notes tell what was tried.
    """

    def __init__(self, *, danger: float = 0.5, once: bool = False) -> None:
        self._danger = danger
        self._once = once

    def judge(self, briefing: Briefing) -> Ruling:
        proposal = briefing.proposal
        if proposal is None:
            return _verdict(False, "there is no proposal to judge", 1.0)
        if self._once and _was_told(briefing, proposal.action):
            return _verdict(True, "the actor insists", _UNPLANNED)
        rules = [self._deadly]
        if not self._once and not parse(proposal.action).has("chancy"):
            rules.append(_in_vain)
        for rule in rules:
            reason, confidence = rule(briefing, proposal)
            if reason:
                return _verdict(False, reason, confidence)
        return _verdict(True, "nothing known speaks against it", _likely(briefing, proposal))

    def _deadly(self, briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
        command, tried = canonical(proposal.action), briefing.situation.tried
        chance = briefing.situation.dangers.get(command, 0.0)
        turn = tried.get(command, {}).get("turn", -1)
        more = any(row.get("worked") and row.get("turn", -1) > turn for row in tried.values())
        if chance < self._danger or (self._once and more):
            return "", 0.0
        return (
            f"it did harm here in turn {turn}" if turn >= 0 else "it did harm here before",
            chance,
        )


def _was_told(briefing: Briefing, command: str) -> bool:
    """Somebody has objected to the command here, in this turn or before."""
    heard = (one.command for one in briefing.objections)
    return command in heard or bool(
        briefing.situation.tried.get(canonical(command), {}).get("objected")
    )


def _verdict(accept: bool, reason: str, confidence: float) -> Ruling:
    return Ruling(accept=accept, reason=reason, confidence=confidence, source=RULES)


def _likely(briefing: Briefing, proposal: AgentResponse) -> float:
    """The chance that it works, as far as it was planned."""
    planned = chosen(briefing.options, proposal.action, proposal.option)
    return planned.probability if planned else _UNPLANNED


def _in_vain(briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
    """It was refused here; since then nothing was changed here, and the game said nothing new."""
    situation = briefing.situation
    row = situation.tried.get(canonical(proposal.action), {})
    changed = situation.changed >= row.get("turn", 0)
    if not row.get("refused") or changed or situation.is_lighter(proposal.action):
        return "", 0.0
    since = row.get("since", 0)
    if briefing.history.news(briefing.turn - 1 - since):
        return "", 0.0
    said = next((one.reply for one in briefing.history.exchanges if one.turn == since), "")
    reply = " ".join(said.split())[:_SHOWN]
    return f"in turn {since} it brought {reply!r}, and nothing new has been said since", 0.85
