from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from testing.fake_ollama import FakeOllama

PARTS = {
    "actor": "agents.llm_actor:LLMActor",
    "critic": "agents.llm_critic:LLMCritic",
    "extractor": "agents.llm_extractor:LLMExtractor",
    "objective_manager": "agents.llm_objective_manager:LLMObjectiveManager",
}
STEPS = 14


def episode(out: Path, model: str) -> dict[str, Any]:
    settings = [f"nodes.{role}.use={part}" for role, part in PARTS.items()]
    settings.append("models.default.style=full")
    return play(
        "morning",
        settings=settings,
        model=model,
        steps=STEPS,
        seed=3,
        out=out,
        checkpoints=False,
        cache=False,
        fresh=True,
    )


def transcript(result: dict[str, Any]) -> str:
    return (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")


def test_models_play_a_story_over_http_and_their_recording_plays_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOllama(seed=1) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.base_url)
        live = episode(tmp_path, "ollama:llama3.1:8b")
    asked = [served.question.title for served in fake.served]
    assert live["steps"] == STEPS
    assert live["llm_calls"] == len(asked)
    assert 0 < asked.count("ReplyNotes") < STEPS
    assert set(asked) >= {"AgentResponse", "ObjectiveNotes"}
    assert live["uncached_tokens"] / STEPS < 2500
    assert max(served.prompt_tokens for served in fake.served) < 5000
    assert not any(served.truncated for served in fake.served)

    replayed = episode(tmp_path, f"embedded:recording:{live['run_dir']}")
    assert transcript(replayed) == transcript(live)
    assert replayed["prompt_tokens"] == live["prompt_tokens"]
