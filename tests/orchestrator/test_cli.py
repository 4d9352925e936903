"""The command line as a user meets it; what is about processes is played in some of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import COMMANDS, loaded, make_app
from orchestrator.cli.play import JSON_FIELDS
from tests.command_line import zork

ZORK = [sys.executable, "-c", "from orchestrator.cli import main; main()"]
HEARING_CTRL_C = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + ZORK[-1]
)
"""Shells start what runs in the background deaf to Ctrl-C, the tests among it."""


@pytest.mark.slow
def test_json_goes_to_standard_output_and_everything_else_to_standard_error(
    tmp_path: Path,
) -> None:
    command = ["play", "--game", "workshop", "--steps", "4", "--json", "--out", str(tmp_path)]
    done = subprocess.run(
        [*ZORK, *command], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    result = json.loads(line)
    assert tuple(result) == JSON_FIELDS
    assert result["steps"] == 4
    assert Path(result["run_dir"]).parent == tmp_path
    assert result["run_id"] in done.stderr


def test_every_turn_is_shown_as_it_happens(tmp_path: Path) -> None:
    done = zork("play", "--game", "hollow", "--steps", "3", "--out", str(tmp_path))
    for shown in ("Cliff Path", "access text", "\n   3  L", "    > ", "\n3 of 3 commands played; "):
        assert shown in done.stdout


@pytest.mark.slow
def test_the_same_seed_gives_the_same_transcript_in_two_processes(tmp_path: Path) -> None:
    """Whatever the hash seed is, and while both compete for the machine."""
    command = [*ZORK, "play", "--game", "hollow", "--steps", "80", "--seed", "7"]
    command += ["--quiet", "--fresh"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    running = [
        subprocess.Popen(
            [*command, "--out", str(tmp_path / name)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        for name, hash_seed in (("one", "1"), ("two", "2"))
    ]
    assert [process.wait(timeout=100) for process in running] == [0, 0]
    one, two = (
        next((tmp_path / name).glob("*/transcript.txt")).read_bytes() for name in ("one", "two")
    )
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "holow"], "hollow"),
        (["--graph", "offlin"], "did you mean 'offline'?"),
        (["-s", "nodes.critc.use=none"], "did you mean 'critic'?"),
        (["-s", "nodes.critic.use=nowhere:Critic"], "no module 'nowhere'"),
        (["--seed", "0"], "seed 0: must be a whole number, 1 or more"),
        (["-c", "missing.toml"], "'missing.toml': no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(arguments: list[str], message: str) -> None:
    done = zork("play", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("kind", "status"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)],
)
def test_a_stopped_episode_is_saved_and_says_how_to_go_on(
    kind: signal.Signals, status: int, tmp_path: Path
) -> None:
    command = [
        *(*ZORK[:-1], HEARING_CTRL_C, "play", "--game", "hollow"),
        *("--steps", "100000", "--out", str(tmp_path)),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            transcript = await_turns(tmp_path, 5)
        finally:
            process.send_signal(kind)
        said, errors = process.communicate(timeout=60)
    assert process.returncode == status, errors
    record = json.loads((transcript.parent / "episode.json").read_text(encoding="utf-8"))
    assert (record["status"], record["end_reason"]) == ("ended", "stopped")
    assert transcript.read_text(encoding="utf-8").count("\n> ") == record["steps"] >= 5
    assert f"zork resume {record['run_dir']}" in said


LOST_ONCE = """
import os, signal
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.cli import main

class Forgotten:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

def watch(watcher, event, shown=ConsoleWatcher.__call__, kept=[Forgotten()]):
    shown(watcher, event)
    kept.clear()

ConsoleWatcher.__call__ = watch
main()
"""


@pytest.mark.slow
def test_a_signal_that_comes_where_nothing_can_be_raised_is_not_lost(tmp_path: Path) -> None:
    played = ("play", "--game", "hollow", "--steps", "100000", "--out", str(tmp_path))
    command = [sys.executable, "-c", LOST_ONCE, *played]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 143, done.stderr
    assert not done.stderr
    assert "then: zork resume" in done.stdout


def await_turns(out: Path, turns: int) -> Path:
    """The transcript of the only run, once it has that many turns."""
    for _ in range(600):
        for transcript in out.glob("*/transcript.txt"):
            if transcript.read_text(encoding="utf-8").count("\n> ") >= turns:
                return transcript
        time.sleep(0.1)
    raise AssertionError(f"not {turns} turns within a minute")


def test_a_person_can_play_and_leave(tmp_path: Path) -> None:
    done = subprocess.run(
        [*ZORK, "play", "--game", "workshop", "--graph", "human", "--out", str(tmp_path)],
        input="look\ninventory\n",
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(next(tmp_path.glob("*/episode.json")).read_text(encoding="utf-8"))
    assert (record["steps"], record["end_reason"]) == (2, "player_left")


def test_the_commands_about_graphs_agree(tmp_path: Path) -> None:
    listed = [line.split()[0] for line in zork("graph", "list").stdout.splitlines()]
    assert {"offline", "random", "walkthrough", "human"} <= set(listed)
    mine = tmp_path / "mine.toml"
    mine.write_text(zork("graph", "show", "offline").stdout, encoding="utf-8")
    checked = zork("graph", "check", str(mine))
    assert checked.returncode == 0, checked.stderr
    assert zork("graph", "draw", str(mine)).stdout == zork("graph", "draw", "offline").stdout


def test_a_prompt_is_shown_by_its_role_or_by_its_name() -> None:
    told = {name: zork("prompt", "show", name) for name in ("objective_manager", "objectives")}
    assert len({done.stdout for done in told.values()}) == 1
    assert "The next command?" in zork("prompt", "show", "short/actor").stdout
    done = zork("prompt", "show", "short/actr")
    assert done.returncode == 2
    assert "unknown role or prompt 'short/actr'; did you mean 'short/actor'?" in done.stderr


def test_the_doctor_says_what_is_there_and_what_to_do() -> None:
    done = zork("doctor", OLLAMA_HOST="127.0.0.1:9")
    assert done.returncode == 0
    for shown in ("jericho", "hollow", "is Ollama up at http://127.0.0.1:9?", "ollama serve"):
        assert shown in done.stdout


@pytest.mark.parametrize("home", ["/proc/nowhere", "/dev/null", "{file}", "{file}/below"])
def test_the_doctor_tries_whether_play_can_write(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    done = zork("doctor", ZORK_HOME=home.format(file=tmp_path / "file"), OLLAMA_HOST="127.0.0.1:9")
    assert done.returncode == 1
    assert "cannot be written" in done.stdout
    assert done.stdout.splitlines()[-1].split(maxsplit=1)[1].startswith("set ZORK_HOME")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"], "nothing is left behind"


def test_the_doctor_tells_of_a_default_that_cannot_be_had_and_all_else(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "default").write_text("no-such-weights\n", encoding="utf-8")
    done = zork("doctor", ZORK_HOME=str(tmp_path))
    assert done.returncode == 0
    assert "no-such-weights" in done.stdout.partition("extras")[2]
    assert "\nnext " in done.stdout
    assert zork("doctor", "--model", "local:no-such-weights").returncode == 2


def test_the_doctor_tries_where_runs_go_and_lists_the_extras() -> None:
    done = zork("doctor", "--out", "/proc/runs", OLLAMA_HOST="127.0.0.1:9")
    assert done.returncode == 1
    assert "or with --out FOLDER" in done.stdout.splitlines()[-1]
    extras = done.stdout.partition("extras")[2].partition("model")[0]
    for name in ("view", "mcp", "openai", "pictures", "ray", "textworld", "postgres"):
        assert name in extras
    if "not installed" in extras:
        assert "make install EXTRAS=" in extras


@pytest.mark.parametrize("called", ["zork", "/opt/it/bin/zork", "sub/zork"])
def test_what_is_to_be_called_next_is_named_as_this_was(
    called: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.setattr("sys.argv", [called, "doctor"])
    assert CliRunner().invoke(make_app(), ["doctor"]).output.splitlines()[-1].split()[1] == called


def test_lives_are_an_option_of_play(tmp_path: Path) -> None:
    done = zork(
        *("play", "--game", "morning", "--graph", "random", "--steps", "3", "--lives", "2"),
        *("--fresh", "--quiet", "--json", "--out", str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(next(tmp_path.glob("*/episode.json")).read_text(encoding="utf-8"))
    assert record["lives"] == 2
    assert zork("play", "--lives", "0").returncode == 2


@pytest.mark.parametrize("arguments", [["--help"], ["graph", "list"], ["--version"]])
def test_what_only_tells_is_there_at_once(arguments: list[str]) -> None:
    """It loads nothing of what play needs, which would take a second."""
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    command = [sys.executable, "-c", code + ZORK[-1], *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    roots = {name.partition(".")[0] for name in done.stderr.split()}
    assert roots & {"langgraph", "langchain_core", "numpy", "httpx", "networkx", "agents"} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_of_them_says(name: str) -> None:
    assert str(loaded(name).help).splitlines()[0] == COMMANDS[name][1]
