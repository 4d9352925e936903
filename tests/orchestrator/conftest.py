"""Recorded runs that tests resume, fork and replay."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from orchestrator import play

STORY, SEED, HALF, WHOLE = "hollow", 5, 12, 20


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 20 turns that nothing disturbed; only to be read."""
    out = tmp_path_factory.mktemp("whole")
    return Path(play(STORY, fresh=True, seed=SEED, steps=WHOLE, out=out)["run_dir"])


@pytest.fixture(scope="session")
def _half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("half")
    return Path(play(STORY, fresh=True, seed=SEED, steps=HALF, out=out)["run_dir"])


@pytest.fixture
def half(_half: Path, tmp_path: Path) -> Path:
    """The first 12 turns of the same run, in a directory of the test's own."""
    return Path(shutil.copytree(_half, tmp_path / "elsewhere" / _half.name))
