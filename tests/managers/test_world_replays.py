"""Walkthroughs replayed under access `text`, against the object tree as truth."""

from __future__ import annotations

import pytest

from benchmarks.measures import Cost, Share, measure
from benchmarks.truth import replay
from tests.conftest import real_story

LEAST = {
    "room": 0.98,
    "inventory": 0.95,
    "location": 0.90,
    "state": 0.90,
    "rooms whole": 0.95,
    "edges": 0.97,
}


MOST_BYTES = 60_000


def measured(story: str, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Share], Cost]:
    if story.endswith(".z5"):
        monkeypatch.setenv("ZORK_STORIES", str(real_story(story).parent))
    return measure(replay(story))


@pytest.mark.parametrize(
    "story",
    [
        pytest.param("zork1.z5", marks=pytest.mark.slow),
        pytest.param("hollow", marks=pytest.mark.slow),
        "morning",
        "workshop",
    ],
)
def test_text_tells_where_one_is_and_what_there_is(
    story: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, cost = measured(story, monkeypatch)
    assert cost.size <= MOST_BYTES
    assert found["room"].total > 10
    for name, least in LEAST.items():
        share = found[name]
        assert share.right >= least * share.total, (name, share.wrong.most_common(3))
