"""Traces on disk: whole trees, readable after a kill, and nobody's runs under another's."""

from __future__ import annotations

import gzip
import json
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from langchain_core.runnables import RunnableLambda

from agents.models.trace_files import TraceFiles, trace_files
from environments.game import Game, Step
from environments.jericho_game import open_game
from environments.secrets import learn_secret
from orchestrator import play
from orchestrator.errors import RunError
from orchestrator.graph.build import compile_graph
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.traces.reader import Run, Trace, TraceReader, read_trace
from orchestrator.traces.redaction import redact
from orchestrator.traces.writer import SegmentedFile, TraceWriter, read_segments
from orchestrator.turns.context import Context
from orchestrator.turns.turn import run_turn
from tests.orchestrator.trace_roles import KEY

ROLES = "tests.orchestrator.trace_roles"
TALKING = (f"nodes.actor.use={ROLES}:TalkingActor", f"nodes.critic.use={ROLES}:PickyCritic")


@pytest.fixture(scope="module")
def trace_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = play("morning", steps=6, out=tmp_path_factory.mktemp("runs"), settings=TALKING)
    return Path(result["run_dir"], "trace.jsonl")


def assert_whole(trace: Trace) -> None:
    """Every trace is one tree, with ids, order and times that fit together."""
    assert not trace.faults
    for root in trace.roots:
        for run in root.walk():
            record = run.record
            *above, own = record["dotted_order"].split(".")
            assert own.partition("Z")[2] == record["id"]
            assert record["trace_id"] == root.record["id"]
            assert record["start_time"] <= record["end_time"]
            assert own.partition("Z")[0] == "".join(
                c for c in record["start_time"][:26] if c.isalnum()
            )
            for child in run.children:
                assert child.record["parent_run_id"] == record["id"]
                assert child.record["dotted_order"].startswith(record["dotted_order"] + ".")
                assert record["start_time"] <= child.record["start_time"]
                assert child.record["end_time"] <= record["end_time"]
            assert len(above) == record["dotted_order"].count(".")


def test_every_turn_is_one_whole_tree(trace_file: Path) -> None:
    trace = read_trace(trace_file)
    assert_whole(trace)
    assert [root.metadata["turn"] for root in trace.roots] == list(range(7))
    assert [root.inputs.get("turn") for root in trace.roots] == list(range(7))
    assert {"turn", "room", "score", "mode"} == trace.roots[-1].inputs.keys()
    start, *nodes = [run.name for run in trace.roots[1].children]
    assert start == "__start__"
    assert nodes == [
        *("objective_manager", "planner", "actor", "critic", "actor", "critic"),
        *("game", "extractor", "learner"),
    ]
    assert {run.kind for run in trace.roots[1].walk()} == {"chain", "llm", "tool"}


class Shared:
    """One running story for many episodes: what it answers depends on the snapshot alone."""

    def __init__(self, game: Game) -> None:
        self.game, self.lock = game, threading.Lock()

    def start(self, seed: int) -> Step:
        with self.lock:
            return self.game.start(seed)

    def play(self, snapshot: bytes, command: str) -> Step:
        with self.lock:
            return self.game.play(snapshot, command)


@pytest.mark.slow
def test_fifty_concurrent_episodes_keep_their_runs_apart(tmp_path: Path) -> None:
    setup = Setup.resolve("morning", settings=TALKING)
    together = threading.Barrier(50)

    def episode(number: int) -> Trace:
        context = Context(cast(Game, shared), number, number)
        graph, state = compile_graph(setup.config, setup.crew()), State()
        writer = TraceWriter(tmp_path / f"{number}.jsonl", metadata={"episode": number})
        for _ in range(3):
            together.wait()
            config = {"callbacks": [writer], "metadata": {"thread_id": number}}
            state = run_turn(graph, state, config, context).value
        writer.close()
        return read_trace(tmp_path / f"{number}.jsonl")

    with open_game(setup.story) as game, ThreadPoolExecutor(50) as pool:
        shared = Shared(game)
        traces = list(pool.map(episode, range(1, 51)))
    ids = [run.record["id"] for trace in traces for run in trace.walk()]
    assert len(ids) == len(set(ids))
    assert len({tuple(run.name for run in trace.walk()) for trace in traces}) == 1
    for number, trace in enumerate(traces, start=1):
        assert_whole(trace)
        assert {root.metadata["episode"] for root in trace.roots} == {number}
        assert {run.metadata["thread_id"] for run in trace.walk()} == {number}


def test_a_trace_cut_anywhere_is_read_up_to_there(trace_file: Path) -> None:
    content = trace_file.read_bytes()
    whole = read_trace(trace_file)
    last_line = content.rstrip(b"\n").rfind(b"\n") + 1
    for cut in (last_line - 1, last_line, last_line + 1, last_line + 40, len(content) - 2):
        reader = TraceReader()
        reader.feed(content[:cut])
        trace = reader.finish()
        assert len(trace.roots) == len(whole.roots)
        assert [run.record for run in trace.roots[-2].walk()] == [
            run.record for run in whole.roots[-2].walk()
        ]
        assert trace.roots[-1].is_open
        assert len(trace.faults) == (last_line < cut)


def test_play_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b'{"post":{"id":"0')
    writer = TraceWriter(path)
    RunnableLambda(str.upper, name="after").invoke("x", {"callbacks": [writer]})
    writer.close()
    trace = read_trace(path)
    assert [run.name for run in trace.walk()] == ["after"]
    assert trace.faults == ["line 1 is no whole run (16 bytes), skipped"]


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """An episode whose actor hangs at turn 3."""
    options = ["play", "--game", "morning", "--quiet", "--out", str(tmp_path)]
    for setting in (*TALKING, "nodes.actor.hang_at=3"):
        options += ["-s", setting]
    command = [sys.executable, "-c", "from orchestrator.cli import main; main()", *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        yield process, tmp_path
        process.kill()


@pytest.mark.slow
def test_a_killed_run_shows_what_was_open(hanging: tuple[subprocess.Popen[bytes], Path]) -> None:
    process, out = hanging
    trace = Trace()
    hung = [("turn", 3), ("actor", 3)]
    while (
        process.poll() is None
        and [(run.name, run.metadata["turn"]) for run in open_runs(trace)] != hung
    ):
        time.sleep(0.1)
        trace = Trace()
        for path in out.glob("*/trace.jsonl"):
            trace = read_trace(path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    trace = read_trace(next(out.glob("*/trace.jsonl")))
    assert [run.name for run in open_runs(trace)] == ["turn", "actor"]
    assert [root.metadata["turn"] for root in trace.roots] == [0, 1, 2, 3]
    assert not any(root.is_open for root in trace.roots[:3])


def open_runs(trace: Trace) -> list[Run]:
    return [run for run in trace.walk() if run.is_open]


def test_a_long_trace_is_compressed_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    file = SegmentedFile(path, segment_bytes=100)
    lines = [json.dumps({"line": number}).encode() + b"\n" for number in range(50)]
    for line in lines:
        file.append(line)
        file.rotate()
    file.close()
    assert len(trace_files(path)) > 3
    assert all(part.stat().st_size < 120 for part in trace_files(path))
    assert b"".join(read_segments(path)) == b"".join(lines)
    assert gzip.decompress(trace_files(path)[0].read_bytes()).startswith(lines[0])


def test_whoever_follows_loses_nothing_that_is_set_aside_meanwhile(tmp_path: Path) -> None:
    """Not even if it has read the part before the file was emptied, and the rest of the file."""
    path = tmp_path / "trace.jsonl"
    lines = [b"%d\n" % number for number in range(6)]
    file, files, told = SegmentedFile(path, segment_bytes=1), TraceFiles(path), []
    file.append(b"".join(lines[:3]))
    told += files.pieces()
    path.with_name("trace.0001.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    told += files.pieces()
    path.write_bytes(b"")
    for line in lines[3:5]:
        file.append(line)
    told += files.pieces()
    file.rotate()
    told += files.pieces()
    file.append(lines[5])
    told += files.pieces()
    file.close()
    assert list(dict.fromkeys(b"".join(told).splitlines(keepends=True))) == lines


def test_no_part_takes_the_place_of_another(tmp_path: Path) -> None:
    """The first one was deleted to save space."""
    path = tmp_path / "trace.jsonl"
    file = SegmentedFile(path, segment_bytes=1)
    for number in range(5):
        file.append(b"%d\n" % number)
        file.rotate()
        if number == 3:
            path.with_name("trace.0001.jsonl.gz").unlink()
    file.close()
    assert b"".join(read_segments(path)) == b"1\n2\n3\n4\n"


def test_a_disk_that_takes_a_part_of_the_lines_is_noticed(tmp_path: Path) -> None:
    file = SegmentedFile(tmp_path / "trace.jsonl")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(RunError, match="cannot be written"):
            file.append(b"a line of more than ten\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    file.append(b"the next\n")
    file.close()
    assert file.path.read_bytes() == b"a line of \nthe next\n"


def test_what_is_nested_deep_is_written_without_secrets(tmp_path: Path) -> None:
    learn_secret("deep water runs still")
    deep: object = "deep water runs still"
    for _ in range(210):
        deep = [deep]
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path)
    told = {"deep": deep, "said": "deep water runs still"}
    RunnableLambda(str, name="nested").invoke(told, {"callbacks": [writer]})
    writer.close()
    trace = read_trace(path)
    assert ([run.name for run in trace.walk()], trace.faults) == (["nested"], [])
    assert "deep water" not in path.read_text(encoding="utf-8")
    assert redact({"deep": deep, "told": 1})["told"] == 1


def test_a_part_written_twice_counts_once(trace_file: Path, tmp_path: Path) -> None:
    """A kill between writing the compressed part and emptying the file leaves both."""
    content = trace_file.read_bytes()
    copy = tmp_path / "trace.jsonl"
    copy.write_bytes(content)
    copy.with_name("trace.0001.jsonl.gz").write_bytes(gzip.compress(content))
    assert read_trace(copy) == read_trace(trace_file)


def test_secrets_are_left_out_by_name_and_by_shape(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    metadata = {"api_key": "plain words", "nested": {"password": "x"}, "max_tokens": 7}
    writer = TraceWriter(path, metadata=metadata)

    def fail(_text: str) -> str:
        raise ValueError(f"401 for http://me:pass@host with Bearer {KEY}")

    step = RunnableLambda(fail, name="fails")
    with pytest.raises(ValueError, match="401"):
        step.invoke(
            f"my key is {KEY}", {"callbacks": [writer], "metadata": {"base": "http://a:b@c/"}}
        )
    writer.close()
    text = path.read_text(encoding="utf-8")
    for secret in (KEY, "plain words", "me:pass", "a:b@"):
        assert secret not in text
    run = next(read_trace(path).walk())
    assert run.metadata["nested"] == {"password": "[redacted]"}
    assert run.metadata["max_tokens"] == 7


def test_a_trace_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be written"):
        TraceWriter(tmp_path / "missing" / "trace.jsonl")
    with pytest.raises(RunError, match="no trace there"):
        read_trace(tmp_path / "trace.jsonl")
