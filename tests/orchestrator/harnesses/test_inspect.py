"""inspect_ai runs our task: our agent as a solver, or its mock model on the transcript."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TASK = "orchestrator/harnesses/inspect_task.py"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_inspect_evaluates_our_agent(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="make install EXTRAS=inspect")
    from inspect_ai.log import list_eval_logs, read_eval_log

    given = [
        "-T",
        "games=workshop,hollow",
        "-T",
        "seeds=1-2",
        "-T",
        "steps=12",
        "-T",
        "graph=offline",
    ]
    inspect = str(Path(sys.executable).with_name("inspect"))
    command = [inspect, "eval", TASK, "--model", "mockllm/model", *given]
    subprocess.run(
        [*command, "--display", "none", "--log-dir", str(tmp_path)],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ZORK_HOME": str(tmp_path)},
    )
    (found,) = list_eval_logs(str(tmp_path))
    log = read_eval_log(found)
    assert log.status == "success"
    assert log.samples is not None
    names = ["hollow-s1", "hollow-s2", "workshop-s1", "workshop-s2"]
    assert sorted(str(one.id) for one in log.samples) == names
    sample = next(one for one in log.samples if one.id == "workshop-s1")
    assert sample.metadata["turns"] == 12
    assert sample.metadata["best"] >= 1
    assert sample.scores is not None
    assert sample.scores["reached"].value == sample.metadata["best"] / sample.metadata["max_score"]


def test_a_role_that_reads_asks_the_model_too(tmp_path: Path) -> None:
    """The model answers on the loop on which our agent is waited for."""
    pytest.importorskip("inspect_ai", reason="make install EXTRAS=inspect")
    told = subprocess.run(
        [sys.executable, "-c", READING, str(tmp_path)],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert told.stdout.split() == ["success", "2"]


READING = """
import sys
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from orchestrator.harnesses.inspect_task import stories

output = ModelOutput.from_content("mockllm/model", "look")
output.usage = ModelUsage()
model = get_model("mockllm/model", custom_outputs=[output] * 99)
task = stories("workshop", seeds="7", steps=2, graph="llm")
(log,) = evaluate(task, model=model, log_dir=sys.argv[1], display="none")
print(log.status, log.samples[0].metadata["turns"])
"""


@pytest.mark.parametrize("solver", ["transcript", "orchestra"])
def test_a_model_of_inspect_plays_alone_and_within_our_agent(tmp_path: Path, solver: str) -> None:
    """Its mock model says the walkthrough, and wins; in a process of its own."""
    pytest.importorskip("inspect_ai", reason="make install EXTRAS=inspect")
    told = subprocess.run(
        [sys.executable, "-c", WALKTHROUGH, str(tmp_path), solver],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert told.stdout.split() == ["success", "1.0", "11"]


WALKTHROUGH = """
import sys
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from orchestrator.harnesses.inspect_task import stories

said = []
with open("game_files/workshop.walkthrough.txt", encoding="utf-8") as lines:
    for command in filter(None, lines.read().splitlines()):
        alone = f"`{command}`\\nbecause I know it"
        text = alone if sys.argv[2] == "transcript" else command
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage()
        said.append(output)
model = get_model("mockllm/model", custom_outputs=said)
task = stories("workshop", seeds="7", solver=sys.argv[2], graph="transcript")
(log,) = evaluate(task, model=model, log_dir=sys.argv[1], display="none")
mean = log.results.scores[0].metrics["mean"].value
print(log.status, mean, log.samples[0].metadata["turns"])
"""
