"""The console of `zork play`: turns as a person reads them, and what is being done."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console
from typer.testing import CliRunner

from environments.game import Observation
from orchestrator import play
from orchestrator.batch import play_episodes
from orchestrator.checkpoints.saver import Keep
from orchestrator.cli.fork import fork
from orchestrator.cli.main import make_app
from orchestrator.cli.resume import resume
from orchestrator.cli.showing import play_typed
from orchestrator.events import Event, TurnPlayed
from orchestrator.saved.runs import RunDirectory, list_runs
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.curve import curve
from orchestrator.screen.keyboard import Keyboard
from orchestrator.screen.keys import pressed
from orchestrator.screen.pace import TurnPace
from orchestrator.setup import Setup
from orchestrator.traces.reader import read_trace
from orchestrator.traces.turns import TracedTurn, read_turns
from orchestrator.viewer.runs import RunView
from testing.fake_ollama import FakeOllama
from tests.briefings import briefing
from tests.command_line import zork


class Screen(io.StringIO):
    """A terminal that remembers when what was written on it."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.times.append(time.monotonic())
        return super().write(text)


def test_wrapped_lines_keep_their_indent_and_paths_are_whole(tmp_path: Path) -> None:
    screen = io.StringIO()
    watcher = ConsoleWatcher(Console(file=screen, width=60))
    result = play("morning", steps=12, seed=2, out=tmp_path, watchers=(watcher,), fresh=True)
    lines = screen.getvalue().splitlines()
    whole = [result["run_dir"], f"then: zork view {result['run_dir']}  # look at it in a browser"]
    assert max(len(line) for line in lines if line not in whole) <= 60
    assert [line for line in lines if line in whole] == whole
    first = next(n for n, line in enumerate(lines) if line.strip().startswith("I am at"))
    assert lines[first + 1].startswith("      ")
    below = (
        lines[lines.index("   1  L1 Bedroom") :] if "   1  L1 Bedroom" in lines else lines[first:]
    )
    turn = [line for line in below[: below.index("Best Man, offline, seed 2: 2 of 10")] if line]
    assert all(line.startswith("    ") or line[:4].strip().isdigit() for line in turn)


@pytest.mark.slow
def test_while_a_model_thinks_the_screen_changes_and_names_the_node(
    fake: FakeOllama, tmp_path: Path
) -> None:
    fake.latency = 1.6
    screen = Screen()
    watcher = ConsoleWatcher(Console(file=screen, width=100, force_terminal=True))
    news = ["nodes.extractor.news=0"]
    told: dict[str, Any] = {"out": tmp_path, "watchers": (watcher,), "fresh": True}
    play("morning", graph="llm", settings=news, steps=1, **told)
    shown = screen.getvalue()
    for node in ("objective_manager", "actor", "extractor"):
        assert f"{node} asks llama3.1:8b: 1 s" in shown
    waits = [after - before for before, after in zip(screen.times, screen.times[1:], strict=False)]
    assert max(waits) < 1


def test_a_pace_is_kept(tmp_path: Path) -> None:
    began = time.monotonic()
    play("morning", steps=5, out=tmp_path, watchers=(TurnPace(0.2),), fresh=True)
    assert time.monotonic() - began >= 1.0


def test_a_pace_can_be_held_and_hurried(tmp_path: Path) -> None:
    pace, turns = TurnPace(60), list[int]()

    def watch(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            turns.append(event.after["turn"])

    def within(seconds: float, true: Callable[[], bool]) -> bool:
        until = time.monotonic() + seconds
        while not true() and time.monotonic() < until:
            time.sleep(0.01)
        return true()

    options: dict[str, Any] = {"steps": 3, "out": tmp_path, "fresh": True}
    playing = Thread(target=lambda: play("morning", watchers=(watch, pace), **options))
    playing.start()
    assert within(10, lambda: turns == [1])
    pace.pause()
    assert not within(0.2, lambda: len(turns) > 1)
    pace.pause()
    assert not within(0.2, lambda: len(turns) > 1), "the turn still takes its time"
    pace.hurry()
    assert within(10, lambda: turns == [1, 2, 3])
    playing.join(10)


WAITING_S = 30
"""A command that shows nothing for so many seconds hangs."""

IN_A_TERMINAL = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {}"
    "from orchestrator.cli import main; sys.argv[0] = 'zork'; main()"
)


def in_a_terminal(
    *options: str, command: str = "play --game morning --fresh", first: str = ""
) -> tuple[subprocess.Popen[bytes], int]:
    """A command in a terminal of its own, and what a person sees and types there."""
    person, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", IN_A_TERMINAL.format(first), *command.split(), *options],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
    )
    os.close(terminal)
    return process, person


def read_until(person: int, words: bytes) -> bytes:
    """What is shown up to these words."""
    shown = b""
    while words not in shown:
        assert select.select([person], [], [], WAITING_S)[0], shown[-2000:]
        shown += os.read(person, 65536)
    return shown


def read_to_end(process: subprocess.Popen[bytes], person: int) -> bytes:
    """What is still shown; a command that shows no more and does not end is killed."""
    shown = b""
    with contextlib.suppress(OSError):  # what Linux says once nobody writes any more
        while select.select([person], [], [], WAITING_S)[0] and (piece := os.read(person, 65536)):
            shown += piece
    os.close(person)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
    return shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--graph", "human"), b">\b"),
        (("--dashboard", "--approve"), b"paused"),
        (("--dashboard", "--pace", "1"), b"turn 2 of"),
    ],
)
def test_sigterm_ends_a_play_in_a_terminal(
    options: tuple[str, ...], words: bytes, tmp_path: Path
) -> None:
    process, person = in_a_terminal(*options, "--out", str(tmp_path))
    shown = read_until(person, words)
    process.send_signal(signal.SIGTERM)
    shown += read_to_end(process, person)
    assert process.wait(10) == 143, shown[-2000:]
    assert b"Traceback" not in shown
    (run,) = list_runs(tmp_path)
    assert run.record().results()["end_reason"] == "stopped"


SIGNALLED_WHILE_IT_DRAWS = (
    "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from orchestrator.viewer.runs import RunView; refresh = RunView.refresh; "
    "RunView.refresh = lambda view: (os.kill(os.getpid(), {}), refresh(view))[1]; "
)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_the_dashboard_draws_leaves_no_thread_behind(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    first = SIGNALLED_WHILE_IT_DRAWS.format(number.value)
    for command in ("play --game morning --fresh --dashboard", "watch last"):
        process, person = in_a_terminal("--out", str(tmp_path), command=command, first=first)
        shown = read_to_end(process, person)
        assert process.wait(10) == status, (command, shown[-2000:])
        assert b"Traceback" not in shown
        assert b"\x1b[?1049l" in shown, "the terminal is as it was"


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "paced"), [("", True), ("h", False)])
def test_a_terminal_is_played_to_at_a_pace_and_a_key_hurries(
    keys: str, paced: bool, tmp_path: Path
) -> None:
    process, person = in_a_terminal("--steps", "5", "--out", str(tmp_path))
    shown, first = b"", 0.0
    with contextlib.suppress(OSError):  # what Linux says once nobody writes any more
        while piece := os.read(person, 65536):
            shown += piece
            if not first and b"space pauses" in shown:
                first = time.monotonic()
                os.write(person, keys.encode())
    lasted = time.monotonic() - first
    os.close(person)
    assert process.wait(10) == 0
    assert first
    assert b"5 of 5 commands played" in shown
    assert lasted >= 4 if paced else lasted < 4


def test_keys_are_heard_as_they_are_pressed_and_the_terminal_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person, terminal = os.openpty()
    heard: list[str] = []
    with os.fdopen(terminal, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        before = termios.tcgetattr(terminal)
        with pressed({" ": lambda: heard.append("space"), "h": lambda: heard.append("h")}):
            assert termios.tcgetattr(terminal) != before
            os.write(person, b" xh")
            until = time.monotonic() + 5
            while len(heard) < 2 and time.monotonic() < until:
                time.sleep(0.01)
        assert termios.tcgetattr(terminal) == before
    os.close(person)
    assert heard == ["space", "h"]


def test_episodes_in_a_row_draw_a_curve_and_end_with_what_to_do(tmp_path: Path) -> None:
    screen = io.StringIO()
    watcher = ConsoleWatcher(Console(file=screen, width=100), quiet=True)
    setup = Setup.resolve("morning", steps=4, out=tmp_path, fresh=True, watchers=(watcher,))
    play_episodes(setup, episodes=3)
    told = screen.getvalue().splitlines()
    curves = [line for line in told if line[:1] in tuple("▁▂▃▄▅▆▇█")]
    assert [len(line.split()[0]) for line in curves] == [2, 3]
    assert "3 episodes: " in curves[-1]
    assert [line for line in told if line.startswith("then: ")] == told[-1:]


@pytest.mark.parametrize(
    ("scores", "drawn"),
    [([0, 0], "▁▁"), ([0, 5, 10], "▁▅█"), ([-7, 0], "▁█"), ([3], "█"), ([1.0] * 100, "█" * 34)],
)
def test_a_curve_starts_at_nothing_and_ends_at_the_best(scores: list[float], drawn: str) -> None:
    assert curve(scores) == drawn


def test_a_person_edits_asks_and_takes_turns_back(tmp_path: Path) -> None:
    screen = io.StringIO()
    up, home, delete = "\x1b[A", "\x1b[H", "\x1b[3~"
    keys = [
        f"xlook{home}{delete}\r",
        "/map\r",
        "/advice\r",
        "/notes\r",
        "/nothing\r",
        "inventory\r",
    ]
    keys += ["/undo 9\r", "/undo\r", f"{up}{up}{up}\r", "examine pa\t\r", "/quit\r"]
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        console = Console(file=screen, width=100)
        setup = Setup.resolve("morning", graph="human", steps=9, out=tmp_path, fresh=True)
        keyboard = Keyboard(console)
        watcher = ConsoleWatcher(console)
        typed.send_text("".join(keys))
        results = play_typed(setup, watcher, keyboard, play_episodes)
    run = RunDirectory(Path(results[-1]["run_dir"]))
    commands = [
        line for line in run.transcript.read_text(encoding="utf-8").splitlines() if line[:2] == "> "
    ]
    assert commands[0] == "> look"
    assert run.record().parent is not None
    shown = screen.getvalue()
    assert shown.count("the player left; ") == 1, (
        "the end is told once, and not where turns go back"
    )
    assert "graph human, seed 1, turn 1" in shown
    (left,) = (one for one in list_runs(tmp_path) if one.path != run.path)
    assert left.record().results()["end_reason"] == "taken_back"
    for word in ("╔", "You carry", "/undo", "There are 2 turns to take back"):
        assert word in shown


def typed_by_hand(keys: list[str], out: Path, **options: Any) -> tuple[list[str], str]:
    """How the runs ended in which somebody types these lines, and what was shown."""
    screen = io.StringIO()
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        console = Console(file=screen, width=100)
        setup = Setup.resolve("morning", graph="human", steps=9, out=out, fresh=True, **options)
        typed.send_text("".join(f"{line}\r" for line in keys))
        played = partial(play_episodes, episodes=2)
        play_typed(setup, ConsoleWatcher(console), Keyboard(console), played)
    ends = [run.record().results()["end_reason"] for run in list_runs(out)]
    return sorted(ends), screen.getvalue()


@pytest.mark.parametrize(
    ("keys", "ends"),
    [(["/quit"], ["player_left"]), (["look", "/undo", "/quit"], ["player_left", "taken_back"])],
)
def test_who_leaves_or_takes_back_plays_no_further_episode(
    keys: list[str], ends: list[str], tmp_path: Path
) -> None:
    assert typed_by_hand(keys, tmp_path)[0] == ends


def test_only_what_is_kept_is_taken_back_and_only_by_a_number(tmp_path: Path) -> None:
    wrong = ["/undo ²", "/undo x", "/undo -3", "/undo 4"]
    keys = ["look", "look", "look", "look", *wrong, "/undo  1", "/quit"]
    ends, shown = typed_by_hand(keys, tmp_path, keep=Keep.parse("last:2"))
    assert ends == ["player_left", "taken_back"]
    assert shown.count("Say it as in /undo 3") == 3
    assert "Turn 0 is not kept, but 3-4." in shown
    assert "graph human, seed 1, turn 3" in shown


def test_a_person_plays_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZORK_HOME", "/proc/nowhere")
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        typed.send_text("look\r")
        assert Keyboard(Console(file=io.StringIO())).read(briefing()) == "look"


def test_lines_that_are_pasted_together_are_played_one_by_one(tmp_path: Path) -> None:
    typed_by_hand(["\x1b[200~look\n\n inventory\n/undo\nwait\x1b[201~", "/quit"], tmp_path)
    first, fork = list_runs(tmp_path)
    assert "> look\n" in first.transcript.read_text(encoding="utf-8")
    assert "> inventory\n" in first.transcript.read_text(encoding="utf-8")
    played = fork.transcript.read_text(encoding="utf-8")
    assert [line for line in played.splitlines() if line[:2] == "> "] == ["> look", "> wait"]


def test_enter_is_a_key_where_the_story_waits_for_one() -> None:
    waiting = briefing(observation=Observation(text="[Press a key]", awaiting="key"))
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        typed.send_text("\x03\r")
        assert Keyboard(Console(file=io.StringIO())).read(waiting) == "enter"


def test_pasted_colours_are_no_mouse(tmp_path: Path) -> None:
    typed_by_hand(["look\x1b[31m", "/quit"], tmp_path)
    (run,) = list_runs(tmp_path)
    assert "> look\n" in run.transcript.read_text(encoding="utf-8")


def test_who_resumes_or_forks_at_a_terminal_has_the_line_and_its_help_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_by_hand(["look", "/quit"], tmp_path)
    person, terminal = os.openpty()
    with (
        os.fdopen(terminal, encoding="utf-8") as stdin,
        create_pipe_input() as typed,
        create_app_session(input=typed, output=DummyOutput()),
    ):
        monkeypatch.setattr(sys, "stdin", stdin)
        typed.send_text("/notes\rwait\r/undo\rinventory\r/quit\r")
        resume("last", out=tmp_path)
        typed.send_text("/map\r/quit\r")
        fork("last", out=tmp_path, graph="human")
    os.close(person)
    _, forked, again = list_runs(tmp_path)
    assert "> inventory" in forked.transcript.read_text(encoding="utf-8")
    assert "> wait" not in forked.transcript.read_text(encoding="utf-8")
    assert again.record().parent is not None
    shown = capsys.readouterr().out
    assert "You carry" in shown
    assert "A person decided." not in shown, "who has typed a command is not told why"


def test_view_and_dashboard_exclude_each_other() -> None:
    answer = CliRunner().invoke(make_app(), ["play", "--view", "--dashboard"])
    assert "take one of them" in str(answer.exception)


def test_a_turn_is_told_in_its_order_and_its_room_by_one_name(tmp_path: Path) -> None:
    screen = io.StringIO()
    watcher = ConsoleWatcher(Console(file=screen, width=2000))
    result = play("hollow", steps=14, seed=1, out=tmp_path, watchers=(watcher,), fresh=True)
    run = Path(result["run_dir"])
    told = [line.rstrip() for line in screen.getvalue().splitlines()]
    heads = [line.split("  ", 1) for line in map(str.strip, told) if re.match(r"\d+  L\d", line)]
    shown = {int(number): room for number, room in heads}
    traced = {turn.number: turn.room for turn in read_turns(read_trace(run / "trace.jsonl").roots)}
    view = RunView(RunDirectory(run))
    view.refresh()
    rows = {row.turn: row.room for row in view.rows if row}
    walks = [room for room in shown.values() if " → " in room]
    assert walks
    for number, room in shown.items():
        assert room == traced[number] == rows[number]
        before = shown.get(number - 1, room.split(" → ")[0])
        assert room.split(" → ")[0] == before.rpartition(" → ")[2]
    added = next(at for at, line in enumerate(told) if "objective O1 added" in line)
    assert told[added - 1].strip().split("  ")[0].isdigit()
    assert told[added + 1].strip().startswith(("I am at", "It is dark"))


@pytest.mark.slow
def test_the_option_chosen_is_the_one_with_the_aim_that_was_named(tmp_path: Path) -> None:
    result = play("hollow", steps=150, seed=2, out=tmp_path, fresh=True)
    turns = [*read_turns(read_trace(Path(result["run_dir"], "trace.jsonl")).roots)]
    chosen = [(turn, *turn.chosen) for turn in turns if turn.chosen]
    ranked = {turn.number: planned(turn) for turn, _, _ in chosen}
    aims = [[one["route"][-1] for one in ranked[turn.number]] for turn, _, _ in chosen]
    assert len(chosen) > 40
    assert any(len(named) > 1 for named in aims)
    for turn, rank, option in chosen:
        assert option.command == turn.command
        assert turn.options[rank - 1] == option
        aim = ranked[turn.number][rank - 1]["route"][-1]
        assert f"`{aim}`" in turn.thinking.split("Otherwise")[0]


def planned(turn: TracedTurn) -> list[dict[str, Any]]:
    """The options as the trace has them, with their routes."""
    shown = [run.outputs.get("options") for run in turn.nodes if run.name == "planner"]
    return [one for one in shown[-1] or () if isinstance(one, dict)]


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        (("watch", "last"), "zork watch needs a terminal"),
        (("play", "--dashboard", "--steps", "1"), "--dashboard needs a terminal"),
    ],
)
def test_what_is_drawn_wants_a_terminal(
    command: tuple[str, ...], instead: str, tmp_path: Path
) -> None:
    """Drawn into a pipe whose reader has gone, it went on for ever."""
    runs = ("--out", str(tmp_path / "runs"))
    zork("play", "--game", "morning", "--steps", "1", "--fresh", "--quiet", *runs)
    done = zork(*command, *runs)
    assert (done.returncode, done.stdout) == (2, "")
    assert instead in done.stderr
    assert done.stderr.count("\n") == 1
