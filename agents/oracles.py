"""Oracles that need no model: one that knows the walkthrough, sometimes or always, and a bad one.

They keep nothing between turns. What one has to remember stands in its own last answer, which
comes back to it in the briefing, so that a resumed episode goes on as if nothing had happened.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from agents.briefing import Briefing
from agents.walkthrough import read_commands
from managers.beliefs import FailureAnalysis, ProgressReport, SituationUnderstanding
from managers.candidates.routes import Routes
from managers.deliberation import Advice
from managers.statements import same_command
from managers.text.commands import parse_command
from managers.text.lexicon import head_of

_NOTE = re.compile(r"line (\d+) of \d+, to be played in (L\d+|here), trouble (\d+)")
_PATIENCE = 4
"""From how much trouble on a line is given up: 2 for a failure, 1 for being ignored."""
_IDLE = ("wait", "sing", "jump", "pray", "yell", "dance", "think", "smell air")


class _Stand(NamedTuple):
    """How far somebody has come in a walkthrough."""

    line: int
    """Counted from 1."""
    room: str
    """`L<n>` where that line is to be played; empty where one happens to be."""
    trouble: int


class WalkthroughOracle:
    """Always right: names the next line of a walkthrough, or the way back to where it belongs.

    Args:
        commands: A file with one command a line.
    """

    def __init__(self, *, commands: str | Path) -> None:
        self._commands = read_commands(commands)

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        stand = self._stand(briefing)
        if stand.line > len(self._commands):
            return SituationUnderstanding(overall_goal="finish the story", confidence=0.0)
        return self._advice(briefing, stand)

    def analyse_failure(self, briefing: Briefing) -> FailureAnalysis:
        result = briefing.extraction.action_result if briefing.extraction else None
        return FailureAnalysis(
            failure_reason=result.reason if result else "",
            prerequisite=(result.prerequisite or None) if result else None,
        )

    def detect_progress(self, briefing: Briefing) -> ProgressReport:
        gone_on = self._stand(briefing).line > _noted(briefing).line
        kind = "story" if gone_on else "none"
        return ProgressReport(made_progress=gone_on, progress_type=kind)

    def _advice(self, briefing: Briefing, stand: _Stand) -> SituationUnderstanding:
        here = briefing.map.here
        ways = Routes(briefing.map, here, unlit=frozenset(), danger=_no_danger)
        way = ways.to(stand.room)
        line = self._commands[stand.line - 1]
        note = (
            f"line {stand.line} of {len(self._commands)}, "
            f"to be played in {stand.room or 'here'}, trouble {stand.trouble}"
        )
        return SituationUnderstanding(
            overall_goal="finish the story",
            immediate_goal=f"{line} in {stand.room}" if way else line,
            recommended_action=way[0] if way else line,
            action_reasoning=note,
            confidence=0.95,
        )

    def _stand(self, briefing: Briefing) -> _Stand:
        """Where the walkthrough stands now, by the last answer and what came of it."""
        stand = _noted(briefing)
        asked = briefing.advice.turn if briefing.advice else briefing.turn
        for turn in briefing.recent:
            if turn.turn < asked or stand.line > len(self._commands):
                continue
            line = self._commands[stand.line - 1]
            if same_command(turn.command, line):
                stand = _after(stand, turn.result, turn.room.partition(" ")[0])
            elif turn.turn == asked and briefing.advice and _told(briefing.advice, line):
                stand = _troubled(stand, 1)
        while stand.line <= len(self._commands) and self._has(briefing, stand.line):
            stand = _Stand(stand.line + 1, stand.room, 0)
        return stand

    def _has(self, briefing: Briefing, line: int) -> bool:
        """The line takes what is carried already."""
        parts = parse_command(self._commands[line - 1])
        carried = {head_of(name) for name in briefing.situation.inventory}
        return parts.verb == "take" and bool(parts.object) and head_of(parts.object) in carried


class SometimesOracle(WalkthroughOracle):
    """Right with an exact frequency: of n answers, `right` * n (rounded down) are.

    Args:
        commands: A file with one command a line.
        right: The share of right answers, 0 to 1.
    """

    def __init__(self, *, commands: str | Path, right: float = 0.5) -> None:
        if not 0.0 <= right <= 1.0:
            raise ValueError(f"right = {right}: must be between 0 and 1")
        super().__init__(commands=commands)
        self._right = right

    def _advice(self, briefing: Briefing, stand: _Stand) -> SituationUnderstanding:
        advice = super()._advice(briefing, stand)
        answers = briefing.advice.number if briefing.advice else 0
        if int((answers + 1) * self._right) > int(answers * self._right):
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


def _no_danger(room: str, command: str) -> float:
    return 0.0


def _noted(briefing: Briefing) -> _Stand:
    said = briefing.advice.understanding.action_reasoning if briefing.advice else None
    note = _NOTE.match(said or "")
    if not note:
        return _Stand(1, next((room.id for room in briefing.map.rooms()), ""), 0)
    return _Stand(int(note[1]), "" if note[2] == "here" else note[2], int(note[3]))


def _told(advice: Advice, line: str) -> bool:
    return advice.understanding.recommended_action == line


def _after(stand: _Stand, result: str, room: str) -> _Stand:
    """The line was played: on to the next one, unless it failed and deserves another try."""
    if result == "failure":
        return _troubled(stand, 2)
    return _Stand(stand.line + 1, room, 0)


def _troubled(stand: _Stand, trouble: int) -> _Stand:
    trouble += stand.trouble
    if trouble >= _PATIENCE:
        return _Stand(stand.line + 1, stand.room, 0)
    return stand._replace(trouble=trouble)
