"""TextWorld games: named, generated once, described; skipped where the extra is not installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from environments import textworld
from environments.catalog import describe, find_story
from environments.game import GameError
from environments.jericho_game import open_game
from tests.environments.empty_story import z_story

installed = pytest.mark.skipif(
    find_spec("textworld") is None, reason="needs make install EXTRAS=textworld"
)
KINDS = [
    "simple?seed=3",
    "coin_collector?level=2",
    "treasure_hunter?level=3&seed=5",
    "cooking?recipe=2&take=1&open=true&cut=1",
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZORK_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("textworld:chess", "no kind of game 'chess' (known: simple, coin_collector"),
        ("textworld:", "no kind of game ''"),
        ("textworld:simple?sed=3", "sed: Extra inputs are not permitted (parameters: seed, rew"),
        ("textworld:simple?seed=zero", "seed: Input should be a valid integer"),
        ("textworld:simple?seed=0", "seed: Input should be greater than or equal to 1"),
        ("textworld:simple?rewards=many", "rewards: Input should be 'dense', 'balanced' or"),
        ("textworld:coin_collector?level=301", "level: Input should be less than or equal to 300"),
        ("textworld:cooking?go=2", "go: Input should be '1', '6', '9' or '12'"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(name: str, why: str) -> None:
    with pytest.raises(GameError) as error:
        find_story(name)
    assert str(error.value).startswith(name)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(find_spec("textworld") is not None, reason="the extra is installed")
def test_without_the_extra_it_says_how_to_install_it(home: Path) -> None:
    with pytest.raises(GameError, match="make install EXTRAS=textworld"):
        find_story("textworld:simple?seed=3")
    assert not list(home.rglob("*.z8"))


def test_a_story_beside_somebody_elses_json_has_no_note(tmp_path: Path) -> None:
    story = tmp_path / "tale.z8"
    story.write_bytes(z_story(8))
    assert textworld.note_of(story) is None
    for content in (b'{"objective": 3}', b"\xe9"):
        story.with_suffix(".json").write_bytes(content)
        assert textworld.note_of(story) is None


@installed
@pytest.mark.parametrize("name", KINDS)
def test_a_generated_game_is_won_by_its_walkthrough(name: str, home: Path) -> None:
    story = find_story(f"textworld:{name}")
    entry = describe(story)
    assert entry is not None
    assert entry.walkthrough is not None
    assert entry.max_score
    assert entry.description
    with open_game(story) as game:
        step = game.start(1)
        for command in entry.walkthrough.read_text(encoding="utf-8").splitlines():
            step = game.play(step.snapshot, command)
        assert step.tally.ended
        assert step.tally.won
        assert (step.tally.score, step.tally.max_score) == (entry.max_score, entry.max_score)
    assert not [path for path in home.rglob(".*")]


@installed
def test_a_game_is_generated_once_and_always_the_same(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = find_story("textworld:coin_collector?seed=2")
    changed = first.path.stat().st_mtime_ns
    assert find_story("textworld:coin_collector?level=1&seed=2").path == first.path
    assert first.path.stat().st_mtime_ns == changed
    assert find_story("textworld:coin_collector?seed=3").sha256 != first.sha256
    monkeypatch.setenv("ZORK_HOME", str(tmp_path_factory.mktemp("other")))
    assert textworld.note_of(find_story("textworld:coin_collector?seed=2").path) == (
        textworld.note_of(first.path)
    )
