import io
import sys
from dataclasses import replace

import pytest

from agents.actor import HumanActor, PlayerLeft, RandomActor, WalkthroughActor
from agents.answers import AgentResponse, NewObjective
from agents.bayesian import BayesianActor
from agents.briefing import Briefing, Objection
from agents.critic import RuleCritic
from agents.objective_manager import RuleObjectiveManager
from agents.pursuit import Pursuit, PursuitStand
from agents.shown.situation import Sight, Situation
from environments.game import Observation
from managers.core.option import Option
from managers.language.history import History
from managers.planning.goals import Goal
from orchestrator.turns.proposing import carried_on, proposed
from tests.managers.replies import read

HALL = {"place": "L1 Hall", "exits": {"east": "L2 Yard"}, "options": ("east", "wait")}


def option(command, value, *, kind="take", route=None, objective=None):
    return Option(
        command=command,
        kind=kind,
        purpose=f"{command} in L1 Hall: have it",
        probability=0.8,
        value=value,
        route=route or (command,),
        room="L4" if route else "L1",
        objective=objective,
    )


@pytest.fixture
def briefing() -> Briefing:
    return Briefing(
        turn=3,
        seed=5,
        command="look",
        observation=Observation(text="Hall\nA hall."),
        extraction=None,
        situation=Situation(**HALL),
        recent=(),
        objectives=(),
        options=(option("take lamp", 3.0), option("north", 2.0, kind="exit")),
    )


def test_the_agent_plays_the_best_that_nobody_objected_to(briefing):
    assert BayesianActor().propose(briefing).action == "take lamp"
    objected = replace(briefing, objections=(Objection(command="take lamp", reason="no"),))
    assert BayesianActor().propose(objected).action == "north"


def test_a_way_is_said_in_full_where_the_game_asks_for_the_rest_of_a_command(briefing):
    asked = read("push", "What do you want to push?")
    ways = option("north", 2.0, kind="exit"), option("in", 1.0, kind="exit")
    said = replace(briefing, extraction=asked, options=ways)
    assert BayesianActor().propose(said).action == "go north"
    objected = replace(said, objections=(Objection(command="go north", reason="no"),))
    assert BayesianActor().propose(objected).action == "in"  # It is a verb.


def test_the_agent_looks_where_it_knows_nothing_better(briefing):
    assert BayesianActor().propose(replace(briefing, options=())).action == "look"


def test_the_agent_says_where_it_is_and_why(briefing):
    thinking = BayesianActor().propose(briefing).thinking
    assert "Hall" in thinking
    assert "take lamp" in thinking


def test_a_plan_of_several_turns_is_declared(briefing):
    far = option("east", 4.0, route=("east", "up", "take crown"))
    response = BayesianActor().propose(replace(briefing, options=(far,)))
    goal = Goal(kind="do", thing="take crown", place="L4")
    assert response.new_objective == NewObjective(text="take crown in L4", goal=goal)
    assert BayesianActor(declare_from=4).propose(
        replace(briefing, options=(far,))
    ) == response.model_copy(update={"new_objective": None})


def test_a_plan_that_serves_an_objective_becomes_its_part(briefing):
    far = option("east", 4.0, route=("east", "up", "take key"), objective="O2")
    response = BayesianActor().propose(replace(briefing, options=(far,)))
    assert response.new_objective == NewObjective(
        text="take key in L4", parent="O2", goal=Goal(kind="do", thing="take key", place="L4")
    )


def test_random_choices_are_options_and_repeatable(briefing):
    choices = {RandomActor().propose(replace(briefing, turn=turn)).action for turn in range(1, 30)}
    assert choices == {"east", "wait"}
    assert RandomActor().propose(briefing) == RandomActor().propose(briefing)


def test_a_walkthrough_is_replayed_by_turn_and_ends(tmp_path, briefing):
    file = tmp_path / "walk.txt"
    file.write_bytes(b"north\r\n\n\xff\x00odd\nUp")
    actor = WalkthroughActor(commands=file)
    played = [actor.propose(replace(briefing, turn=turn)).action for turn in (1, 2, 3)]
    assert played == ["north", "\ufffd\x00odd", "Up"]
    with pytest.raises(PlayerLeft, match="after 3 commands"):
        actor.propose(replace(briefing, turn=4))


def test_a_missing_walkthrough_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        WalkthroughActor(commands=tmp_path / "nowhere.txt")


def test_a_person_types_until_the_input_ends(monkeypatch, briefing):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n  Open Door \n"))
    actor = HumanActor()
    assert actor.propose(briefing).action == "Open Door"
    with pytest.raises(PlayerLeft):
        actor.propose(briefing)


def test_enter_is_a_key_where_the_story_waits_for_one(monkeypatch, briefing):
    waiting = replace(briefing, observation=Observation(text="[Press a key]", awaiting="key"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert HumanActor().propose(waiting).action == "enter"


def propose(briefing: Briefing, action: str) -> Briefing:
    return replace(briefing, proposal=AgentResponse(thinking="", action=action))


def test_the_critic_accepts_what_nothing_speaks_against(briefing):
    assert RuleCritic().judge(propose(briefing, "east")).accept


def refused(briefing: Briefing, *more: str) -> Briefing:
    """The way north was refused in turn 2; these replies came after it."""
    situation = Situation(**HALL, tried={"north": {"refused": 1, "since": 2, "turn": 2}})
    replies = ("Hall\nA hall.", "There is no way north.", *more)
    history = History([[n, "x", reply, None, "L1"] for n, reply in enumerate(replies, 1)])
    turn = 1 + len(replies)
    return replace(briefing, situation=situation, history=history, turn=turn)


@pytest.mark.parametrize(
    ("more", "accepted"),
    [((), False), (("Hall\nA hall.",), False), (("A door opens.",), True)],
    ids=["at once", "nothing new", "something new"],
)
def test_the_critic_objects_to_what_was_refused_while_nothing_new_is_said(briefing, more, accepted):
    asked = refused(briefing, *more)
    line = AgentResponse(thinking="", action="n, take ruby")
    proposal = proposed(asked, line, split=True)
    assert (proposal.command, proposal.pending) == ("n", ("take ruby",))
    verdict = RuleCritic().judge(replace(asked, proposal=proposal.response))
    assert verdict.accept == accepted
    assert accepted or "in turn 2 it brought 'There is no way north.'" in verdict.reason
    objected = replace(asked, objections=(Objection(command="n", reason="no way"),))
    assert carried_on({"proposal": proposal, "turn": proposal.turn}, objected) is None


def test_the_critic_lets_a_refused_command_be_tried_again_after_a_change(briefing):
    asked = refused(briefing)
    tried = asked.situation.tried
    changed = replace(asked, situation=Situation(**HALL, tried=tried, changed=3))
    assert not RuleCritic().judge(propose(asked, "north")).accept
    assert RuleCritic().judge(propose(changed, "north")).accept


def test_the_critic_objects_to_deadly_commands(briefing):
    situation = Situation(**HALL, dangers={"jump": 0.6})
    deadly = propose(replace(briefing, situation=situation), "jump")
    assert not RuleCritic().judge(deadly).accept
    assert RuleCritic(danger=0.9).judge(deadly).accept


@pytest.mark.parametrize("command", ["north", "n", "go north", "get the idol"])
def test_the_critic_knows_a_deadly_command_in_whatever_form(briefing, command):
    situation = Situation(**HALL, dangers={"north": 0.9, "take idol": 0.9})
    assert not RuleCritic().judge(propose(replace(briefing, situation=situation), command)).accept


def test_a_place_where_the_walkthrough_waits_is_waited_at_in_whatever_form(briefing):
    stand = PursuitStand(2, "", trouble=4)
    for wait in ("wait", "z", "Wait "):
        assert Pursuit([wait, "take crown"]).advice(stand, briefing) == "wait"


def test_treasures_and_regions_become_objectives(briefing):
    situation = Situation(
        **HALL,
        precious=(Sight(name="crown", place="L4 Vault"),),
        unexplored={"L2 Yard": 3, "L5 Lane": 1},
    )
    due = replace(briefing, situation=situation, turn=10)
    texts = [new.text for new in RuleObjectiveManager(every=10).review(due).discovered]
    assert texts == ["take the crown from L4 Vault", "explore L2 Yard"]
    assert RuleObjectiveManager(every=7).review(due).discovered == ()


def test_a_critic_that_objects_once_leaves_walls_to_the_notes(briefing):
    critic = RuleCritic(once=True)
    assert critic.judge(propose(refused(briefing), "north")).accept
    deadly = replace(briefing, situation=Situation(**HALL, dangers={"jump": 0.9}))
    assert not critic.judge(propose(deadly, "jump")).accept
    heard = replace(deadly, objections=(Objection(command="jump", reason="no"),))
    assert critic.judge(propose(heard, "jump")).accept
