"""The nodes of a turn: each asks a role, learns, plans or plays, and returns an update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from langgraph.types import interrupt

from agents.answers import AgentResponse, ObjectiveReview, Ruling
from agents.briefing import RecentTurn
from environments.game import Observation, Step
from managers.belief.calibration import CRITIC, CriticCalibration
from managers.belief.deliberation import deliberate
from managers.core.learner import begun_anew, learn, taken_back
from managers.core.mode import Circumstances, Mode, PlayMode, advance
from managers.core.option import REPLY, Option, in_peril
from managers.core.ranking import rank
from managers.core.reflection import Choice, reflect
from managers.language.history import UNDO, Exchange
from managers.language.reading import TurnExtraction
from managers.planning.objectives import ObjectiveManager
from managers.planning.progress import update_objectives, with_plans
from orchestrator.errors import RoleError
from orchestrator.saved.transcript import extended
from orchestrator.state import Decision, Judgement, Line, Mark, Score, State, Update
from orchestrator.turns.approval import Approval, Question
from orchestrator.turns.asking import checked, choice_of_mode, consult
from orchestrator.turns.briefings import brief
from orchestrator.turns.context import Context, Post, Views
from orchestrator.turns.current import (
    chosen_option,
    current_advice,
    current_decisions,
    current_judgements,
    current_mode,
    forecasts,
    intention,
    knowledge_of,
    outlook_of,
    requested,
)
from orchestrator.turns.ends import (
    RESTART,
    after,
    go_on,
    going_on,
    stands_after,
    still_wanted,
    stood,
    way_on,
)
from orchestrator.turns.proposing import carried_on, command_of, proposed

RECENT_TURNS = 12
REPLY_WORDS = 30


def game(state: State, context: Context, post: Post) -> Update:
    """Play the proposal of this turn, or start the story at turn 0."""
    running = context.game
    if "snapshot" not in state:
        return _opening(running.start(context.seed))
    decisions = current_decisions(state)
    command = decisions[-1].command if decisions else state["proposal"].command
    stands, line = state["before"], state["score"].line
    again, stand = way_on(state["score"], context.after_end), None
    if again:
        step, stand = go_on(running, context.seed, again, state["command"], stands, line)
        command = again = again if stand else RESTART
    else:
        step = running.play(state["snapshot"], command)
    line = after(line, again, stand)
    left = None if again or context.after_end != UNDO else stood(state)
    return {
        "before": stands_after(stands, stand, left, line),
        "turn": state["turn"] + 1,
        "command": command,
        "observation": step.observation,
        "snapshot": step.snapshot,
        "score": _added(state["score"], step, again, line),
        "transcript": extended(state["transcript"], command, step.observation.text),
        "history": [told(state, state["turn"] + 1, command, step.observation)],
    }


def extractor(state: State, context: Context, post: Post) -> Update:
    """Read the reply of this turn."""
    briefing = brief(state, context, post.crew, state["turn"])
    answer = post.part.extract(briefing)
    return {"extraction": checked("extractor", answer, TurnExtraction)}


def learner(state: State, context: Context, post: Post) -> Update:
    """Apply the reading of this turn to what the agent knows and believes."""
    reading, turn = state["extraction"], state["turn"]
    before = knowledge_of(state, context.views, context.recalled.knowledge)
    outlook = outlook_of(state, context.recalled.outlook)
    again, command, stands = state["score"].again, state["command"], state.get("before")
    if again == UNDO and stands:
        was = stands[0]
        before, command = taken_back(before, was.world, was.here, was.memory), ""
    elif again:
        before, outlook, command = begun_anew(before), outlook.begun_anew(), ""
    place, mind = context.views.situation(before).place, context.mind
    transition = learn(
        before,
        turn,
        command,
        state["observation"],
        reading,
        context.skills,
        intention=intention(state, before),
        requests=requested(state),
        objected=_objected(state),
        past=context.recalled.past,
        counting=mind.statistics,
        remembering=mind.failures,
    )
    choice = Choice(
        state.get("objectives", ()),
        state.get("options", ()),
        chosen_option(state),
        current_advice(state),
        state.get("ratings"),
    )
    outlook, _ = reflect(outlook, transition, choice)
    known = context.views.of(transition.after)
    calibration = CriticCalibration(state.get("calibration"))
    for foretold in forecasts(state):
        calibration.update(foretold, _failed(reading), turn)
    update: Update = {
        **known._asdict(),
        **outlook._asdict(),
        "calibration": calibration.data,
    }
    del update["frontier"]
    recent = state.get("recent", [])
    if turn:
        line = RecentTurn(
            turn=turn,
            room=place,
            command=state["command"],
            reply=" ".join(state["observation"].text.split()[:REPLY_WORDS]),
            result=reading.action_result.result,
        )
        recent = [*recent, line][-RECENT_TURNS:]
    return {**update, "recent": recent}


def _objected(state: State) -> tuple[str, ...]:
    """What the critic has objected to in the turn that was just played."""
    judged = [one for one in state.get("judgements", []) if one.turn == state["turn"]]
    return tuple(one.command for one in judged if one.objects)


def objective_manager(state: State, context: Context, post: Post) -> Update:
    """Bring the objectives up to date, with a plan for each that has one."""
    turn = state["turn"] + 1
    known = knowledge_of(state, context.views)
    manager = reviewed(state, context.views)
    objectives, changes = manager.objectives, manager.changes
    if post.part is not None:
        briefing = brief({**state, "objectives": list(objectives)}, context, post.crew, turn)
        answer = post.part.review(briefing)
        review = checked("objective_manager", answer, ObjectiveReview)
        manager = update_objectives(
            objectives,
            known,
            turn,
            discovered=review.discovered,
            promoted=review.promoted,
            completed=review.completed,
            merged=review.merged,
            dropped=review.dropped,
        )
        objectives, changes = manager.objectives, [*changes, *manager.changes]
    objectives = with_plans(objectives, known)
    return {"objectives": list(objectives), "objective_changes": list(changes)}


def reviewed(state: State, views: Views) -> ObjectiveManager:
    """The objectives of the coming turn, with what the actor and the world say of them."""
    last = state.get("proposal")
    return update_objectives(
        still_wanted(state),
        knowledge_of(state, views),
        state["turn"] + 1,
        declared=last.response.new_objective if last else None,
        achieved=last.response.complete_objective if last else None,
        given_up=last.response.drop_objective if last else None,
    )


def mode(state: State, context: Context, post: Post) -> Update:
    """What the agent is about in the coming turn; an oracle is asked where there is a choice."""
    known, objectives = knowledge_of(state, context.views), state.get("objectives", ())
    beliefs = outlook_of(state).beliefs
    now = Circumstances(state["turn"], context.views.scene(known), beliefs, objectives)

    def choose(undecided: Mode) -> PlayMode:
        briefing = brief({**state, "mode": undecided}, context, post.crew, state["turn"] + 1)
        return choice_of_mode(post.crew.oracle, briefing) or undecided.options[0]

    asks = context.mind.modes and post.crew.oracle is not None
    return {"mode": advance(current_mode(state), now, choose if asks else None)}


def planner(state: State, context: Context, post: Post) -> Update:
    """Make and value the options of the coming turn."""
    known = knowledge_of(state, context.views)
    mode = current_mode(state).state.value if context.mind.modes else ""
    stance = context.stance._replace(mode=mode, profile=post.crew.profile)
    scene = context.views.scene(known)
    ranked = rank(scene.seen_by(state.get("objectives", ()), stance, outlook_of(state).beliefs))
    return {"options": list(ranked.options), "frontier": ranked.frontier}


def oracle(state: State, context: Context, post: Post) -> Update:
    """Ask the oracle what it makes of the situation, if its answer is worth the price."""
    briefing = brief(state, context, post.crew, state["turn"] + 1)
    deliberation = deliberate(
        briefing.reliability,
        briefing.advice_rates,
        _to_exceed(briefing.options),
        briefing.beliefs,
        briefing.advice,
        post.crew.tariff,
        risky=in_peril(briefing.options),
    )
    if not deliberation.ask:
        return {}
    advice = consult(post.part, briefing, deliberation)
    if briefing.reliability.is_ineffective(advice.understanding.recommended_action):
        advice = consult(post.part, replace(briefing, advice=advice), deliberation)
    return {"advice": advice}


def _to_exceed(options: Sequence[Option]) -> float:
    """The value of the best option; of the best reply to a question, its lead.

    That a question is to be answered does not tell which answer is the right one.
    """
    if not options:
        return 0.0
    best, *others = sorted(options, key=lambda one: -one.value)
    rivals = [one.value for one in others if one.kind == REPLY == best.kind]
    return best.value - max(rivals, default=0.0)


def actor(state: State, context: Context, post: Post) -> Update:
    """Propose a command; asked again when the critic objects."""
    briefing = brief(state, context, post.crew, state["turn"] + 1)
    again = way_on(state["score"], context.after_end)
    proposal = going_on(briefing.turn, again) if again else carried_on(state, briefing)
    if proposal is None:
        response = checked("actor", post.part.propose(briefing), AgentResponse)
        proposal = proposed(briefing, response, split=getattr(post.part, "splits", True))
    return {"proposal": proposal}


def critic(state: State, context: Context, post: Post) -> Update:
    """Accept the proposal or object to it; one that cannot tell is seldom asked."""
    if post.part is None:
        raise RoleError("the critic is switched off, and its node is in the graph all the same")
    briefing = brief(state, context, post.crew, state["turn"] + 1)
    if way_on(state["score"], context.after_end) or not briefing.asks_critic(CRITIC):
        return {}
    verdict = checked("critic", post.part.judge(briefing), Ruling)
    judgement = Judgement(
        turn=briefing.turn,
        attempt=state["proposal"].attempt,
        command=state["proposal"].command,
        verdict=verdict,
        heeded=verdict.accept or briefing.heeds_critic(verdict.source),
    )
    return {"judgements": [*current_judgements(state), judgement]}


def approval(state: State, context: Context, _post: Post) -> Update:
    """Ask a person; the episode waits here, in another process too if need be.

    Nobody is asked how a story that has ended goes on: the graph says that.
    """
    proposal = state["proposal"]
    if way_on(state["score"], context.after_end):
        answer = Approval(by="")
    else:
        answer = _approved(Question(
            turn=proposal.turn, command=proposal.command, thinking=proposal.response.thinking
        ))  # fmt: skip
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


def _approved(question: Question) -> Approval:
    """The person's answer; one that is none is kept by LangGraph for good, so we ask again."""
    while True:
        try:
            return checked("person", interrupt(question.model_dump()), Approval)
        except RoleError as error:
            question = question.model_copy(update={"fault": str(error)})


def _failed(extraction: TurnExtraction) -> bool:
    return extraction.died or extraction.action_result.result == "failure"


def _opening(step: Step) -> Update:
    return {
        "turn": 0,
        "command": "",
        "observation": step.observation,
        "snapshot": step.snapshot,
        "before": [],
        "score": Score(last=step.tally, best=step.tally.score, tried=step.tally.tried),
        "transcript": extended(Mark(), None, step.observation.text),
        "history": [told(State(), 0, "", step.observation)],
    }


def told(state: State, turn: int, command: str, observation: Observation) -> list[str | int | None]:
    """A row of the history: a command and the game's reply to it."""
    room = state["map"]["here"] if turn and "map" in state else ""
    return [*Exchange(turn, command, observation.text, observation.score, room)]


def _added(score: Score, step: Step, again: str, line: Line) -> Score:
    return Score(
        last=step.tally,
        line=line,
        best=max(score.best, step.tally.score),
        deaths=score.deaths + step.tally.died,
        faults=score.faults + bool(step.observation.fault),
        tried=score.tried + step.tally.tried,
        undone=score.undone + (again == UNDO),
        restarts=score.restarts + (again == RESTART),
        again=again,
    )
