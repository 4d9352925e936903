"""No command ends in a traceback: every option of every command, with what does not fit it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from orchestrator.cli.main import COMMANDS, loaded
from tests.command_line import Done, zork

BY_ITSELF = ("mcp", "watch", "view")
"""Commands that serve or take the whole terminal: called in a process of their own."""
FITTING = {
    "play": "--steps 1 --fresh --quiet --graph random",
    "resume": "{run} --steps 1 --quiet",
    "fork": "{run} --turn 1 --steps 2 --quiet",
    "replay": "{run}",
    "bench": "--games hollow --graphs random --seeds 1 --steps 1 -o {folder}/b.jsonl --workers 1",
    "compare": "{rows} {rows}",
    "report": "{rows} -o {folder}/report.html",
    "reproduce": "{rows}#1",
    "games info": "hollow",
    "games add": "{story}",
    "games fetch": "nothing",
    "memory export": "{folder}/out.json",
    "memory import": "{empty}",
    "memory clear": "--yes",
    "prompt show": "actor",
    "runs show": "{run}",
    "runs rm": "{run} --yes",
    "runs export": "{run} {folder}/run.tgz",
    "runs import": "{empty}",
    "trace show": "{run}",
    "trace diff": "{run} {run}",
    "trace stats": "{run}",
    "trace draw": "{run} -o {folder}/drawn.svg",
    "trace export": "{run}",
    "trace push": "{run} --endpoint http://127.0.0.1:9",
    "world show": "{run}",
}
"""What each command takes, so that one thing at a time is wrong."""
WRONG = (
    *("", " ", "x", "-", "--", "-1", "0", "1.5", "1e99", "nan", "inf", "9" * 30, "a" * 5000),
    *("\udcff", "\udcff.toml", "\n", "\x1b[2J", "🦉", "%s", "{}", "*", "../..", "~", "~nobody/x"),
    *("last", "{missing}", "{missing}/x.svg", "{folder}", "{empty}", "{binary}", "{bom}"),
    *("{deep}", "{digits}", "{line}", "{fifo}", "{fifo}.toml", "/dev/null", "/dev/full"),
    *("/proc/self/mem", "{run}", "{story}", "{rows}", "http://[", "http://127.0.0.1:9"),
    *(
        "postgresql://127.0.0.1:9/x",
        "postgresql://[",
        "nowhere:Part",
        "os:system",
        "a=b",
        "=",
        "a=",
    ),
    *("nodes.critic.use=nowhere:Part", "models.default.timeout=nan", "state.x.type=9", "ollama:"),
    *("nodes={}", "nodes.critic=1", "name=1", "embedded:{missing}", "embedded:{line}", "1-", "5-1"),
    *("1-99999999999", "every:0", "last:-1", "offline,", "all,all", "fork.dot", "x.png", "x.html"),
)
ENVIRONMENT = {
    "ZORK_HOME": ("{empty}", "/proc/nowhere", "/dev/null", "", "~nobody", "\udcff", "a" * 5000),
    "ZORK_STORIES": ("{empty}", "{missing}:::", "/proc/self", "\udcff", "~nobody", "a" * 5000),
    "ZORK_CHECKPOINTS": ("x", "postgresql://127.0.0.1:9/x", "postgresql://["),
    "OLLAMA_HOST": (" ", ":", "x:y", "127.0.0.1:9", "127.0.0.1:99999999", "\udcff"),
    "LANGSMITH_TRACING": ("true", "x"),
    "LANGSMITH_ENDPOINT": ("x", "http://[", "http://127.0.0.1:9"),
    "LANGSMITH_API_KEY": ("x", "\udcff"),
    "COLUMNS": ("x", "-5", "0", "1", "²", "9" * 30),
    "TERMINAL_WIDTH": ("x", "9" * 30),
    "TERM": ("dumb", "", "nothing"),
    "NO_COLOR": ("1",),
    "FORCE_COLOR": ("1",),
    "TMPDIR": ("{missing}", "{empty}"),
    "HOME": ("", "{missing}", "\udcff"),
    "LANG": ("C", "nowhere"),
    "TZ": ("nowhere",),
}
SECONDS = 20
"""So long a command may take here."""


class Call(NamedTuple):
    """A command with something wrong."""

    command: str
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        shown = " ".join(one if len(one) < 60 else f"{one[:20]}..." for one in self.arguments)
        return f"{dict(self.environment) or ''} zork {self.command} {shown}".strip()


def leaves(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The commands that do something, by their whole names."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, f"{path} {name}")
    if not hasattr(command, "commands"):
        yield path, command


ALL = dict(found for name in COMMANDS for found in leaves(loaded(name), name))


def wrong_calls() -> Iterator[Call]:
    """Every option with every wrong value, and every argument left out or wrong."""
    for name, command in ALL.items():
        fitting = tuple(FITTING.get(name, "").split())
        for option in command.params:
            if option.param_type_name == "argument":
                rest = fitting[1:]
                yield Call(name, rest)
                yield from (Call(name, (wrong, *rest)) for wrong in WRONG)
            elif getattr(option, "is_flag", False):
                yield Call(name, (*fitting, option.opts[0]))
                yield Call(name, (*fitting, f"{option.opts[0]}=x"))
            else:
                yield Call(name, (*fitting, option.opts[0]))
                yield from (Call(name, (*fitting, option.opts[0], wrong)) for wrong in WRONG)
        yield Call(name, (*fitting, "--nothing"))
        yield Call(name, (*fitting, "too", "much", "of", "it"))
        yield Call(name, ("--help",))


def strange_places() -> Iterator[Call]:
    """Every command where a variable of the environment holds nonsense."""
    for name in ALL:
        for variable, values in ENVIRONMENT.items():
            for value in values:
                yield Call(name, tuple(FITTING.get(name, "").split()), ((variable, value),))


def endless(call: Call) -> bool:
    """What is right and never ends: a great many steps."""
    many = {"9" * 30, "1-99999999999"} & {*call.arguments}
    shows = {"--view", "--dashboard", "--follow"} & {*call.arguments}
    # Who writes into a pipe waits for a reader.
    piped = any("{fifo}" in one for one in call.arguments) and any(
        one in call.arguments for one in ("-o", "--output", "--export", "--parquet")
    )
    return bool(many or shows or piped) or "/proc/self/mem" in call.arguments


@pytest.fixture
def places(half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files and folders of all kinds, by the names that calls have for them."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shutil.copytree(half, folder / "runs" / half.name)
    files = {
        "empty": b"",
        "binary": bytes(range(256)) * 20,
        "bom.toml": b'\xef\xbb\xbfextends = "offline"\n',
        "deep.toml": b"x = " + b"[" * 5000 + b"]" * 5000,
        "digits.toml": b"x = " + b"9" * 5000,
        "line.jsonl": b'{"x": "' + b"x" * 1_000_000 + b'"}',
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    os.mkfifo(folder / "fifo")
    os.mkfifo(folder / "fifo.toml")
    shutil.copy(Path(__file__).parents[2] / "game_files" / "hollow.z5", folder / "story.z5")
    named = {name.partition(".")[0]: str(folder / name) for name in files}
    named |= {"folder": str(folder), "missing": str(folder / "missing")}
    named |= {"fifo": str(folder / "fifo"), "story": str(folder / "story.z5")}
    return {**named, "run": f"runs/{half.name}"}


@pytest.fixture
def whole_places(places: dict[str, str]) -> dict[str, str]:
    """The same, with a file of results."""
    out = Path(places["folder"]) / "rows.jsonl"
    fitting = "--games hollow --graphs random --seeds 1 --steps 1 --workers 1".split()
    done = zork("bench", *fitting, "-o", str(out))
    assert done.returncode == 0, done.stderr
    return {**places, "rows": str(out)}


class Hung(BaseException):
    """A command that does not end."""


def called(call: Call, places: dict[str, str]) -> Done:
    """What a call comes to, in this process."""

    def named(text: str) -> str:
        for name, path in places.items():
            text = text.replace("{" + name + "}", path)
        return text

    def hang(_number: int, _frame: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(SECONDS)
    environment = {name: named(value) for name, value in call.environment}
    try:
        return zork(*call.command.split(), *map(named, call.arguments), **environment)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault(call: Call, places: dict[str, str]) -> str:
    """What is wrong with how a call ends; empty if nothing is."""
    try:
        done = called(call, places)
    except Hung:
        return f"{call}: does not end"
    except Exception as error:  # noqa: BLE001 - told with the call
        return f"{call}: {error!r}"
    lines = done.stderr.splitlines()
    told = [line for line in lines if line.removeprefix("\x1b[31m").startswith("zork: ")]
    if "Traceback" in done.stderr + done.stdout or "fault of this program" in done.stderr:
        return f"{call}: {lines[-1][:400]}"
    if done.returncode not in (0, 1, 2):
        return f"{call}: exit status {done.returncode}"
    if (done.returncode == 2 and len(told) != 1) or len(done.stderr) > 4000:
        return f"{call}: {len(done.stderr)} characters, {len(told)} lines: {done.stderr[:300]}"
    return ""


def faults(calls: Iterable[Call], places: dict[str, str]) -> list[str]:
    """What is wrong with any of the calls that can be made in this process."""
    kept = Path(places["run"]), Path(places["folder"], "kept")
    shutil.copytree(*kept)
    told = []
    for call in calls:
        told.append(fault(call, places))
        if not kept[0].exists():  # It was to be removed, perhaps under another name.
            shutil.copytree(kept[1], kept[0])
    return [one for one in told if one]


def chosen(calls: Iterable[Call], number: int, *, but: Sequence[str] = BY_ITSELF) -> list[Call]:
    """So many of the calls, always the same, each command about equally often."""
    found = [one for one in calls if one.command not in but and not endless(one)]
    random.Random(number).shuffle(found)
    turns: Counter[str] = Counter()
    order = {}
    for call in found:
        turns[call.command] += 1
        order[call] = turns[call.command]
    return sorted(found, key=order.__getitem__)[:number]


def test_every_command_tells_of_itself_and_refuses_what_it_does_not_know(
    places: dict[str, str],
) -> None:
    asked = [Call(name, (more,)) for name in ALL for more in ("--help", "--nothing")]
    assert len(ALL) >= 38
    assert faults(asked, places) == []


def test_those_that_were_found(places: dict[str, str]) -> None:
    calls = [
        Call("graph check", ("-s", f"nodes.critic.x={'9' * 5000}")),
        Call("graph check", ("-s", f"x={'[' * 5000}")),
        Call("graph check", ("a" * 5000,)),
        Call("graph check", (f"{'a' * 5000}.toml",)),
        Call("graph check", ("{digits}",)),
        Call("graph check", ("\udcff.toml",)),
        Call("graph check", ("-s", "name=\udcff")),
        Call("trace export", ("{binary}",)),
        Call("report", ("{binary}", "-o", "{folder}/report.html")),
        Call("memory clear", ("--yes",), (("FORCE_COLOR", "1"),)),
        Call("trace stats", ("{story}",)),
        Call("graph list", (), (("COLUMNS", "²"),)),
        Call("graph list", (), (("TERMINAL_WIDTH", "x"),)),
    ]
    assert faults(calls, places) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_wrong_argument_ends_in_a_traceback(whole_places: dict[str, str]) -> None:
    assert faults(chosen(wrong_calls(), 400), whole_places) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_environment_ends_in_a_traceback(whole_places: dict[str, str]) -> None:
    assert faults(chosen(strange_places(), 200), whole_places) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", BY_ITSELF)
@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (("--nothing",), {}),
        (("nowhere",), {}),
        ((), {"ZORK_HOME": "/dev/null", "TERM": "dumb", "COLUMNS": "²"}),
        ((), {"ZORK_STORIES": "/dev/null", "TERM": "nothing", "PYTHONIOENCODING": "ascii"}),
    ],
)
def test_what_serves_or_takes_the_terminal_ends_in_order(
    command: str, arguments: tuple[str, ...], environment: dict[str, str], tmp_path: Path
) -> None:
    program = [sys.executable, "-c", "from orchestrator.cli import main; main()"]
    with subprocess.Popen(
        [*program, command, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            _, said = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)  # It serves.
            _, said = process.communicate(timeout=10)
    assert b"Traceback" not in said
    assert b"fault of this program" not in said
