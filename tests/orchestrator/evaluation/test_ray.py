"""The same plan on a Ray cluster of two nodes, one of which dies; slow, and only with Ray."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.errors import ConfigError
from orchestrator.evaluation.engines import make_engine
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.rows import read_rows
from tests.orchestrator.evaluation.inline import InlineEngine
from tests.orchestrator.evaluation.ray_cluster import MEANWHILE, PLAN

HERE = importlib.util.find_spec("ray") is not None
ALONE = ["unshare", "-rnpf", "--mount-proc", "--kill-child"]
"""In a network of its own, whose processes end with it."""


def _namespaces() -> bool:
    try:
        return subprocess.run([*ALONE, "true"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not HERE, reason="Ray is not installed (make install EXTRAS=ray)")
def test_a_node_that_dies_costs_only_time(tmp_path: Path) -> None:
    if not _namespaces():
        pytest.skip("needs a network namespace, which unshare may not make here")
    play = f"{sys.executable} -m tests.orchestrator.evaluation.ray_cluster {tmp_path}"
    done = subprocess.run(
        [*ALONE, "sh", "-c", f"ip link set lo up && exec {play}"],
        cwd=Path(__file__).parents[3],
        env={
            "PYTHONPATH": ".",
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "ZORK_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["failed"] == [], done.stderr
    resumed = [begun for begun in told["sessions"] if len(begun) > 1]
    assert len(resumed) == 1
    assert resumed[0][1] >= MEANWHILE
    here = run_grid(PLAN.cells(), tmp_path / "here.jsonl", 1, engine=InlineEngine).rows
    there = read_rows(tmp_path / "there.jsonl")
    figures = ("story", "graph", "seed", "score", "best_score", "turns", "deaths", "curve")
    assert sorted([str(row[name]) for name in figures] for row in there) == sorted(
        [str(row[name]) for name in figures] for row in here
    )


def test_ray_is_only_needed_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match="make install EXTRAS=ray"):
        make_engine("ray", 1, play_task)
    with pytest.raises(ConfigError, match="did you mean 'ray'"):
        make_engine("rya", 1, play_task)
    with pytest.raises(ConfigError, match="only with --engine ray"):
        make_engine("local", 1, play_task, "auto")
