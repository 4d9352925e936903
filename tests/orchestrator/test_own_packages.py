"""Other distributions have packages called `agents` and `prompts`, too; ours stay ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import Done


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder that stands before ours on Python's path."""
    for name in ("agents", "prompts", "environments"):
        (tmp_path / "foreign" / name).mkdir(parents=True)
        (tmp_path / "foreign" / name / "__init__.py").write_text("OTHER = True\n")
    return tmp_path / "foreign"


def run(foreign: Path, *command: str) -> Done:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=foreign.parent,
        env=os.environ | {"PYTHONPATH": str(foreign)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


ZORK = "from orchestrator.cli import main; main()"


@pytest.mark.parametrize(
    "command",
    [
        ("play", "--game", "morning", "--steps", "2", "--fresh", "--quiet"),
        pytest.param(
            ("bench", "--games", "morning", "--graphs", "idle", "--seeds", "1", "--steps", "2"),
            marks=pytest.mark.slow,
        ),
        pytest.param(("graph", "check", "council"), marks=pytest.mark.slow),
    ],
)
def test_foreign_packages_of_the_same_names_do_no_harm(
    foreign: Path, command: tuple[str, ...]
) -> None:
    done = run(foreign, "-P", "-c", ZORK, *command)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_parts_are_found_by_the_names_that_they_have(foreign: Path) -> None:
    part = "nodes.actor.use=agents.actor:IdleActor"
    settings = ("--steps", "2", "--fresh", "--quiet", "-s", part)
    done = run(foreign, "-P", "-c", ZORK, "play", "--graph", "idle", *settings)
    assert done.returncode == 0, done.stderr


def test_a_foreign_package_that_was_there_first_is_told(foreign: Path) -> None:
    done = run(foreign, "-P", "-c", "import agents, orchestrator")
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: zork-orchestrator has a package 'agents', and another one of that name was "
        f"imported before it ({foreign / 'agents'})"
    )


def test_a_module_of_that_name_is_told_like_a_package(tmp_path: Path) -> None:
    (tmp_path / "testing.py").write_text("OTHER = True\n")
    done = run(tmp_path, "-P", "-c", "import testing, orchestrator")
    assert f"imported before it ({tmp_path / 'testing.py'})" in done.stderr.splitlines()[-1]
