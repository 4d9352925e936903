"""Graph files, plans and memories that somebody prepared, and a machine with little to give."""

from __future__ import annotations

import copy
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from environments.catalog import find_story
from environments.jericho_game import open_game
from environments.vocabulary import Vocabulary
from orchestrator import play
from orchestrator.viewer.server import MOST_ASKED, Server, Viewer
from tests.command_line import Done, zork
from tests.environments.tiny_story import tiny_story

IN_TIME_S = 10


def refused(done: Done, *names: str) -> bool:
    return (
        (done.returncode, done.stderr.count("\n")) == (2, 1)
        and len(done.stderr) < 1500
        and all(name in done.stderr for name in names)
    )


GRAPHS = {
    "a key of many parts": "nodes" + ".a" * 120_000 + " = 1",
    "a table of many parts": "[nodes" + ".a" * 120_000 + "]",
    "a key of many quoted parts": '"a"' + r'."\""' * 40_000 + " = 1",
    "more than fits": "#" * 600_000,
    "lists within lists": "sequence = " + "[" * 50_000,
    "tables within tables": "nodes = " + "{a = " * 20_000,
}


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("command", [("graph", "check"), ("bench",)])
def test_a_file_is_read_in_a_bounded_time(
    command: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    path, begun = tmp_path / "mine.toml", time.perf_counter()
    path.write_text(GRAPHS[kind], encoding="utf-8")
    assert refused(zork(*command, str(path)), "mine.toml")
    assert time.perf_counter() - begun < IN_TIME_S


@pytest.mark.parametrize("command", [("graph", "check"), ("bench",)])
def test_a_pipe_is_no_file(command: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.toml")
    assert refused(zork(*command, str(tmp_path / "mine.toml")), "mine.toml")


@pytest.mark.parametrize(("width", "levels"), [(10, 10), (2, 9), (60, 2)])
def test_graphs_within_graphs_are_counted(width: int, levels: int, tmp_path: Path) -> None:
    for level in range(levels):
        use = f"graph:{level + 1}.toml" if level + 1 < levels else "rules"
        nodes = (f'[nodes.n{number}]\nuse = "{use}"\n' for number in range(width))
        top = 'extends = "offline"\n' if not level else ""
        (tmp_path / f"{level}.toml").write_text(top + "".join(nodes), encoding="utf-8")
    begun = time.perf_counter()
    assert refused(zork("graph", "check", str(tmp_path / "0.toml")), "more than 50 graph files")
    assert time.perf_counter() - begun < IN_TIME_S


PLANS = {
    "seeds": 'games = ["hollow"]\nseeds = "1-1000000000"',
    "several ranges": 'games = ["hollow"]\nseeds = "' + "1-99999," * 9 + '1"',
    "a seed of many digits": 'games = ["hollow"]\nseeds = "1-' + "9" * 5000 + '"',
    "a digit of another script": 'games = ["hollow"]\nseeds = "²"',
    "a product": 'games = ["hollow"]\nseeds = "1-50000"\nsteps = [1, 2, 3]',
    "many lists": "games = ['hollow']\n"
    + "".join(f"{name} = {list(range(1, 3000))}\n" for name in ("seeds", "steps", "episodes")),
}


@pytest.mark.parametrize("kind", PLANS)
def test_a_plan_is_as_large_as_can_be_played(kind: str, tmp_path: Path) -> None:
    path, begun = tmp_path / "plan.toml", time.perf_counter()
    path.write_text(PLANS[kind], encoding="utf-8")
    assert refused(zork("bench", str(path), "-o", str(tmp_path / "rows.jsonl")))
    assert time.perf_counter() - begun < IN_TIME_S


@pytest.mark.parametrize("seeds", ["1-1000000000", "9" * 5000, "²", "1-2-3"])
def test_seeds_of_the_command_line_too(seeds: str, tmp_path: Path) -> None:
    done = zork("bench", "--seeds", seeds, "-o", str(tmp_path / "rows.jsonl"))
    assert refused(done, "--seeds")


@pytest.mark.parametrize(("size", "count"), [(0, 0x7FFF), (1, 0x7FFF), (3, 0x8001), (7, 0x7FFF)])
def test_a_dictionary_of_overlapping_entries_is_none(size: int, count: int, tmp_path: Path) -> None:
    story = bytearray(tiny_story() + bytes(60_000))
    story[0x300:0x304] = bytes([0, size, *count.to_bytes(2, "big")])
    length = len(story) & ~1
    story[0x1A:0x1C] = (length // 2).to_bytes(2, "big")
    story[0x1C:0x1E] = (sum(story[0x40:length]) & 0xFFFF).to_bytes(2, "big")
    path = tmp_path / "mine.z3"
    path.write_bytes(story)
    begun = time.perf_counter()
    assert len(list(Vocabulary(bytes(story)))) <= len(story) // 4
    assert zork("games", "info", str(path)).returncode == 0
    assert time.perf_counter() - begun < IN_TIME_S


# -- memories -----------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What two episodes have learned."""
    out = tmp_path_factory.mktemp("runs")
    for seed in (3, 4):
        play("hollow", seed=seed, steps=60, out=out, fresh=False)
    assert zork("memory", "export", str(out / "memory.json"), "--game", "hollow").returncode == 0
    return dict(json.loads((out / "memory.json").read_bytes()))


Path_ = tuple[Any, ...]
EVIL: list[Any] = [None, True, -1, 2**70, 1e308, "", "\x1b]0;x\x07", "a" * 9999, [], {}, [[]]]
EVIL += [{"a": 1}, "9" * 5000, 0.5, 10**9]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*path, key))


def altered(memory: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The memory with a value or two replaced, of a kind chosen first: lists are long."""
    kinds: dict[Path_, list[Path_]] = {}
    for path in places(memory):
        kind = tuple("#" if isinstance(key, int) else key for key in path)[:4]
        kinds.setdefault(kind, []).append(path)
    changed = copy.deepcopy(memory)
    *way, last = rng.choice(kinds[rng.choice(list(kinds))])
    table: Any = changed
    for key in way:
        table = table[key]
    if isinstance(table, dict) and rng.random() < 0.25:
        del table[last]
    else:
        table[last] = rng.choice(EVIL)
    return changed


def is_harmless(memory: dict[str, Any], folder: Path, home: Path) -> bool:
    """The memory is refused in one line, or taken and played with."""
    file = folder / "memory.json"
    file.write_text(json.dumps(memory), encoding="utf-8")
    done = zork("memory", "import", str(file), "--game", "hollow", ZORK_HOME=str(home))
    if done.returncode:
        return refused(done, "memory.json")
    options = ("--steps", "3", "--quiet", "--out", str(folder))
    shown = zork("memory", "show", "--game", "hollow", ZORK_HOME=str(home))
    played = zork("play", "--game", "hollow", *options, ZORK_HOME=str(home))
    return (shown.returncode, played.returncode) == (0, 0)


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 250), marks=pytest.mark.slow)])
def test_an_altered_memory_does_no_harm(
    seeds: range, exported: dict[str, Any], tmp_path: Path
) -> None:
    harmful = [
        seed
        for seed in seeds
        if not is_harmless(altered(exported, random.Random(seed)), tmp_path, tmp_path / f"{seed}")
    ]
    assert harmful == []


def test_a_way_that_leads_in_a_circle_is_no_memory(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    step = [1, "Hall #00000001", "north", 1]
    circle = {"nodes": [step, [0, *step[1:]]], "points": [[1, "Hall #00000001", 0, 1, 0, 0]]}
    path = tmp_path / "memory.json"
    path.write_text(json.dumps({**exported, "archive": circle}), encoding="utf-8")
    assert refused(zork("memory", "import", str(path), "--game", "hollow"), "in a circle")


@pytest.mark.parametrize("name", ["pipe", "hole", "/dev/zero"])
def test_a_memory_is_a_file_of_some_size(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(10**11)
    assert refused(zork("memory", "import", str(tmp_path / name), "--game", "hollow"), name)


# -- little to give -----------------------------------------------------------


@pytest.mark.slow
def test_play_goes_on_with_less_memory_than_a_worker_may_take(tmp_path: Path) -> None:
    code = "from orchestrator.cli import main; main()"
    options = ("--game", "hollow", "--steps", "2", "--fresh", "--quiet", "--out", str(tmp_path))
    room = 2 << 30
    done = subprocess.run(
        [sys.executable, "-c", code, "play", *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_killed_nursery_leaves_no_folder() -> None:
    folders = Path(tempfile.gettempdir())
    with open_game(find_story("hollow")) as game:
        game.start(1)
        (mine,) = set(folders.glob(f"zork-{os.getpid()}-*"))
        worker = game.pid
        parent = int(Path(f"/proc/{worker}/stat").read_text(encoding="ascii").split()[3])
        os.kill(parent, signal.SIGKILL)
    assert not mine.exists()


def test_a_bench_that_cannot_write_says_so() -> None:
    options = ("--games", "hollow", "--graphs", "random", "--seeds", "1", "--steps", "1")
    for place in ("/proc/none/rows.jsonl", "/dev/null/rows.jsonl", "/sys/rows.jsonl"):
        assert refused(zork("bench", *options, "-o", place), place)


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"[" * MOST_ASKED, 400), (b" " * (MOST_ASKED + 1), 413), (b" " * (50 << 20), 413)],
)
def test_what_a_page_asks_is_short(content: bytes, status: int, tmp_path: Path) -> None:
    server = Server(Viewer(tmp_path))
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        headers = {"Authorization": f"Bearer {server.token}"}
        address = f"http://127.0.0.1:{server.port}/api/control"

        def pieces() -> Iterator[bytes]:
            yield from (content[at : at + 65536] for at in range(0, len(content), 65536))

        told = httpx.post(address, content=pieces(), headers=headers, trust_env=False)
        assert told.status_code == status
    finally:
        server.stop()
        thread.join(10)
