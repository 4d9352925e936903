"""Recorded runs played again with the answers their models gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestrator import memory, play
from orchestrator.cli.main import make_app
from orchestrator.errors import ConfigError, RunError
from orchestrator.fork import fork
from orchestrator.rerun import rerun
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.traces.reader import read_trace
from testing.fake_ollama import FakeOllama

AT_ONCE = ("models.default.backoff=0", "models.default.retries=0")


def transcript(result: dict[str, Any]) -> bytes:
    return Path(result["run_dir"], "transcript.txt").read_bytes()


def prompts(result: dict[str, Any]) -> list[list[tuple[str, str]]]:
    """What the models of a run were told, call by call."""
    return [
        [(one["kwargs"]["type"], one["kwargs"]["content"]) for one in run.inputs["messages"][0]]
        for run in read_trace(Path(result["run_dir"], "trace.jsonl")).walk()
        if run.kind == "llm"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["llm", pytest.param("oracle", marks=pytest.mark.slow)])
def test_transcript_and_prompts_are_the_same_byte_for_byte(
    fake: FakeOllama, tmp_path: Path, graph: str
) -> None:
    """Also in the second episode, which begins with what the first one learned."""
    settings = ("nodes.oracle.price=0",) if graph == "oracle" else ()
    for steps in (8, 15):
        options: dict[str, Any] = {"graph": graph, "seed": 3, "settings": settings}
        recorded = play("hollow", steps=steps, out=tmp_path, cache=False, **options)
    subject = memory.Subject(recorded["story_sha256"], recorded["graph"])
    learned = memory.load(subject)
    asked = len(fake.served)
    fake.stop()
    again = rerun(recorded["run_id"], out=tmp_path)
    assert len(fake.served) == asked
    assert (again["steps"], again["end_reason"]) == (15, "steps")
    assert transcript(again) == transcript(recorded)
    assert prompts(again) == prompts(recorded)
    assert len(prompts(again)) == recorded["llm_calls"] >= 15
    assert again["prompt_tokens"] == recorded["prompt_tokens"]
    assert memory.load(subject) == learned


@pytest.mark.slow
def test_what_was_asked_again_after_an_outage_counts_once(fake: FakeOllama, tmp_path: Path) -> None:
    """The node that failed had been answered before; its second answer is another one."""
    fake.plan = lambda request: "wrong_schema" if request == 7 else "error" if request == 8 else ""
    options: dict[str, Any] = {"graph": "llm", "seed": 3, "settings": AT_ONCE}
    paused = play("hollow", steps=8, out=tmp_path, cache=False, **options)
    assert paused["end_reason"] == "paused"
    recorded = resume(paused["run_dir"], cache=False)
    fake.stop()
    again = rerun(recorded["run_dir"], out=tmp_path)
    assert transcript(again) == transcript(recorded)
    assert set(map(str, prompts(again))) < set(map(str, prompts(recorded)))


def test_the_command_line_says_whether_it_came_out_the_same(
    fake: FakeOllama, tmp_path: Path
) -> None:
    recorded = play("hollow", graph="llm", steps=4, out=tmp_path, cache=False)
    fake.stop()
    command = ["play", "--from-recording", recorded["run_id"], "--out", str(tmp_path), "--quiet"]
    same = CliRunner().invoke(make_app(), command, catch_exceptions=False)
    assert (same.exit_code, same.stdout.splitlines()[-1]) == (0, "the same transcript as recorded")
    trace = Path(recorded["run_dir"], "trace.jsonl")
    lines = trace.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if '"turn":4' not in line or '"run_type":"llm"' not in line]
    assert len(kept) < len(lines)
    trace.write_text("".join(kept), encoding="utf-8")
    other = CliRunner().invoke(make_app(), command)
    assert other.exit_code == 1
    assert "the recording has no answer to" in " ".join(other.stdout.split())
    assert "another transcript than recorded: zork trace diff" in other.stderr


def test_what_cannot_be_played_again_is_said(tmp_path: Path) -> None:
    whole = play("workshop", steps=4, out=tmp_path, fresh=True)
    assert transcript(rerun(whole["run_dir"], out=tmp_path)) == transcript(whole)
    branch = fork(whole["run_dir"], 2, out=tmp_path)
    with pytest.raises(RunError, match="begins at turn 2 of"):
        rerun(branch["run_dir"], out=tmp_path)
    with pytest.raises(ConfigError, match="leave out --steps"):
        CliRunner().invoke(
            make_app(),
            ["play", "--from-recording", whole["run_dir"], "--steps", "3"],
            catch_exceptions=False,
        )


def test_a_run_is_played_again_without_the_database_that_had_its_checkpoints(
    tmp_path: Path,
) -> None:
    whole = play("workshop", steps=2, out=tmp_path, fresh=True)
    record = Path(whole["run_dir"], "episode.json")
    kept = {**json.loads(record.read_bytes()), "checkpoints": "postgres"}
    record.write_text(json.dumps(kept), encoding="utf-8")
    assert transcript(rerun(whole["run_dir"], out=tmp_path)) == transcript(whole)


def test_a_run_that_was_killed_is_played_again_as_far_as_it_came(tmp_path: Path) -> None:
    whole = play("workshop", steps=4, out=tmp_path, fresh=True)
    record = Path(whole["run_dir"], "episode.json")
    killed = {**json.loads(record.read_bytes()), "status": "running", "max_steps": 50}
    del killed["steps"]
    record.write_text(json.dumps(killed), encoding="utf-8")
    again = rerun(whole["run_dir"], out=tmp_path)
    assert (again["steps"], RunDirectory(Path(again["run_dir"])).record().recording) == (
        4,
        whole["run_id"],
    )
