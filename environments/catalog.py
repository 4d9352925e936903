"""The story catalog: finds a story by path, id or name, and tells what is known of it."""

from __future__ import annotations

import difflib
import hashlib
import os
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from environments import textworld
from environments.folders import added_stories, story_folders
from environments.game import GameError, Value
from environments.plain_files import read_whole, write_whole
from environments.story import EXTENSIONS, Story, is_story_file, read_story

E = TypeVar("E", bound="Entry")


class Entry(Value):
    """What the catalog knows of a story."""

    id: str
    title: str
    file: str
    sha256: str
    max_score: int | None = None
    walkthrough: Path | None = None
    """A file of commands, one a line."""
    walkthrough_seed: int | None = None
    """The emulator seed under which the walkthrough reaches the maximum."""
    description: str = ""
    license: str = ""


class Download(Entry):
    """A story that can be fetched."""

    url: str
    size: int
    """Bytes."""


class Listing(NamedTuple):
    """A story that can be played or fetched by its id."""

    id: str
    path: Path | None
    """None as long as it has not been fetched."""
    entry: Entry | None


def find_story(name: str) -> Story:
    """Find a story by path, catalog id, or name with or without extension, and check it.

    A name like `textworld:simple?seed=3` generates the story where it is not there yet.

    Raises:
        GameError: There is none (the closest name is suggested), or it fails the check.
    """
    if name.startswith(textworld.SCHEME):
        return read_story(textworld.generate(name))
    if _is_path(name):
        return read_story(Path(name))
    listings = list_stories()
    for listing in listings:
        if listing.path and name.casefold() in (
            listing.id.casefold(),
            listing.path.name.casefold(),
        ):
            return read_story(listing.path)
    raise GameError(_missing(name, listings))


def list_stories() -> list[Listing]:
    """Every story at hand: shipped, in `ZORK_STORIES`, added; then those that can be fetched."""
    listings: list[Listing] = []
    taken: set[str] = set()
    for path, entry in _places():
        id = next(one for one in _ids(path, entry) if one.casefold() not in taken)
        listings.append(Listing(id, path, entry))
        taken |= {id.casefold(), path.name.casefold()}
    fetchable = (one for one in downloads() if one.id.casefold() not in taken)
    return [*listings, *(Listing(download.id, None, download) for download in fetchable)]


def _ids(path: Path, entry: Entry | None) -> Iterator[str]:
    """What a story may be called, the best first: later ones are for those of the same name."""
    yield entry.id if entry else path.stem
    yield path.name
    yield from (f"{path.stem}-{number}" for number in count(2))


def id_of(path: Path) -> str:
    """What `find_story` finds a file by: the id in the list, or else its path."""
    return next((one.id for one in list_stories() if one.path == path), str(path))


def describe(story: Story) -> Entry | None:
    """What the catalog knows of a story, recognised by its content wherever it lies."""
    for entry in [*_embedded(), *downloads()]:
        if entry.sha256 == story.sha256:
            return entry
    return _generated(story)


def _generated(story: Story) -> Entry | None:
    note = textworld.note_of(story.path)
    if note is None:
        return None
    return Entry(
        id=note.name,
        title="A TextWorld game",
        file=story.path.name,
        sha256=story.sha256,
        max_score=note.max_score,
        walkthrough=textworld.walkthrough_of(story.path),
        walkthrough_seed=1,
        description=note.objective,
    )


def add_story(path: Path) -> Story:
    """Check a story file and copy it into the user's stories.

    Raises:
        GameError: It fails the check, or another story has its name there.
    """
    story = read_story(path)
    usual = path.suffix.lower() in EXTENSIONS
    target = added_stories() / (path.name if usual else f"{path.stem}.z{story.version}")
    if target.exists() and read_story(target).sha256 != story.sha256:
        raise GameError(f"{target} is another story already; rename {path} and add it again")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, story.data)
    except OSError as error:
        raise GameError(f"{path} cannot be copied to {target}: {error.strerror}") from error
    return read_story(target)


def is_of(path: Path, entry: Entry) -> bool:
    """Whether a file is the story that the catalog's entry tells of."""
    try:
        return hashlib.sha256(read_whole(path, links=True)).hexdigest() == entry.sha256
    except OSError:
        return False


def downloads() -> list[Download]:
    """The stories that can be fetched."""
    return _read_entries(Path(__file__).with_name("downloads.toml"), Download)


def _is_path(name: str) -> bool:
    """Whether something lies at this path; a folder counts where it is meant as a path."""
    try:
        return Path(name).is_file() or (os.sep in name and Path(name).exists())
    except OSError:
        return True  # read_story says why it cannot be reached


def _embedded() -> list[Entry]:
    catalog = _game_files() / "games.toml"
    return [
        entry.model_copy(update={"walkthrough": _game_files() / entry.walkthrough})
        if entry.walkthrough
        else entry
        for entry in _read_entries(catalog, Entry)
    ]


def _game_files() -> Path:
    return Path(str(files("game_files")))


def _read_entries(path: Path, kind: type[E]) -> list[E]:
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["story"]
        return [kind.model_validate(row) for row in rows]
    except (OSError, KeyError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise GameError(f"{path} is no story catalog: {error}".replace("\n", " ")) from error


def _places() -> Iterator[tuple[Path, Entry | None]]:
    """Story files in the order of precedence, with the catalog's entry where it is of the file."""
    for entry in _embedded():
        yield _game_files() / entry.file, entry
    for folder in story_folders():
        yield from ((path, None) for path in _story_files(folder))
    fetched = {download.file: download for download in downloads()}
    for path in _story_files(added_stories()):
        download = fetched.get(path.name)
        yield path, download if download and is_of(path, download) else None


def _story_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(filter(is_story_file, folder.iterdir()))


def _missing(name: str, listings: list[Listing]) -> str:
    for listing in listings:
        if listing.path is None and listing.id.casefold() == name.casefold():
            return f"{name} is not here yet; download it with: zork games fetch {listing.id}"
    parent = Path(name).parent
    if os.sep in name:
        near = [str(path) for path in _story_files(parent)]
        where = "no such file" if parent.is_dir() else f"there is no directory {parent}"
    else:
        near = [name for at in listings for name in (at.id, at.path.name if at.path else at.id)]
        where = "neither a file nor a story of the catalog, of ZORK_STORIES or added by you"
    closest = difflib.get_close_matches(name, near, n=1)
    hint = f"; did you mean {closest[0]}?" if closest else ""
    known = ", ".join(listing.id for listing in listings if listing.entry)
    return f"no story {name!r}: {where}{hint} (known: {known})"
