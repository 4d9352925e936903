"""Whole episodes that models play, over HTTP and through LangChain's own client."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import prompts
from agents.asking import CACHED
from agents.models import ModelConfig
from agents.pursuit import read_commands
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.resume import resume
from orchestrator.saved.prompting import asked, would_ask
from orchestrator.saved.runs import RunDirectory
from orchestrator.settings.models import Models
from orchestrator.setup import Setup
from orchestrator.traces.reader import read_trace
from testing.fake_ollama import FAULTS, FakeOllama, Walker, random_faults

STEPS = 12
FULL = "models.default.style=full"
AT_ONCE = ("models.default.backoff=0",)
READ_ALL = "nodes.extractor.news=0"
WAITING = {"slow", "stall", "drip"}
Play = Callable[..., dict[str, Any]]


@pytest.fixture
def played(fake: FakeOllama, tmp_path: Path) -> Play:
    def play_one(story: str = "hollow", graph: str = "llm", **options: Any) -> dict[str, Any]:
        known = {"steps": STEPS, "settings": AT_ONCE, "out": tmp_path / "runs", "cache": False}
        known["fresh"] = True
        return play(story, graph=graph, **{**known, **options})

    return play_one


def transcript(result: dict[str, Any]) -> str:
    return (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("story", "graph", "roles"),
    [
        ("hollow", "llm", {"actor", "extractor", "objective_manager"}),
        pytest.param(
            "workshop", "llm", {"actor", "extractor", "objective_manager"}, marks=pytest.mark.slow
        ),
        ("hollow", "solo", {"actor"}),
        ("hollow", "council", {"advocate", "arbiter", "extractor", "objective_manager"}),
        ("hollow", "transcript", {"actor"}),
        ("hollow", "oracle", {"oracle"}),
        pytest.param("workshop", "oracle", {"oracle"}, marks=pytest.mark.slow),
    ],
)
def test_models_play_and_every_call_is_accounted_for(
    fake: FakeOllama, played: Play, story: str, graph: str, roles: set[str]
) -> None:
    settings = [*AT_ONCE, *([READ_ALL] if "extractor" in roles else [])]
    result = played(story, graph, seed=3, settings=settings)
    assert result["steps"] == STEPS or result["end_reason"] == "won"
    assert set(result["roles"]) >= roles
    assert result["llm_calls"] == len(fake.served)
    assert result["prompt_tokens"] == sum(served.prompt_tokens for served in fake.served)
    assert not any(served.truncated for served in fake.served)
    assert max(served.prompt_tokens for served in fake.served) < 5500
    assert result["uncached_tokens"] / result["steps"] < 2500
    sums = result["roles"].values()
    assert result["llm_calls"] == sum(usage["calls"] for usage in sums)
    assert result["completion_tokens"] == sum(usage["output_tokens"] for usage in sums)


def test_every_call_tells_what_it_was_asked_with_and_when(played: Play) -> None:
    result = played(steps=4, seed=3, settings=(*AT_ONCE, FULL))
    trace = read_trace(Path(result["run_dir"]) / "trace.jsonl")
    calls = [run for run in trace.walk() if run.kind == "llm"]
    assert len(calls) == result["llm_calls"]
    hashes = {(call.metadata["prompt"], call.metadata["prompt_hash"]) for call in calls}
    expected = {(name, prompts.load(name).version) for name in ("actor", "reading", "objectives")}
    assert expected <= hashes
    for call in calls:
        assert call.metadata["role"] in result["roles"]
        assert call.metadata["ls_model_name"] == "llama3.1:8b"
        assert {"turn", "room", "score", "mode"} <= call.metadata.keys() or not call.metadata[
            "turn"
        ]
    for root in trace.roots:
        assert (root.metadata["seed"], root.metadata["access"]) == (3, ["text"])


@pytest.mark.slow
def test_the_same_is_counted_without_a_trace(played: Play) -> None:
    names = ("llm_calls", "prompt_tokens", "completion_tokens")
    traced, untraced = played(), played(trace=False, checkpoints=False)
    assert [traced[name] for name in names] == [untraced[name] for name in names]
    assert transcript(traced) == transcript(untraced)


@pytest.mark.slow
@pytest.mark.parametrize(("story", "most"), [("workshop", 10), ("morning", 10), ("hollow", 100)])
def test_an_actor_that_knows_the_way_is_let_go_it(
    fake: FakeOllama, played: Play, story: str, most: int
) -> None:
    commands = read_commands(Path("game_files") / f"{story}.walkthrough.txt")
    fake.answers = Walker(commands)
    result = played(story, steps=len(commands), seed=7, checkpoints=False, trace=False)
    assert (result["score"], result["end_reason"]) == (most, "won")
    attempts = result["roles"]["actor"]["questions"]
    assert attempts - len(commands) <= 0.02 * len(commands)
    assert result["llm_calls"] / len(commands) < 1.9


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["solo", "transcript"])
def test_one_call_a_turn_is_enough_and_little_of_it_is_new(
    fake: FakeOllama, played: Play, graph: str
) -> None:
    commands = read_commands(Path("game_files") / "hollow.walkthrough.txt")
    fake.answers = Walker(commands)
    settings = (*AT_ONCE, "models.default.history=1000")
    bare = {"checkpoints": False, "trace": False, "settings": settings}
    result = played("hollow", graph, steps=len(commands), seed=7, **bare)
    assert (result["score"], result["end_reason"]) == (100, "won")
    assert result["llm_calls"] == result["steps"] == len(commands)
    assert result["uncached_tokens"] < result["prompt_tokens"] / 3


@pytest.mark.parametrize("call", [0, 3])
def test_an_outage_pauses_the_episode_and_costs_no_turn(
    fake: FakeOllama, played: Play, call: int
) -> None:
    whole = played(steps=4)
    settings = (*AT_ONCE, "models.default.retries=0")
    failing = len(fake.served) + call
    fake.plan = lambda request: "error" if request == failing else ""
    paused = played(steps=4, settings=settings)
    assert paused["end_reason"] == "paused"
    assert "(server)" in paused["outage"]
    assert paused["steps"] < 4
    resumed = resume(paused["run_dir"], cache=False)
    assert (resumed["end_reason"], resumed["outage"]) == ("steps", "")
    assert transcript(resumed) == transcript(whole)
    assert resumed["llm_calls"] == whole["llm_calls"] + 1
    counted = [role["questions"] for role in resumed["roles"].values()]
    assert sum(counted) == sum(role["questions"] for role in whole["roles"].values()) + 1


@pytest.mark.slow
def test_a_server_that_goes_down_in_play_can_be_waited_for(fake: FakeOllama, played: Play) -> None:
    turns: list[object] = []

    def stop(event: object) -> None:
        turns.append(event)
        if len(turns) == 4:
            fake.stop()

    settings = (*AT_ONCE, "models.default.retries=1")
    paused = played(watchers=(stop,), settings=settings)
    assert (paused["end_reason"], paused["steps"]) == ("paused", 3)
    assert "ollama serve" in paused["outage"]
    with pytest.raises(ConfigError, match="ollama serve"):
        resume(paused["run_dir"], cache=False)
    fake.start()
    assert resume(paused["run_dir"], cache=False)["steps"] == STEPS


@pytest.mark.slow
def test_random_faults_neither_crash_an_episode_nor_burn_a_turn(
    fake: FakeOllama, played: Play
) -> None:
    fake.plan = random_faults(0.4, 12, sorted(set(FAULTS) - WAITING))
    result = played(steps=25, settings=(*AT_ONCE, "models.default.retries=2"))
    pauses = 0
    while result["end_reason"] == "paused":
        pauses += 1
        result = resume(result["run_dir"], cache=False)
    assert (result["steps"], result["end_reason"]) == (25, "steps")
    assert transcript(result).count("\n> ") == 25
    assert result["faults"] == 0
    assert pauses
    harmed = sum(bool(served.completion.fault) for served in fake.served)
    noticed = [kind for role in result["roles"].values() for kind in role["faults"]]
    assert harmed > 10
    assert {"server", "cut", "garbled"} <= set(noticed), noticed
    assert traced_faults(result) == {
        (role, kind): count
        for role, usage in result["roles"].items()
        for kind, count in usage["faults"].items()
    }


def traced_faults(result: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Every fault in the trace, by the role that was asked and its kind."""
    counted: dict[tuple[str, str], int] = {}
    for run in read_trace(Path(result["run_dir"]) / "trace.jsonl").walk():
        for kind, _ in run.outputs.get("faults", []) if run.name.startswith("ask ") else []:
            key = (str(run.outputs["role"]), str(kind))
            counted[key] = counted.get(key, 0) + 1
    return counted


@pytest.mark.slow
def test_what_was_answered_before_is_not_asked_again(fake: FakeOllama, played: Play) -> None:
    first = played(cache=True)
    asked_first = len(fake.served)
    second = played(cache=True)
    assert len(fake.served) == asked_first == first["llm_calls"]
    assert second["llm_calls"] == 0
    assert transcript(second) == transcript(first)
    trace = (Path(second["run_dir"]) / "trace.jsonl").read_text(encoding="utf-8")
    assert CACHED in trace
    played(cache=False)
    assert len(fake.served) == 2 * asked_first


@pytest.mark.parametrize(
    "settings", [(), pytest.param(("models.default.style=full",), marks=pytest.mark.slow)]
)
def test_a_prompt_is_shown_as_it_was(played: Play, settings: tuple[str, ...]) -> None:
    """What is rendered from checkpoints is what the model was asked."""
    result = played(
        settings=(
            *AT_ONCE,
            *(f"nodes.{role}.news=0" for role in ("extractor", "objective_manager")),
            *settings,
        ),
        seed=5,
    )
    run = RunDirectory(Path(result["run_dir"]))
    for role in result["roles"]:
        said = {turn: asked(run, role, turn) for turn in range(1, STEPS + 1)}
        once = [turn for turn, texts in said.items() if len(texts) == 1]
        assert once, role
        for turn in (once[0], once[-1]):
            assert would_ask(run, role, turn) == said[turn][0]


def test_the_prompt_that_is_shown_is_that_of_the_part_that_plays(played: Play) -> None:
    result = played(graph="solo", steps=2)
    run = RunDirectory(Path(result["run_dir"]))
    assert asked(run, "actor", 2) == [would_ask(run, "actor", 2)]


@pytest.mark.parametrize(
    "budget",
    [
        ("max_tokens=3000",),
        ("max_cost=0.006", "models.default.input_price=2"),
    ],
)
def test_an_episode_ends_when_its_budget_is_spent(played: Play, budget: tuple[str, ...]) -> None:
    result = played(settings=(*AT_ONCE, *budget))
    assert result["end_reason"] == "budget"
    assert 1 < result["steps"] < STEPS
    again = resume(result["run_dir"], cache=False)
    assert (again["end_reason"], again["steps"]) == ("budget", result["steps"])


def test_an_episode_ends_when_its_time_is_spent(played: Play) -> None:
    result = played(settings=(*AT_ONCE, "max_seconds=0.01"))
    assert result["end_reason"] == "budget"
    assert result["steps"] < STEPS
    again = resume(result["run_dir"], cache=False)
    assert (again["end_reason"], again["steps"]) == ("budget", result["steps"])


def test_a_model_that_cannot_be_asked_is_refused_before_the_first_turn(
    fake: FakeOllama, played: Play, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="ollama pull nosuch"):
        played(model="ollama:nosuch")
    with pytest.raises(ConfigError, match="set num_ctx = 131072"):
        played(settings=["models.default.num_ctx=1000000"])
    with fake.down(), pytest.raises(ConfigError, match="ollama serve"):
        played()
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ("offline", {"model": "ollama:x"}, "no part of the graph 'offline' asks models.default"),
        ("llm", {"model": "x"}, "is no provider:name"),
        ("llm", {"settings": ["nodes.actor.model=smal"]}, "unknown model 'smal'"),
        (
            "llm",
            {"settings": ["models.default.num_cxt=3"]},
            "did you mean 'models.default.num_ctx'",
        ),
        ("llm", {"model": "nosuch:x"}, "no provider 'nosuch'"),
        ("llm", {"settings": ["max_cost=1"]}, "say -s models.default.input_price="),
    ],
)
def test_a_model_that_will_not_do_is_one_line(
    graph: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Setup.resolve("workshop", graph=graph, **options).crew()
    assert message in str(caught.value)


def test_a_role_may_have_a_model_of_its_own(fake: FakeOllama, played: Play) -> None:
    settings = [
        *AT_ONCE,
        READ_ALL,
        "nodes.actor.model=thinker",
        "models.thinker.model=ollama:qwen3:4b",
    ]
    played(settings=settings, steps=3)
    used = {(served.question.title, served.model) for served in fake.served}
    assert ("ShortMove", "qwen3:4b") in used
    assert ("ShortReading", "llama3.1:8b") in used


def test_models_take_the_seed_of_the_agent_unless_they_have_their_own() -> None:
    models = Models({"own": ModelConfig(seed=4)}, seed=9)
    assert [models.asker(name).config.seed for name in ("default", "own")] == [9, 4]
    assert models.asker("own").ledger is models.asker().ledger
    assert models.asker("own").breaker is models.asker().breaker


def test_an_embedded_model_is_always_asked(tmp_path: Path, fake: FakeOllama, played: Play) -> None:
    script = tmp_path / "answers.json"
    for action in ("north", "south"):
        answer = {"thinking": "", "action": action}
        answer |= {"new_objective": None, "complete_objective": None}
        rules = [{"asked": "AgentResponse", "answer": answer}]
        script.write_text(json.dumps({"rules": rules}), encoding="utf-8")
        settings = ["nodes.actor.use=llm", f"models.default.model=embedded:answers:{script}"]
        result = played("hollow", "offline", settings=settings, steps=1, cache=True)
        assert f"\n> {action}\n" in transcript(result)
