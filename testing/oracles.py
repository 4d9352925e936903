"""Oracles that need no model: one that knows the walkthrough, sometimes or always, and a bad one.

They keep nothing between turns. What one has to remember stands in its own last answer, which
comes back to it in the briefing, so that a resumed episode goes on as if nothing had happened.
"""

from __future__ import annotations

import random
from pathlib import Path

from agents import recovery
from agents.briefing import Briefing
from agents.pursuit import Pursuit, PursuitStand, noted, read_commands
from managers.language.actions import direction_of
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding

_HAND = 10
"""Answers of which an exact share is right: nobody can tell which."""
_IDLE = ("wait", "sing", "jump", "pray", "yell", "dance", "think", "smell air")


class WalkthroughOracle:
    """Always right: names the next line of a walkthrough, or the way back to where it belongs.

    Args:
        commands: A file with one command a line.
    """

    def __init__(self, *, commands: str | Path) -> None:
        self._pursuit = Pursuit(read_commands(commands))

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        stand = self._pursuit.stand(briefing)
        if recovery.away(stand.room, briefing) and not recovery.towards(stand.room, briefing):
            stand = self._pursuit.ahead(stand, briefing)
        if self._pursuit.ended(stand):
            return SituationUnderstanding(overall_goal="finish the story", confidence=0.0)
        return self._advice(briefing, stand)

    def analyse_failure(self, briefing: Briefing) -> FailureAnalysis:
        result = briefing.extraction.action_result if briefing.extraction else None
        return FailureAnalysis(
            failure_reason=result.reason if result else "",
            prerequisite=(result.prerequisite or None) if result else None,
        )

    def detect_progress(self, briefing: Briefing) -> ProgressReport:
        gone_on = self._pursuit.stand(briefing).line > noted(briefing).line
        kind = "story" if gone_on else "none"
        return ProgressReport(made_progress=gone_on, progress_type=kind)

    def _advice(self, briefing: Briefing, stand: PursuitStand) -> SituationUnderstanding:
        line, away = self._pursuit.line(stand), recovery.away(stand.room, briefing)
        lines = self._pursuit.commands[stand.line - 1 :]
        told = recovery.unburdened(lines, briefing) or recovery.armed(line, briefing)
        if not told:
            advice = self._pursuit.advice
            told = recovery.towards(stand.room, briefing) if away else advice(stand, briefing)
        if told and briefing.situation.dark and direction_of(told):
            told = recovery.kindled(briefing)
        return SituationUnderstanding(
            overall_goal="finish the story",
            immediate_goal=f"{line} in {stand.room}" if away else line,
            recommended_action=told,
            action_reasoning=stand.note(len(self._pursuit.commands)),
            confidence=0.95 if told else 0.0,
        )


class SometimesOracle(WalkthroughOracle):
    """Right with an exact frequency: of every ten answers, `right` * 10 are, in a drawn order.

    Args:
        commands: A file with one command a line.
        right: The share of right answers, 0 to 1.
    """

    def __init__(self, *, commands: str | Path, right: float = 0.5) -> None:
        if not 0.0 <= right <= 1.0:
            raise ValueError(f"right = {right}: must be between 0 and 1")
        super().__init__(commands=commands)
        self._right = right

    def _advice(self, briefing: Briefing, stand: PursuitStand) -> SituationUnderstanding:
        advice = super()._advice(briefing, stand)
        hand, at = divmod(briefing.advice.number if briefing.advice else 0, _HAND)
        answers = [number < round(self._right * _HAND) for number in range(_HAND)]
        random.Random(f"{briefing.seed}/{hand}").shuffle(answers)
        if answers[at]:
            return advice
        idle = briefing.rng("wrong answer").choice(_IDLE)
        return advice.model_copy(update={"recommended_action": idle, "immediate_goal": None})


class UselessOracle:
    """Always sure of itself and never of any help."""

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        return SituationUnderstanding(
            overall_goal="understand the mood of the place",
            immediate_goal="feel the atmosphere",
            blocking_condition="the moment is not right",
            recommended_action=briefing.rng("useless oracle").choice(_IDLE),
            action_reasoning="it feels right",
            important_state_variables=("mood of the place",),
            confidence=0.95,
        )

    def suggest_state_variables(self, briefing: Briefing) -> tuple[str, ...]:
        return ("mood of the place", "phase of the moon")

    def extract_state(self, briefing: Briefing) -> dict[str, str]:
        rng = briefing.rng("moods")
        return {
            name: rng.choice(("true", "false"))
            for name in briefing.dynamics.tracked
            if name in self.suggest_state_variables(briefing)
        }
