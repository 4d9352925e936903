"""Briefings to try prompts and roles on, without a game."""

from __future__ import annotations

from typing import Any

from agents.answers import AgentResponse
from agents.briefing import Briefing, Objection, RecentTurn
from environments.game import Observation
from managers.candidates import Candidate
from managers.extraction import ActionResult, TurnExtraction
from managers.objectives import Objective
from managers.situation import Sight, Situation

SITUATION = Situation(
    place="L2 Cellar",
    dark=True,
    inside="barrel",
    exits={"up": "L1 Kitchen", "north": "L3 Vault"},
    untried=("east", "down"),
    inventory=("lamp", "rusty key"),
    things=("chest", "rat"),
    failures={"open chest": "locked", "west": ""},
    dangers={"attack rat": 0.25},
    options=("look", "open chest"),
    precious=(Sight(name="crown", place="L3 Vault"),),
    locked=(Sight(name="chest", place="L2 Cellar"),),
    home="L1 Kitchen",
    dark_places=("L5 Mine",),
    unexplored={"L1 Kitchen": 2},
)


def briefing(**changes: Any) -> Briefing:
    """A turn in the middle of a game, every field filled."""
    fields: dict[str, Any] = {
        "turn": 12,
        "seed": 3,
        "command": "open chest",
        "observation": Observation(text="It is locked.\nThe rat looks at you.", score=5),
        "extraction": TurnExtraction(
            turn=11,
            action_result=ActionResult(action="open chest", result="failure", reason="locked"),
        ),
        "situation": SITUATION,
        "recent": (
            RecentTurn(
                turn=10, room="L1 Kitchen", command="down", reply="Cellar. Dank.", result="success"
            ),
            RecentTurn(
                turn=11, room="L2 Cellar", command="open chest", reply="Locked.", result="failure"
            ),
        ),
        "objectives": (
            Objective(id="O1", text="open the chest in L2", source="agent", priority=7),
            Objective(id="O2", text="fetch the crown", source="discovery", parent="O1"),
            Objective(id="O3", text="leave the house", source="agent", status="done"),
        ),
        "candidates": (
            Candidate(
                command="unlock chest with key",
                kind="unlock",
                purpose="open the chest",
                probability=0.6,
                utility=2.0,
                objective="O1",
            ),
            Candidate(
                command="up", kind="exit", purpose="explore L1", probability=0.9, utility=1.0
            ),
        ),
        "objections": (Objection(command="east", reason="it is a wall"),),
        "proposal": AgentResponse(thinking="The key may fit.", action="unlock chest with key"),
    }
    return Briefing(**{**fields, **changes})
