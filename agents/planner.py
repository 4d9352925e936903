"""The planner as an actor: it plays the best candidate and says why."""

from __future__ import annotations

from collections.abc import Sequence

from agents.answers import AgentResponse, NewObjective
from agents.briefing import Briefing
from managers.candidates import Candidate
from managers.candidates.leanings import EVEN, PROFILES
from managers.world import confidence_of

_FALLBACK = Candidate(
    command="look", kind="look", purpose="look around", probability=1.0, utility=0.0
)
_ODDS = ((0.85, "very likely"), (0.6, "likely"), (0.35, "an even chance"), (0.0, "a long shot"))


class PlannerActor:
    """Plays the candidate with the highest utility that nobody has objected to.

    Args:
        declare_from: A plan of at least this many commands is declared as an objective.
        profile: How it likes to play: `even`, `cautious` or `bold`.
    """

    def __init__(self, *, declare_from: int = 3, profile: str = EVEN) -> None:
        if profile not in PROFILES:
            raise ValueError(f"no profile {profile!r} (known: {', '.join(PROFILES)})")
        self._declare_from = declare_from
        self.profile = profile

    def propose(self, briefing: Briefing) -> AgentResponse:
        refused = {objection.command for objection in briefing.objections}
        open_ones = [one for one in briefing.candidates if one.command not in refused]
        best = max(open_ones, key=lambda one: one.utility, default=_FALLBACK)
        return AgentResponse(
            thinking=_thinking(briefing, best, [one for one in open_ones if one is not best][:2]),
            action=best.command,
            new_objective=self._declared(best),
            complete_objective=_achieved(briefing),
        )

    def _declared(self, best: Candidate) -> str | NewObjective | None:
        """A plan of several turns; one that serves an objective becomes part of it."""
        if len(best.route) < self._declare_from:
            return None
        going = best.kind in ("exit", "probe", "wander", "again")
        text = f"explore {best.room}" if going else f"{best.route[-1]} in {best.room}"
        if best.objective is None:
            return text
        return None if going else NewObjective(text=text, parent=best.objective)


def _achieved(briefing: Briefing) -> str | None:
    """The objective whose very command has just worked."""
    extraction = briefing.extraction
    if extraction is None or extraction.action_result.result != "success":
        return None
    for objective in briefing.objectives:
        words = f"{briefing.command} in "
        if objective.status == "active" and objective.text.startswith(words):
            return objective.id
    return None


def _thinking(briefing: Briefing, best: Candidate, others: Sequence[Candidate]) -> str:
    parts = [_where(briefing), *_news(briefing), *_setback(briefing), _plan(briefing, best)]
    if others:
        alternatives = " or ".join(f"`{other.route[-1]}`" for other in others if other.route)
        parts.append(f"Otherwise {alternatives}.")
    return " ".join(part for part in parts if part)


def _where(briefing: Briefing) -> str:
    situation = briefing.situation
    if situation.dark:
        return f"It is dark here ({situation.place})."
    title = situation.place.partition(" ")[2] or "somewhere without a name"
    sights = ", ".join(situation.things[:3])
    return f"I am at {title}" + (f"; I see {sights}." if sights else ".")


def _news(briefing: Briefing) -> list[str]:
    """Objectives that were closed just now."""
    return [
        f"{one.id} ({one.text}) is {one.status}: {one.evidence}."
        for one in briefing.objectives
        if one.status != "active" and one.updated == briefing.turn and one.evidence
    ]


def _setback(briefing: Briefing) -> list[str]:
    said = [f"`{one.command}` is out: {one.reason}." for one in briefing.objections[-1:]]
    result = briefing.extraction.action_result if briefing.extraction else None
    if result and result.result == "failure" and briefing.command:
        reason = result.reason.replace("_", " ") or "it did not work"
        said.append(f"`{briefing.command}` failed ({reason}).")
    return said


def _plan(briefing: Briefing, best: Candidate) -> str:
    odds = next(words for least, words in _ODDS if best.probability >= least)
    goal = best.route[-1] if best.route else best.command
    why = best.purpose.partition(": ")[2] or best.purpose
    serves = f", for {best.objective}" if best.objective else ""
    then = _then(briefing, best, goal)
    if len(best.route) > 1:
        return (
            f"`{goal}` in {best.room} is worth the {len(best.route) - 1} moves there "
            f"({why}; {odds}{serves}); first `{best.command}`.{then}"
        )
    return f"I try `{goal}`: {why} ({odds}{serves}).{then}"


def _then(briefing: Briefing, best: Candidate, goal: str) -> str:
    """The rest of the plan whose next step is played."""
    plan = next((one.plan for one in briefing.objectives if one.id == best.objective), ())
    steps = [step for step in plan if step.command]
    if len(steps) < 2 or steps[0].command != goal:
        return ""
    rest = ", ".join(f"`{s.command}`" + (f" in {s.room}" if s.room else "") for s in steps[1:])
    ideas = ", ".join(dict.fromkeys(step.hypothesis for step in steps if step.hypothesis))
    supposed = f", if {ideas} holds" if ideas else ""
    return f" Then {rest} ({100 * confidence_of(plan):.0f} % in all{supposed})."
