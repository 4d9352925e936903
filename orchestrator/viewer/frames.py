"""What a run's files tell of each turn, read in one place: views know nothing else of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from agents.asking import CACHED
from agents.briefing import Briefing
from managers.planning.world_model import WorldModel
from managers.trust.beta import Beta
from managers.trust.reliability import OracleReliability
from managers.world.attempts import Attempts
from orchestrator.traces.reader import Run
from orchestrator.traces.turns import Attempt, TracedTurn
from orchestrator.traces.views import is_node
from orchestrator.turns.places import journey

Fields = dict[str, Any]
State = Mapping[str, Any]

_KINDS = ("recommendation", "goal", "blocker", "variable")
"""Of an oracle's answers that are judged."""


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
    objective: Any
    objection: str
    overruled: bool
    verdict: Fields
    decision: Fields
    by: str
    """Whose it is, where several were asked."""
    chosen_from: list[Voice]
    chosen_for: str
    """Why, in the words of the judge."""
    opinions: list[Voice]
    """What each of several critics said."""


class TrustInterval(NamedTuple):
    """How far one kind of an oracle's answers holds, with its 95 % interval."""

    kind: str
    judged: int
    good: int
    mean: float
    low: float
    high: float


class Idea(NamedTuple):
    """A hypothesis."""

    id: str
    text: str
    confidence: float
    tested: bool
    disproven: bool
    evidence: tuple[str, ...]


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
    mode: Fields
    nodes: list[NodeRun]
    calls: list[ModelCall]
    proposals: list[ProposalView]
    options: list[Fields]
    chosen: int
    """The rank of the command among the options, from 1; 0 where it is none of them."""
    objectives: list[Fields]
    changes: list[Fields]
    understanding: Fields
    reading: Fields
    beliefs: Fields
    calibration: Fields
    carried: list[str] = field(default_factory=list)
    reliability: list[TrustInterval] = field(default_factory=list)
    hypotheses: list[Idea] = field(default_factory=list)


def row_of(
    number: int, roots: Iterable[Run], models: Iterable[Run], before: TurnRow | None
) -> TurnRow:
    """The overview of a turn, from its whole runs and its model calls; cheap."""
    roots, models = list(roots), list(models)
    told: Fields = {}
    for root in roots:
        told |= root.outputs
    seen, score = told.get("observation") or {}, told.get("score") or {}
    response = (told.get("proposal") or {}).get("response") or {}
    last = roots[-1]
    # A person is asked before the game has played the command; the rest is of the turn before.
    waits = told.get("turn", number) != number
    return TurnRow(
        number,
        str(told.get("command") or response.get("action") or ""),
        journey(before.room if before else "", _place(told)),
        str(seen.get("text") or ""),
        str(response.get("thinking") or ""),
        int((score.get("last") or {}).get("score", before.score if before else 0)),
        int(score.get("best", before.best if before else 0)),
        int(score.get("deaths", before.deaths if before else 0)),
        int(score.get("faults", before.faults if before else 0)),
        str((told.get("mode") or {}).get("state") or ""),
        int((told.get("proposal") or {}).get("attempt") or 0),
        len(models),
        sum(run.tokens[0] for run in models),
        sum(run.tokens[1] for run in models),
        None if last.is_open or waits else sum(root.seconds or 0 for root in roots),
        "" if last.is_waiting else _short(last.error),
    )


def advice_of(briefing: Briefing) -> list[str]:
    """What the planner would do, the best first, in words."""
    return [f"{one.command}: {one.purpose} ({one.probability:.0%})" for one in briefing.options]


def _place(told: Fields) -> str:
    """Where a turn ended: with the room's id if beliefs tell it, else as the status line says."""
    location = (told.get("beliefs") or {}).get("location")
    return str(location or (told.get("observation") or {}).get("room") or "")


def frame_of(turn: TracedTurn, state: State | None) -> Frame:
    """All of a turn, from its trace and, where one is kept, the state after it."""
    chosen = turn.chosen
    learned = turn.written("learner")
    return Frame(
        turn=turn.number,
        command=turn.command,
        room=turn.room,
        text=turn.reply,
        score=turn.score,
        gained=turn.gained,
        result=turn.result,
        seconds=turn.seconds,
        error=_short(turn.error),
        mode=dict(turn.written("mode").get("mode") or {}),
        nodes=[_node(path, run) for path, run in node_runs(turn.nodes)],
        calls=[*_calls(turn)],
        proposals=[_proposal(one, turn) for one in turn.attempts],
        options=[one for one in turn.options if isinstance(one, dict)],
        chosen=chosen[0] if chosen else 0,
        objectives=_objectives(turn, state),
        changes=turn.objective_changes,
        understanding=turn.advice,
        reading=dict(turn.written("extractor").get("extraction") or {}),
        beliefs=dict(learned.get("beliefs") or turn.beliefs.get("beliefs") or {}),
        calibration=turn.calibration,
        **({} if state is None else _learned(state)),
    )


def _objectives(turn: TracedTurn, state: State | None) -> list[Fields]:
    """All of them if the state is kept; a trace shows the first ones only."""
    if state is None or "objectives" not in state:
        return turn.objectives
    return [{**one.model_dump(mode="json"), "way": one.way} for one in state.get("objectives", ())]


def _learned(state: State) -> Fields:
    world = WorldModel(state["world"], Attempts(state["attempts"]))
    record = OracleReliability(state["reliability"])
    return {
        "carried": [thing.name for thing in world.inventory()],
        "reliability": [_trust(record, kind) for kind in _KINDS],
        "hypotheses": [
            Idea(
                one.id,
                f"{_name(world, one.subject)} {one.predicate} {_name(world, one.object)}",
                one.confidence,
                one.tested,
                one.disproven,
                one.evidence,
            )
            for one in world.hypotheses()
        ],
    }


def _name(world: WorldModel, id: str) -> str:
    thing = world.get(id)
    return thing.name if thing else id


def _trust(record: OracleReliability, kind: Any) -> TrustInterval:
    judged, known = record.record(kind), record.posterior(kind)
    return TrustInterval(kind, judged.judged, judged.right, known.mean, *_interval(known))


@lru_cache(maxsize=64)
def _interval(known: Beta) -> tuple[float, float]:
    """It is the same as long as nothing is judged, and takes longer than all the rest."""
    return known.interval()


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
        str(run.metadata.get("part") or ""),
        run.started.isoformat(),
        run.seconds,
        run.tokens,
        "" if run.is_waiting else _short(run.error),
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
        [_voice(said, said.get("response") or {}) for said in _listed(one.others, "proposals")],
        one.chosen_for,
        [
            _voice(said, said.get("verdict") or {})
            for said in _listed((run for _, run in node_runs(turn.nodes)), "opinions")
            if said.get("attempt") == one.number
        ],
    )


def _listed(runs: Iterable[Run], name: str) -> list[Fields]:
    return [said for run in runs for said in run.outputs.get(name) or () if isinstance(said, dict)]


def _voice(said: Fields, told: Fields) -> Voice:
    words = told.get("thinking") or told.get("reason") or ""
    by, command = str(said.get("by") or ""), str(said.get("command") or "")
    return Voice(by, command, str(words), bool(told.get("accept", True)))


def _calls(turn: TracedTurn) -> Iterator[ModelCall]:
    for run in turn.walk():
        if run.kind == "llm":
            yield _call(run)


def _call(run: Run) -> ModelCall:
    told = run.metadata
    (answer, thinking), (prompt, completion) = _answer(run), run.tokens
    return ModelCall(
        str(told.get("role") or ""),
        str(told.get("prompt") or ""),
        str(told.get("ls_model_name") or run.name),
        run.name == CACHED,
        prompt,
        completion,
        run.seconds,
        sum(event["name"] == "retry" for event in run.record["events"]),
        _short(run.error),
        [*_messages(run)],
        answer,
        thinking,
    )


def _messages(run: Run) -> Iterator[tuple[str, str]]:
    for batch in run.inputs.get("messages") or [run.inputs.get("prompts") or []]:
        for message in batch:
            said = message.get("kwargs", message) if isinstance(message, dict) else {}
            yield str(said.get("type") or "prompt"), _words(said.get("content", message))


def _answer(run: Run) -> tuple[str, str]:
    """What a model said, and what it thought where that is told apart."""
    generations = run.outputs.get("generations") or [[]]
    for entry in generations[0][:1]:
        said = (entry.get("message") or {}).get("kwargs") or {}
        thought = (said.get("additional_kwargs") or {}).get("reasoning_content")
        calls = [f"{one.get('name')}({one.get('args')})" for one in said.get("tool_calls") or []]
        text = str(entry.get("text") or _words(said.get("content", "")))
        return "\n".join([*([text] if text else []), *calls]), str(thought or "")
    return "", ""


def _words(content: Any) -> str:
    """The text of a message, which may come in blocks."""
    if isinstance(content, list):
        return "\n".join(_words(block) for block in content)
    return str(content.get("text", content)) if isinstance(content, dict) else str(content)


def _short(error: str | None) -> str:
    """The last line of a traceback, or nothing."""
    return (error or "").strip().splitlines()[-1] if error and error.strip() else ""
