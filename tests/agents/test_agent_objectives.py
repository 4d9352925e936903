import json
from dataclasses import replace

import pytest

from agents.answers import AnswerError, NewObjective, clean_action, parse_response
from agents.llm_actor import LLMActor
from agents.models.embedded import ScriptedModel
from tests.briefings import briefing


def test_agent_response_parsing_with_objective():
    text = json.dumps(
        {"thinking": "A locked case.", "action": "West", "new_objective": "open the case in L5"}
    )
    response = parse_response(text)
    assert (response.thinking, response.action) == ("A locked case.", "west")
    assert response.new_objective == "open the case in L5"


def test_agent_response_parsing_without_objective():
    response = parse_response('{"thinking": "t", "action": "look", "new_objective": null}')
    assert response.new_objective is None
    assert response.complete_objective is None


def test_objective_may_carry_priority_and_parent():
    text = '{"thinking": "t", "action": "n", "new_objective": {"text": "find oil", "priority": 8}}'
    assert parse_response(text).new_objective == NewObjective(text="find oil", priority=8)


def test_invalid_agent_response_fallback():
    """Where nothing can be read twice, the best known command is played, and nothing declared."""
    asked = briefing()
    response = LLMActor(model=ScriptedModel.of(["no JSON", '{"thinking": 1}'])).propose(asked)
    best = max(asked.options, key=lambda one: one.value)
    assert response.action == best.command
    assert response.new_objective is None
    empty = replace(asked, options=())
    response = LLMActor(model=ScriptedModel.of(["", ""])).propose(empty)
    assert response.action == "look"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("go north", "JSON"),
        ('{"thinking": "t"}', "action"),
        ('{"thinking": "t", "action": "  "}', "no command"),
        ('{"thinking": "t", "action": "look", "mood": 1}', "mood"),
        ('{"thinking": "t", "action": "n", "new_objective": {"text": "x", "priority": 11}}', "10"),
    ],
)
def test_invalid_agent_response_is_a_typed_error_in_one_line(text, named):
    with pytest.raises(AnswerError, match=named) as caught:
        parse_response(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ("  Open Mailbox. ", "open mailbox"),
        ("> take lamp", "take lamp"),
        ("\n'go   north'\nthen east", "go north"),
        ("`x sign`", "x sign"),
        ('say "hello"', 'say "hello"'),
        ('say "hello".', 'say "hello"'),
        ('"say "hello""', 'say "hello"'),
        ("\u201csay hello\u201d", "say hello"),
        ("say \u201cdon\u2019t\u201d", 'say "don\'t"'),
        ('"look"', "look"),
        ('"a" and "b"', '"a" and "b"'),
        ('look"', "look"),
        ("'x bob's hat'", "x bob's hat"),
    ],
)
def test_clean_action(action, command):
    assert clean_action(action) == command


@pytest.mark.parametrize("action", ["", " \n ", ">", '"."'])
def test_clean_action_refuses_what_holds_no_command(action):
    with pytest.raises(AnswerError, match="no command"):
        clean_action(action)
