"""A trace read as play: what was done in each turn, why, and how it went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from managers.belief.beliefs import UNKNOWN
from orchestrator.tolerant import Some
from orchestrator.traces.reader import Run
from orchestrator.traces.views import is_node
from orchestrator.traces.written import (
    ToldChange,
    ToldDecision,
    ToldJudgement,
    ToldObjective,
    ToldOption,
    ToldProposal,
    ToldResponse,
    ToldVerdict,
    ToldWish,
    Written,
)
from orchestrator.turns.current import journey

Fields = dict[str, Any]


@dataclass(frozen=True)
class Attempt:
    """One proposal of a turn and what the critic said to it."""

    asked: Run
    others: tuple[Run, ...] = ()
    """Those whose proposals it was chosen from, where several were asked."""
    judged: tuple[Run, ...] = ()
    """Those that judged it: a critic, several of them, or a vote."""
    decided: Run | None = None
    """The person's decision, where one was asked."""

    @property
    def command(self) -> str:
        return self._proposal.command or self._response.action

    @property
    def number(self) -> int:
        """Of a turn's attempts, from 1; 0 where it was not made."""
        return self._proposal.attempt or 0

    @property
    def by(self) -> str:
        """The node whose proposal it is, where several were asked."""
        return self._proposal.by

    @property
    def part(self) -> str:
        """Who plays the node whose proposal it is: a shipped part's name, or `module:Class`."""
        node = self.by.rpartition(".")[2].partition(" ")[0] or self.asked.name
        runs = [run for one in (*self.others, self.asked) for run in one.walk()]
        parts = [run.about.part for run in runs if run.name == node]
        return next(filter(None, parts), "")

    @property
    def judge(self) -> Run | None:
        """Who chose it from several proposals."""
        nodes = [run for run in self.asked.walk() if is_node(run.name, run.metadata)]
        return nodes[-1] if self.by and nodes else None

    @property
    def chosen_for(self) -> str:
        """Why it was chosen from several."""
        return self._proposal.chosen_for

    @property
    def thinking(self) -> str:
        return self._response.thinking

    @property
    def option(self) -> int:
        """Which of the ranked options it is, from 1; 0 where the actor does not say."""
        return self._response.option or 0

    @property
    def declared(self) -> str:
        """The objective that the actor declares with this proposal, if any."""
        wish = self._response.new_objective
        return wish.text if isinstance(wish, ToldWish) else wish or ""

    @property
    def proposed(self) -> list[ToldProposal]:
        """What it was chosen from."""
        return [one for run in self.others for one in run.written.proposals or ()]

    @property
    def verdict(self) -> ToldVerdict | None:
        """The critic's answer; None where none was asked or it has not answered."""
        return self._judgement.verdict

    @property
    def overruled(self) -> bool:
        """The critic objected, and is trusted too little for it to count."""
        return not self._judgement.heeded

    @property
    def decision(self) -> ToldDecision | None:
        """What the person made of it; None where nobody was asked."""
        decisions = self.decided.written.decisions if self.decided else []
        return decisions[-1] if decisions else None

    @property
    def objection(self) -> str | None:
        """Why the critic or the person did not accept it; None where they did."""
        for answer in (self.verdict, self.decision):
            if answer and not answer.accept:
                return answer.reason
        return None

    @property
    def _judgement(self) -> ToldJudgement:
        """What decided: an objection that counts, else any objection, else what was said last."""
        said = [
            one
            for run in self.judged
            for one in run.written.judgements or ()
            if one.attempt in (None, self.number)
        ]
        against = [one for one in said if one.verdict and not one.verdict.accept]
        counting = [one for one in against if one.heeded]
        return (counting or against or said[-1:] or [ToldJudgement()])[0]

    @property
    def _proposal(self) -> ToldProposal:
        return self.asked.written.proposal or ToldProposal()

    @property
    def _response(self) -> ToldResponse:
        return self._proposal.response


@dataclass(frozen=True)
class TracedTurn:
    """One turn of the game, as its runs tell it."""

    roots: tuple[Run, ...]
    """One trace, and one more for every time that a person was asked or it broke off."""
    number: int
    room: str = ""
    """Where it ended."""
    gained: int = 0
    """How much the score changed."""

    @property
    def nodes(self) -> list[Run]:
        """The runs of the nodes, in order."""
        below = [run for root in self.roots for run in root.children]
        return [run for run in below if run.name != "__start__"]

    @property
    def is_open(self) -> bool:
        """It did not end: it is being played, or was when the process died; nobody is asked."""
        return self.roots[-1].is_open

    @property
    def is_waiting(self) -> bool:
        """A person was asked last, and has not answered."""
        return any(run.is_waiting for run in self.nodes[-1:])

    @property
    def error(self) -> str | None:
        """Why it broke off."""
        return self.roots[-1].error

    @property
    def has_ended(self) -> bool:
        """It was played to its end, and counts."""
        return not (self.is_open or self.is_waiting or self.error)

    @property
    def seconds(self) -> float | None:
        """How long it took, without waiting for a person; None while it is open."""
        known = [root.seconds for root in self.roots if root.seconds is not None]
        return sum(known) if len(known) == len(self.roots) else None

    @property
    def tokens(self) -> tuple[int, int]:
        """Prompt and completion tokens."""
        counts = [root.tokens for root in self.roots]
        return sum(prompt for prompt, _ in counts), sum(completion for _, completion in counts)

    def walk(self) -> Iterator[Run]:
        """All of its runs."""
        for root in self.roots:
            yield from root.walk()

    @property
    def attempts(self) -> list[Attempt]:
        found: list[Attempt] = []
        others: tuple[Run, ...] = ()
        for run in self.nodes:
            role, wrote = run.about.role or run.name, run.written
            if wrote.proposals is not None:
                others = (*others, run)
            if wrote.proposal or (role in ("actor", "judge") and wrote.proposals is None):
                found.append(Attempt(run, others))
                others = ()
            elif (role in ("critic", "vote") or wrote.judgements is not None) and found:
                found[-1] = replace(found[-1], judged=(*found[-1].judged, run))
            elif role == "approval" and found and not run.error:
                found[-1] = replace(found[-1], decided=run)
        return found

    @property
    def objections(self) -> list[Attempt]:
        """The proposals that were not accepted."""
        return [attempt for attempt in self.attempts if attempt.objection is not None]

    @property
    def command(self) -> str:
        """What the game got, or would have got where the turn broke off; empty at the opening."""
        played, attempts = self.written("game").command, self.attempts
        return played or (attempts[-1].command if attempts else "")

    @property
    def thinking(self) -> str:
        attempts = self.attempts
        return attempts[-1].thinking if attempts else ""

    @property
    def part(self) -> str:
        """Who plays the actor: a shipped part's name, or `module:Class`."""
        attempts = self.attempts
        return attempts[-1].part if attempts else ""

    @property
    def reply(self) -> str:
        seen = self.written("game").observation
        return seen.text if seen else ""

    @property
    def fault(self) -> str:
        """What the emulator did wrong."""
        seen = self.written("game").observation
        return seen.fault if seen else ""

    @property
    def score(self) -> int | None:
        return self.written("game").score.last.score

    @property
    def result(self) -> str:
        """How the command went: success, failure, partial, unknown; empty where unread."""
        reading = self.written("extractor").extraction
        return reading.action_result.result if reading else ""

    @property
    def options(self) -> Some[ToldOption | str]:
        """The ranked commands that were shown; the last may only say how many more there were."""
        return self.written("planner").options

    @property
    def objectives(self) -> list[ToldObjective]:
        shown = self.written("objective_manager").objectives
        return [one for one in shown if isinstance(one, ToldObjective)]

    @property
    def objective_changes(self) -> Some[ToldChange]:
        """What became of objectives in this turn."""
        return self.written("objective_manager").objective_changes

    @property
    def chosen(self) -> tuple[int, ToldOption] | None:
        """Rank, from 1, and option of the command played; None where it was none of those."""
        shown = [one for one in self.options if isinstance(one, ToldOption)]
        attempts = self.attempts
        own = attempts and attempts[-1].command == self.command
        if own and (rank := attempts[-1].option):
            return (rank, shown[rank - 1]) if rank <= len(shown) else None
        ranked = enumerate(shown, start=1)
        return next((one for one in ranked if one[1].command == self.command), None)

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
            for run in self.walk()
            if run.error and not run.is_waiting and not any(child.error for child in run.children)
        ]

    def written(self, node: str) -> Written:
        """What a node wrote last in this turn."""
        runs = [run for run in self.nodes if run.name == node]
        return runs[-1].written if runs else Written()


def read_turns(roots: Iterable[Run]) -> Iterator[TracedTurn]:
    """The turns of a trace in the order of play; one that was killed and played again comes twice.

    One that broke off and went on from there is one turn.

    A run begins with the opening, a fork behind the turn that it was forked at, and a trace whose
    beginning is lost wherever its first whole turn is; what led there counts as known.
    """
    room, score = "", 0
    scores: dict[int, int] = {}
    for place, turn in enumerate(_joined(roots)):
        if place == 0:
            before = turn.roots[0].about
            room, score = before.room, before.score or 0
        room = journey(room, _room(turn))
        score = scores.get(turn.number - 1, score)
        now = turn.score if turn.score is not None else score
        yield replace(turn, room=room, gained=now - score)
        scores[turn.number] = score = now


def played(roots: Iterable[Run]) -> list[TracedTurn]:
    """The turns of a trace, the last attempt of each."""
    return list({turn.number: turn for turn in read_turns(roots)}.values())


def _joined(roots: Iterable[Run]) -> Iterator[TracedTurn]:
    last: TracedTurn | None = None
    for root in roots:
        if not root.is_root:
            continue
        number = turn_of(root, last.number if last else -1)
        if last and (_goes_on(last, root) or (last.number == number and last.is_waiting)):
            last = replace(last, roots=(*last.roots, root))
            continue
        if last:
            yield last
        last = TracedTurn((root,), number)
    if last:
        yield last


def _goes_on(broken: TracedTurn, root: Run) -> bool:
    """The turn broke off, and this is the rest of it, not all of it once more."""
    first = root.children[0].name if root.children else "__start__"
    return (broken.is_open or broken.error is not None) and first != "__start__"


def turn_of(root: Run, previous: int) -> int:
    """The number of a turn; where its trace does not tell it, the one after the previous turn."""
    for told in (root.about.turn, root.written.turn):
        if told is not None:
            return told
    return previous + 1


def _room(turn: TracedTurn) -> str:
    """Where it ended, as beliefs, status line or reply say."""
    beliefs = turn.written("learner").beliefs
    if beliefs and beliefs.location not in ("", UNKNOWN):
        return beliefs.location
    seen, reading = turn.written("game").observation, turn.written("extractor").extraction
    return (seen.room if seen else "") or (reading.room.title if reading else "")
