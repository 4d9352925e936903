"""Whole episodes through another provider's LangChain package, where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.pursuit import read_commands
from orchestrator import play
from orchestrator.resume import resume
from testing.fake_ollama import FakeOllama, Walker

pytest.importorskip("langchain_openai", reason="make install EXTRAS=openai")

COMMANDS = read_commands(Path("game_files") / "workshop.walkthrough.txt")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with FakeOllama(Walker(COMMANDS), seed=1) as server:
        yield server


def episode(fake: FakeOllama, out: Path, *settings: str, graph: str = "llm") -> dict[str, Any]:
    at_once = [f"models.default.base_url={fake.base_url}/v1", "models.default.backoff=0"]
    return play(
        "workshop",
        graph=graph,
        model="openai:llama3.1:8b",
        settings=[*at_once, *settings],
        seed=7,
        steps=len(COMMANDS),
        out=out,
        cache=False,
        fresh=True,
    )


@pytest.mark.parametrize(
    "method",
    [
        "auto",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("function_calling", "json_mode", "plain")
        ),
    ],
)
def test_models_of_openai_play_a_whole_story(fake: FakeOllama, tmp_path: Path, method: str) -> None:
    result = episode(fake, tmp_path, f"models.default.method={method}")
    assert (result["score"], result["end_reason"]) == (10, "won")
    assert {served.endpoint for served in fake.served} == {"openai"}
    assert result["llm_calls"] == len(fake.served) - 1, "the check before play asks once"
    assert result["completion_tokens"] > 0
    assert result["roles"]["actor"]["faults"] == {}


@pytest.mark.slow
def test_an_oracle_of_openai_and_tools(fake: FakeOllama, tmp_path: Path) -> None:
    advised = episode(fake, tmp_path, "nodes.oracle.price=0", graph="oracle")
    assert advised["steps"] == len(COMMANDS) or advised["end_reason"] == "won"
    assert advised["roles"]["oracle"]["questions"] == advised["steps"]
    fake.answers = None
    equipped = episode(fake, tmp_path, "nodes.actor.tools=true")
    assert equipped["roles"]["actor"]["lookups"] > 0
    assert equipped["roles"]["actor"]["failed"] == 0


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("refuse", "cut"),
        *(
            pytest.param(*fault, marks=pytest.mark.slow)
            for fault in (
                ("missing", "missing"),
                ("error", "server"),
                ("busy", "busy"),
                ("html", "server"),
                ("bad_request", "refused"),
            )
        ),
    ],
)
def test_an_outage_pauses_the_episode(
    fake: FakeOllama, tmp_path: Path, fault: str, kind: str
) -> None:
    fake.plan = lambda request: fault if request >= 5 else ""
    paused = episode(fake, tmp_path, "models.default.retries=0")
    assert paused["end_reason"] == "paused"
    assert f"({kind})" in paused["outage"]
    fake.plan = None
    resumed = resume(paused["run_dir"], cache=False)
    assert (resumed["score"], resumed["end_reason"], resumed["faults"]) == (10, "won", 0)
