"""Passwords and keys stay out of what a run leaves, and others cannot read what it leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.models.config import ModelConfig
from agents.models.factory import make_model
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.saved.archive import export_run
from orchestrator.saved.runs import RunDirectory
from testing.fake_ollama import FakeOllama
from tests.playing import unpack

SECRETS = ("hunter2", "letmein", "crumbs", "s3same")


@pytest.fixture
def secretive(fake: FakeOllama, tmp_path: Path) -> Path:
    """A run whose models were named with secrets of every kind."""
    address = fake.base_url.replace("://", "://me:hunter2@")
    settings = [
        "models.default.model=ollama:llama3.1:8b",
        f"models.default.base_url={address}",
        'models.default.options={client_kwargs={headers={"X-Gate"="letmein", Cookie="crumbs"}}}',
        f"models.other.base_url={fake.base_url}?api_key=s3same",
        "nodes.actor.use=llm",
    ]
    out = tmp_path / "runs"
    return Path(play(settings=settings, steps=1, out=out, fresh=True, cache=False)["run_dir"])


def test_no_secret_is_left_behind(secretive: Path, tmp_path: Path) -> None:
    archive = tmp_path / "run.tar.gz"
    export_run(RunDirectory(secretive), archive)
    unpack(archive, tmp_path / "unpacked")
    for folder in (secretive, tmp_path / "unpacked", tmp_path / "home"):
        for path in folder.rglob("*"):
            content = path.read_bytes() if path.is_file() else b""
            assert not [secret for secret in SECRETS if secret.encode() in content], path


def test_a_run_goes_on_when_its_secrets_are_given_again(secretive: Path, fake: FakeOllama) -> None:
    with pytest.raises(ConfigError, match=r"models\.default\.base_url.*-s models\.default\.base"):
        resume(secretive, steps=1)
    again = [
        f"models.default.base_url={fake.base_url}",
        f"models.other.base_url={fake.base_url}",
        'models.default.options={client_kwargs={headers={"X-Gate"="letmein", Cookie="crumbs"}}}',
    ]
    assert resume(secretive, steps=1, settings=again)["steps"] == 2
    assert fork(secretive, steps=1, settings=again, out=secretive.parent)["steps"] == 3
    with pytest.raises(ConfigError, match="only the models"):
        resume(secretive, steps=1, settings=[*again, "nodes.critic.use=none"])


@pytest.mark.slow
def test_nobody_else_can_read_what_a_run_leaves(tmp_path: Path) -> None:
    home, runs = tmp_path / "home", tmp_path / "runs"
    code = "import os; os.umask(0o022); from orchestrator.cli import main; main()"
    for arguments in (["play", "--steps", "2"], ["runs", "export", "last", "run.tar.gz"]):
        subprocess.run(
            [sys.executable, "-c", code, *arguments, "--out", str(runs)],
            env={**os.environ, "ZORK_HOME": str(home)},
            cwd=tmp_path,
            check=arguments[0] == "play",
            capture_output=True,
        )
    made = [*home.rglob("*"), *runs.rglob("*"), home]
    assert len(made) > 5
    assert not [path for path in made if path.stat().st_mode & 0o077]


def test_what_python_makes_lies_in_folders_of_ones_own(tmp_path: Path) -> None:
    run = Path(play(steps=1, fresh=False, out=tmp_path / "runs")["run_dir"])
    assert run.stat().st_mode & 0o777 == 0o700
    assert Path(os.environ["ZORK_HOME"]).stat().st_mode & 0o077 == 0


def test_a_client_gets_a_config_of_its_own() -> None:
    options: dict[str, Any] = {"client_kwargs": {"headers": {"X": "y"}}}
    config = ModelConfig(model="ollama:x", options=options)
    model: Any = make_model(config)
    model.client_kwargs["headers"]["X"] = "changed"
    assert config.options == {"client_kwargs": {"headers": {"X": "y"}}}
