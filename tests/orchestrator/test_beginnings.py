"""A run begins where its rows begin: forks, forks of forks, and traces whose beginning is lost."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("starlette", reason="make install EXTRAS=view")

from starlette.applications import Starlette
from starlette.testclient import TestClient
from textual.widgets import Static

from orchestrator import play
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.dashboard import Dashboard
from orchestrator.viewer.runs import RunView
from orchestrator.viewer.server import Viewer
from testing.fake_ollama import FakeOllama
from tests.command_line import zork


class Run(NamedTuple):
    """A run that begins behind its opening."""

    name: str
    first: int
    last: int


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def runs(out: Path) -> dict[str, Run]:
    """A whole run, a fork, a fork of it, one that was resumed, and one whose beginning is lost."""
    whole = play("hollow", seed=5, steps=12, out=out, fresh=True)
    forked = fork(whole["run_dir"], 5, out=out, steps=4, seed=9)
    inner = fork(forked["run_dir"], 7, out=out, steps=3, seed=11)
    resumed = fork(whole["run_dir"], 3, out=out, steps=2)
    resume(resumed["run_dir"], steps=2)
    cut = Path(shutil.copytree(whole["run_dir"], out / "cut"))
    lines = (cut / "trace.jsonl").read_bytes().splitlines(keepends=True)
    within = [n for n, line in enumerate(lines) if b'"turn":8,' in line[:2000]][3]
    (cut / "trace.jsonl").write_bytes(b"".join(lines[within:]))
    return {
        "whole": Run(whole["run_id"], 0, 12),
        "fork": Run(forked["run_id"], 6, 9),
        "fork of a fork": Run(inner["run_id"], 8, 10),
        "resumed fork": Run(resumed["run_id"], 4, 7),
        "beginning lost": Run("cut", 9, 12),
    }


KINDS = ("fork", "fork of a fork", "resumed fork", "beginning lost")


def page_of(path: Path) -> dict[str, Any]:
    """The data that an exported page holds."""
    found = re.search(r'id="data">([^<]+)<', path.read_text(encoding="utf-8"))
    assert found
    return dict(json.loads(gzip.decompress(base64.b64decode(found[1]))))


@pytest.mark.parametrize("kind", KINDS)
def test_page_export_and_trace_begin_with_its_first_turn(
    runs: dict[str, Run], out: Path, tmp_path: Path, kind: str
) -> None:
    run = runs[kind]
    turns = list(range(run.first, run.last + 1))
    with TestClient(Starlette(routes=Viewer(out).routes())) as client:
        rows = client.get(f"/api/runs/{run.name}").json()["rows"]
        frames = [client.get(f"/api/runs/{run.name}/turns/{row[0]}").json() for row in rows]
        missing = client.get(f"/api/runs/{run.name}/turns/0")
    assert [row[0] for row in rows] == [frame["turn"] for frame in frames] == turns
    assert missing.status_code == 404
    assert f"(it has {run.first}-{run.last})" in missing.text
    score = frames[0]["score"]
    assert frames[0]["gained"] in (0, score - score_before(out / run.name, run.first))
    exported = zork("view", run.name, "--export", str(tmp_path / "x.html"), "--out", str(out))
    assert exported.returncode == 0
    assert [int(turn) for turn in page_of(tmp_path / "x.html")["turns"]] == turns
    shown = zork("trace", "show", run.name, "--out", str(out)).stdout.splitlines()[2:]
    assert [int(line.split()[0]) for line in shown] == turns
    stats = zork("trace", "stats", run.name, "--out", str(out)).stdout
    gained = sum(frame["gained"] for frame in frames)
    assert stats.startswith(f"{len(turns)} turns")
    assert f"{gained} points" in stats.splitlines()[0]
    other = zork("trace", "show", run.name, "--turn", "1", "--out", str(out))
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert f"it has {run.first}-{run.last}" in other.stderr


def score_before(run: Path, turn: int) -> int:
    """The score before a turn, as the trace says."""
    for line in (run / "trace.jsonl").read_text(encoding="utf-8").splitlines():
        metadata = json.loads(line).get("post", {}).get("extra", {}).get("metadata", {})
        if metadata.get("turn") == turn and "score" in metadata:
            return int(metadata["score"])
    raise AssertionError("no such turn")


@pytest.mark.parametrize("kind", KINDS)
def test_it_can_be_watched(runs: dict[str, Run], out: Path, kind: str) -> None:
    run = runs[kind]
    app = Dashboard(lambda: RunView(RunDirectory(out / run.name)))

    def titled() -> str:
        return str(app.query_one("#thinking-pane").border_title)

    async def looked() -> list[str]:
        async with app.run_test(size=(120, 40)) as pilot:
            while not titled().endswith(f" {run.last}"):
                await pilot.pause(0.05)
            for _ in range(run.last - run.first + 3):
                await pilot.press("b")
            first = titled()
            await pilot.press("n")
            return [first, titled(), str(app.query_one("#status", Static).render())]

    first, second, status = asyncio.run(asyncio.wait_for(looked(), 20))
    assert first == f"thinking of turn {run.first}"
    assert second == f"thinking of turn {run.first + 1}"
    assert f"turn {run.first + 1} of" in status
    assert f" (now {run.last}), " in status


def test_before_a_fork_its_turns_are_its_parents(runs: dict[str, Run], out: Path) -> None:
    for one, other, taken_over in (
        ("whole", "fork", 5),
        ("fork", "fork of a fork", 7),
        ("whole", "fork of a fork", 5),
        ("fork of a fork", "resumed fork", 3),
    ):
        names = (runs[one].name, runs[other].name)
        shown = zork("trace", "diff", *names, "--out", str(out)).stdout
        same = re.match(r"the same (?:up to turn )?(\d+)", shown)
        assert same
        assert int(same[1]) >= taken_over, shown


def test_a_fork_without_its_parent_begins_where_it_does(
    runs: dict[str, Run], out: Path, tmp_path: Path
) -> None:
    alone = Path(shutil.copytree(out / runs["fork"].name, tmp_path / "alone"))
    assert zork("trace", "diff", str(alone), str(alone)).stdout == "the same 4 turns\n"


LOOKS = (
    *("view RUN --export x.html", "world show RUN --map x.txt --puzzles x.svg", "runs show RUN"),
    *("trace show RUN --turn 0", "trace stats RUN", "runs list", "trace diff RUN RUN"),
)


def test_a_run_that_paused_in_its_opening_can_be_looked_at(
    fake: FakeOllama, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server answers the check before play, and is away when it is asked."""
    monkeypatch.chdir(tmp_path)
    fake.plan = lambda _: "busy"
    settings = ("-s", "models.default.retries=0", "--no-cache", "--steps", "2")
    zork("play", "--game", "hollow", "--graph", "llm", *settings, "--quiet")
    (run,) = (tmp_path / "runs").iterdir()
    assert json.loads((run / "episode.json").read_text())["end_reason"] == "paused"
    for looked in LOOKS:
        done = zork(*looked.replace("RUN", run.name).split())
        assert (done.returncode, done.stderr) == (0, ""), looked
    view = RunView(RunDirectory(run))
    view.refresh()
    assert view.frame(0).carried == []
    view.close()
