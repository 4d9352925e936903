"""The official client and the local trace tell the same; nobody waits for a dead server."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.traces.reader import Run, read_trace
from tests.orchestrator.langsmith_recorder import recording
from tests.orchestrator.trace_roles import KEY

ROLES = "tests.orchestrator.trace_roles"

EPISODES = """
import sys
from pathlib import Path
from orchestrator import play
from orchestrator.turns.approval import Approval

def roles(actor, critic):
    return [f"nodes.actor.use=ROLES:{actor}", f"nodes.critic.use=ROLES:{critic}"]

out = Path(sys.argv[1])
play("morning", fresh=True, steps=7, out=out, settings=roles("TalkingActor", "PickyCritic"))
answers = [Approval(), Approval(do="reject", text="later"), Approval(do="edit", text="look")]
approver = iter([*answers, Approval()]).__next__
asked = {"settings": ["approve=true"], "approver": lambda _: approver()}
play("morning", fresh=True, steps=3, out=out, **asked)
play("morning", fresh=True, steps=4, out=out, settings=roles("TalkingActor", "FailingCritic"))
""".replace("ROLES", ROLES)
"""An episode with models, one that asks a person, and one that breaks off."""

PLAY = """
import sys, time
from pathlib import Path
from orchestrator import play
from orchestrator.traces.live import live_tracers

(tracer,) = live_tracers({})
steps = play("morning", fresh=True, steps=5, out=Path(sys.argv[1]))["steps"]
print(steps, tracer.client.tracing_queue.maxsize, time.time())
"""

CLOCKS = ("start_time", "end_time")


def traced(script: str, out: Path, endpoint: str) -> subprocess.CompletedProcess[str]:
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("LANG")}
    environment |= {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": endpoint}
    environment |= {"LANGSMITH_API_KEY": "lsv2_pt_0123456789abcdef"}
    return subprocess.run(
        [sys.executable, "-c", script, str(out)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def comparable(run: dict[str, Any]) -> dict[str, Any]:
    """Without what must differ: clocks, the order of tags, LangSmith's echoes of its settings."""
    metadata = {
        key: value
        for key, value in run["extra"]["metadata"].items()
        if not key.startswith("LANGSMITH_") and key != "revision_id"
    }
    return {
        **{key: run[key] for key in run if key not in CLOCKS and run[key] is not None},
        "ended": "end_time" in run,
        "dotted_order": [part.partition("Z")[2] for part in run["dotted_order"].split(".")],
        "events": [event["name"] for event in run["events"]],
        "tags": sorted(run["tags"]),
        "extra": {**run["extra"], "metadata": metadata},
    }


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Run], Any]]:
    """The runs of all episodes, from their traces, and the recorder that got them."""
    out = tmp_path_factory.mktemp("runs")
    with recording() as recorder:
        ended = traced(EPISODES, out, recorder.url)
        assert "ConnectionError" in ended.stderr
        assert "LangSmith at" not in ended.stderr, "a server without compression takes them"
        traces = [read_trace(path) for path in sorted(out.glob("*/trace.jsonl"))]
        yield [run for trace in traces for run in trace.walk()], recorder


def test_the_official_client_sends_the_runs_of_the_local_trace(both: tuple[list[Run], Any]) -> None:
    local = {run.record["id"]: run.record for run in both[0]}
    sent = both[1].runs
    assert local.keys() == sent.keys()
    for run_id, record in local.items():
        assert comparable(record) == comparable(sent[run_id])


def test_the_runs_have_what_langsmith_users_look_for(both: tuple[list[Run], Any]) -> None:
    runs = both[0]
    kinds = {run.kind for run in runs}
    assert kinds == {"chain", "llm", "tool"}
    model = next(run for run in runs if run.kind == "llm" and not run.error)
    assert model.metadata["usage_metadata"]["input_tokens"] == 40
    assert model.metadata["prompt_hash"] == "3a7f"
    assert model.outputs["generations"][0][0]["text"] == "inventory"
    failed = [run for run in runs if run.error]
    assert {run.name for run in failed} >= {"SilentModel", "critic", "turn"}
    assert all(run.metadata["thread_id"] for run in runs)
    roots = [run for run in runs if "parent_run_id" not in run.record]
    assert {"turn", "seed", "access", "graph", "story_sha256"} <= roots[1].metadata.keys()
    assert {"room", "score"} <= roots[1].metadata.keys()


def test_nothing_is_sent_twice(both: tuple[list[Run], Any]) -> None:
    posts = [run_id for operation, run_id in both[1].operations if operation == "post"]
    assert len(posts) == len(set(posts))


def test_no_secret_leaves_the_process(both: tuple[list[Run], Any]) -> None:
    local = json.dumps([run.record for run in both[0]])
    assert "Never tell [redacted]" in local
    for text in (local, json.dumps(both[1].runs)):
        assert KEY not in text


def test_a_state_is_never_sent_whole(both: tuple[list[Run], Any]) -> None:
    for run in both[1].runs.values():
        assert len(json.dumps(run["inputs"])) < 6_000
        outputs = run.get("outputs") or {}
        if "snapshot" in outputs:
            assert outputs["snapshot"].startswith("<")
        if isinstance(outputs.get("world"), dict):
            assert not any(isinstance(part, dict) for part in outputs["world"].values())


@pytest.mark.slow
@pytest.mark.parametrize("answers", [False, True], ids=["refuses", "never answers"])
def test_a_dead_server_neither_stops_play_nor_the_exit(tmp_path: Path, *, answers: bool) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if answers:
            server.listen(64)
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        ended = traced(PLAY, tmp_path, endpoint)
        left = time.time()
    assert ended.returncode == 0, ended.stderr
    steps, waiting, played = ended.stdout.split()
    assert (steps, waiting) == ("5", "1000")
    assert left - float(played) < 2.5
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert ended.stderr.startswith(f"zork: LangSmith at {endpoint} does not")
    assert "lsv2" not in ended.stderr


def test_nothing_leaves_the_machine_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recording() as recorder:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", recorder.url)
        monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_pt_0123456789abcdef")
        play("morning", fresh=True, steps=2, out=tmp_path)
        assert recorder.operations == []
