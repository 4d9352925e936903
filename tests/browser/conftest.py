"""A browser, where one is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="make install EXTRAS=view")
pytest.importorskip("selenium", reason="make install EXTRAS=browser")

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
