"""What a state says of the turn at hand; what is older does not count."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from agents.briefing import Objection
from managers.belief.beliefs import UNKNOWN
from managers.belief.calibration import RULES, Forecast
from managers.belief.deliberation import Advice
from managers.belief.outlook import Outlook
from managers.core.learner import intended
from managers.core.mode import Mode
from managers.core.option import ESCAPE, Draft, Option, chosen
from managers.world.knowledge import Knowledge
from managers.world.objects import INVENTORY
from managers.world.queries import ToolRequest
from managers.world.transition import Intention
from orchestrator.state import Decision, Judgement, Proposal, State
from orchestrator.turns.context import Views

_LEADS = " → "


def current_judgements(state: State) -> list[Judgement]:
    """The verdicts of the turn that is being decided; older ones do not count."""
    turn = state["turn"] + 1
    return [judgement for judgement in state.get("judgements", []) if judgement.turn == turn]


def current_proposals(state: State) -> list[Proposal]:
    """What a judge chooses from: what was proposed since the last objection."""
    turn, attempt = state["turn"] + 1, len(objections(state)) + 1
    proposals = state.get("proposals", [])
    return [one for one in proposals if (one.turn, one.attempt) == (turn, attempt)]


def current_opinions(state: State) -> list[Judgement]:
    """What critics think of the proposal at hand."""
    proposal = state["proposal"]
    opinions = state.get("opinions", [])
    return [one for one in opinions if (one.turn, one.attempt) == (proposal.turn, proposal.attempt)]


def current_decisions(state: State) -> list[Decision]:
    """What a person made of the proposals of the turn that is being decided."""
    turn = state["turn"] + 1
    return [decision for decision in state.get("decisions", []) if decision.turn == turn]


def objections(state: State) -> tuple[Objection, ...]:
    """What the critic and the person say against proposals of this turn, oldest first."""
    against = [
        (judgement.attempt, judgement.command, judgement.verdict.reason)
        for judgement in current_judgements(state)
        if judgement.objects
    ]
    against += [
        (decision.attempt, decision.proposed, decision.reason)
        for decision in current_decisions(state)
        if not decision.accept
    ]
    against.sort(key=itemgetter(0))
    return tuple(Objection(command=command, reason=reason) for _, command, reason in against)


def requested(state: State) -> tuple[ToolRequest, ...]:
    """What the actor of the turn that was played last asked to be written."""
    proposal = state.get("proposal")
    current = proposal is not None and proposal.turn == state["turn"]
    return proposal.response.requests if proposal and current else ()


def forecasts(state: State) -> list[Forecast]:
    """What each critic but rules foretold of the last command played, when it first saw it."""
    rulings, opinions = state.get("judgements", ()), state.get("opinions", ())
    judged = [(one, True) for one in rulings] + [(one, False) for one in opinions]
    found: dict[str, Forecast] = {}
    for one, final in judged:
        if (one.turn, one.command) == (state["turn"], state["command"]):
            source = one.verdict.source or one.by
            if source == RULES:
                continue
            foretold = Forecast(source, one.verdict.accept, one.verdict.confidence, final)
            found.setdefault(source, foretold)
    return list(found.values())


def current_mode(state: State) -> Mode:
    """The play mode of the coming turn."""
    return state.get("mode") or Mode()


def current_advice(state: State) -> Advice | None:
    """What the oracle said before the turn that was played last; None if it was not asked."""
    advice = state.get("advice")
    return advice if advice is not None and advice.turn == state["turn"] else None


def chosen_option(state: State) -> Option | None:
    """The option that was played last; None where the command was none of them."""
    command, proposal = state["command"], state.get("proposal")
    own = proposal is not None and (proposal.turn, proposal.command) == (state["turn"], command)
    rank = proposal.response.option if proposal and own else 0
    return chosen(state.get("options", ()), command, rank)


def intention(state: State, knowledge: Knowledge) -> Intention:
    """What the agent meant by the command that was played."""
    command, option = state["command"], chosen_option(state)
    meant = intended(knowledge, command)
    for row in knowledge.frontier.get(knowledge.here, ()):
        draft = Draft(*row)  # type: ignore[arg-type]
        if draft.command == command:
            meant = Intention(draft.kind, draft.noun, draft.place == INVENTORY)
            break
    return meant._replace(
        expected=option.value if option else 0.0,
        escape=option is not None and option.kind == ESCAPE,
    )


def knowledge_of(state: State, views: Views, recalled: Knowledge | None = None) -> Knowledge:
    """What is known; before the first word of the story, what is recalled."""
    if "world" not in state:
        return views.of(recalled or Knowledge.new())
    known = Knowledge(
        state["world"],
        state["map"],
        state["attempts"],
        state["facts"],
        state["rates"],
        state.get("frontier", {}),
        state["memory"],
    )
    return views.of(known)


def outlook_of(state: State, recalled: Outlook | None = None) -> Outlook:
    """What is believed, how far the oracle is right, and the dynamics."""
    if "beliefs" not in state:
        return recalled or Outlook.new()
    return Outlook(state["beliefs"], state["reliability"], state["dynamics"])


def place_of(state: Mapping[str, Any]) -> str:
    """Where a state is: `L3 Kitchen`, without a map the status line's title; empty for nowhere."""
    beliefs = state.get("beliefs")
    known = beliefs.location if beliefs is not None and beliefs.location != UNKNOWN else ""
    return str(known or state["observation"].room or "")


def journey(before: str, after: str) -> str:
    """Where a command was played, and where it led, if elsewhere: `L1 Forest → L2 Path`.

    `before` may be the journey of the turn before. A turn of which nobody knows where it ended
    ended where it began.
    """
    start = arrival(before)
    if not start or not after:
        return start or after
    return start if start == after else f"{start}{_LEADS}{after}"


def arrival(journey: str) -> str:
    """Where a journey ended: `L2 Path`."""
    return journey.rpartition(_LEADS)[2]
