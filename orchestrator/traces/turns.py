"""A trace read as play: what was done in each turn, why, and how it went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from managers.trust.beliefs import UNKNOWN
from orchestrator.traces.reader import Run
from orchestrator.traces.views import is_node
from orchestrator.turns.places import journey

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
        proposal = self._proposal
        return str(proposal.get("command") or self._response.get("action") or "")

    @property
    def number(self) -> int:
        """Of a turn's attempts, from 1; 0 where it was not made."""
        return int(self._proposal.get("attempt") or 0)

    @property
    def by(self) -> str:
        """The node whose proposal it is, where several were asked."""
        return str(self._proposal.get("by") or "")

    @property
    def part(self) -> str:
        """Who plays the node whose proposal it is: a shipped part's name, or `module:Class`."""
        node = self.by.rpartition(".")[2].partition(" ")[0] or self.asked.name
        runs = [run for one in (*self.others, self.asked) for run in one.walk()]
        parts = [run.metadata.get("part") for run in runs if run.name == node]
        return str(next(filter(None, parts), ""))

    @property
    def judge(self) -> Run | None:
        """Who chose it from several proposals."""
        nodes = [run for run in self.asked.walk() if is_node(run.name, run.metadata)]
        return nodes[-1] if self.by else None

    @property
    def chosen_for(self) -> str:
        """Why it was chosen from several."""
        return str(self._proposal.get("chosen_for") or "")

    @property
    def thinking(self) -> str:
        return str(self._response.get("thinking") or "")

    @property
    def option(self) -> int:
        """Which of the ranked options it is, from 1; 0 where the actor does not say."""
        rank = self._response.get("option")
        return rank if isinstance(rank, int) and rank > 0 else 0

    @property
    def declared(self) -> Any:
        """The objective the actor declares with this proposal, if any."""
        return self._response.get("new_objective")

    @property
    def verdict(self) -> Fields:
        """The critic's answer; empty where none was asked or it has not answered."""
        return dict(self._judgement.get("verdict") or {})

    @property
    def overruled(self) -> bool:
        """The critic objected, and is trusted too little for it to count."""
        return not self._judgement.get("heeded", True)

    @property
    def decision(self) -> Fields:
        """What the person made of it; empty where none was asked."""
        decisions = self.decided.outputs.get("decisions") if self.decided else None
        return dict(decisions[-1]) if decisions else {}

    @property
    def objection(self) -> str | None:
        """Why the critic or the person did not accept it; None where they did."""
        for answer in (self.verdict, self.decision):
            if not answer.get("accept", True):
                return str(answer.get("reason", ""))
        return None

    @property
    def _judgement(self) -> Fields:
        """What decided: an objection that counts, else any objection, else what was said last."""
        said = [
            one
            for run in self.judged
            for one in run.outputs.get("judgements") or ()
            if isinstance(one, dict) and one.get("attempt", self.number) == self.number
        ]
        against = [one for one in said if not (one.get("verdict") or {}).get("accept", True)]
        counting = [one for one in against if one.get("heeded", True)]
        return dict((counting or against or said[-1:] or [{}])[0])

    @property
    def _proposal(self) -> Fields:
        return dict(self.asked.outputs.get("proposal") or {})

    @property
    def _response(self) -> Fields:
        return dict(self._proposal.get("response") or {})


@dataclass(frozen=True)
class TracedTurn:
    """One turn of the game, as its runs tell it."""

    roots: tuple[Run, ...]
    """One trace, and one more for every time that a person was asked in between."""
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
        """It did not end: it is being played, or was when the process died."""
        return self.roots[-1].is_open

    @property
    def error(self) -> str | None:
        """Why it broke off."""
        return self.roots[-1].error

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
            role = run.metadata.get("role", run.name)
            if "proposals" in run.outputs:
                others = (*others, run)
            if "proposal" in run.outputs or (role in ("actor", "judge") and run not in others):
                found.append(Attempt(run, others))
                others = ()
            elif (role in ("critic", "vote") or "judgements" in run.outputs) and found:
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
        played = self.written("game").get("command")
        attempts = self.attempts
        return str(played or (attempts[-1].command if attempts else ""))

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
    def options(self) -> list[Fields]:
        """The ranked commands that were shown; the last may only say how many more there were."""
        return list(self.written("planner").get("options") or [])

    @property
    def objectives(self) -> list[Fields]:
        shown = self.written("objective_manager").get("objectives") or []
        return [objective for objective in shown if isinstance(objective, dict)]

    @property
    def objective_changes(self) -> list[Fields]:
        """What became of objectives in this turn."""
        shown = self.written("objective_manager").get("objective_changes") or []
        return [change for change in shown if isinstance(change, dict)]

    @property
    def advice(self) -> Fields:
        """What the oracle said in this turn; empty where it was not asked."""
        return dict(self.written("oracle").get("advice") or {})

    @property
    def reliability(self) -> Fields:
        """The record of the oracle's answers after this turn, by kind."""
        return dict(self.written("learner").get("reliability") or {})

    @property
    def calibration(self) -> Fields:
        """What became of the critic's verdicts up to this turn."""
        return dict(self.written("learner").get("calibration") or {})

    @property
    def chosen(self) -> tuple[int, Fields] | None:
        """Rank, from 1, and option of the command played; None where it was none of those."""
        shown = [one for one in self.options if isinstance(one, dict)]
        attempts = self.attempts
        own = attempts and attempts[-1].command == self.command
        if own and (rank := attempts[-1].option):
            return (rank, shown[rank - 1]) if rank <= len(shown) else None
        ranked = enumerate(shown, start=1)
        return next((one for one in ranked if one[1].get("command") == self.command), None)

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

    def written(self, node: str) -> Fields:
        """What a node wrote last in this turn."""
        runs = [run for run in self.nodes if run.name == node]
        return runs[-1].outputs if runs else {}


def read_turns(roots: Iterable[Run]) -> Iterator[TracedTurn]:
    """The turns of a trace, opening first; one that was killed and played again comes twice."""
    room, score = "", 0
    for turn in _joined(roots):
        room = journey(room, _room(turn))
        now = turn.score if turn.score is not None else score
        yield replace(turn, room=room, gained=now - score)
        score = now


def _joined(roots: Iterable[Run]) -> Iterator[TracedTurn]:
    last: TracedTurn | None = None
    for root in roots:
        number = _number(root, last.number if last else -1)
        if last and last.number == number and any(run.is_waiting for run in last.nodes[-1:]):
            last = replace(last, roots=(*last.roots, root))
            continue
        if last:
            yield last
        last = TracedTurn((root,), number)
    if last:
        yield last


def _number(root: Run, previous: int) -> int:
    for fields in (root.metadata, root.outputs):
        if isinstance(fields.get("turn"), int):
            return int(fields["turn"])
    return previous + 1


def _room(turn: TracedTurn) -> str:
    """Where it ended, as beliefs, status line or reply say."""
    location = str((turn.written("learner").get("beliefs") or {}).get("location") or UNKNOWN)
    if location != UNKNOWN:
        return location
    extraction = turn.written("extractor").get("extraction") or {}
    return str(turn.observation.get("room") or (extraction.get("room") or {}).get("title") or "")
