"""A browser, where one is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="make install EXTRAS=view")

from agents.fake_ollama import FakeOllama
from benchmarks.browser import Page, browser, missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say clearly what is missing."""
    if lacking := missing():
        reason = f"{lacking} not installed: run tests/browser/setup.sh"
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def desktop() -> Iterator[Page]:
    with browser() as page:
        yield page


@pytest.fixture(scope="module")
def phone() -> Iterator[Page]:
    with browser(400, 820) as page:
        yield page


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeOllama]:
    """A server of models that make their answers up, found by OLLAMA_HOST."""
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "home"))
    with FakeOllama(seed=1) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        yield server
