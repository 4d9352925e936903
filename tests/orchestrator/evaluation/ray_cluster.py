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
from threading import Thread

from orchestrator.evaluation.engines import make_engine
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import EvaluationPlan
from orchestrator.evaluation.playing import play_task

PORT = 26379
PLAN = EvaluationPlan(
    games=("morning", "hollow"), graphs=("random", "offline"), seeds=(1, 2), steps=(150,)
)
MEANWHILE = 30
"""So many turns every cell in flight has been played when the node dies."""


def main() -> None:
    """Start two nodes, play, and kill the second one while it plays."""
    out = Path(sys.argv[1]) / "there.jsonl"
    _start("--head", f"--port={PORT}", "--include-dashboard=false")
    first = _raylets()
    _start(f"--address=127.0.0.1:{PORT}")
    (second,) = _raylets() - first
    Thread(target=_kill_node, args=(second, out.with_suffix("")), daemon=True).start()
    begun = time.monotonic()
    outcome = run_grid(
        PLAN.cells(),
        out,
        1,
        engine=lambda: make_engine("ray", 1, play_task, f"127.0.0.1:{PORT}"),
    )
    failed = [f"{task.folder}: {error}" for task, error in outcome.failed.items()]
    begun_at = [[one["from_turn"] for one in row["sessions"]] for row in outcome.rows]
    told = {"failed": failed, "sessions": begun_at, "seconds": time.monotonic() - begun}
    sys.stdout.write(json.dumps(told))


def _kill_node(raylet: int, folder: Path) -> None:
    """Kill a node and all that runs there, once two cells are well on their way."""
    while sum(_turns(path) >= MEANWHILE for path in folder.glob("*/*/transcript.txt")) < 2:
        time.sleep(0.1)
    children = Path(f"/proc/{raylet}/task/{raylet}/children").read_text(encoding="utf-8")
    for process in (raylet, *map(int, children.split())):
        os.kill(process, signal.SIGKILL)


def _turns(transcript: Path) -> int:
    return transcript.read_text(encoding="utf-8").count("\n> ")


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
