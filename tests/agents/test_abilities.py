"""What is found out about a model, and of which model it is believed later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.abilities import examine, known
from agents.models import ModelConfig
from agents.models.scripts import Rule, Script
from testing.fake_ollama import FakeModel, FakeOllama

THINKER = ModelConfig(model="ollama:deep")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    models = (FakeModel("deep", ("completion", "tools", "thinking")),)
    answers = Script([Rule(answer="look", thinking="A lamp. Hm.")])
    with FakeOllama(answers, models=models) as server:
        monkeypatch.setenv("ZORK_HOME", str(tmp_path))
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        yield server


def test_a_model_that_thinks_unasked_is_found_to_think(fake: FakeOllama) -> None:
    assert examine(THINKER).thinking == "can be switched off"


def test_what_was_found_out_holds_for_the_same_model_of_the_same_server(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = examine(THINKER, "one file")
    assert known(THINKER) == known(THINKER, "one file") == found
    assert known(THINKER, "another file") is None
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    assert known(THINKER) is None
