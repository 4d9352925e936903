"""The agent's own actor: it weighs the options with all it believes, plays one and says why."""

from __future__ import annotations

from collections.abc import Sequence

from agents.answers import AgentResponse, NewObjective
from agents.briefing import Briefing
from managers.core.option import Option
from managers.core.selection import Appraisal, InformedActionSelector
from managers.core.value import EVEN, profiles
from managers.language.actions import COMPASS, canonical
from managers.planning.goals import Goal, is_done
from managers.planning.world_model import confidence_of

_FALLBACK = Appraisal(
    Option(command="look", kind="look", purpose="look around", probability=1.0, value=0.0),
    0.0,
    {"planned": 1.0},
)
_ODDS = ((0.85, "very likely"), (0.6, "likely"), (0.35, "an even chance"), (0.0, "a long shot"))


ALTERNATIVES = 2
"""So many are told beside what is played."""


class BayesianActor:
    """Plays the option with the highest expected utility that nobody has objected to.

    Args:
        exploration_rate: Weight of what one would learn of an option.
        declare_from: A plan of at least this many commands is declared as an objective.
        profile: How it likes to play: `even`, `cautious` or `bold`.
        without: Terms of the choice that are left out: `advice`, `staying`, `likelihood`,
            `experience`, `information`.
    """

    def __init__(
        self,
        *,
        exploration_rate: float = 0.2,
        declare_from: int = 3,
        profile: str = EVEN,
        without: Sequence[str] = (),
    ) -> None:
        if profile not in profiles():
            raise ValueError(f"no profile {profile!r} (known: {', '.join(profiles())})")
        self._exploration_rate = exploration_rate
        self._declare_from = declare_from
        self._without = tuple(without)
        self.profile = profile

    def propose(self, briefing: Briefing) -> AgentResponse:
        """The best option with the reasons for it."""
        selector = InformedActionSelector(
            briefing.reliability,
            briefing.dynamics,
            self._exploration_rate,
            briefing.advice_rates if briefing.understanding else {},
            self._without,
            briefing.ratings,
        )
        refused = {canonical(objection.command) for objection in briefing.objections}
        ranked = selector.appraise(briefing.beliefs, briefing.options, briefing.understanding)
        left = [one for one in ranked if canonical(one.option.command) not in refused]
        best, *others = left or [_FALLBACK]
        return AgentResponse(
            thinking=_thinking(briefing, best, [one.option for one in others]),
            action=_in_full(briefing, best.option.command),
            option=next((n for n, one in enumerate(briefing.options, 1) if one is best.option), 0),
            new_objective=self._declared(best.option),
            complete_objective=_achieved(briefing),
        )

    def _declared(self, best: Option) -> NewObjective | None:
        """A plan of several turns; one that serves an objective becomes part of it."""
        if len(best.route) < self._declare_from:
            return None
        going = best.kind in ("exit", "probe", "wander")
        if going and best.objective is not None:
            return None
        if going:
            goal = Goal(kind="explore", place=best.room)
            return NewObjective(text=f"explore {best.room}", goal=goal)
        goal = Goal(kind="do", thing=best.goal, place=best.room)
        text = f"{best.goal} in {best.room}"
        return NewObjective(text=text, parent=best.objective, goal=goal)


def _in_full(briefing: Briefing, command: str) -> str:
    """`go west` for `west` behind `What do you want to push?`: many parsers would push the west."""
    read = briefing.extraction
    asked = read is not None and read.question == "missing"
    return f"go {command}" if asked and command in COMPASS else command


def _achieved(briefing: Briefing) -> str | None:
    """The objective whose very command has just worked."""
    extraction = briefing.extraction
    if extraction is None or extraction.action_result.result != "success":
        return None
    room = briefing.recent[-1].room.partition(" ")[0] if briefing.recent else ""
    for one in briefing.objectives:
        if one.status == "active" and one.goal and is_done(one.goal, briefing.command, room):
            return one.id
    return None


def _thinking(briefing: Briefing, best: Appraisal, others: Sequence[Option]) -> str:
    """Where one is, what has just changed, what is played and why, and what would be next."""
    said = [_where(briefing), *_news(briefing), *_setback(briefing), _plan(briefing, best.option)]
    said += [f"{best.reason[0].upper()}{best.reason[1:]}."] if best.is_particular else []
    next_best = _alternatives(best.option, others)
    if next_best:
        said.append(f"Otherwise {' or '.join(f'`{one}`' for one in next_best)}.")
    return " ".join(part for part in said if part)


def _alternatives(best: Option, others: Sequence[Option]) -> list[str]:
    """What the next best options are for, as far as that is something else than the best one."""
    said = {canonical(best.goal), canonical(best.command)}
    told = []
    for other in others:
        goal = canonical(other.goal)
        if goal not in said:
            said.add(goal)
            told.append(other.goal)
    return told[:ALTERNATIVES]


def _where(briefing: Briefing) -> str:
    situation = briefing.situation
    if situation.dark:
        return f"It is dark here ({situation.place})."
    title = situation.place.partition(" ")[2]
    if not title:
        return ""
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


def _plan(briefing: Briefing, best: Option) -> str:
    odds = next(words for least, words in _ODDS if best.probability >= least)
    goal = best.goal
    why = best.purpose.partition(": ")[2] or best.purpose
    serves = f", for {best.objective}" if best.objective else ""
    then = _then(briefing, best, goal)
    if len(best.route) > 1:
        way = len(best.route) - 1
        moves = "move" if way == 1 else f"{way} moves"
        return (
            f"`{goal}` in {best.room} is worth the {moves} there "
            f"({why}; {odds}{serves}); first `{best.command}`.{then}"
        )
    return f"I try `{goal}`: {why} ({odds}{serves}).{then}"


def _then(briefing: Briefing, best: Option, goal: str) -> str:
    """The rest of the plan whose next step is played."""
    plan = next((one.plan for one in briefing.objectives if one.id == best.objective), ())
    steps = [step for step in plan if step.command]
    if len(steps) < 2 or steps[0].command != goal:
        return ""
    rest = ", ".join(f"`{s.command}`" + (f" in {s.room}" if s.room else "") for s in steps[1:])
    ideas = ", ".join(dict.fromkeys(step.hypothesis for step in steps if step.hypothesis))
    supposed = f", if {ideas} holds" if ideas else ""
    return f" Then {rest} ({100 * confidence_of(plan):.0f} % in all{supposed})."
