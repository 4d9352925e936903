from __future__ import annotations

from typing import Any

import pytest

from agents.briefing import Briefing
from agents.llm_extractor import LLMExtractor
from agents.models import ModelConfig, ModelUnavailable
from agents.models.embedded import ScriptedModel
from agents.models.ledger import Ledger
from agents.oracle import LLMOracle
from agents.shown.offers import offers
from agents.shown.situation import Situation
from agents.structured import Asker
from environments.game import Observation
from managers.belief.beliefs import AgentBeliefs
from managers.core.learner import learn
from managers.core.mode import Circumstances, Mode, PlayMode, advance
from managers.core.ranking import rank
from managers.core.scene import Scene
from managers.language.history import History
from managers.language.reading import (
    FailureAnalysis,
    ProgressReport,
    Reading,
    RoomView,
    SituationUnderstanding,
)
from managers.planning.issues import world_issues
from managers.skills import all_skills
from testing.fake_ollama import FakeOllama
from tests.agents.asked import Asked
from tests.briefings import briefing
from tests.managers.replies import HALL, Story

READ = {
    "room": None,
    "objects": [
        {"name": "rat", "location": "", "properties": ["person"], "state": ["open: no", "lit"]},
        {"name": "dragon", "location": "here", "properties": [], "state": []},
    ],
    "changes": [{"object": "rat", "property": "location", "new_value": "gone"}],
    "result": "partial",
    "failure_reason": "the chest is locked",
    "prerequisite": "unlock chest with key",
    "suggested_action": "unlock chest with key",
    "lesson": "Look for keys.",
    "accomplishment": "found out about the lock",
    "new_information": ["The rat looks at you.", "A dragon roars."],
    "state": [
        {"name": "lever_is_oiled", "value": "True"},
        {"name": "moon", "value": "full"},
        {"name": "tide", "value": "unknown"},
        {"name": "", "value": "x"},
    ],
    "died": False,
}


def read_with(notes: dict[str, Any], told: Briefing) -> Reading:
    return LLMExtractor(model=ScriptedModel.of([notes]), news=0).extract(told)


def reply(command: str, text: str, **told: Any) -> Briefing:
    """A reply that is to be read."""
    return briefing(command=command, observation=Observation(text=text), **told)


def thing(name: str, location: str = "here", *state: str) -> dict[str, Any]:
    return {"name": name, "location": location, "properties": [], "state": list(state)}


NOTHING: dict[str, Any] = {
    **{"room": None, "objects": [], "changes": [], "result": "success"},
    **{"failure_reason": "", "prerequisite": None, "suggested_action": None, "lesson": ""},
    **{"accomplishment": None, "new_information": [], "state": [], "died": False},
}
"""Notes that say nothing but that the command worked."""


def shown(story: Story) -> Situation:
    return Situation(Scene(story.knowledge, all_skills()))


def test_nothing_is_added_that_the_model_did_not_name() -> None:
    text = "A new orifice opens in the wall. Something gurgles in the dismal spring."
    reading = read_with({**NOTHING, "objects": [thing("spring")]}, reply("dig", text))
    assert [one.name for one in reading.objects_mentioned] == ["spring"]


def test_what_the_model_says_of_a_state_stands() -> None:
    text = "The locked wooden door is said to open to those who ask. It swings open."
    notes = {**NOTHING, "objects": [thing("wooden door", "here", "locked=false", "open=true")]}
    (door,) = read_with(notes, reply("ask for entrance", text)).objects_mentioned
    assert (door.name, door.state["locked"], door.state["open"]) == (
        "wooden door",
        "false",
        "true",
    )


@pytest.mark.parametrize(
    ("command", "text", "name"),
    [
        ("take lamp", "You take it.", "lamp"),
        ("ask gnome for rod", "The gnome sighs and hands it to you.", "rod"),
    ],
)
def test_what_a_pronoun_means_is_taken(command: str, text: str, name: str) -> None:
    change = {"object": name, "property": "location", "new_value": "carried"}
    reading = read_with({**NOTHING, "changes": [change]}, reply(command, text))
    assert [(one.object, one.new_value) for one in reading.state_changes] == [(name, "inventory")]


@pytest.mark.parametrize(
    ("said", "value"), [("yes", "true"), ("open", "true"), ("Closed", "false"), ("no", "false")]
)
def test_a_state_is_told_in_many_words(said: str, value: str) -> None:
    change = {"object": "gate", "property": "open", "new_value": said}
    reading = read_with({**NOTHING, "changes": [change]}, reply("pull rope", "The gate is moving."))
    assert [one.new_value for one in reading.state_changes] == [value]


@pytest.mark.parametrize("said", ["Nowhere", "none", "null"])
def test_nowhere_is_no_place(said: str) -> None:
    change = {"object": "match", "property": "location", "new_value": said}
    told = reply("drop match", "The match floats away.")
    reading = read_with({**NOTHING, "changes": [change]}, told)
    assert [one.new_value for one in reading.state_changes] == ["gone"]


def test_what_failed_has_achieved_nothing_and_changed_nothing() -> None:
    notes = {
        **NOTHING,
        "result": "failure",
        "changes": [{"object": "west wall", "property": "location", "new_value": "inventory"}],
        "accomplishment": "took the west wall",
    }
    told = reply("push west wall", "(first taking the west wall)\nThat isn't available.")
    reading = read_with(notes, told)
    assert (reading.progress, reading.state_changes) == (None, ())


def test_what_holds_nothing_new_is_not_asked_about() -> None:
    asked = Asked(READ)
    reading = LLMExtractor(model=asked.model).extract(reply("take lamp", "Taken."))
    assert reading.action_result.result == "success"
    assert not asked.questions


def test_what_the_rules_make_nothing_of_is_asked_about() -> None:
    asked = Asked(NOTHING)
    LLMExtractor(model=asked.model).extract(
        reply("ask gnome for rod", "The gnome sighs and hands it to you, however sadly.")
    )
    assert len(asked.questions) == 1


def test_one_call_reads_extraction_progress_and_failure() -> None:
    asked = Asked(READ)
    reading = LLMExtractor(model=asked.model, news=0).extract(briefing())
    assert isinstance(reading, Reading)
    assert reading.action_result.result == "partial"
    assert reading.action_result.prerequisite == "unlock chest with key"
    assert reading.progress == ProgressReport(
        made_progress=True,
        progress_type="story",
        accomplishment="found out about the lock",
    )
    assert reading.failure == FailureAnalysis(
        failure_reason="the chest is locked",
        prerequisite="unlock chest with key",
        suggested_action="unlock chest with key",
        lesson="Look for keys.",
    )
    assert reading.state == {"lever_is_oiled": "true", "moon": "full"}
    assert len(asked.questions) == 1


def test_the_opening_brings_no_progress_and_no_failure() -> None:
    opening = briefing(command="", observation=Observation(text="You are in a cellar."))
    notes = {**READ, "result": "unknown"}
    reading = LLMExtractor(model=ScriptedModel.of([notes]), news=0).extract(opening)
    assert (reading.progress, reading.failure) == (None, None)


def test_what_the_text_does_not_bear_out_is_dropped() -> None:
    reading = LLMExtractor(model=ScriptedModel.of([READ]), news=0).extract(briefing())
    names = [mention.name for mention in reading.objects_mentioned]
    assert "dragon" not in names
    assert any("rat" in name for name in names)
    assert "A dragon roars." not in reading.new_information


def test_what_the_rules_read_of_a_room_is_not_lost_beside_a_models_reading() -> None:
    text = "Vault\nA bare vault. Ways lead north and south.\n\nThere is a lamp here."
    seen = {"title": "Vault", "exits": ["n", "sideways"], "dark": False}
    notes = {**READ, "room": seen, "objects": [], "result": "success", "died": True}
    opened = briefing(command="north", observation=Observation(text=text, room="Vault"))
    both = read_with(notes, opened)
    assert both.room is not None
    assert (both.room.title, both.room.exits) == ("Vault", ("north", "south"))
    assert [one.name for one in both.objects_mentioned] == ["lamp"]
    assert both.died
    assert both.failure is None


def test_a_room_that_only_the_model_saw_must_be_in_the_text() -> None:
    seen = {"title": "Vault", "exits": [], "dark": False}
    for text, room in (("You fall. Vault it is.", RoomView(title="Vault")), ("You fall.", None)):
        fallen = briefing(command="jump", observation=Observation(text=text))
        notes = {**READ, "room": seen, "result": "success"}
        reading = LLMExtractor(model=ScriptedModel.of([notes]), news=0).extract(fallen)
        assert reading.room == room


def test_without_a_usable_answer_the_rules_read() -> None:
    reading = LLMExtractor(model=ScriptedModel.of(["x", "x"]), news=0).extract(briefing())
    assert reading.action_result.reason == "locked"
    assert reading.progress is None


SEEN = {
    "overall_goal": "fetch the crown",
    "immediate_goal": "open the chest",
    "accomplished": ["found the cellar", "none", "found the cellar"],
    "blocking_condition": "the chest is locked",
    "blocking_reason": "null",
    "recommended_action": "> Unlock chest with key.",
    "action_reasoning": "The key may fit.",
    "alternative_actions": ["up", "", "x" * 200],
    "confidence": 0.7,
    "important_state_variables": ["chest_is_open"],
    "state": [{"name": "lever_is_oiled", "value": "false"}],
    "accomplishment": "none",
    "failure_reason": "it is locked",
    "prerequisite": "null",
    "suggested_action": "Unlock chest with key.",
    "lesson": "Look for keys.",
}
UNDERSTOOD = SituationUnderstanding(
    overall_goal="fetch the crown",
    immediate_goal="open the chest",
    accomplished=("found the cellar",),
    blocking_condition="the chest is locked",
    blocking_reason=None,
    recommended_action="unlock chest with key",
    action_reasoning="The key may fit.",
    alternative_actions=("up",),
    important_state_variables=("chest_is_open",),
    confidence=0.7,
)


def test_all_that_is_asked_of_one_situation_is_one_call() -> None:
    asked = Asked(SEEN)
    oracle, same = LLMOracle(model=asked.model), briefing()
    assert oracle.analyse_situation(same) == UNDERSTOOD
    assert oracle.analyse_failure(same) == FailureAnalysis(
        failure_reason="it is locked",
        suggested_action="unlock chest with key",
        lesson="Look for keys.",
    )
    assert oracle.detect_progress(same) == ProgressReport()
    assert oracle.suggest_state_variables(same) == ("chest_is_open",)
    assert oracle.extract_state(same) == {"lever_is_oiled": "false"}
    assert len(asked.questions) == 1
    oracle.analyse_situation(briefing())
    assert len(asked.questions) == 2


def test_oracle_understanding() -> None:
    """It is told the place, what is carried and the game's words, and advises with a command."""
    asked = Asked(SEEN)
    understood = LLMOracle(model=asked.model).analyse_situation(briefing())
    for told in ("L2 Cellar", "rusty key", "> It is locked."):
        assert told in asked.questions[0].text
    assert understood.recommended_action == "unlock chest with key"
    assert understood.immediate_goal == "open the chest"


def test_failure_analysis() -> None:
    """Why the last command failed, and what has to come first."""
    asked = Asked({**SEEN, "failure_reason": "you lie in bed", "prerequisite": "get up"})
    bed = Observation(text="You'll have to get up first.")
    analysis = LLMOracle(model=asked.model).analyse_failure(
        briefing(command="east", observation=bed)
    )
    assert analysis is not None
    assert (analysis.failure_reason, analysis.prerequisite) == ("you lie in bed", "get up")
    assert "You'll have to get up first." in asked.questions[0].text


def test_where_a_model_has_read_the_reply_its_word_on_it_stands() -> None:
    asked = Asked(SEEN)
    oracle = LLMOracle(model=asked.model)
    reading = LLMExtractor(model=ScriptedModel.of([READ]), news=0).extract(briefing())
    read = briefing(extraction=reading)
    assert oracle.analyse_failure(read) == reading.failure
    assert oracle.detect_progress(read) == reading.progress
    assert not asked.questions
    assert oracle.extract_state(read) == {"lever_is_oiled": "true", "moon": "full"}


def test_an_oracle_without_a_usable_answer_knows_nothing() -> None:
    bad = {**SEEN, "recommended_action": "null"}
    oracle, same = LLMOracle(model=ScriptedModel.of([bad, bad])), briefing()
    assert oracle.analyse_situation(same) == SituationUnderstanding(confidence=0.0)
    assert oracle.analyse_failure(same) is None
    assert oracle.detect_progress(same) is None
    assert oracle.suggest_state_variables(same) == ()
    assert oracle.extract_state(same) == {}


def test_the_play_mode_is_chosen_to_suit_the_profile_and_accounted_for() -> None:
    asked, ledger = Asked({"next_state": "pursuing"}), Ledger()
    oracle = LLMOracle(model=Asker(asked.model, ledger=ledger))
    assert oracle.choose_mode(briefing()) is PlayMode.PURSUING
    said = asked.questions[0].text
    for part in (
        "You are bold.",
        '"solving" state and the "refusal" event',
        "place: L2 Cellar",
        "- pursuing: Carry out the plan",
    ):
        assert part in said
    assert ledger.by_role()["oracle"].questions == 1


def test_a_play_mode_that_is_no_option_leaves_the_first(caplog: pytest.LogCaptureFixture) -> None:
    oracle = LLMOracle(model=ScriptedModel.of([{"next_state": "lost"}]))
    assert oracle.choose_mode(briefing()) is PlayMode.SOLVING
    assert "names no option" in caplog.text


def test_a_timeout_while_the_mode_is_chosen_leaves_the_first(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with FakeOllama(faults=lambda _: "stall") as fake:
        config = ModelConfig(base_url=fake.base_url, retries=0, timeout=0.3)
        assert LLMOracle(model=config).choose_mode(briefing()) is PlayMode.SOLVING
    assert "no answer in time" in caplog.text


def test_an_outage_while_the_mode_is_chosen_is_an_outage() -> None:
    with FakeOllama(faults=lambda _: "error") as fake:
        config = ModelConfig(base_url=fake.base_url, retries=0)
        with pytest.raises(ModelUnavailable, match=r"the oracle's model .* \(server\)"):
            LLMOracle(model=config).choose_mode(briefing())


def hears(story: Story, command: str, text: str, **notes: Any) -> None:
    """A turn whose reply the model has read."""
    told = reply(command, text, situation=shown(story), world=story.world, turn=story.turn)
    observation = Observation(text=text, room="Hall")
    reading = read_with({**NOTHING, **notes}, told)
    story.knowledge = learn(
        story.knowledge, story.turn, command, observation, reading, all_skills()
    ).after
    story.turn += 1


def moved(name: str, prop: str, value: str) -> dict[str, str]:
    return {"object": name, "property": prop, "new_value": value}


def test_what_the_model_reads_to_be_unlocked_is_no_trouble_any_more() -> None:
    story = Story().hears("", f"{HALL}A wooden door is here.", "Hall")
    story.hears("open door", "The wooden door is locked.", "Hall")
    assert world_issues(story.world, story.map)
    changes = [moved("wooden door", "locked", "false"), moved("wooden door", "open", "true")]
    hears(story, "ask for entrance", "It swings open, the way is free.", changes=changes)
    assert not world_issues(story.world, story.map)
    assert not shown(story).locked


def test_whom_the_model_reads_to_be_gone_is_fought_no_more() -> None:
    story = Story().hears("", f"{HALL}A ghost is here.", "Hall")
    story.hears("wait", "The ghost attacks you.", "Hall")
    fighting = advance(Mode(), circumstances(story))
    text = "With a shriek it is no more."
    hears(story, "wave rod", text, changes=[moved("ghost", "location", "gone")])
    assert fighting.state is PlayMode.FIGHTING
    assert advance(fighting, circumstances(story)).state is PlayMode.EXPLORING
    assert "ghost" not in shown(story).visible


def circumstances(story: Story) -> Circumstances:
    beliefs = AgentBeliefs(turn=story.turn, last_progress=story.turn)
    return Circumstances(story.turn, Scene(story.knowledge, all_skills()), beliefs, ())


def test_the_bare_title_of_a_known_room_is_not_asked_about() -> None:
    hall = "Hall\nA long stone hall with a row of old portraits, and a door leading north."
    said = [[0, "", hall, None, ""], [1, "north", "Yard\nA yard.", None, "L1"]]
    history = History([*said, [2, "south", "Hall", None, "L2"]])
    asked = Asked(NOTHING)
    LLMExtractor(model=asked.model).extract(reply("south", "Hall", history=history))
    assert not asked.questions


def test_who_the_model_reads_to_be_a_person_is_offered_to_be_spoken_to() -> None:
    story, text = Story().hears("", HALL, "Hall"), "A gnome is here."
    gnome = {"name": "gnome", "location": "here", "properties": ["person"], "state": []}
    hears(story, "wait", text, objects=[gnome])
    scene = Scene(story.knowledge, all_skills())
    said = History([[0, "", HALL, None, ""], [1, "wait", text, None, "L1"]])
    shown_first = offers(rank(scene).options, scene, said)
    assert "talk to gnome" in shown_first
    assert "take gnome" not in shown_first
