"""Stories of which Jericho knows little or nothing: no figure is made up for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jericho import defines

from environments.known import commands_of, maximum_of, seed_of
from environments.story import Story, read_story
from environments.walkthroughs import find_walkthrough

ROOT = Path(__file__).parents[2]
SERIAL = slice(0x12, 0x18)


@pytest.fixture
def stranger(tmp_path: Path) -> Story:
    """A story that is in nobody's list: one of ours with another serial number."""
    data = bytearray((ROOT / "game_files" / "workshop.z5").read_bytes())
    data[SERIAL] = b"990101"
    path = tmp_path / "stranger.z5"
    path.write_bytes(data)
    return read_story(path)


def test_what_jericho_leaves_open_is_not_known(
    stranger: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (commands_of(stranger), seed_of(stranger), maximum_of(stranger)) == ([], None, None)
    monkeypatch.setattr("environments.known._bindings", lambda _story: {"name": "stranger"})
    assert (commands_of(stranger), seed_of(stranger)) == ([], None)
    assert any("walkthrough" not in one for one in defines.BINDINGS_DICT.values())


@pytest.mark.slow
def test_the_benchmark_of_candidates_plays_what_lies_beside_a_story(stranger: Story) -> None:
    bare = stranger.path.with_name("bare.z5")
    bare.write_bytes(stranger.data)
    beside = stranger.path.with_suffix(".walkthrough.txt")
    beside.write_text("take all\nexamine note\n", encoding="utf-8")
    found = candidates(stranger.path, bare, Path("nosuch"))
    assert found.returncode == 0
    row = next(line for line in found.stdout.splitlines() if "stranger.z5" in line)
    assert [cell.strip() for cell in row.split("│")[2:7]] == ["0", "-", "-", "-", "2"]
    assert "left out: no walkthrough of bare.z5 is known; put one beside it" in found.stderr
    assert "left out: no story 'nosuch'" in found.stderr
    alone = candidates(bare)
    assert (alone.returncode, alone.stderr.count("\n"), alone.stdout) == (2, 1, "")


def candidates(*stories: Path) -> subprocess.CompletedProcess[str]:
    """What `python -m benchmarks.candidates` comes to."""
    command = [sys.executable, "-m", "benchmarks.candidates", *map(str, stories)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_jericho_s_commands_are_never_half_written(story_path: Callable[[str], Path]) -> None:
    story = read_story(story_path("zork1.z5"))
    path = find_walkthrough(story)
    with path.open("rb") as reader:
        assert find_walkthrough(story) == path
        assert path.stat().st_ino != os.fstat(reader.fileno()).st_ino
        assert path.read_bytes() == reader.read()
