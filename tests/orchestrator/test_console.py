"""The console of `zork play`: turns as a person reads them, and what is being done."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.batch import play_episodes
from orchestrator.cli.main import make_app
from orchestrator.cli.showing import play_typed
from orchestrator.saved.runs import RunDirectory, list_runs
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.keyboard import Keyboard
from orchestrator.screen.pace import TurnPace
from orchestrator.setup import Setup
from orchestrator.traces.reader import read_trace
from orchestrator.traces.turns import TracedTurn, read_turns
from orchestrator.viewer.runs import RunView
from testing.fake_ollama import FakeOllama
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
    assert max(map(len, (line for line in lines if line != result["run_dir"]))) <= 60
    assert result["run_dir"] in lines
    first = next(n for n, line in enumerate(lines) if line.strip().startswith("I am at"))
    assert lines[first + 1].startswith("      ")
    below = (
        lines[lines.index("   1  L1 Bedroom") :] if "   1  L1 Bedroom" in lines else lines[first:]
    )
    turn = [line for line in below if line.strip()][:-3]
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
    assert shown.count("player_left") == 1, "the end is told once, and not where turns go back"
    assert "graph human, seed 1, turn 1" in shown
    (left,) = (one for one in list_runs(tmp_path) if one.path != run.path)
    assert left.record().results()["end_reason"] == "taken_back"
    for word in ("╔", "You carry", "/undo", "There are 2 turns to take back"):
        assert word in shown


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
