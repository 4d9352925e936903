from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from agents.models import ModelConfig
from agents.models.cache import AnswerCache
from agents.models.embedded import FunctionModel
from agents.models.scripts import ModelQuestion
from agents.structured import Asker

PROMPT = [HumanMessage("What now?")]


class Move(BaseModel):
    action: str


class Other(BaseModel):
    action: str
    why: str = ""


class Counting:
    """Answers with the number of times it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.asked = 0
        self.answers = list(answers)

    def __call__(self, _question: ModelQuestion) -> Any:
        self.asked += 1
        return self.answers.pop(0) if self.answers else {"action": f"wait {self.asked}"}


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[AnswerCache]:
    opened = AnswerCache(tmp_path / "deep" / "cache.sqlite")
    yield opened
    opened.close()


def asker(function: Counting, cache: AnswerCache | None, **fields: Any) -> Asker:
    config = ModelConfig(**{"model": "embedded:counting", **fields})
    return Asker(FunctionModel(function=function), config, cache=cache)


def test_the_same_question_is_asked_once(cache: AnswerCache) -> None:
    function = Counting()
    ready = asker(function, cache)
    first, record = ready.ask("actor", PROMPT, Move)
    again, cached = ready.ask("actor", PROMPT, Move)
    assert first == again == Move(action="wait 1")
    assert (record.cached, record.calls) == (False, 1)
    assert (cached.cached, cached.calls, cached.input_tokens) == (True, 0, 0)
    assert ready.ledger.by_role()["actor"].cached == 1
    assert function.asked == 1


@pytest.mark.parametrize(
    "changed",
    [{"temperature": 0.9}, {"seed": 4}, {"num_ctx": 4096}, {"model": "embedded:other"}],
)
def test_other_parameters_are_another_question(cache: AnswerCache, changed: dict[str, Any]) -> None:
    function = Counting()
    asker(function, cache).ask("actor", PROMPT, Move)
    asker(function, cache, **changed).ask("actor", PROMPT, Move)
    assert function.asked == 2


@pytest.mark.parametrize(
    "same",
    [{"timeout": 5.0}, {"retries": 9}, {"input_price": 3.0}, {"tokens_per_minute": 60_000}],
)
def test_how_long_to_wait_and_what_it_costs_is_not(
    cache: AnswerCache, same: dict[str, Any]
) -> None:
    function = Counting()
    asker(function, cache).ask("actor", PROMPT, Move)
    asker(function, cache, **same).ask("actor", PROMPT, Move)
    assert function.asked == 1


def test_another_prompt_or_type_is_another_question(cache: AnswerCache) -> None:
    function = Counting()
    ready = asker(function, cache)
    ready.ask("actor", PROMPT, Move)
    ready.ask("actor", [HumanMessage("And now?")], Move)
    ready.ask("actor", PROMPT, Other)
    assert function.asked == 3


def test_of_several_answers_the_one_that_was_used_is_kept(cache: AnswerCache) -> None:
    calls = [
        {"name": "Move", "args": {"action": action}, "id": action} for action in ("up", "down")
    ]
    ready = asker(Counting(AIMessage("", tool_calls=calls)), cache)
    first, _ = ready.ask("actor", PROMPT, Move)
    again, record = ready.ask("actor", PROMPT, Move)
    assert (first, again, record.cached) == (Move(action="down"), Move(action="down"), True)


def test_bad_answers_are_not_kept(cache: AnswerCache) -> None:
    function = Counting("nonsense", "more nonsense", "rubbish", {"action": "look"})
    ready = asker(function, cache)
    assert ready.ask("actor", PROMPT, Move)[0] is None
    assert ready.ask("actor", PROMPT, Move)[0] == Move(action="look")
    assert ready.ask("actor", PROMPT, Move)[1].cached
    assert function.asked == 4


def test_what_the_check_refuses_is_asked_again(cache: AnswerCache) -> None:
    function = Counting({"action": "quit"})
    ready = asker(function, cache)
    ready.ask("actor", PROMPT, Move)
    answer, record = ready.ask(
        "actor", PROMPT, Move, lambda move: ["no quitting"] if move.action == "quit" else []
    )
    assert (answer, record.cached) == (Move(action="wait 2"), False)


def test_two_processes_share_a_file(tmp_path: Path) -> None:
    one, two = AnswerCache(tmp_path / "cache.sqlite"), AnswerCache(tmp_path / "cache.sqlite")
    one.put("key", "ä")
    assert two.get("key") == "ä"
    one.close()
    two.close()


def test_a_cache_that_fails_is_reported_and_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"this is no database at all" * 100)
    function = Counting()
    with caplog.at_level(logging.WARNING):
        broken = AnswerCache(path)
        ready = asker(function, broken)
        for _ in range(2):
            ready.ask("actor", PROMPT, Move)
    assert function.asked == 2
    assert len(caplog.records) == 1
    assert "is not used" in caplog.text


def test_a_cache_that_breaks_on_the_way_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cache.sqlite"
    cache = AnswerCache(path)
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE answers")
    other.close()
    assert cache.get("key") is None
    cache.put("key", "value")
    assert len(caplog.records) == 1
    cache.close()
