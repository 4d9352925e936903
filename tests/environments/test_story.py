"""Story files: what passes the check, and how every bad file is refused."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.game import GameError
from environments.story import MAX_BYTES, Story, is_story_file, read_story
from tests.environments.empty_story import z_story

StoryPath = Callable[[str], Path]


def refused(folder: Path, data: bytes, name: str = "bad.z5") -> str:
    path = folder / name
    path.write_bytes(data)
    with pytest.raises(GameError) as error:
        read_story(path)
    message = str(error.value)
    assert str(path) in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize("version", [3, 4, 5, 8])
def test_an_intact_story_is_described(tmp_path: Path, version: int) -> None:
    path = tmp_path / f"tale.z{version}"
    path.write_bytes(z_story(version) + bytes(17))
    story = read_story(path)
    assert (story.version, story.release, story.serial) == (version, 7, "261120")
    assert story.data == path.read_bytes()
    assert "data" not in repr(story)


@pytest.mark.parametrize(
    "name",
    [
        f"{stem}.z5"
        for stem in ("905", "advent", "detective", "library", "pentari", "temple", "zork1")
    ],
)
def test_real_stories_pass(story_path: StoryPath, name: str) -> None:
    story = read_story(story_path(name))
    assert isinstance(story, Story)
    assert story.version in (3, 5)
    assert len(story.sha256) == 64


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "an empty file"),
        (b"\x05", "1 bytes, shorter than a 64-byte story header"),
        (b"You are standing in an open field west of a house.\n" * 9, "version 89"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG image"),
        (b"FORM\0\0\0\x10IFRS" + bytes(100), "a Blorb archive without a Z-machine story"),
        (b"Glul" + bytes(100), "a Glulx story"),
        (b"PK\x03\x04" + bytes(100), "a ZIP archive"),
        (bytes(500), "version 0"),
        (b"\x06" + z_story()[1:], "version 6; versions 3, 4, 5, 8 can be played"),
        (z_story()[:-200], "get an unbroken copy"),
        (z_story() + bytes(MAX_BYTES), "no Z-machine story has more than"),
    ],
)
def test_a_file_that_is_no_story_is_named_with_its_fault(
    tmp_path: Path, data: bytes, why: str
) -> None:
    assert why in refused(tmp_path, data)


@pytest.mark.parametrize("extension", ["", ".txt", ".zblorb", ".z6", ".dat"])
def test_the_first_byte_decides_and_not_the_name(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"tale{extension}"
    path.write_bytes(z_story())
    assert read_story(path).version == 5
    assert is_story_file(path)


def blorb(*chunks: tuple[bytes, bytes]) -> bytes:
    """An archive of these chunks, each at an even place."""
    body = b"".join(
        kind + len(data).to_bytes(4, "big") + data + bytes(len(data) % 2) for kind, data in chunks
    )
    return b"FORM" + (len(body) + 4).to_bytes(4, "big") + b"IFRS" + body


@pytest.mark.parametrize("name", ["tale.zblorb", "tale.blb", "tale.z5", "tale"])
def test_the_story_is_taken_out_of_its_archive(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    picture = b"\x89PNG" + bytes(MAX_BYTES + 1)
    path.write_bytes(blorb((b"RIdx", b"odd"), (b"Pict", picture), (b"ZCOD", z_story())))
    assert read_story(path).data == z_story()
    assert is_story_file(path)


@pytest.mark.parametrize(
    "data",
    [
        blorb((b"GLUL", bytes(500))),
        blorb((b"Pict", b"odd"))[:-3],
        blorb((b"ZCOD", b"")),
        blorb(*[(b"Pict", b"")] * 20_000, (b"ZCOD", z_story())),
    ],
)
def test_an_archive_without_a_story_is_refused(tmp_path: Path, data: bytes) -> None:
    assert "without a Z-machine story" in refused(tmp_path, data)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden.z5", "save.qzl", "short"])
def test_what_is_no_story_is_not_listed(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"FORM\0\0\0\x10IFZS\x03" + bytes(100) if "save" in name else b"\x05")
    assert not is_story_file(path)


@pytest.mark.parametrize("told", [(), (0x1C,), (0x1A, 0x1C)])
def test_early_stories_tell_no_length_or_checksum(tmp_path: Path, told: tuple[int, ...]) -> None:
    data = bytearray(z_story(3))
    for offset in told:
        data[offset : offset + 2] = bytes(2)
    path = tmp_path / "early.z3"
    path.write_bytes(data)
    assert read_story(path).data == data


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.z5")
    with pytest.raises(GameError, match="is a directory"):
        read_story(tmp_path)
    with pytest.raises(GameError, match="not a regular file"):
        read_story(tmp_path / "pipe.z5")
    with pytest.raises(GameError, match="No such file"):
        read_story(tmp_path / "absent.z5")
    with pytest.raises(GameError, match="cannot be read"):
        read_story(Path("nul\0.z5"))


def test_random_bytes_are_refused_whatever_version_they_claim(tmp_path: Path) -> None:
    rng = random.Random(3)
    for version in (3, 4, 5, 8):
        refused(tmp_path, bytes([version]) + rng.randbytes(5000))


def test_a_story_cut_short_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    whole = z_story(body=bytes(range(1, 251)) * 20)
    for place in range(20):
        refused(tmp_path, whole[: len(whole) * place // 20])


def test_every_flipped_bit_of_the_body_is_noticed(tmp_path: Path) -> None:
    rng = random.Random(4)
    whole = z_story()
    for bit in rng.sample(range(64 * 8, len(whole) * 8), 60):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        assert "checksum" in refused(tmp_path, bytes(flipped))


@pytest.mark.parametrize(
    ("offset", "value", "why"),
    [
        (0x06, 0xFFFF, "starts the program"),
        (0x08, 0, "dictionary"),
        (0x0A, 0xFFF0, "object table"),
        (0x0C, 3, "global variables"),
        (0x0E, 0x48, "in static memory"),
        (0x1A, 0, "its header says 0"),
        (0x1A, 0xFFFF, "its header says 262140"),
        (0x1C, 0, "checksum"),
    ],
)
def test_a_header_that_points_outside_the_story_is_refused(
    tmp_path: Path, offset: int, value: int, why: str
) -> None:
    data = bytearray(z_story())
    data[offset : offset + 2] = value.to_bytes(2, "big")
    assert why in refused(tmp_path, bytes(data))
