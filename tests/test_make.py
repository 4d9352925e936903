"""`make` looks at the Python it is given before it makes anything of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OLD = f"""#!/bin/sh
[ "$1" = -c ] && exec {sys.executable} -c \\
    'import sys; sys.version_info = (3, 10, 12); exec(sys.argv[1])' "$2"
mkdir -p .venv/bin && cp "$0" .venv/bin/python
"""
"""A Python 3.10, for all that is looked at."""
HALF = '#!/bin/sh\n[ "$1" = -c ] && exit 0\nmkdir -p .venv/bin; exit 1\n'
"""One that breaks off, as Debian's does without python3-venv."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "requirements").mkdir()
    for listed in (ROOT / "requirements").glob("*.txt"):
        (tmp_path / "requirements" / listed.name).touch()
    for name, text in (("python3.10", OLD), ("half", HALF)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o700)
    return tmp_path


def make(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments], cwd=project, env=kept, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("goal", "python", "told"),
    [
        (
            "play",
            "./python3.10",
            "3.11 or newer, ./python3.10 is 3.10: make play PYTHON=python3.12",
        ),
        (
            "test",
            "./python3.10",
            "3.11 or newer, ./python3.10 is 3.10: make test PYTHON=python3.12",
        ),
        ("play", "./nowhere", "nowhere"),
        ("play", "./half", ""),
    ],
)
def test_what_does_not_fit_leaves_nothing(goal: str, python: str, told: str, project: Path) -> None:
    done = make(project, goal, f"PYTHON={python}")
    assert done.returncode
    assert told in done.stderr
    assert not (project / ".venv").exists()


def test_what_an_old_python_left_is_told_in_one_line(project: Path) -> None:
    subprocess.run(["./python3.10", "-m", "venv", ".venv"], cwd=project, check=True)
    done = make(project, "play", f"PYTHON={sys.executable}")
    assert done.returncode
    assert "make clean, then make play" in done.stderr.splitlines()[0]
    assert make(project, "clean").returncode == 0
    assert not (project / ".venv").exists()
