"""The briefing of a turn, made of the state."""

from __future__ import annotations

from collections.abc import Sequence

from agents.briefing import Bid, Briefing, Standing
from agents.shown.offers import offers
from managers.belief.calibration import CriticCalibration
from managers.belief.dynamics import DynamicsModel
from managers.belief.ratings import Ratings, Worth
from managers.belief.reliability import OracleReliability
from managers.core.selection import with_recommended, with_suggested
from managers.core.value import EVEN, Profile, profiles
from managers.language.actions import canonical
from managers.language.history import History
from managers.language.reading import Reading
from managers.world.knowledge import Knowledge
from managers.world.queries import NOTE
from orchestrator.state import State
from orchestrator.turns.context import Bounds, Context, Crew, Views
from orchestrator.turns.current import (
    current_mode,
    current_proposals,
    knowledge_of,
    objections,
    outlook_of,
)

NO_BOUNDS = Bounds()


def brief(state: State, context: Context, crew: Crew, turn: int) -> Briefing:
    """The situation of a turn as the roles see it."""
    knowledge, profile = context.recalled.knowledge, profiles()[crew.profile]
    return briefing(
        state, context.agent_seed, context.views, turn, knowledge, profile, context.bounds,
        crew.shown,
    )  # fmt: skip


def briefing(
    state: State,
    seed: int,
    views: Views,
    turn: int,
    recalled: Knowledge | None = None,
    profile: Profile | None = None,
    bounds: Bounds = NO_BOUNDS,
    shown: Sequence[str] = (),
) -> Briefing:
    """The same, for those who have no running episode.

    `seed` is the agent's; `shown` are fields of the graph's own that the roles see.
    """
    known = knowledge_of(state, views, recalled)
    proposal = state.get("proposal")
    current = proposal if proposal is not None and proposal.turn == state["turn"] + 1 else None
    extraction = state.get("extraction")
    outlook, advice = outlook_of(state), state.get("advice")
    current_extraction = extraction if extraction and extraction.turn == state["turn"] else None
    told = advice.understanding if advice and advice.turn == turn else None
    read = current_extraction if isinstance(current_extraction, Reading) else None
    analysed = advice.failure if advice and told else None
    suggested = read.suggestion if read else analysed.suggested_action if analysed else None
    options = with_suggested(with_recommended(state.get("options", ()), told), suggested)
    situation, history = views.situation(known), History(state.get("history"))
    ratings = state.get("ratings") or Ratings()
    for idea in ratings.ideas.get(known.here, ()):
        if canonical(idea) not in situation.tried:
            worth = outlook.reliability.ratings.get("idea") or Worth()
            options = with_suggested(options, idea, "a model would type it", worth.of_idea)
    return Briefing(
        turn=turn,
        seed=seed,
        command=state["command"],
        observation=state["observation"],
        extraction=current_extraction,
        situation=situation,
        recent=tuple(state.get("recent", ())),
        objectives=tuple(state.get("objectives", ())),
        options=options,
        offers=offers(options, views.scene(known), history, _wishes(state), suggested),
        history=history,
        standing=standing(state, bounds, history),
        notes=known.board.of(NOTE)[::-1],
        beliefs=outlook.beliefs,
        advice=advice,
        ratings=ratings,
        reliability=OracleReliability(outlook.reliability, turn),
        calibration=CriticCalibration(state.get("calibration")),
        mode=current_mode(state),
        profile=profile or profiles()[EVEN],
        dynamics=DynamicsModel(outlook.dynamics),
        map=known.map_view,
        world=known.world_view,
        issues=views.issues(known),
        objections=objections(state),
        proposal=current.response if current else None,
        shown={name: dict(state)[name] for name in shown if name in state},
        item=state["item"].content if "item" in state else None,
        proposals=tuple(
            Bid(command=one.command, thinking=one.response.thinking)
            for one in current_proposals(state)
        ),
    )


def _wishes(state: State) -> list[str]:
    return [one.text for one in state.get("objectives", ()) if one.status == "active"]


def standing(state: State, bounds: Bounds, history: History) -> Standing:
    """How the play goes: what the game has told of the score, and how far it can go."""
    told = state["score"].last.max_score
    return Standing(
        history,
        maximum=bounds.score if told is None else told,
        left=None if bounds.steps is None else bounds.steps - state["turn"],
    )
