"""`LANGGRAPH_STRICT_MSGPACK`: asked for, had, and nobody says that it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from environments.game import Tally
from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.checkpoints.serializer import ForeignCheckpoint, StateSerializer, state_types
from orchestrator.errors import RunError
from orchestrator.saved.restore import thread
from orchestrator.saved.runs import RunDirectory

STRICT = "import sys; from orchestrator.cli import main; sys.argv[0] = 'zork'; main()"


@pytest.mark.slow
def test_play_resume_and_fork_are_strict_without_a_word(tmp_path: Path) -> None:
    for command in (
        ("play", "--steps", "3", "--fresh"),
        ("resume", "last", "--steps", "2"),
        ("fork", "last", "--turn", "2", "--steps", "2"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", STRICT, *command, "--quiet", "--out", str(tmp_path)],
            env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "msgpack" not in done.stdout + done.stderr


def test_a_type_that_is_not_listed_is_refused() -> None:
    kinds = [kind for kind in state_types().values() if kind is not Tally]
    loose = StateSerializer()
    strict = loose.with_msgpack_allowlist(kinds)
    tally = loose.dumps_typed(Tally(score=3))
    assert loose.loads_typed(tally) == Tally(score=3)
    with pytest.raises(ForeignCheckpoint, match="'Tally', which is no type"):
        strict.loads_typed(tally)
    again = strict.with_msgpack_allowlist([(Tally.__module__, "Tally")])
    assert again.loads_typed(tally) == Tally(score=3), "lists add up"
    assert strict.loads_typed(loose.dumps_typed([1, {"a": (2,)}])) == [1, {"a": [2]}]


def test_a_saver_that_was_made_strict_refuses_what_its_graph_does_not_list(tmp_path: Path) -> None:
    run = RunDirectory(Path(play("workshop", fresh=True, steps=1, out=tmp_path)["run_dir"]))
    record = run.record()
    with read_turns(run, record) as saver:
        kinds = {(kind.__module__, kind.__name__) for kind in state_types().values()}
        assert saver.with_allowlist(kinds) is saver
        assert saver.get_tuple(thread(record)) is not None
    with read_turns(run, record) as saver, pytest.raises(RunError, match="no type of the state"):
        saver.with_allowlist({("builtins", "dict")}).get_tuple(thread(record))
