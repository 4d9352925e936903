"""The catalog: where stories are looked for, what is said when there is none, and adding one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environments.catalog import add_story, describe, downloads, find_story, id_of, list_stories
from environments.game import GameError
from tests.environments.empty_story import z_story


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ZORK_STORIES", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders in `ZORK_STORIES`; the first holds lantern.z5 and tale.z3."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    (first / "lantern.z5").write_bytes(z_story(5))
    (first / "tale.z3").write_bytes(z_story(3))
    (first / "notes.txt").write_text("not a story", encoding="utf-8")
    monkeypatch.setenv("ZORK_STORIES", f"{first}:{tmp_path / 'absent'}:{second}")
    return first


def missing(name: str) -> str:
    with pytest.raises(GameError) as error:
        find_story(name)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_every_embedded_story_is_found_by_id_and_is_the_one_the_catalog_promises() -> None:
    embedded = [listing for listing in list_stories() if listing.path and listing.entry]
    assert embedded
    for listing in embedded:
        story = find_story(listing.id)
        assert story.path == listing.path
        assert describe(story) == listing.entry
        assert listing.entry
        assert listing.entry.walkthrough is None or listing.entry.walkthrough.is_file()


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "own.z5").write_bytes(z_story())
    assert find_story("own.z5").path == Path("own.z5")
    assert find_story(str(tmp_path / "own.z5")).path == tmp_path / "own.z5"


@pytest.mark.parametrize("name", ["lantern", "lantern.z5", "LANTERN"])
def test_a_name_is_looked_up_in_the_path_list(shelf: Path, name: str) -> None:
    assert find_story(name).path == shelf / "lantern.z5"


def test_earlier_folders_win_and_full_names_tell_formats_apart(shelf: Path, tmp_path: Path) -> None:
    shutil.copy(shelf / "lantern.z5", tmp_path / "second" / "lantern.z5")
    (shelf / "tale.z5").write_bytes(z_story(5))
    assert find_story("lantern").path == shelf / "lantern.z5"
    assert find_story("tale").version == 3
    assert find_story("tale.z5").version == 5
    ids = [listing.id for listing in list_stories()]
    assert len(ids) == len(set(ids))
    assert {"lantern", "tale", "tale.z5"} <= set(ids)


def test_a_missing_story_suggests_the_closest_and_lists_the_known(shelf: Path) -> None:
    message = missing("lantren")
    assert "did you mean lantern?" in message
    assert all(listing.id in message for listing in list_stories() if listing.entry)
    assert "did you mean" not in missing("qqqqqq")


def test_a_missing_path_suggests_its_neighbour(shelf: Path) -> None:
    assert f"did you mean {shelf / 'tale.z3'}?" in missing(str(shelf / "tael.z3"))
    assert "there is no directory" in missing("/nowhere/at/all/tale.z5")
    assert "is a directory" in missing(str(shelf))
    assert "cannot be read" in missing("x" * 5000)


def test_a_broken_story_is_named(shelf: Path) -> None:
    (shelf / "lantern.z5").write_bytes(z_story()[:-9])
    assert str(shelf / "lantern.z5") in missing("lantern")


def test_a_story_that_can_be_fetched_says_how() -> None:
    for download in downloads():
        for name in (download.id, download.id.upper()):
            assert f"zork games fetch {download.id}" in missing(name)


def test_an_added_story_is_found_from_anywhere(shelf: Path, home: Path) -> None:
    added = add_story(shelf / "tale.z3")
    assert added.path == home / "stories" / "tale.z3"
    shutil.rmtree(shelf)
    assert find_story("tale").sha256 == added.sha256
    assert [path.name for path in (home / "stories").iterdir()] == ["tale.z3"]


def test_adding_again_is_harmless_but_nothing_is_overwritten(shelf: Path) -> None:
    add_story(shelf / "tale.z3")
    add_story(shelf / "tale.z3")
    (shelf / "tale.z3").write_bytes(z_story(3, b"another tale" * 40))
    with pytest.raises(GameError, match="is another story already; rename"):
        add_story(shelf / "tale.z3")


def test_only_stories_can_be_added(shelf: Path, home: Path) -> None:
    with pytest.raises(GameError, match="not a playable story"):
        add_story(shelf / "notes.txt")
    assert not home.exists()


def test_a_home_that_cannot_be_written_is_named(shelf: Path, home: Path) -> None:
    home.write_text("a file", encoding="utf-8")
    with pytest.raises(GameError, match="cannot be copied to"):
        add_story(shelf / "tale.z3")


def test_every_id_in_the_list_opens_its_own_story(shelf: Path, home: Path) -> None:
    (shelf / "hollow.z5").write_bytes(z_story(5, b"another hollow" * 40))
    (shelf / "lantern.z3").write_bytes(z_story(3, b"another lantern" * 40))
    (shelf.with_name("second") / "lantern.z5").write_bytes(z_story(5, b"a third one" * 40))
    added = add_story(shelf.with_name("second") / "lantern.z5")
    at_hand = [listing for listing in list_stories() if listing.path]
    assert [find_story(one.id).path for one in at_hand] == [one.path for one in at_hand]
    assert find_story(id_of(added.path)) == added


def test_a_story_is_not_taken_for_a_download_of_its_name(tmp_path: Path, home: Path) -> None:
    download = downloads()[0]
    path = tmp_path / "other" / download.file
    path.parent.mkdir()
    path.write_bytes(z_story(3))
    add_story(path)
    assert [one.entry for one in list_stories() if one.id == download.id] == [None]
