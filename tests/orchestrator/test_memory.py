"""What one episode learns, the next one knows: through the store, the run and the command line."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import orchestrator
from orchestrator import memory
from orchestrator.batch import play_episodes
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.fork import fork
from orchestrator.memory import Subject
from orchestrator.resume import resume
from orchestrator.setup import Setup

play = partial(orchestrator.play, fresh=False)
"""As `zork play` does."""


def transcript(result: dict[str, Any]) -> str:
    return Path(result["run_dir"], "transcript.txt").read_text(encoding="utf-8")


def subject(result: dict[str, Any]) -> Subject:
    return Subject(result["story_sha256"], result["graph"])


def learned(steps: int, out: Path, **options: Any) -> dict[str, Any]:
    return play("morning", seed=4, steps=steps, out=out, **options)


def test_the_next_episode_starts_with_what_this_one_learned(tmp_path: Path) -> None:
    first, second = (learned(12, tmp_path) for _ in range(2))
    assert first["memory"]["episodes"] == 0
    assert second["memory"]["episodes"] == 1
    copy = Path(second["run_dir"], "memory.json").read_bytes()
    assert memory.digest(copy) == second["memory"]["sha256"] != first["memory"]["sha256"]
    assert json.loads(copy)["runs"] == [first["thread"]]
    assert transcript(first) != transcript(second)
    assert len(memory.load(subject(first))["runs"]) == 2


@pytest.mark.slow
def test_later_episodes_need_fewer_steps(tmp_path: Path) -> None:
    setup = Setup.resolve("morning", seed=3000, agent_seed=3, steps=100, out=tmp_path)
    results = play_episodes(setup, 4)
    assert results[-1]["best_score"] == 10
    assert results[-1]["steps"] < results[0]["steps"]


def test_a_fresh_episode_neither_reads_nor_writes(tmp_path: Path) -> None:
    unknowing = learned(10, tmp_path)
    before = memory.load(subject(unknowing))
    fresh = learned(10, tmp_path, fresh=True)
    assert transcript(fresh) == transcript(unknowing)
    assert fresh["memory"] is None
    assert not Path(fresh["run_dir"], "memory.json").exists()
    assert memory.load(subject(unknowing)) == before


def test_other_graphs_and_stories_have_memories_of_their_own(tmp_path: Path) -> None:
    learned(5, tmp_path)
    assert play("morning", graph="random", steps=5, out=tmp_path)["memory"]["episodes"] == 0
    assert play("workshop", steps=5, out=tmp_path)["memory"]["episodes"] == 0
    assert learned(5, tmp_path)["memory"]["episodes"] == 1


def test_resume_and_fork_go_on_with_the_runs_own_copy(tmp_path: Path) -> None:
    learned(12, tmp_path)
    half = learned(10, tmp_path, fresh=False)
    store = memory.load(subject(half))
    assert len(store["runs"]) == 2
    memory.forget(subject(half))
    branch = fork(half["run_id"], 8, out=tmp_path, steps=12)
    resumed = resume(half["run_id"], out=tmp_path, steps=10)
    memory.remember(subject(half), {**store, "runs": store["runs"][:1]})
    assert branch["memory"] == resumed["memory"] == half["memory"]
    assert transcript(branch) == transcript(resumed)


def test_what_a_run_started_with_cannot_be_exchanged(tmp_path: Path) -> None:
    run = learned(5, tmp_path)
    Path(run["run_dir"], "memory.json").write_text("{ }\n", encoding="utf-8")
    with pytest.raises(RunError, match="not what the run started with"):
        resume(run["run_id"], out=tmp_path, steps=2)


def test_an_episode_counts_once(tmp_path: Path) -> None:
    run = learned(12, tmp_path)
    before = memory.load(subject(run))
    resume(run["run_id"], out=tmp_path, steps=3)
    assert memory.load(subject(run)) == before


WRITER = """
import sys
from orchestrator.memory import Subject, load, remember
value = load(Subject("a" * 64, "seed"))
for number in range(15):
    remember(Subject("a" * 64, "both"), {**value, "runs": [f"{sys.argv[1]}-{number}"]})
"""


@pytest.mark.slow
def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    run = learned(10, tmp_path)
    value = memory.load(subject(run))
    memory.remember(Subject("a" * 64, "seed"), value)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], env=dict(os.environ))
        for name in ("one", "two")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    both = memory.load(Subject("a" * 64, "both"))
    names = {f"{name}-{number}" for name in ("one", "two") for number in range(15)}
    assert set(both["runs"]) == names


def zork(*arguments: str) -> str:
    done = CliRunner().invoke(make_app(), ["memory", *arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_export_clear_and_import_give_back_the_same(tmp_path: Path) -> None:
    run = learned(40, tmp_path)
    before, file = memory.load(subject(run)), tmp_path / "learned.json"
    shown = zork("show", "--game", "morning")
    assert "1 episode;" in shown
    assert before["lessons"]["deeds"][0][1] in shown
    zork("export", str(file), "--game", "morning")
    zork("clear", "--game", "morning", "--yes")
    with pytest.raises(RunError, match="nothing is remembered of morning"):
        zork("show", "--game", "morning")
    for _ in range(2):
        assert "1 episode" in zork("import", str(file), "--game", "morning")
    assert memory.load(subject(run)) == before


@pytest.mark.parametrize("content", ["no JSON", "[1]", "{}", '{"format": 99}'])
def test_a_foreign_file_is_not_imported(content: str, tmp_path: Path) -> None:
    file = tmp_path / "foreign.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match="is no memory"):
        zork("import", str(file), "--game", "morning")


def test_what_another_version_remembered_can_be_cleared(tmp_path: Path) -> None:
    learned(5, tmp_path)
    with closing(sqlite3.connect(memory.store_path())) as database, database:
        changed = database.execute(
            "UPDATE store SET value = replace(value, ?, ?)",
            (f'"format":{memory.FORMAT}', '"format":0'),
        )
        assert changed.rowcount == 1
    with pytest.raises(RunError, match=r"format 0, .*zork memory clear --game STORY"):
        learned(5, tmp_path)
    zork("clear", "--game", "morning", "--yes")
    assert learned(5, tmp_path)["steps"] == 5
    zork("clear", "--game", "morning", "--yes")
    with pytest.raises(RunError, match="nothing is remembered of morning"):
        zork("clear", "--game", "morning", "--yes")


def test_a_home_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "home"))
    with pytest.raises(RunError, match="or play with --fresh"):
        learned(3, tmp_path)


def test_graphs_with_similar_names_have_memories_of_their_own(tmp_path: Path) -> None:
    for name in ("v1.0", "v1_0"):
        result = learned(3, tmp_path, settings=[f"name={name}"])
        assert (result["graph"], result["memory"]["episodes"]) == (name, 0)
