"""Where the tests find story files, and what many of them start from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from environments import secrets
from testing.fake_ollama import FakeOllama

ROOT = Path(__file__).parent.parent


def real_story(name: str) -> Path:
    """A real story file from `ZORK_STORIES` or `../shared/games`; the test is skipped without."""
    folders = [Path(p) for p in os.environ.get("ZORK_STORIES", "").split(os.pathsep) if p]
    for folder in [*folders, ROOT.parent / "shared" / "games"]:
        if (folder / name).is_file():
            return folder / name
    pytest.skip(f"{name} is neither in ZORK_STORIES nor in ../shared/games")


@pytest.fixture
def story_path() -> Callable[[str], Path]:
    """Finds a real story, or skips the test and says where it looked."""
    return real_story


@pytest.fixture(scope="module", autouse=True)
def home_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """For what the tests of a module share; see `home_of_test`."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZORK_HOME", str(home))
        yield home


_homes = count(1)


@pytest.fixture(autouse=True)
def home_of_test(home_of_module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what episodes of the user or of another test have learned."""
    monkeypatch.setenv("ZORK_HOME", str(home_of_module / f"{next(_homes)}"))


@pytest.fixture(autouse=True)
def no_secrets_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process keeps each secret that it was given out of all texts; a test knows its own."""
    monkeypatch.setattr(secrets, "_KNOWN", secrets.Known())


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    """A server of models that make their answers up, found by OLLAMA_HOST."""
    with FakeOllama(seed=1) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        yield server
