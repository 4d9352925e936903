from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.answers import AgentResponse, Completion, Merging, NewObjective, Ruling, Verdict
from agents.bayesian import BayesianActor
from agents.briefing import Briefing, Objection, Standing
from agents.council import ChoiceNotes, PleaNotes
from agents.llm_actor import LLMActor
from agents.llm_critic import LLMCritic
from agents.llm_extractor import LLMExtractor, ReplyNotes, as_reading
from agents.llm_objective_manager import LLMObjectiveManager, ObjectiveNotes
from agents.models import ModelConfig, ModelError, ModelUnavailable
from agents.models.embedded import ScriptedModel
from agents.models.ledger import Ledger
from agents.objective_manager import RuleObjectiveManager
from agents.oracle import LLMOracle, SituationNotes
from agents.parsing import strict_schema
from agents.solo_actor import OwnNotes
from agents.structured import Asker
from environments.game import Observation
from managers.core.option import Option
from managers.language.history import History, HistoryData
from prompts import PromptError, render
from testing.fake_ollama import FAULTS, FakeOllama, random_faults
from tests.agents.asked import Asked
from tests.briefings import briefing, situation

MOVE = {"thinking": "Try it.", "action": "Open the chest.", "new_objective": None}
MOVE["complete_objective"] = None


def test_the_actor_plays_what_the_model_proposes() -> None:
    asked = Asked(MOVE)
    response = LLMActor(model=asked.model).propose(briefing())
    assert response == AgentResponse(thinking="Try it.", action="open the chest")
    roles = [role for role, _ in asked.questions[0].messages]
    assert roles == ["system", "user", *("assistant", "user") * 3]
    assert "`unlock chest with key`: " in asked.questions[0].messages[-1][1]
    assert asked.questions[0].title == "AgentResponse"


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ("find the key of the chest in L2", "find the key of the chest in L2"),
        ("null", None),
        ("", None),
        (
            {"text": "fetch the crown", "priority": 8, "parent": "O1"},
            NewObjective(text="fetch the crown", priority=8, parent="O1"),
        ),
        ({"text": "none", "priority": 8, "parent": None}, None),
    ],
)
def test_an_objective_that_says_nothing_is_none(declared: Any, taken: Any) -> None:
    model = ScriptedModel.of([{**MOVE, "new_objective": declared}])
    assert LLMActor(model=model).propose(briefing()).new_objective == taken


@pytest.mark.parametrize(("said", "taken"), [("O1", "O1"), ("o2", "O2"), ("O3", None), ("x", None)])
def test_only_an_active_objective_can_be_completed(said: str, taken: str | None) -> None:
    model = ScriptedModel.of([{**MOVE, "complete_objective": said}])
    assert LLMActor(model=model).propose(briefing()).complete_objective == taken


@pytest.mark.parametrize("action", ["", "   ", "'\"", "null", "x" * 200])
def test_an_action_that_is_no_command_is_asked_for_again(action: str) -> None:
    model = ScriptedModel.of([{**MOVE, "action": action}, MOVE])
    assert LLMActor(model=model).propose(briefing()).action == "open the chest"


def test_without_a_usable_answer_the_agents_own_actor_proposes_and_it_is_marked() -> None:
    situation = briefing()
    response = LLMActor(model=ScriptedModel.of(["nonsense", "nonsense"])).propose(situation)
    planned = BayesianActor().propose(situation)
    assert response.action == planned.action == "unlock chest with key"
    assert response.thinking.startswith("[no usable answer of the model: no_json] ")


def critic(answer: Any, **options: Any) -> tuple[LLMCritic, Asked]:
    asked = Asked(answer)
    return LLMCritic(model=asked.model, **options), asked


def proposing(action: str, **changes: Any) -> Any:
    return briefing(proposal=AgentResponse(thinking="Why not.", action=action), **changes)


OBJECTION = {"accept": False, "reason": "It is needed.", "confidence": 0.9}


@pytest.mark.parametrize(
    ("action", "accepted"),
    [("unlock chest with key", True), ("up", True), ("open chest", False), ("examine rat", True)],
)
def test_where_the_rules_are_sure_no_model_is_asked(action: str, accepted: bool) -> None:
    judge, asked = critic(OBJECTION)
    assert judge.judge(proposing(action)).accept is accepted
    assert not asked.questions


def test_what_cannot_be_undone_and_was_not_planned_needs_a_second_opinion() -> None:
    judge, asked = critic(OBJECTION)
    assert judge.judge(proposing("throw lamp")) == Ruling(**OBJECTION, source="model")
    assert "## The proposed command\n`throw lamp`" in asked.questions[0].messages[-1][1]


def test_what_the_agent_expects_to_work_does_not() -> None:
    judge, asked = critic(OBJECTION)
    sure = Option(command="throw key", kind="drop", purpose="", probability=0.9, value=1)
    assert judge.judge(proposing("throw key", options=(sure,))).accept
    unsure = sure.model_copy(update={"probability": 0.2})
    assert not judge.judge(proposing("throw key", options=(unsure,))).accept
    assert len(asked.questions) == 1


def test_a_weak_objection_of_the_rules_may_be_overruled() -> None:
    accepting = {"accept": True, "reason": "The lock is old.", "confidence": 0.8}
    judge, _ = critic(accepting, sure=0.95)
    assert judge.judge(proposing("open chest")) == Ruling(**accepting, source="model")


def test_a_weak_objection_of_the_model_does_not_count() -> None:
    judge, _ = critic({**OBJECTION, "confidence": 0.3})
    verdict = judge.judge(proposing("throw lamp"))
    assert verdict.accept
    assert verdict.reason == "accepted with a doubt: It is needed."
    assert verdict.confidence == pytest.approx(0.7)


def test_an_actor_that_insists_is_not_asked_about_again() -> None:
    judge, asked = critic(OBJECTION)
    for command in ("throw lamp", "open chest"):
        insisted = Objection(command=command, reason="It is needed.")
        assert judge.judge(proposing(command, objections=(insisted,))).accept
    assert not asked.questions


def test_what_chance_decides_may_be_tried_again() -> None:
    refused = {"refused": 1, "since": 11, "turn": 11}
    failed = situation(tried={"attack rat": refused, "push rat": refused}, dangers={})
    judge, asked = critic({"accept": True, "reason": "Luck may turn.", "confidence": 0.9})
    assert judge.judge(proposing("attack rat", situation=failed)).accept
    assert not judge.judge(proposing("push rat", situation=failed)).accept
    assert len(asked.questions) == 1


def test_without_a_usable_second_opinion_the_first_stands() -> None:
    judge, asked = critic({"accept": False, "reason": " ", "confidence": 1})
    assert judge.judge(proposing("throw lamp")).accept
    assert len(asked.questions) == 2


NOTES = {
    "discovered": [{"text": "feed the rat in L2", "priority": 4, "parent": "null"}],
    "promoted": [
        {"text": "unlock the chest in L2 with the rusty key", "priority": 8, "parent": "O2"}
    ],
    "completed": [
        {"id": "O1", "evidence": "The chest opens."},
        {"id": "O3", "evidence": "It was done long ago."},
    ],
    "dropped": ["O2", "O9"],
    "merged": [{"id": "O2", "into": "O1"}, {"id": "O1", "into": "O1"}, {"id": "O9", "into": "O1"}],
}


def test_the_objective_manager_adds_what_the_model_finds() -> None:
    manager = LLMObjectiveManager(
        model=ScriptedModel.of([NOTES]), news=0, rules=RuleObjectiveManager(every=1)
    )
    review = manager.review(briefing(turn=16))
    assert review.discovered == (NewObjective(text="feed the rat in L2", priority=4),)
    assert review.dropped == ("O2",)
    promoted = "unlock the chest in L2 with the rusty key"
    assert review.promoted == (NewObjective(text=promoted, priority=8, parent="O2"),)
    assert review.completed == (Completion(id="O1", evidence="The chest opens."),)
    assert review.merged == (Merging(id="O2", into="O1"),)


SCORED = History([[10, "look", "A cellar.", 0], [11, "open chest", "A coin!", 5]])
LETTER = " ".join(f"Come to mill {number} at midnight and bring the deed." for number in range(12))
PAGES = History([[page, "read", f"Page {page} of {'long ' * 18}book.", 0] for page in range(10)])


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (briefing(turn=1, command=""), 1),
        (briefing(), 0),
        (briefing(observation=Observation(text=LETTER)), 1),
        (briefing(history=PAGES), 1),
        (briefing(standing=Standing(SCORED)), 0),
        (briefing(observation=Observation(text=LETTER), standing=Standing(left=3)), 0),
        (briefing(observation=Observation(text="That was it.", ended=True)), 0),
    ],
    ids=[
        "opening",
        "nothing",
        "a long text",
        "much in many turns",
        "a score",
        "too late",
        "the end",
    ],
)
def test_the_model_is_asked_for_objectives_after_events(told: Briefing, asked: int) -> None:
    model = Asked(NOTES)
    LLMObjectiveManager(model=model.model).review(told)
    assert len(model.questions) == asked


def test_without_a_usable_answer_the_rules_review() -> None:
    bad = {**NOTES, "completed": [{"id": "O1", "evidence": ""}]}
    review = LLMObjectiveManager(model=ScriptedModel.of([bad, bad])).review(briefing(turn=1))
    assert review.completed == ()
    assert [new.text for new in review.discovered if "rat" in new.text] == []


def test_an_objective_that_is_too_long_is_told_how_long_it_may_be() -> None:
    asked = Asked({**NOTES, "discovered": [{"text": "feed the rat " * 30, "priority": 4}]})
    LLMObjectiveManager(model=asked.model).review(briefing(turn=1, command=""))
    _, again = asked.questions
    assert "has 390 letters, an objective at most 240" in str(again)


def test_an_actor_that_goes_round_in_a_circle_is_told_so_and_then_stood_in_for() -> None:
    told: HistoryData = [[0, "", "A cellar.", 0], [1, "open chest", "It is locked.", 0, "L2"]]
    round_again = briefing(history=History([*told, [2, "open chest", "It is locked.", 0, "L2"]]))
    asked = Asked(MOVE)
    response = LLMActor(model=asked.model).propose(round_again)
    assert response.action != "open chest"
    assert response.thinking.startswith("[no usable answer of the model: content]")
    assert "has just brought the same reply 2 times in a row" in str(asked.questions[1])
    other = briefing(history=History([*told, [2, "up", "No.", 0, "L2"]]))
    assert LLMActor(model=Asked(MOVE).model).propose(other).thinking == "Try it."


ROLES: dict[str, Callable[..., Any]] = {
    "actor": LLMActor,
    "critic": LLMCritic,
    "extractor": LLMExtractor,
    "objective_manager": LLMObjectiveManager,
    "oracle": LLMOracle,
}
METHODS = {
    "actor": "propose",
    "critic": "judge",
    "extractor": "extract",
    "objective_manager": "review",
    "oracle": "analyse_situation",
}


@pytest.mark.parametrize("role", ROLES)
def test_every_role_takes_a_model_by_name_table_or_object(role: str) -> None:
    for model in (
        "embedded:function:math:sqrt",
        {"model": "ollama:llama3.1:8b", "num_ctx": 4096},
        ModelConfig(),
        Asker(ScriptedModel.of([])),
    ):
        assert ROLES[role](model=model)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"model": "nosuch:x"}, "no provider 'nosuch'"),
        ({"model": {"model": "ollama:x", "num_cxt": 1}}, "did you mean 'num_ctx'"),
        ({"model": {"model": "ollama:x", "temperature": -1}}, "temperature"),
        ({"prompt": "acter"}, "did you mean 'actor'"),
    ],
)
def test_a_role_that_could_not_ask_is_refused_before_play(
    role: str, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises((ModelError, PromptError), match=complaint):
        ROLES[role](**options)


@pytest.mark.parametrize("role", [LLMObjectiveManager, LLMExtractor])
def test_news_of_less_than_nothing_are_refused(role: Any) -> None:
    with pytest.raises(ValueError, match="news = -1"):
        role(news=-1)


def test_a_users_own_prompt_is_used(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("What next after {{ command }}?", encoding="utf-8")
    asked = Asked(MOVE)
    LLMActor(model=asked.model, prompt=str(path)).propose(briefing())
    last = "> It is locked.\n> The rat looks at you.\n\nWhat next after open chest?"
    assert asked.questions[0].messages[-1] == ("user", last)


def test_the_fields_that_are_asked_for_are_explained_in_the_prompt() -> None:
    asked = {
        "actor": AgentResponse,
        "advocate": PleaNotes,
        "arbiter": ChoiceNotes,
        "critic": Verdict,
        "objectives": ObjectiveNotes,
        "reading": ReplyNotes,
        "situation": SituationNotes,
        "solo": OwnNotes,
    }
    for name, kind in asked.items():
        prompt = render(name, briefing())
        text = prompt.system + prompt.user
        asked_for = strict_schema(kind)["properties"]
        missing = [field for field in asked_for if f'"{field}"' not in text]
        assert not missing, f"{name}.md does not explain {missing}"


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(seed=4) as server:
        yield server


def test_made_up_answers_to_every_role_are_usable(fake: FakeOllama) -> None:
    ledger = Ledger()
    asker = Asker.of(ModelConfig(base_url=fake.base_url), ledger=ledger)
    proposal = AgentResponse(thinking="", action="throw lamp")
    told = briefing(turn=1, proposal=proposal, observation=Observation(text=LETTER))
    for role, make in ROLES.items():
        answer = getattr(make(model=asker), METHODS[role])(told)
        json.dumps(answer.model_dump())
    assert set(ledger.by_role()) == set(ROLES)
    assert sum(usage.failed for usage in ledger.by_role().values()) == 0
    assert not any(served.truncated for served in fake.served)


WAITING = {"slow", "stall", "drip"}


@pytest.mark.slow
def test_hundreds_of_faults_bring_an_answer_or_a_pause(fake: FakeOllama) -> None:
    faults = random_faults(0.5, 11, sorted(set(FAULTS) - WAITING))
    ledger, paused = Ledger(), []
    with FakeOllama(seed=4, faults=faults) as faulty:
        config = ModelConfig(base_url=faulty.base_url, backoff=0.0, retries=5)
        roles = {role: make(model=Asker.of(config, ledger=ledger)) for role, make in ROLES.items()}
        for turn in range(1, 101):
            proposal = AgentResponse(thinking="", action="throw lamp")
            situation = briefing(turn=turn, proposal=proposal, observation=Observation(text=LETTER))
            for role, made in roles.items():
                try:
                    assert getattr(made, METHODS[role])(situation) is not None
                except ModelUnavailable as outage:
                    paused.append((role, outage.role))
        seen = sum(bool(served.completion.fault) for served in faulty.served)
    counted = sum(sum(usage.faults.values()) for usage in ledger.by_role().values())
    assert seen > 300
    assert counted > seen / 2
    assert 0 < len(paused) < 100
    assert all(role == named for role, named in paused)


def test_what_a_reply_only_speaks_of_is_not_put_where_one_stands() -> None:
    told = [{"name": "key", "location": "here"}, {"name": "cabinet", "location": "unknown"}]
    objects = [{**one, "properties": [], "state": ["locked=true"]} for one in told]
    nothing = dict.fromkeys(("room", "prerequisite", "suggested_action", "accomplishment"))
    empty = dict.fromkeys(("failure_reason", "lesson"), "")
    lists: dict[str, list[str]] = {"changes": [], "new_information": [], "state": []}
    said = {**nothing, **empty, **lists, "objects": objects, "result": "success", "died": False}
    reading = as_reading(ReplyNotes.model_validate(said), briefing())
    assert [one.name for one in reading.objects_mentioned] == ["key"]
