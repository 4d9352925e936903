"""Grids go on wherever they were stopped: every cell exactly once, and nothing is left behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from orchestrator.episode import Episode
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation import playing
from orchestrator.evaluation.cells import Cell, Task, resolved
from orchestrator.evaluation.engines import CellEnded, LocalEngine
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.queue import Limit, Queue
from orchestrator.evaluation.rows import Results, read_rows
from orchestrator.evaluation.scores import shares, turns_of
from orchestrator.saved.runs import RunDirectory
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine

ZORK = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from orchestrator.cli import main; main()"
)
"""Hears Ctrl-C also where the tests run in the background of a shell."""


def cells(seeds: int, steps: int = 3, graph: str = "random") -> list[Cell]:
    return [Cell("workshop", graph, seed, steps) for seed in range(1, seeds + 1)]


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    first = run_grid(cells(2), out, 1, engine=InlineEngine)
    second = run_grid(cells(3), out, 1, engine=InlineEngine)
    assert second.rows[:2] == first.rows
    assert len(read_rows(out)) == 3
    assert second.missing == 0


def test_rows_of_another_plan_count_as_this_one_says(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    (plain,) = run_grid(cells(1), out, 1, engine=InlineEngine).rows
    told: dict[str, Any] = {"counts": "best", "of_maximum": "gain", "protocol": "held-out"}
    best = [replace(cell, **told) for cell in cells(1)]
    (row,) = run_grid(best, out, 1, engine=InlineEngine).rows
    assert len(read_rows(out)) == 1
    assert row == {**plain, **told, **shares({**plain, **told})}
    both = [json.dumps(one) + "\n" for one in (plain, {**row, "seed": 2})]
    out.write_text("".join(both), encoding="utf-8")
    assert "not all of its rows count the same" in zork("report", str(out), "--markdown").stderr


@pytest.mark.slow
def test_a_grid_tells_how_many_turns_it_is_at(tmp_path: Path) -> None:
    """By them a bench says how long it will take, before the first of its episodes has ended."""
    told: list[int] = []
    waiting: list[Task] = []
    four = [Cell("hollow", "random", seed, 120) for seed in (1, 2)]
    rows = run_grid(
        four, tmp_path / "rows.jsonl", 1, turning=told.append, begin=waiting.extend
    ).rows
    assert sum(task.cell.turns for task in waiting) == 240
    assert any(0 < turns < 120 for turns in told)
    assert max(told) <= sum(turns_of(row) for row in rows)


def answer_morning(question: Any) -> str:
    """What a model says to everything."""
    return '{"thinking": "", "action": "look"}'


@pytest.mark.slow
def test_what_a_turn_cost_is_told_by_role(tmp_path: Path) -> None:
    model = f"embedded:function:{__name__}:answer_morning"
    out = tmp_path / "rows.jsonl"
    plan = ("--games", "morning", "--graphs", "solo", "--models", model)
    done = zork("bench", *plan, "--steps", "5", "--seeds", "1", "--trust", "--output", str(out))
    line = next(one.split() for one in done.stdout.splitlines() if " actor " in one)
    row = next(row for row in read_rows(out) if row["llm_calls"])
    actor = row["roles"]["actor"]
    assert line[-7:-5] == ["actor", "1.0"]
    assert float(line[-5].replace(",", "")) == round(actor["input_tokens"] / row["turns"], 1)
    assert actor["a_turn"]["output_tokens"] == actor["output_tokens"] / row["turns"]
    assert zork("report", str(out)).returncode == 0
    assert "What a turn cost the models" in out.with_suffix(".html").read_text(encoding="utf-8")


def test_a_variant_is_another_cell_with_another_name(tmp_path: Path) -> None:
    plain = resolved(Cell("workshop", "offline", 1, 3))
    varied = resolved(Cell("workshop", "offline", 1, 3, ("skills.plans.chaining=false",)))
    same = resolved(Cell("workshop", "offline", 1, 3, ("mind.routes=true",)))
    assert plain.key == same.key
    assert plain.graph == same.graph == "offline"
    assert varied.key != plain.key
    assert varied.graph.startswith("offline+")
    file = tmp_path / "mine.toml"
    file.write_text('extends = "offline"\n[skills.plans]\nchaining = false\n', encoding="utf-8")
    assert resolved(Cell("workshop", str(file), 1, 3)).key == varied.key


def test_a_row_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    whole = run_grid(cells(2), out, 1, engine=InlineEngine).rows
    out.write_bytes(out.read_bytes()[:-20])
    assert len(read_rows(out)) == 1
    again = run_grid(cells(2), out, 1, engine=InlineEngine)
    assert [row["score"] for row in again.rows] == [row["score"] for row in whole]
    assert len(read_rows(out)) == 2


def test_a_bench_goes_on_with_rows_that_tell_no_settings(tmp_path: Path) -> None:
    """Nor what their graph is for; as earlier versions wrote them."""
    bench = ("bench", "--games", "workshop", "--graphs", "random", "--seeds", "1", "--steps", "0")
    out = tmp_path / "rows.jsonl"
    row = run_grid([Cell("workshop", "random", 1, 0)], out, 1, engine=InlineEngine).rows[0]
    config = {name: value for name, value in row["config"].items() if name != "description"}
    for changed in ({"settings": None}, {"settings": ["lives=1"], "config": config}):
        told = {name: value for name, value in {**row, **changed}.items() if value is not None}
        out.write_text(json.dumps(told) + "\n", encoding="utf-8")
        done = zork(*bench, "--output", str(out))
        assert (done.returncode, done.stderr) == (0, "")
    assert "random: With lives=1." in done.stdout


def test_two_benches_do_not_add_to_one_file(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    with Results(out).opened(), pytest.raises(RunError, match="another bench"):
        run_grid(cells(1), out, 1)


@pytest.mark.slow
def test_a_cell_in_flight_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """An earlier process has played half of it and was killed."""
    task = resolved(Cell("hollow", "offline", 3, 12))
    whole = play_task(task, tmp_path / "whole")
    half = [sys.executable, "-c", KILLED, str(tmp_path / "half")]
    assert subprocess.run(half, check=False).returncode == -signal.SIGKILL
    row = play_task(task, tmp_path / "half")
    assert [one["from_turn"] for one in row["sessions"]] == [0, 6]
    for name in ("score", "best_score", "turns", "goal", "curve"):
        assert row[name] == whole[name]
    first, second = (Path(one["run_dir"], "transcript.txt").read_bytes() for one in (row, whole))
    assert first == second


KILLED = """
import os, signal, sys
from pathlib import Path
from orchestrator.evaluation import curves
from orchestrator.evaluation.cells import Cell, resolved
from orchestrator.evaluation.playing import play_task
from orchestrator.events import TurnPlayed

watch = curves.CurveWriter.__call__

def killed(self, event):
    watch(self, event)
    if isinstance(event, TurnPlayed) and event.after["turn"] == 6:
        os.kill(os.getpid(), signal.SIGKILL)

curves.CurveWriter.__call__ = killed
play_task(resolved(Cell("hollow", "offline", 3, 12)), Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_cell_that_somebody_still_plays_is_not_taken_for_done(tmp_path: Path) -> None:
    """The driver takes a worker for dead that still plays: its end is waited for."""
    task = resolved(Cell("hollow", "offline", 3, 60))
    other = Thread(target=play_task, args=(task, tmp_path))
    other.start()
    _wait_for(lambda: list(tmp_path.glob("*/*/transcript.txt")))
    row = play_task(task, tmp_path)
    other.join()
    assert (row["turns"], row["end_reason"], len(row["curve"]) > 1) == (60, "steps", True)
    assert len(list(tmp_path.glob("*/*/episode.json"))) == 1


def test_a_cell_that_cannot_go_on_now_keeps_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody plays it, or it breaks off again; what is damaged is played anew."""
    task = resolved(Cell("workshop", "random", 1, 3))
    whole = play_task(task, tmp_path)
    run = RunDirectory(Path(whole["run_dir"]))
    run.write_episode({**run.record().header(), "status": "running", "max_steps": 5})
    monkeypatch.setattr(playing, "PATIENCE_S", 0)
    with run.locked(), pytest.raises(RunError, match="another process is playing"):
        play_task(task, tmp_path)
    with full_disk(), pytest.raises(RunError):
        play_task(task, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Episode, "play", full)
        with pytest.raises(RunError, match="disk is full"):
            play_task(task, tmp_path)
    assert play_task(task, tmp_path)["turns"] == 5
    (run.path / "episode.json").write_text("{", encoding="utf-8")
    again = play_task(task, tmp_path)
    assert (again["turns"], again["score"]) == (3, whole["score"])


@contextmanager
def full_disk() -> Iterator[None]:
    """Nothing can be written meanwhile."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def full(episode: Episode) -> dict[str, Any]:
    raise RunError("the disk is full")


def test_a_lost_cell_is_played_again_but_not_for_ever(tmp_path: Path) -> None:
    engine = InlineEngine(losses=1)
    outcome = run_grid(cells(2), tmp_path / "rows.jsonl", 1, engine=lambda: engine)
    assert len(outcome.rows) == 2
    assert len(engine.started) == 4
    assert engine.closed
    engine = InlineEngine(losses=99)
    outcome = run_grid(cells(1), tmp_path / "none.jsonl", 1, engine=lambda: engine)
    assert (outcome.rows, outcome.missing) == ([], 1)
    assert list(outcome.failed.values()) == ["a node died"]


@pytest.mark.slow
def test_a_broken_cell_does_not_stop_the_others(tmp_path: Path) -> None:
    """A model that gives no answer; the server is not there."""
    nowhere = "models.default.base_url=http://127.0.0.1:9"
    told = [Cell("workshop", "llm", 1, 3, (nowhere,)), *cells(1)]
    outcome = run_grid(told, tmp_path / "rows.jsonl", 1)
    assert [row["graph"] for row in outcome.rows] == ["random"]
    assert "127.0.0.1:9" in next(iter(outcome.failed.values()))


@pytest.mark.slow
def test_a_killed_worker_costs_its_cell_only_time(tmp_path: Path) -> None:
    engine = LocalEngine(1, kill_once)
    try:
        task = resolved(Cell("workshop", "random", 1, 3))
        engine.start(task, tmp_path)
        (lost,) = _ended(engine)
        assert lost.lost
        engine.start(task, tmp_path)
        (ended,) = _ended(engine)
        assert ended.row is not None
        assert ended.row["turns"] == 3
    finally:
        engine.close()


def kill_once(task: Task, folder: Path) -> dict[str, Any]:
    mark = folder / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_task(task, folder)


def _ended(engine: LocalEngine) -> list[CellEnded]:
    for _ in range(100):
        if ended := engine.ended(0.3):
            return ended
    raise AssertionError("nothing ended")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A bench of many episodes in a process group of its own."""
    command = ["bench", "--games", "hollow", "--graphs", "offline", "--seeds", "1-40"]
    process = subprocess.Popen(
        [sys.executable, "-c", ZORK, *command, "--steps", "25", "--output", "b.jsonl"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_answers_at_once_with_the_table_and_how_to_go_on(
    bench: subprocess.Popen[str], tmp_path: Path, number: signal.Signals, status: int
) -> None:
    rows = tmp_path / "b.jsonl"
    _wait_for(lambda: rows.is_file() and len(read_rows(rows)) > 1)
    os.killpg(bench.pid, number)
    said, err = bench.communicate(timeout=30)
    assert bench.returncode == status
    assert "hollow" in said
    assert "go on with: zork bench --games hollow" in " ".join(err.split())
    assert f"{len(read_rows(rows))} of 40 cells" in " ".join(err.split())
    _wait_for(lambda: not _processes(tmp_path))


@pytest.mark.slow
def test_workers_do_not_outlive_a_killed_driver(
    bench: subprocess.Popen[str], tmp_path: Path
) -> None:
    rows = tmp_path / "b.jsonl"
    _wait_for(lambda: rows.is_file() and len(read_rows(rows)) > 0)
    assert len(_processes(tmp_path)) > 1
    bench.kill()
    _wait_for(lambda: not _processes(tmp_path))


def _wait_for(condition: Any) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come about")


def _processes(folder: Path) -> list[str]:
    """The living processes that work in a folder."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            dead = "State:\tZ" in (process / "status").read_text(encoding="utf-8")
            if process.name.isdigit() and (process / "cwd").resolve() == folder and not dead:
                found.append(process.name)
        except OSError:
            continue
    return found


def test_servers_get_no_more_than_they_can_bear() -> None:
    plain = resolved(Cell("workshop", "random", 1, 3))
    asking = [resolved(Cell("workshop", "llm", seed, 3)) for seed in (1, 2, 3)]
    assert asking[0].servers == ("ollama",)
    queue = Queue([*asking, plain], {"ollama": Limit(slots=2, tokens_per_minute=600)})
    taken = [queue.take() for _ in range(4)]
    assert [task.cell.graph for task in taken if task] == ["llm", "random", "llm"]
    assert [task.pace for task in taken if task] == [300, None, 300]
    assert len(queue) == 1
    assert taken[0] is not None
    queue.done(taken[0])
    last = queue.take()
    assert last is not None
    assert last.cell.seed == 3


def test_a_limit_of_a_server_that_nobody_asks_is_refused(tmp_path: Path) -> None:
    limits = {"http://127.0.0.1:11434": Limit(slots=1)}
    with pytest.raises(ConfigError, match=r"unknown model server .*11434.* \(known: ollama\)"):
        run_grid(cells(1, graph="llm"), tmp_path / "rows.jsonl", 1, limits=limits)
    assert not (tmp_path / "rows.jsonl").exists()


def test_a_results_file_of_something_else_is_named(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    out.write_text(json.dumps({"score": 1}) + "\n", encoding="utf-8")
    with pytest.raises(RunError, match="line 1 is no row of results"):
        run_grid(cells(1), out, 1)
    with pytest.raises(ConfigError, match="give it an ending"):
        run_grid(cells(1), tmp_path / "rows", 1)
