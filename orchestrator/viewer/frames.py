"""What a run's files tell of each turn, read in one place: views know nothing else of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents.asking import CACHED
from agents.briefing import Briefing
from managers.belief.calibration import CalibrationData
from orchestrator.traces.calls import ToldPrompt
from orchestrator.traces.reader import Run, first_line
from orchestrator.traces.turns import Attempt, TracedTurn
from orchestrator.traces.views import is_node
from orchestrator.traces.written import (
    ToldAdvice,
    ToldBeliefs,
    ToldChange,
    ToldDecision,
    ToldJudgement,
    ToldMode,
    ToldObjective,
    ToldOption,
    ToldProposal,
    ToldReading,
    ToldVerdict,
    Written,
)
from orchestrator.turns.current import journey
from orchestrator.viewer.changed_facts import ChangedFact, changed_facts
from orchestrator.viewer.states import Idea, State, TrustInterval, learned_in

Fields = dict[str, Any]


class TurnRow(NamedTuple):
    """One turn in the overview of a run."""

    turn: int
    command: str
    room: str
    text: str
    thinking: str
    score: int
    best: int
    deaths: int
    """So far."""
    faults: int
    """So far."""
    mode: str
    attempts: int
    """Proposals made; all but the last met an objection."""
    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float | None
    """None while it is being played, a person is asked, or where it never ended."""
    error: str
    objections: tuple[str, ...] = ()
    """To commands, each with its reason; whoever made them."""
    misanswers: tuple[str, ...] = ()
    """Answers of models that would not do, and why."""
    gained: int = 0
    """Points."""


@dataclass(frozen=True)
class ModelCall:
    """One call of a model."""

    role: str
    prompt: str
    """The name of the prompt's file."""
    model: str
    cached: bool
    prompt_tokens: int
    completion_tokens: int
    seconds: float | None
    retries: int
    error: str
    messages: list[tuple[str, str]]
    """Who speaks, and the exact words."""
    answer: str
    thinking: str


@dataclass(frozen=True)
class NodeRun:
    """One run of a node."""

    name: str
    part: str
    started: str
    seconds: float | None
    tokens: tuple[int, int]
    error: str
    inputs: Fields
    outputs: Fields


class Voice(NamedTuple):
    """What one of several said who were asked at the same time."""

    by: str
    command: str
    words: str
    accepts: bool = True


@dataclass(frozen=True)
class ProposalView:
    """What the actor wanted, and what was said to it."""

    command: str
    thinking: str
    objective: str
    """The one that it declares."""
    objection: str
    overruled: bool
    verdict: ToldVerdict | None
    decision: ToldDecision | None
    by: str
    """Whose it is, where several were asked."""
    chosen_from: list[Voice]
    chosen_for: str
    """Why, in the words of the judge."""
    opinions: list[Voice]
    """What each of several critics said."""


@dataclass(frozen=True)
class Frame:
    """Everything that is known of one turn."""

    turn: int
    command: str
    room: str
    text: str
    score: int | None
    gained: int
    result: str
    seconds: float | None
    error: str
    mode: ToldMode
    nodes: list[NodeRun]
    calls: list[ModelCall]
    proposals: list[ProposalView]
    options: list[ToldOption]
    chosen: int
    """The rank of the command among the options, from 1; 0 where it is none of them."""
    objectives: list[ToldObjective]
    changes: Sequence[ToldChange]
    advice: ToldAdvice | None
    reading: ToldReading | None
    beliefs: ToldBeliefs | None
    calibration: CalibrationData | None
    carried: list[str] = field(default_factory=list)
    reliability: list[TrustInterval] = field(default_factory=list)
    hypotheses: list[Idea] = field(default_factory=list)
    changed_facts: list[ChangedFact] = field(default_factory=list)
    """What the turn changed in the state."""


def row_of(
    number: int, roots: Iterable[Run], models: Iterable[Run], before: TurnRow | None
) -> TurnRow:
    """The overview of a turn, from its whole runs and its model calls; cheap."""
    roots, models = list(roots), list(models)
    told = Written.of({name: told for root in roots for name, told in root.outputs.items()})
    seen, score, proposal = told.observation, told.score, told.proposal or ToldProposal()
    last = roots[-1]
    if before is None:
        before = _NOTHING._replace(room=roots[0].about.room, score=roots[0].about.score or 0)
    # A person is asked before the game has played the command; the rest is of the turn before.
    waits = told.turn not in (None, number)
    points = _known(score.last.score, before.score)
    return TurnRow(
        number,
        told.command or proposal.response.action,
        journey(before.room, _place(told)),
        seen.text if seen else "",
        proposal.response.thinking,
        points,
        _known(score.best, before.best),
        _known(score.deaths, before.deaths),
        _known(score.faults, before.faults),
        told.mode.state if told.mode else "",
        proposal.attempt or 0,
        len(models),
        sum(run.tokens[0] for run in models),
        sum(run.tokens[1] for run in models),
        None if last.is_open or waits else sum(root.seconds or 0 for root in roots),
        "" if last.is_waiting else first_line(last.error),
        gained=points - before.score,
    )


_NOTHING = TurnRow(-1, "", "", "", "", 0, 0, 0, 0, "", 0, 0, 0, 0, None, "")
"""What is known before the first turn."""


def _known(told: int | None, before: int) -> int:
    """A figure of a turn; where none is told, the one before."""
    return before if told is None else told


def advice_of(briefing: Briefing) -> list[str]:
    """What the planner would do, the best first, in words."""
    return [f"{one.command}: {one.purpose} ({one.probability:.0%})" for one in briefing.options]


def _place(told: Written) -> str:
    """Where a turn ended: with the room's id if beliefs tell it, else as the status line says."""
    believed = told.beliefs.location if told.beliefs else ""
    return believed or (told.observation.room if told.observation else "")


def frame_of(turn: TracedTurn, state: State | None, before: State | None) -> Frame:
    """All of a turn, from its trace and, where they are kept, the states after and before it."""
    chosen, learned = turn.chosen, turn.written("learner")
    mode, advice = turn.written("mode").mode, turn.written("oracle").advice
    return Frame(
        turn=turn.number,
        command=turn.command,
        room=turn.room,
        text=turn.reply,
        score=turn.score,
        gained=turn.gained,
        result=turn.result,
        seconds=turn.seconds,
        error=first_line(turn.error),
        mode=mode or ToldMode(),
        nodes=[_node(path, run) for path, run in node_runs(turn.nodes)],
        calls=[*_calls(turn)],
        proposals=[_proposal(one, turn) for one in turn.attempts],
        options=[one for one in turn.options if isinstance(one, ToldOption)],
        chosen=chosen[0] if chosen else 0,
        objectives=_objectives(turn, state),
        changes=turn.objective_changes,
        advice=advice,
        reading=turn.written("extractor").extraction,
        beliefs=learned.beliefs or Written.of(turn.beliefs).beliefs,
        calibration=learned.calibration,
        changed_facts=[] if state is None or before is None else changed_facts(before, state),
        **({} if state is None else learned_in(state)),
    )


def _objectives(turn: TracedTurn, state: State | None) -> list[ToldObjective]:
    """All of them if the state is kept; a trace shows the first ones only."""
    if state is None or "objectives" not in state:
        return turn.objectives
    return [
        ToldObjective.of({**one.model_dump(mode="json"), "way": one.way})
        for one in state["objectives"]
    ]


def node_runs(runs: Iterable[Run], within: str = "") -> Iterator[tuple[str, Run]]:
    """Nodes by their paths; where a graph stands for one, its nodes instead: `critic.strict`."""
    for run in runs:
        inner = [*_nodes_within(run)]
        if inner:
            yield from node_runs(inner, f"{within}{run.name}.")
        else:
            yield within + run.name, run


def _nodes_within(run: Run) -> Iterator[Run]:
    for child in run.children:
        if is_node(child.name, child.metadata):
            yield child
        else:
            yield from _nodes_within(child)


def _node(path: str, run: Run) -> NodeRun:
    return NodeRun(
        path,
        run.about.part,
        run.started.isoformat(),
        run.seconds,
        run.tokens,
        "" if run.is_waiting else first_line(run.error),
        run.inputs,
        run.outputs,
    )


def _proposal(one: Attempt, turn: TracedTurn) -> ProposalView:
    return ProposalView(
        one.command,
        one.thinking,
        one.declared,
        one.objection or "",
        one.overruled,
        one.verdict,
        one.decision,
        one.by,
        [Voice(said.by, said.command, said.response.thinking) for said in one.proposed],
        one.chosen_for,
        [
            _opinion(said)
            for _, run in node_runs(turn.nodes)
            for said in run.written.opinions or ()
            if said.attempt == one.number
        ],
    )


def _opinion(said: ToldJudgement) -> Voice:
    verdict = said.verdict or ToldVerdict()
    return Voice(said.by, said.command, verdict.reason, verdict.accept)


def _calls(turn: TracedTurn) -> Iterator[ModelCall]:
    for run in turn.walk():
        if run.kind == "llm":
            yield _call(run)


def _call(run: Run) -> ModelCall:
    told, (prompt, completion), said = run.about, run.tokens, run.generated.first
    return ModelCall(
        told.role,
        told.prompt,
        told.ls_model_name or run.name,
        run.name == CACHED,
        prompt,
        completion,
        run.seconds,
        run.retries,
        first_line(run.error),
        [*_messages(run.asked)],
        said.said if said else "",
        said.thinking if said else "",
    )


def _messages(asked: ToldPrompt) -> Iterator[tuple[str, str]]:
    for batch in asked.messages:
        for message in batch:
            yield message.words.type or "prompt", message.words.text
    for prompt in () if asked.messages else asked.prompts:
        yield "prompt", prompt
