"""Briefings to try prompts and roles on, without a game."""

from __future__ import annotations

from typing import Any

from agents.answers import AgentResponse
from agents.briefing import Bid, Briefing, Objection, RecentTurn, Standing
from agents.council import Cause
from agents.shown.situation import OpenWays, Sight, Situation
from environments.game import Observation
from managers.belief.beliefs import AgentBeliefs
from managers.belief.deliberation import Advice, Deliberation
from managers.belief.dynamics import DynamicsModel
from managers.belief.reliability import OracleReliability
from managers.core.mode import Mode, PlayMode
from managers.core.option import Option
from managers.core.value import profiles
from managers.language.history import History, HistoryData
from managers.language.reading import ActionResult, SituationUnderstanding, TurnExtraction
from managers.planning.issues import Enriched, open_issues
from managers.planning.objectives import Objective
from managers.planning.world_model import PlanStep, World
from managers.world.facts import Fact
from managers.world.map import Map

_SITUATION: dict[str, Any] = dict(
    place="L2 Cellar",
    dark=True,
    inside="barrel",
    walked={"up": "L1 Kitchen", "north": "L3 Vault"},
    untried=("east", "down", "south (perhaps back to L1 Kitchen)"),
    inventory=("lamp", "rusty key"),
    listed=9,
    carried=("lamp", "rusty key"),
    things=("chest", "rat"),
    visible=("chest", "rat"),
    tried={"open chest": {"refused": 1, "since": 11, "turn": 11}, "up": {"worked": 1}},
    dangers={"attack rat": 0.25},
    options=("look", "open chest"),
    lying=("crown in L3 Vault (turn 6)",),
    precious=(Sight(name="crown", place="L3 Vault"),),
    locked=(Sight(name="chest", place="L2 Cellar"),),
    home="L1 Kitchen",
    told=("Treasures score in: L1 Kitchen", "Dark: L5 Mine"),
    unexplored={"L1 Kitchen": 2},
    elsewhere=(OpenWays(place="L1 Kitchen", ways=("west",), route="`up`"),),
    notes=("Something drips in the dark.",),
)


def situation(**told: Any) -> Situation:
    """The cellar, some parts told otherwise."""
    return Situation(**{**_SITUATION, **told})


BELIEFS = AgentBeliefs(
    turn=11,
    location="L2 Cellar",
    inventory=("lamp",),
    overall_goal="find the crown",
    current_subgoal="open the chest",
    accomplished=("found the cellar",),
    blocking_condition="the chest is locked",
    tracked_state={"lever_is_oiled": "false"},
)
ADVICE = Advice(
    turn=12,
    deliberation=Deliberation(worth=1.0, price=0.25),
    number=1,
    understanding=SituationUnderstanding(
        recommended_action="unlock chest with key",
        action_reasoning="The key may fit.",
        alternative_actions=("up",),
        blocking_reason="It holds the crown.",
    ),
)


PLAN = (
    PlanStep(command="take rusty key", room="L1", confidence=0.9),
    PlanStep(command="unlock chest with key", room="L2", confidence=0.3, hypothesis="H1"),
)


def world() -> World:
    """A rusty key in the hand, a locked chest in the cellar."""
    known = World()
    known.data["room"] = "L2"
    chest = known.add("chest", "L2", "listed", 1.0)
    known.set_state(chest, "locked", True)
    known.add("rusty key", "inventory", "listed", 1.0)
    known.add_hypothesis("rusty_key", "unlocks", "chest", 0.4, "the rusty key may fit the chest")
    return known


def issues() -> tuple[Enriched, ...]:
    """What that world calls for."""
    return open_issues(world(), Map())


def briefing(**changes: Any) -> Briefing:
    """A turn in the middle of a game, every field filled."""
    reliability = OracleReliability()
    for helped in (True, True, False):
        reliability.update_recommendation(helped)
    dynamics = DynamicsModel()
    for outcome in ("success", "failure", "success", "failure"):
        dynamics.observe(BELIEFS, "push lever", outcome, 0.0)
    dynamics.propose(["lever_is_oiled"], "oracle")
    fields: dict[str, Any] = {
        "turn": 12,
        "seed": 3,
        "command": "open chest",
        "observation": Observation(text="It is locked.\nThe rat looks at you.", score=5),
        "extraction": TurnExtraction(
            turn=11,
            action_result=ActionResult(action="open chest", result="failure", reason="locked"),
        ),
        "situation": situation(),
        "recent": (
            RecentTurn(
                turn=10, room="L1 Kitchen", command="down", reply="Cellar. Dank.", result="success"
            ),
            RecentTurn(
                turn=11, room="L2 Cellar", command="open chest", reply="Locked.", result="failure"
            ),
        ),
        "objectives": (
            Objective(id="O1", text="open the chest in L2", source="agent", priority=7, plan=PLAN),
            Objective(id="O2", text="fetch the crown", source="discovery", parent="O1"),
            Objective(id="O3", text="leave the house", source="agent", status="done"),
        ),
        "options": (
            Option(
                command="unlock chest with key",
                kind="unlock",
                purpose="open the chest",
                probability=0.6,
                value=2.0,
                objective="O1",
            ),
            Option(command="up", kind="exit", purpose="explore L1", probability=0.9, value=1.0),
        ),
        "notes": (
            Fact("A bell rings at noon.", "L1", value="N2a", turn=2),
            Fact("The cellar is dank.", value="N10a", turn=10),
        ),
        "beliefs": BELIEFS,
        "advice": ADVICE,
        "reliability": reliability,
        "mode": Mode(
            state=PlayMode.SOLVING,
            since=11,
            trigger="refusal",
            options=(PlayMode.SOLVING, PlayMode.PURSUING),
        ),
        "profile": profiles()["bold"],
        "dynamics": dynamics,
        "world": world(),
        "issues": issues(),
        "item": Cause(kind="objective", text="open the gate", about="O1"),
        "proposals": (
            Bid(command="east", thinking="Nobody went there."),
            Bid(command="open gate", thinking="It is unlocked."),
        ),
        "objections": (Objection(command="east", reason="it is a wall"),),
        "proposal": AgentResponse(thinking="The key may fit.", action="unlock chest with key"),
    }
    told = {**fields, **changes}
    told.setdefault("history", words(told["command"], told["observation"]))
    told.setdefault("standing", Standing(told["history"], maximum=20, left=88))
    told.setdefault("offers", [one.command for one in told["options"]])
    return Briefing(**told)


def words(command: str, observation: Observation) -> History:
    """The game's words so far, the last ones to a command; without one they open the story."""
    room = "L2" if command else ""
    last: HistoryData = [[11 if command else 0, command, observation.text, observation.score, room]]
    before: HistoryData = [
        [8, "", "Kitchen\nA kitchen.", 0],
        [9, "inventory", "You have:\n  a lamp (lit)\n  a coin", 0, "L1"],
        [10, "down", "Cellar. Dank.", 5, "L1"],
    ]
    return History([*before, *last] if command else last)
