"""Every text that is known to hang, crash or corrupt libfrotz leaves the game intact."""

from __future__ import annotations

import os
import resource
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.game import Access, GameError, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import read_story
from tests.environments.tiny_story import HANG, ILLEGAL, tiny_story

StoryPath = Callable[[str], Path]

HOT_KEYS = [f"\\{letter}" for letter in "HRPSNXDUdhnrstw01"] + [chr(c) for c in range(0x0E, 0x16)]
KILLERS = [
    *HOT_KEYS,
    "\\north",
    "\\help",
    "\\set",
    "C:\\Users\\X",
    "look \\U",
    "\0",
    "look\0around",
    "look\nnorth",
    "look\rnorth",
    "look\u2028north",
    "x" * 10_000,
    "take " + "lamp and " * 40,
    "é" * 150,
    "🎉 look 🎉",
    "",
    "   ",
    "quit",
    "q",
    "restart",
    "save",
    "restore",
    "script",
    "transcript on",
    "recording on",
    "#record",
    "#command",
    "$ve",
    "undo",
    "look. save",
    "showverb eight",
    "/tmp/escape. script",
    "\x7f\x1b[2J",
    "\udcff\udc80",
]


@pytest.fixture(params=["zork1.z5", "detective.z5"])
def game(request: pytest.FixtureRequest, story_path: StoryPath) -> Iterator[JerichoGame]:
    with open_game(read_story(story_path(request.param))) as game:
        yield game


def replay(game: JerichoGame, start: Step, commands: list[str]) -> list[Step]:
    steps = [start]
    for command in commands:
        steps.append(game.play(steps[-1].snapshot, command))
    return steps


def test_killers_leave_the_game_intact(game: JerichoGame, tmp_path: Path) -> None:
    start = game.play(game.start(12).snapshot, "north")
    expected = replay(game, start, ["south", "inventory", "look"])
    worker = game.pid
    for text in KILLERS:
        outcome = game.play(start.snapshot, text)
        assert ("no letter" in outcome.observation.fault) == (not any(map(str.isalnum, text))), text
        assert not outcome.observation.ended, text
    assert game.pid == worker
    assert replay(game, start, ["south", "inventory", "look"]) == expected
    assert not Path("/tmp/escape. script").exists()


def test_meta_commands_do_not_touch_the_story(game: JerichoGame) -> None:
    start = game.start(12)
    for text in ("quit", "restart", "save", "restore", "look. script", "undo"):
        outcome = game.play(start.snapshot, text)
        assert outcome.snapshot == start.snapshot
        assert "not part of the story" in outcome.observation.text


def test_a_line_is_one_turn(game: JerichoGame) -> None:
    start = game.start(12)
    after = game.play(start.snapshot, "look\nnorth\nnorth")
    assert after == game.play(start.snapshot, "look")
    assert game.play(after.snapshot, "look").observation.room == after.observation.room


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[JerichoGame]:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with JerichoGame(read_story(path), cpu_seconds=0.2) as game:
        yield game


@pytest.fixture
def tiny_actions(tmp_path: Path) -> Iterator[JerichoGame]:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with open_game(read_story(path), {Access.ACTIONS}) as game:
        yield game


@pytest.mark.parametrize(("text", "fault"), [("hang", "come to rest"), ("illegal", "illegal")])
def test_a_fault_costs_the_command_and_is_not_run_twice(
    tiny: JerichoGame, text: str, fault: str
) -> None:
    start = tiny.start(1)
    expected = tiny.play(start.snapshot, "wait")
    struck = tiny.play(start.snapshot, text)
    assert fault in struck.observation.fault
    assert "restored" in struck.observation.text
    assert struck.snapshot == start.snapshot
    assert tiny.play(start.snapshot, "wait") == expected
    worker = tiny.pid
    assert tiny.play(start.snapshot, text) == struck
    assert (tiny.faults, tiny.pid) == (1, worker)


def test_quitting_ends_the_story_at_once(tiny: JerichoGame) -> None:
    last = tiny.play(tiny.start(1).snapshot, "quiet please")
    assert last.observation.ended
    assert last.tally.ended
    after = tiny.play(last.snapshot, "wait")
    assert after.snapshot == last.snapshot
    assert "ended" in after.observation.text


def test_saving_fails_and_writes_nothing(tiny: JerichoGame, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    after = tiny.play(tiny.start(1).snapshot, "save the day")
    assert not after.observation.fault
    assert after.observation.text == "ok"
    assert sorted(tmp_path.iterdir()) == before


def test_a_story_that_hangs_on_what_is_tried_on_the_side_is_played(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story(letters="siqh"))
    with JerichoGame(read_story(path), cpu_seconds=0.2) as game:
        start = game.start(1)
        assert game.play(start.snapshot, "wait").observation.text == "ok"
        assert game.faults == 0
        assert game.play(start.snapshot, "score").observation.fault


@pytest.mark.parametrize("first", [HANG, ILLEGAL])
def test_a_story_that_cannot_start_is_an_error(tmp_path: Path, first: bytes) -> None:
    path = tmp_path / "broken.z3"
    path.write_bytes(tiny_story(first))
    with (
        pytest.raises(GameError, match=r"broken\.z3 cannot be started"),
        JerichoGame(read_story(path), cpu_seconds=0.1) as game,
    ):
        game.start(1)


def test_probing_survives_faults(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with JerichoGame(read_story(path), {Access.ACTIONS}, cpu_seconds=0.2) as game:
        start = game.start(1)
        found = game.probe(start.snapshot, ["wait", "hang", "illegal", "", "quiet please", "wait"])
        assert [probe.fault for probe in found] == [False, True, True, False, False, False]
        assert [probe.ended for probe in found] == [False, False, False, False, True, False]
        assert found[0].reply == found[-1].reply == "ok"


def test_what_was_tried_before_the_last_fault_counts(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    commands = ["wait", "hang 1", "wait", "hang 2", "wait", "hang 3", "wait"]
    with JerichoGame(read_story(path), {Access.ACTIONS}, cpu_seconds=0.1) as game:
        found = game.probe(game.start(1).snapshot, commands)
        assert [probe.fault for probe in found] == [False, True] * 3 + [True]


def test_each_command_has_a_time_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with JerichoGame(read_story(path), {Access.ACTIONS}, cpu_seconds=0.2) as game:
        found = game.probe(game.start(1).snapshot, ["busy"] * 40)
        assert not any(probe.fault for probe in found)


def test_a_worker_that_dies_while_it_is_read_is_replaced(tiny_actions: JerichoGame) -> None:
    start = tiny_actions.start(1)
    expected = tiny_actions.memory(start.snapshot), tiny_actions.surroundings(start.snapshot)
    os.kill(tiny_actions.pid, signal.SIGSEGV)
    memory = tiny_actions.memory(start.snapshot)
    os.kill(tiny_actions.pid, signal.SIGSEGV)
    assert (memory, tiny_actions.surroundings(start.snapshot)) == expected


def test_a_figure_beyond_16_bits_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story(said="your score is 0 of a possible 99999 "))
    with JerichoGame(read_story(path)) as game:
        worker = game.pid
        step = game.play(game.start(1).snapshot, "wait")
        assert (step.tally.max_score, step.observation.fault) == (0xFFFF, "")
        assert game.pid == worker


def test_the_upper_window_of_an_early_story_is_no_part_of_the_reply(tiny: JerichoGame) -> None:
    assert tiny.play(tiny.start(1).snapshot, "up").observation.text == "ok"


def test_a_full_disk_leaves_no_folder_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    story, folder = read_story(path), tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
    try:
        with pytest.raises(GameError, match="make room there"):
            JerichoGame(story)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert not list(folder.iterdir())
