"""The nodes of a turn: each asks one role or commands the game, and returns an update."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, TypeVar

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ValidationError

from agents.answers import AgentResponse, AnswerError, ObjectiveReview, Verdict, clean_action
from agents.briefing import Briefing, Objection, RecentTurn
from environments.game import Step
from managers.candidates import rank
from managers.extraction import TurnExtraction
from managers.knowledge import Knowledge
from managers.learning import Lesson, learn
from managers.progress import update_objectives
from orchestrator.approval import Approval, Question
from orchestrator.context import Context
from orchestrator.errors import RoleError
from orchestrator.state import Decision, Judgement, Proposal, Score, State, Update
from orchestrator.transcript import entry_size

RECENT_TURNS = 12
REPLY_WORDS = 30

Answer = TypeVar("Answer", bound=BaseModel)


def game(state: State, runtime: Runtime[Context]) -> Update:
    """Play the proposal of this turn, or start the story at turn 0."""
    running = runtime.context.game
    if "snapshot" not in state:
        return _opening(running.start(runtime.context.seed))
    decisions = current_decisions(state)
    command = decisions[-1].command if decisions else state["proposal"].command
    step = running.play(state["snapshot"], command)
    text = step.observation.text
    return {
        "turn": state["turn"] + 1,
        "command": command,
        "observation": step.observation,
        "snapshot": step.snapshot,
        "score": _added(state["score"], step),
        "transcript_size": state["transcript_size"] + entry_size(command, text),
    }


def extractor(state: State, runtime: Runtime[Context]) -> Update:
    """Read the reply of this turn."""
    briefing = brief(state, runtime.context, state["turn"])
    answer = runtime.context.roles.extractor.extract(briefing)
    return {"extraction": checked("extractor", answer, TurnExtraction)}


def learner(state: State, runtime: Runtime[Context]) -> Update:
    """Apply the reading of this turn to what the agent knows."""
    extraction = state["extraction"]
    lesson = Lesson(
        turn=state["turn"],
        command=state["command"],
        observation=state["observation"],
        extraction=extraction,
    )
    known = learn(_knowledge(state, runtime.context), lesson)
    update: Update = {"world": known.world, "map": known.map, "dynamics": known.dynamics}
    if state["turn"]:
        line = RecentTurn(
            turn=state["turn"],
            room=runtime.context.views.situation(known).place,
            command=lesson.command,
            reply=" ".join(state["observation"].text.split()[:REPLY_WORDS]),
            result=extraction.action_result.result,
        )
        update["recent"] = [*state.get("recent", []), line][-RECENT_TURNS:]
    return update


def objective_manager(state: State, runtime: Runtime[Context]) -> Update:
    """Bring the objectives up to date and rank what could be done for them."""
    context, turn = runtime.context, state["turn"] + 1
    known, last = _knowledge(state, context), state.get("proposal")
    objectives = update_objectives(
        state.get("objectives", ()),
        known,
        turn,
        declared=last.response.new_objective if last else None,
        achieved=last.response.complete_objective if last else None,
    )
    if context.roles.objective_manager is not None:
        briefing = brief({**state, "objectives": list(objectives)}, context, turn)
        answer = context.roles.objective_manager.review(briefing)
        review = checked("objective_manager", answer, ObjectiveReview)
        objectives = update_objectives(
            objectives,
            known,
            turn,
            discovered=review.discovered,
            completed=review.completed,
        )
    candidates = rank(known, objectives, seed=context.agent_seed)
    return {"objectives": list(objectives), "candidates": list(candidates)}


def actor(state: State, runtime: Runtime[Context]) -> Update:
    """Propose a command; asked again when the critic objects."""
    briefing = brief(state, runtime.context, state["turn"] + 1)
    answer = runtime.context.roles.actor.propose(briefing)
    response = checked("actor", answer, AgentResponse)
    command = _command(response.action)
    proposal = Proposal(
        turn=briefing.turn, attempt=briefing.attempt, response=response, command=command
    )
    return {"proposal": proposal}


def critic(state: State, runtime: Runtime[Context]) -> Update:
    """Accept the proposal or object to it."""
    asked = runtime.context.roles.critic
    if asked is None:
        raise RoleError("the critic is switched off, and its node is in the graph all the same")
    briefing = brief(state, runtime.context, state["turn"] + 1)
    verdict = checked("critic", asked.judge(briefing), Verdict)
    judgement = Judgement(
        turn=briefing.turn,
        attempt=briefing.attempt,
        command=state["proposal"].command,
        verdict=verdict,
    )
    return {"judgements": [*current_judgements(state), judgement]}


def approval(state: State) -> Update:
    """Ask a person; the episode waits here, in another process too if need be."""
    proposal = state["proposal"]
    question = Question(
        turn=proposal.turn, command=proposal.command, thinking=proposal.response.thinking
    )
    answer = checked("person", interrupt(question.model_dump()), Approval)
    decision = Decision(
        turn=proposal.turn,
        attempt=proposal.attempt,
        accept=answer.do != "reject",
        proposed=proposal.command,
        command=_command(answer.text) if answer.do == "edit" else proposal.command,
        reason=answer.text if answer.do == "reject" else "",
    )
    return {"decisions": [*current_decisions(state), decision]}


def current_judgements(state: State) -> list[Judgement]:
    """The verdicts of the turn that is being decided; older ones do not count."""
    turn = state["turn"] + 1
    return [judgement for judgement in state.get("judgements", []) if judgement.turn == turn]


def current_decisions(state: State) -> list[Decision]:
    """What a person made of the proposals of the turn that is being decided."""
    turn = state["turn"] + 1
    return [decision for decision in state.get("decisions", []) if decision.turn == turn]


def objections(state: State) -> tuple[Objection, ...]:
    """What the critic and the person say against proposals of this turn, oldest first."""
    against = [
        (judgement.attempt, judgement.command, judgement.verdict.reason)
        for judgement in current_judgements(state)
        if not judgement.verdict.accept
    ]
    against += [
        (decision.attempt, decision.proposed, decision.reason)
        for decision in current_decisions(state)
        if not decision.accept
    ]
    against.sort(key=itemgetter(0))
    return tuple(Objection(command=command, reason=reason) for _, command, reason in against)


def brief(state: State, context: Context, turn: int) -> Briefing:
    """The situation of a turn as the roles see it."""
    known = _knowledge(state, context)
    proposal = state.get("proposal")
    current = proposal if proposal is not None and proposal.turn == state["turn"] + 1 else None
    extraction = state.get("extraction")
    return Briefing(
        turn=turn,
        seed=context.agent_seed,
        command=state["command"],
        observation=state["observation"],
        extraction=extraction if extraction and extraction.turn == state["turn"] else None,
        situation=context.views.situation(known),
        recent=tuple(state.get("recent", ())),
        objectives=tuple(state.get("objectives", ())),
        candidates=tuple(state.get("candidates", ())),
        objections=objections(state),
        proposal=current.response if current else None,
    )


def checked(role: str, answer: Any, kind: type[Answer]) -> Answer:
    """The answer as its type; a dict or any object with the same fields will do.

    Raises:
        RoleError: the answer does not fit, and how.
    """
    if isinstance(answer, kind):
        return answer
    try:
        return kind.model_validate(answer, from_attributes=True)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg'].lower()}"
            for fault in error.errors()
        )
        raise RoleError(f"the {role} answered {answer!r}, no {kind.__name__}: {faults}") from error


def _knowledge(state: State, context: Context) -> Knowledge:
    if "world" not in state:
        return context.recalled
    return Knowledge(world=state["world"], map=state["map"], dynamics=state["dynamics"])


def _command(action: str) -> str:
    try:
        return clean_action(action)
    except AnswerError:
        return " ".join(action.split())


def _opening(step: Step) -> Update:
    return {
        "turn": 0,
        "command": "",
        "observation": step.observation,
        "snapshot": step.snapshot,
        "score": Score(last=step.tally, best=step.tally.score),
        "transcript_size": entry_size(None, step.observation.text),
    }


def _added(score: Score, step: Step) -> Score:
    return Score(
        last=step.tally,
        best=max(score.best, step.tally.score),
        deaths=score.deaths + step.tally.died,
        faults=score.faults + bool(step.observation.fault),
    )
