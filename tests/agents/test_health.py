from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agents.models import ModelConfig, make_model
from agents.models.providers import Health, check
from testing.fake_ollama import FakeModel, FakeOllama
from tests.odd_servers import odd_server, told


def checked(**fields: Any) -> Health:
    config = ModelConfig(**fields)
    return check(make_model(config), config)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    models = (FakeModel("small", context_length=4096), FakeModel("deep", ("thinking",)))
    with FakeOllama(models=models) as server:
        yield server


@pytest.mark.parametrize(
    ("fields", "complaints"),
    [
        ({"model": "ollama:small", "num_ctx": 4096}, []),
        ({"model": "ollama:deep", "reasoning": True}, []),
        ({"model": "ollama:large"}, ["`ollama pull large`"]),
        ({"model": "ollama:small"}, ["set num_ctx = 4096"]),
        (
            {"model": "ollama:small", "reasoning": True},
            ["set num_ctx = 4096", "set reasoning = false"],
        ),
    ],
)
def test_a_model_is_checked_before_the_first_turn(
    fake: FakeOllama, fields: dict[str, Any], complaints: list[str]
) -> None:
    found = checked(base_url=fake.base_url, **fields).problems
    assert len(found) == len(complaints)
    for problem, complaint in zip(found, complaints, strict=True):
        assert complaint in problem


def test_a_server_that_is_down_is_named(fake: FakeOllama) -> None:
    with fake.down():
        found = checked(model="ollama:small", base_url=fake.base_url).problems
    assert len(found) == 1
    assert "start it with `ollama serve`" in found[0]


def test_what_cannot_be_checked_has_no_problem() -> None:
    assert checked(model="embedded:function:examples.social_agent:enthusiast") == Health()


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("ollama:m", {"model_info": [1], "capabilities": 3}),
        ("ollama:m", {"model_info": {"a.context_length": "4096"}}),
        ("ollama:m", {"model_info": {"a.context_length": None, "b.context_length": -1}}),
        ("llamacpp:m", {"data": 3}),
        ("llamacpp:m", {"data": [{"id": "m", "meta": "none"}]}),
        ("llamacpp:m", {"data": [{"id": "m", "max_model_len": -1, "meta": [1]}]}),
    ],
)
def test_what_a_server_says_of_its_model_in_another_form_is_not_counted(
    model: str, said: dict[str, Any]
) -> None:
    if model.startswith("llamacpp"):
        pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")
    body = json.dumps({**said, "choices": [{"message": {"content": "yes"}}]}).encode()
    answer = told("200 OK", body, "Content-Type: application/json")
    with odd_server(lambda *_: iter([answer])) as where:
        assert checked(model=model, base_url=where, reasoning=None).problems == ()
