"""What the agent believes after a turn, how far it trusts its oracle, and what it expects."""

from __future__ import annotations

from typing import Any, NamedTuple

from environments.game import Observation
from managers.beliefs import (
    MOST_ACTIONS,
    MOST_OBSERVATIONS,
    AgentBeliefs,
    BeliefUpdater,
    FailureAnalysis,
    shortened,
    unblocked,
)
from managers.credit import Answered, judge
from managers.deliberation import Advice
from managers.evidence import Evidence, new_items, new_room, objectives_done, reply_kind
from managers.extraction import TurnExtraction
from managers.knowledge import Knowledge
from managers.objectives import Objective
from managers.promise import idea_of
from managers.reading import Reading
from managers.reliability import OracleReliability
from managers.statements import same_command
from managers.suggestions import suggested, value_of
from managers.transitions import DynamicsModel

_IDLE = frozenset({"unknown_word", "unknown_verb", "pointless"})
"""Reasons for a failure that hold anywhere."""
_REPLIES = frozenset({"yes", "no"})
"""What is said to a question does nothing by itself."""


class Outlook(NamedTuple):
    """Three state fields that the learner writes."""

    beliefs: AgentBeliefs
    reliability: dict[str, Any]
    transitions: dict[str, Any]

    @classmethod
    def new(cls) -> Outlook:
        """Before the first word of the story."""
        return cls(AgentBeliefs(), OracleReliability().data, DynamicsModel().data)


class Experience(NamedTuple):
    """One turn with everything that is known about it."""

    turn: int
    command: str
    """What was played; empty at the opening."""
    observation: Observation
    extraction: TurnExtraction
    before: Knowledge
    after: Knowledge
    objectives: tuple[Objective, ...]
    """As they were when the command was chosen."""
    advice: Advice | None
    """The oracle's answer of this turn, if it was asked."""
    expected: float = 0.0
    """The utility that the planner saw in the command."""
    planned: tuple[str, ...] = ()
    """The commands of the planner's candidates."""


def reflect(outlook: Outlook, experience: Experience) -> Outlook:
    """The outlook after one more turn; what it got stays as it was."""
    model = DynamicsModel(outlook.transitions)
    reliability = OracleReliability(outlook.reliability, experience.turn)
    beliefs = _advised(outlook.beliefs, experience, reliability)
    evidence = _evidence(beliefs, experience, model)
    if experience.command:
        _judge(reliability, experience, evidence, beliefs)
        _observe(model, beliefs, experience, evidence)
        _review(model, beliefs, experience, reliability)
        beliefs = _revised(beliefs, experience, evidence, reliability)
    return Outlook(_present(beliefs, experience, model), reliability.data, model.data)


def _advised(
    beliefs: AgentBeliefs, experience: Experience, reliability: OracleReliability
) -> AgentBeliefs:
    """The beliefs with what the oracle said before the command was chosen."""
    advice = experience.advice
    if advice is None:
        return beliefs
    updater = BeliefUpdater(reliability)
    if advice.failure is not None and beliefs.action_history:
        action = beliefs.action_history[-1]
        beliefs = updater.update_from_failure_analysis(beliefs, action, advice.failure)
    if advice.progress is not None:
        beliefs = updater.update_from_progress(beliefs, advice.progress)
    beliefs = updater.update_from_understanding(beliefs, advice.understanding)
    return beliefs.model_copy(update={"tracked_state": {**beliefs.tracked_state, **advice.state}})


def _evidence(beliefs: AgentBeliefs, experience: Experience, model: DynamicsModel) -> Evidence:
    before, after, extraction = experience.before, experience.after, experience.extraction
    place = f"{experience.command} in {beliefs.location}"
    result = extraction.action_result.result
    worked, did = result != "failure", result in ("success", "partial")
    found = len(after.world["objects"]) > len(before.world["objects"])
    kind = reply_kind(experience.command, experience.observation.text, extraction)
    return Evidence(
        scored=int(after.dynamics["score"]) - int(before.dynamics["score"]),
        room=new_room(after),
        items=new_items(before, after),
        reply=kind is not None and model.is_new_reply(kind, experience.turn) and (did or found),
        objectives=objectives_done(experience.objectives, after),
        unblocked=place if worked and place == beliefs.blocked_action else "",
        died=extraction.died,
    )


def _judge(
    reliability: OracleReliability,
    experience: Experience,
    evidence: Evidence,
    beliefs: AgentBeliefs,
) -> None:
    understanding = experience.advice.understanding if experience.advice else None
    told = understanding.recommended_action if understanding else None
    refuted = False
    if told:
        world = experience.before.world_view
        refuted = world.failed(told, experience.before.map["here"]) is not None
    action = experience.extraction.action_result
    result = action.result
    vague = idea_of(experience.command, planned=False) == "vague"
    vague = vague and experience.command not in _REPLIES
    moved = experience.before.map["here"] != experience.after.map["here"]
    answered = Answered(
        experience.turn,
        experience.command,
        understanding,
        evidence,
        changed=moved or result in ("success", "partial"),
        refuted=refuted,
        expected=experience.expected,
        idle=action.reason in _IDLE or (result == "unknown" and vague),
        planned=any(same_command(told, one) for one in experience.planned) if told else False,
    )
    judge(reliability, answered, beliefs)


def _observe(
    model: DynamicsModel, beliefs: AgentBeliefs, experience: Experience, evidence: Evidence
) -> None:
    outcome = outcome_of(experience.extraction, experience.before, experience.after)
    model.observe(beliefs, experience.command, outcome, float(evidence.scored))


def outcome_of(extraction: TurnExtraction, before: Knowledge, after: Knowledge) -> str:
    """The next state and the kind of result, as the dynamics model counts them."""
    if extraction.died:
        return "death"
    if before.map["here"] != after.map["here"]:
        return f"to {after.map['here']}"
    result = extraction.action_result
    return f"{result.result}: {result.reason}" if result.reason else result.result


def _review(
    model: DynamicsModel,
    beliefs: AgentBeliefs,
    experience: Experience,
    reliability: OracleReliability,
) -> None:
    """Ask for variables where the state explains too little; judge those on trial."""
    turn = experience.turn
    if model.contradiction(beliefs, experience.command) is not None:
        names = suggested(experience.command, experience.before.world_view)
        model.propose(dict.fromkeys(names, "rules"), turn)
    advice = experience.advice
    if advice is not None:
        told = (*advice.variables, *advice.understanding.important_state_variables)
        model.propose(dict.fromkeys(told, "oracle"), turn)
    for verdict in model.review(turn):
        if verdict.source == "oracle":
            reliability.update_variable(verdict.useful)


def _revised(
    beliefs: AgentBeliefs,
    experience: Experience,
    evidence: Evidence,
    reliability: OracleReliability,
) -> AgentBeliefs:
    """The beliefs with what the reply shows: first the game's own word, then a model's reading."""
    beliefs = beliefs.model_copy(update={"turn": experience.turn})
    game, command, extraction = BeliefUpdater(), experience.command, experience.extraction
    if evidence.unblocked:
        beliefs = unblocked(beliefs)
    beliefs = game.update_from_progress(beliefs, evidence.report())
    if evidence.helped:
        beliefs = beliefs.model_copy(update={"last_progress": experience.turn})
    result = extraction.action_result
    if result.result == "failure":
        failure = FailureAnalysis(
            failure_reason=result.reason.replace("_", " ") or "no reason given",
            prerequisite=result.prerequisite or None,
        )
        beliefs = game.update_from_failure_analysis(beliefs, command, failure)
    if isinstance(extraction, Reading):
        updater = BeliefUpdater(reliability)
        if extraction.failure is not None:
            beliefs = updater.update_from_failure_analysis(beliefs, command, extraction.failure)
        if extraction.progress is not None:
            beliefs = updater.update_from_progress(beliefs, extraction.progress)
    return beliefs


def _present(beliefs: AgentBeliefs, experience: Experience, model: DynamicsModel) -> AgentBeliefs:
    """Place, belongings, histories, and the tracked variables as they are now."""
    world, map_ = experience.after.world_view, experience.after.map
    here = map_["here"]
    told = experience.extraction.state if isinstance(experience.extraction, Reading) else {}
    tracked = {name: told.get(name) or value_of(name, world) for name in model.tracked}
    changes: dict[str, Any] = {
        "turn": experience.turn,
        "inventory": tuple(thing.name for thing in world.inventory()),
        "tracked_state": tracked,
        "observation_history": shortened(
            beliefs.observation_history, experience.observation.text, MOST_OBSERVATIONS
        ),
    }
    if here:
        changes["location"] = f"{here} {map_['rooms'][here]['title']}".strip()
    if experience.command:
        changes["action_history"] = shortened(
            beliefs.action_history, experience.command, MOST_ACTIONS
        )
    return beliefs.model_copy(update=changes)
