"""The nodes of a turn: each asks one role or commands the game, and returns an update."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agents.answers import AgentResponse, ObjectiveReview, Ruling
from agents.briefing import RecentTurn
from environments.game import Step
from managers.beliefs import AgentBeliefs
from managers.calibration import CRITIC, CriticCalibration
from managers.candidates import rank
from managers.candidates.leanings import leaning_of
from managers.candidates.scene import Scene
from managers.circumstances import Circumstances, advanced
from managers.deliberation import deliberate
from managers.extraction import TurnExtraction
from managers.knowledge import Knowledge
from managers.learning.learner import Lesson, learn
from managers.modes import Mode
from managers.planning import with_plans, without_plans
from managers.progress import Pursuit, update_objectives
from managers.reflection import Experience, reflect
from orchestrator.approval import Approval, Question
from orchestrator.asking import checked, consult
from orchestrator.briefings import brief, profile_of
from orchestrator.context import Context, Views
from orchestrator.current import (
    current_advice,
    current_decisions,
    current_judgements,
    current_mode,
    expected,
    forecast,
    knowledge_of,
    outlook_of,
    requested,
)
from orchestrator.errors import RoleError
from orchestrator.proposing import carried_on, command_of, proposed
from orchestrator.state import Decision, Judgement, Mark, Score, State, Update
from orchestrator.transcript import extended

RECENT_TURNS = 12
REPLY_WORDS = 30


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
        "transcript": extended(state["transcript"], command, text),
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
    context = runtime.context
    before = knowledge_of(state, context.views, context.recalled.knowledge)
    place = context.views.situation(before).place
    learned = learn(before, lesson, context.stance, requested(state), _objected(state))
    known = context.views.of(learned)
    experience = Experience(
        *lesson,
        before,
        known,
        tuple(state.get("objectives", ())),
        current_advice(state),
        expected(state),
        tuple(one.command for one in state.get("candidates", ())),
    )
    outlook = reflect(outlook_of(state, context.recalled.outlook), experience)
    calibration = CriticCalibration(state.get("calibration"))
    foretold = forecast(state)
    if foretold is not None:
        calibration.update(foretold, _failed(extraction), state["turn"])
    update: Update = {
        **known._asdict(),
        **outlook._asdict(),
        "calibration": calibration.data,
        "mode": _mode(state, known, outlook.beliefs),
    }
    if state["turn"]:
        line = RecentTurn(
            turn=state["turn"],
            room=place,
            command=lesson.command,
            reply=" ".join(state["observation"].text.split()[:REPLY_WORDS]),
            result=extraction.action_result.result,
        )
        update["recent"] = [*state.get("recent", []), line][-RECENT_TURNS:]
    return update


def _objected(state: State) -> tuple[str, ...]:
    """What the critic has kept from being played in the turn that was just played."""
    judged = [one for one in state.get("judgements", []) if one.turn == state["turn"]]
    return tuple(one.command for one in judged if one.objects and one.command != state["command"])


def objective_manager(state: State, runtime: Runtime[Context]) -> Update:
    """Bring the objectives up to date and rank what could be done for them."""
    context, turn = runtime.context, state["turn"] + 1
    known = knowledge_of(state, context.views)
    objectives, changes = pursued(state, context.views)
    if context.roles.objective_manager is not None:
        briefing = brief({**state, "objectives": list(objectives)}, context, turn)
        answer = context.roles.objective_manager.review(briefing)
        review = checked("objective_manager", answer, ObjectiveReview)
        objectives, reviewed = update_objectives(
            objectives,
            known,
            turn,
            discovered=review.discovered,
            promoted=review.promoted,
            completed=review.completed,
            merged=review.merged,
        )
        changes += reviewed
    chaining = context.faculties.chaining
    objectives = with_plans(objectives, known) if chaining else without_plans(objectives)
    counting = context.faculties.modes
    leaning = leaning_of(current_mode(state).state if counting else None, profile_of(context))
    candidates = rank(known, objectives, context.stance._replace(leaning=leaning))
    return {
        "objectives": list(objectives),
        "objective_changes": list(changes),
        "candidates": list(candidates),
    }


def pursued(state: State, views: Views) -> Pursuit:
    """The objectives of the coming turn, with what the actor and the world say of them."""
    last = state.get("proposal")
    return update_objectives(
        state.get("objectives", ()),
        knowledge_of(state, views),
        state["turn"] + 1,
        declared=last.response.new_objective if last else None,
        achieved=last.response.complete_objective if last else None,
    )


def oracle(state: State, runtime: Runtime[Context]) -> Update:
    """Ask the oracle what it makes of the situation, if its answer is worth the price."""
    roles = runtime.context.roles
    briefing = brief(state, runtime.context, state["turn"] + 1)
    deliberation = deliberate(
        briefing.beliefs,
        briefing.promise,
        briefing.candidates,
        briefing.advice,
        roles.tariff,
    )
    if not deliberation.ask:
        return {}
    advice = consult(roles.oracle, briefing, deliberation)
    if briefing.promise.discredited(advice.understanding.recommended_action):
        advice = consult(roles.oracle, replace(briefing, advice=advice), deliberation)
    return {"advice": advice}


def actor(state: State, runtime: Runtime[Context]) -> Update:
    """Propose a command; asked again when the critic objects."""
    briefing = brief(state, runtime.context, state["turn"] + 1)
    proposal = carried_on(state, briefing)
    if proposal is None:
        asked = runtime.context.roles.actor
        response = checked("actor", asked.propose(briefing), AgentResponse)
        proposal = proposed(briefing, response, split=getattr(asked, "splits", True))
    return {"proposal": proposal}


def critic(state: State, runtime: Runtime[Context]) -> Update:
    """Accept the proposal or object to it; one that cannot tell is seldom asked."""
    asked = runtime.context.roles.critic
    if asked is None:
        raise RoleError("the critic is switched off, and its node is in the graph all the same")
    briefing = brief(state, runtime.context, state["turn"] + 1)
    if not briefing.asks_critic(CRITIC):
        return {}
    verdict = checked("critic", asked.judge(briefing), Ruling)
    judgement = Judgement(
        turn=briefing.turn,
        attempt=briefing.attempt,
        command=state["proposal"].command,
        verdict=verdict,
        heeded=verdict.accept or briefing.heeds_critic(verdict.source),
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
        command=command_of(answer.text) if answer.do == "edit" else proposal.command,
        reason=answer.text if answer.do == "reject" else "",
        by=answer.by,
    )
    return {"decisions": [*current_decisions(state), decision]}


def _mode(state: State, known: Knowledge, beliefs: AgentBeliefs) -> Mode:
    """The play mode after this turn; an adviser's word counts where there was a choice."""
    advice = current_advice(state)
    now = Circumstances(state["turn"], Scene.of(known), beliefs, state.get("objectives", ()))
    return advanced(current_mode(state), now, advice.mode if advice else None)


def _failed(extraction: TurnExtraction) -> bool:
    return extraction.died or extraction.action_result.result == "failure"


def _opening(step: Step) -> Update:
    return {
        "turn": 0,
        "command": "",
        "observation": step.observation,
        "snapshot": step.snapshot,
        "score": Score(last=step.tally, best=step.tally.score, tried=step.tally.tried),
        "transcript": extended(Mark(), None, step.observation.text),
    }


def _added(score: Score, step: Step) -> Score:
    return Score(
        last=step.tally,
        best=max(score.best, step.tally.score),
        deaths=score.deaths + step.tally.died,
        faults=score.faults + bool(step.observation.fault),
        tried=score.tried + step.tally.tried,
    )
