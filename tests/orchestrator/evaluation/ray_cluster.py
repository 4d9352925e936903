"""Plays a plan on two Ray nodes of this machine and kills one; run in a network of its own.

`python -m tests.orchestrator.evaluation.ray_cluster FOLDER` prints what came of it as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from orchestrator.evaluation.cells import Task
from orchestrator.evaluation.engines import make_engine
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import Plan
from orchestrator.evaluation.playing import play_task

PORT = 26379
PLAN = Plan(
    games=("workshop", "hollow"), graphs=("offline", "random"), seeds=(1, 2, 3), steps=(40,)
)


def main() -> None:
    """Start two nodes, play, and kill the second one when the first cell has ended."""
    out = Path(sys.argv[1]) / "there.jsonl"
    _start("--head", f"--port={PORT}", "--include-dashboard=false")
    first = _raylets()
    _start(f"--address=127.0.0.1:{PORT}")
    (second,) = _raylets() - first
    killed: list[int] = []

    def kill_second(_task: Task, _row: dict[str, Any]) -> None:
        if not killed:
            os.kill(second, signal.SIGKILL)
            killed.append(second)

    begun = time.monotonic()
    outcome = run_grid(
        PLAN.cells(),
        out,
        1,
        kill_second,
        engine=lambda: make_engine("ray", 1, play_task, f"127.0.0.1:{PORT}"),
    )
    failed = [f"{task.folder}: {error}" for task, error in outcome.failed.items()]
    told = {"failed": failed, "killed": len(killed), "seconds": time.monotonic() - begun}
    sys.stdout.write(json.dumps(told))


def _start(*options: str) -> None:
    command = [str(Path(sys.executable).with_name("ray")), "start", *options]
    fixed = ["--num-cpus=1", "--object-store-memory=80000000", "--disable-usage-stats"]
    subprocess.run([*command, *fixed], check=True, stdout=sys.stderr)


def _raylets() -> set[int]:
    """The process ids of all raylets that live here."""
    found = set()
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            command = (process / "cmdline").read_bytes().split(b"\0")[0]
            if command.endswith(b"/raylet"):
                found.add(int(process.name))
    return found


if __name__ == "__main__":
    main()
