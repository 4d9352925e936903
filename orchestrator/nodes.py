"""The nodes of a turn: each asks one role or commands the game, and returns an update."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agents.answers import AgentResponse, ObjectiveReview, Ruling
from agents.briefing import Briefing, Objection, RecentTurn
from environments.game import Step
from managers.beliefs import AgentBeliefs
from managers.calibration import CRITIC, CriticCalibration, Forecast
from managers.candidates import rank
from managers.candidates.leanings import EVEN, PROFILES, leaning_of
from managers.candidates.scene import Scene
from managers.circumstances import Circumstances, advanced
from managers.deliberation import Advice, deliberate
from managers.extraction import TurnExtraction
from managers.knowledge import Knowledge
from managers.learning import Lesson, learn
from managers.modes import Mode
from managers.planning import with_plans, without_plans
from managers.progress import Pursuit, update_objectives
from managers.reading import Reading
from managers.reflection import Experience, Outlook, reflect
from managers.reliability import OracleReliability
from managers.selection import with_recommended, with_suggested
from managers.transitions import DynamicsModel
from managers.world.requests import ToolRequest
from orchestrator.approval import Approval, Question
from orchestrator.asking import checked, consult
from orchestrator.context import Context, Views
from orchestrator.errors import RoleError
from orchestrator.proposing import carried_on, command_of, proposed
from orchestrator.state import Decision, Judgement, Score, State, Update
from orchestrator.transcript import entry_size

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
    context = runtime.context
    before = _knowledge(state, context.views, context.recalled.knowledge)
    place = context.views.situation(before).place
    known = context.views.of(learn(before, lesson, context.stance, requested(state)))
    experience = Experience(
        *lesson,
        before,
        known,
        tuple(state.get("objectives", ())),
        current_advice(state),
        _expected(state),
        tuple(one.command for one in state.get("candidates", ())),
    )
    outlook = reflect(_outlook(state, context.recalled.outlook), experience)
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


def objective_manager(state: State, runtime: Runtime[Context]) -> Update:
    """Bring the objectives up to date and rank what could be done for them."""
    context, turn = runtime.context, state["turn"] + 1
    known = _knowledge(state, context.views)
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
        _knowledge(state, views),
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
    return {"advice": consult(roles.oracle, briefing, deliberation)}


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
        if judgement.objects
    ]
    against += [
        (decision.attempt, decision.proposed, decision.reason)
        for decision in current_decisions(state)
        if not decision.accept
    ]
    against.sort(key=itemgetter(0))
    return tuple(Objection(command=command, reason=reason) for _, command, reason in against)


def requested(state: State) -> tuple[ToolRequest, ...]:
    """What the actor of the turn that was played last asked to be written."""
    proposal = state.get("proposal")
    current = proposal is not None and proposal.turn == state["turn"]
    return proposal.response.requests if proposal and current else ()


def forecast(state: State) -> Forecast | None:
    """What the critic foretold of the command that was played last, when it first saw it."""
    for judgement in state.get("judgements", []):
        if judgement.turn == state["turn"] and judgement.command == state["command"]:
            verdict = judgement.verdict
            return Forecast(verdict.source, verdict.accept, verdict.confidence)
    return None


def current_mode(state: State) -> Mode:
    """The play mode of the coming turn."""
    return state.get("mode") or Mode()


def profile_of(context: Context) -> str:
    """The play profile of the actor; even for one that has none."""
    return str(getattr(context.roles.actor, "profile", EVEN))


def current_advice(state: State) -> Advice | None:
    """What the oracle said before the turn that was played last; None if it was not asked."""
    advice = state.get("advice")
    return advice if advice is not None and advice.turn == state["turn"] else None


def brief(state: State, context: Context, turn: int) -> Briefing:
    """The situation of a turn as the roles see it."""
    told = briefing(state, context.agent_seed, context.views, turn, context.recalled.knowledge)
    return replace(told, profile=PROFILES[profile_of(context)])


def briefing(
    state: State, seed: int, views: Views, turn: int, recalled: Knowledge | None = None
) -> Briefing:
    """The same, for those who have no running episode; `seed` is the agent's."""
    known = _knowledge(state, views, recalled)
    proposal = state.get("proposal")
    current = proposal if proposal is not None and proposal.turn == state["turn"] + 1 else None
    extraction = state.get("extraction")
    outlook, advice = _outlook(state), state.get("advice")
    current_extraction = extraction if extraction and extraction.turn == state["turn"] else None
    told = advice.understanding if advice and advice.turn == turn else None
    read = current_extraction if isinstance(current_extraction, Reading) else None
    failure = read.failure if read else advice.failure if advice and told else None
    return Briefing(
        turn=turn,
        seed=seed,
        command=state["command"],
        observation=state["observation"],
        extraction=current_extraction,
        situation=views.situation(known),
        recent=tuple(state.get("recent", ())),
        objectives=tuple(state.get("objectives", ())),
        candidates=with_suggested(with_recommended(state.get("candidates", ()), told), failure),
        beliefs=outlook.beliefs,
        advice=advice,
        reliability=OracleReliability(outlook.reliability, turn),
        calibration=CriticCalibration(state.get("calibration")),
        mode=current_mode(state),
        dynamics=DynamicsModel(outlook.transitions),
        map=known.map_view,
        world=known.world_view,
        issues=views.issues(known),
        objections=objections(state),
        proposal=current.response if current else None,
    )


def _expected(state: State) -> float:
    """The utility that the planner saw in the command that was played."""
    planned = (one for one in state.get("candidates", ()) if one.command == state["command"])
    return max((one.utility for one in planned), default=0.0)


def _mode(state: State, known: Knowledge, beliefs: AgentBeliefs) -> Mode:
    """The play mode after this turn; an adviser's word counts where there was a choice."""
    advice = current_advice(state)
    now = Circumstances(state["turn"], Scene.of(known), beliefs, state.get("objectives", ()))
    return advanced(current_mode(state), now, advice.mode if advice else None)


def _failed(extraction: TurnExtraction) -> bool:
    return extraction.died or extraction.action_result.result == "failure"


def _knowledge(state: State, views: Views, recalled: Knowledge | None = None) -> Knowledge:
    """What is known; before the first word of the story, what is recalled."""
    if "world" not in state:
        return recalled or Knowledge.new()
    return views.of(Knowledge(state["world"], state["map"], state["dynamics"]))


def _outlook(state: State, recalled: Outlook | None = None) -> Outlook:
    if "beliefs" not in state:
        return recalled or Outlook.new()
    return Outlook(state["beliefs"], state["reliability"], state["transitions"])


def _opening(step: Step) -> Update:
    return {
        "turn": 0,
        "command": "",
        "observation": step.observation,
        "snapshot": step.snapshot,
        "score": Score(last=step.tally, best=step.tally.score, tried=step.tally.tried),
        "transcript_size": entry_size(None, step.observation.text),
    }


def _added(score: Score, step: Step) -> Score:
    return Score(
        last=step.tally,
        best=max(score.best, step.tally.score),
        deaths=score.deaths + step.tally.died,
        faults=score.faults + bool(step.observation.fault),
        tried=score.tried + step.tally.tried,
    )
