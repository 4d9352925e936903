"""A trace read as play: what was done in each turn, why, and how it went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from orchestrator.traces.reader import Run

Fields = dict[str, Any]


@dataclass(frozen=True)
class Attempt:
    """One proposal of a turn and what the critic said to it."""

    asked: Run
    judged: Run | None

    @property
    def command(self) -> str:
        proposal = self._proposal
        return str(proposal.get("command") or self._response.get("action") or "")

    @property
    def thinking(self) -> str:
        return str(self._response.get("thinking") or "")

    @property
    def declared(self) -> Any:
        """The objective the actor declares with this proposal, if any."""
        return self._response.get("new_objective")

    @property
    def verdict(self) -> Fields:
        """The critic's answer; empty where none was asked or it has not answered."""
        judgements = self.judged.outputs.get("judgements") if self.judged else None
        return dict(judgements[-1]["verdict"]) if judgements else {}

    @property
    def objection(self) -> str | None:
        """Why the critic did not accept it; None where it did."""
        return None if self.verdict.get("accept", True) else str(self.verdict.get("reason", ""))

    @property
    def _proposal(self) -> Fields:
        return dict(self.asked.outputs.get("proposal") or {})

    @property
    def _response(self) -> Fields:
        return dict(self._proposal.get("response") or {})


@dataclass(frozen=True)
class Turn:
    """One turn of the game, as its runs tell it."""

    root: Run
    number: int
    room: str
    """Where it ended."""
    gained: int
    """How much the score changed."""

    @property
    def attempts(self) -> list[Attempt]:
        found: list[Attempt] = []
        for run in self.root.children:
            if run.name == "actor":
                found.append(Attempt(run, None))
            elif run.name == "critic" and found:
                found[-1] = Attempt(found[-1].asked, run)
        return found

    @property
    def objections(self) -> list[Attempt]:
        """The proposals that were not accepted."""
        return [attempt for attempt in self.attempts if attempt.objection is not None]

    @property
    def command(self) -> str:
        """What the game got, or would have got where the turn broke off; empty at the opening."""
        attempts = self.attempts
        return attempts[-1].command if attempts else ""

    @property
    def thinking(self) -> str:
        attempts = self.attempts
        return attempts[-1].thinking if attempts else ""

    @property
    def observation(self) -> Fields:
        return dict(self.written("game").get("observation") or {})

    @property
    def reply(self) -> str:
        return str(self.observation.get("text") or "")

    @property
    def score(self) -> int | None:
        tally = (self.written("game").get("score") or {}).get("last") or {}
        return tally.get("score")

    @property
    def result(self) -> str:
        """How the command went: success, failure, partial, unknown; empty where unread."""
        extraction = self.written("extractor").get("extraction") or {}
        return str((extraction.get("action_result") or {}).get("result") or "")

    @property
    def candidates(self) -> list[Fields]:
        """The ranked commands that were shown; the last may only say how many more there were."""
        return list(self.written("objective_manager").get("candidates") or [])

    @property
    def objectives(self) -> list[Fields]:
        shown = self.written("objective_manager").get("objectives") or []
        return [objective for objective in shown if isinstance(objective, dict)]

    @property
    def chosen(self) -> tuple[int, Fields] | None:
        """Rank, from 1, and candidate of the command played; None where it was none of those."""
        for rank, candidate in enumerate(self.candidates, start=1):
            if isinstance(candidate, dict) and candidate.get("command") == self.command:
                return rank, candidate
        return None

    @property
    def beliefs(self) -> Fields:
        """What was believed when the command was chosen: the actor's inputs, less the lists."""
        attempts = self.attempts
        inputs = attempts[-1].asked.inputs if attempts else {}
        return {name: inputs[name] for name in ("mode", "beliefs", "world") if name in inputs}

    @property
    def troubles(self) -> list[Run]:
        """The runs that failed, the innermost ones."""
        return [
            run
            for run in self.root.walk()
            if run.error and not any(child.error for child in run.children)
        ]

    def written(self, node: str) -> Fields:
        """What a node wrote last in this turn."""
        runs = [run for run in self.root.children if run.name == node]
        return runs[-1].outputs if runs else {}


def read_turns(roots: Iterable[Run]) -> Iterator[Turn]:
    """The turns of a trace, opening first; a turn that was resumed comes twice."""
    number, room, score = -1, "", 0
    for root in roots:
        turn = Turn(root, 0, "", 0)
        number = _number(turn, number)
        room = _room(turn) or room
        now = turn.score if turn.score is not None else score
        yield Turn(root, number, room, now - score)
        score = now


def _number(turn: Turn, previous: int) -> int:
    for fields in (turn.root.outputs, turn.written("game"), turn.root.metadata):
        if isinstance(fields.get("turn"), int):
            return int(fields["turn"])
    return previous + 1


def _room(turn: Turn) -> str:
    extraction = turn.written("extractor").get("extraction") or {}
    return str(turn.observation.get("room") or (extraction.get("room") or {}).get("title") or "")
