"""What an MCP client does wrong is told to it in words, and costs the server nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="make install EXTRAS=mcp")
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


def text(answer: dict[str, Any]) -> str:
    """What a tool answers."""
    return str(answer["result"]["content"][0]["text"])


class Client:
    """Writes lines to `zork mcp` and reads lines, as no well-behaved client would."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello["clientInfo"] = {"name": "a test", "version": "1"}
        self.server = self.ask("initialize", hello)["result"]["serverInfo"]

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def call(self, tool: str, **arguments: Any) -> int:
        """Ask without waiting; returns the request's id."""
        return self._asked("tools/call", {"name": tool, "arguments": arguments})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = self._asked(method, params)
        answer = self.answer()
        assert answer["id"] == number
        return answer

    def tool(self, name: str, **arguments: Any) -> str:
        """What a tool answers; an error has `! ` before it."""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return f"! {answer['error']}"
        return ("! " if answer["result"]["isError"] else "") + text(answer)

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline()))

    def _asked(self, method: str, params: dict[str, Any]) -> int:
        self._number += 1
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.send(json.dumps(asked))
        return self._number

    @property
    def megabytes(self) -> float:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(home: Path) -> Iterator[Client]:
    """A server whose story is not begun; nothing that a client does is written to stderr."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ZORK_HOME": str(home)}
    program = "from orchestrator.cli import main; main()"
    arguments = [sys.executable, "-c", program, "mcp", "--game", "hollow"]
    pipe, errors = subprocess.PIPE, home / "stderr"
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=stderr, env=environment
        ) as process,
    ):
        yield Client(process)
    assert errors.read_text(encoding="utf-8") == ""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One that is used again and again."""
    with served(tmp_path_factory.mktemp("home")) as client:
        yield client


def test_the_first_play_begins_the_story_and_plays(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert client.tool("advice") == "! no story is begun: begin one with start"
        assert client.tool("play", command="look\nnorth").startswith("! ")
        told = client.tool("play", command="  inventory\r\n")
        assert told.startswith("The solicitor was brief.")
        reply = told.partition("\n> inventory\n")[2]
        assert client.tool("play", command="inventory") == reply


def test_a_client_that_reads_no_more_is_no_fault(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        client.tool("start")
        assert client.process.stdin is not None
        assert client.process.stdout is not None
        client.process.stdout.close()
        client.call("play", command="look")
        client.process.stdin.close()
        assert client.process.wait(60) == 0


def test_errors_keep_their_words(client: Client) -> None:
    assert client.server == {"name": "zork-orchestrator", "version": version("zork-orchestrator")}
    assert client.tool("advice") == "! no story is begun: begin one with start"
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("start", {"story": "holow"}, "did you mean hollow?"),
        ("start", {"story": "hollow", "seed": -5}, "seed -5 is not within 0 to"),
        ("start", {"story": "x" * 100_000}, "a name of 100,000 letters, at most 200"),
        ("start", {"game": "hollow"}, "unknown argument 'game' (known: story, seed)"),
        ("play", {}, "command: Field required"),
        ("play", {"command": 5}, "command: Input should be a valid string"),
        ("play", {"command": "look\nnorth"}, "2 lines, none of which was played"),
        ("play", {"command": "look\u2028north"}, "2 lines, none of which was played"),
        ("play", {"command": "a" * 1_000_000}, "1,000,000 letters; stories read 190 at most"),
        ("play", {"command": "look \ud800"}, "not readable: Invalid JSON"),
        ("play", {"command": "n" * 3_000_000}, "a request has 2,097,152 bytes at most"),
        ("plya", {}, "unknown tool 'plya'; did you mean 'play'?"),
        ("z" * 50_000, {}, "unknown tool 'zzz"),
    ]
    for tool, arguments, words in wrong:
        told = client.tool(tool, **arguments)
        assert told.startswith("! ")
        assert words in told
        assert len(told) < 700
        assert "\n" not in told


def test_what_is_no_request_is_answered_where_it_has_an_id(client: Client) -> None:
    for line in ("garbage", "{}", "", "[]", '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'):
        client.send(line)
    client.send(
        '{"jsonrpc":"2.0","id":77,"method":"ping","params":' + "[" * 1000 + "]" * 1000 + "}"
    )
    assert "not readable" in client.answer()["error"]["data"]
    assert client.ask("ping", {})["result"] == {}


def test_a_story_that_cannot_be_begun_leaves_the_other_one(client: Client) -> None:
    client.tool("start")
    there = client.tool("play", command="look")
    for wrong in ({"story": "nosuch"}, {"seed": -1}):
        assert client.tool("start", **wrong).startswith("! ")
        assert client.tool("play", command="look") == there


def test_a_way_is_in_one_list_of_the_map(client: Client) -> None:
    client.tool("start")
    for command in ("north", "north", "east", "up", "south", "west", "take all", "south", "down"):
        client.tool("play", command=command)
    rooms = json.loads(client.tool("look_at_map"))["rooms"]
    assert len(rooms) > 1
    lists = ("ways", "supposed", "blocked", "untried")
    ways = [[way for name in lists for way in room[name]] for room in rooms.values()]
    assert all(len(listed) == len({*listed}) for listed in ways)
    assert any(room["ways"] for room in rooms.values())


def test_calls_that_are_made_at_once_are_played_in_order(client: Client) -> None:
    client.tool("start")
    commands = ["north", "south"] * 8
    numbers = [client.call("play", command=command) for command in commands]
    answers = {answer["id"]: answer for answer in (client.answer() for _ in numbers)}
    told = [text(answers[number]).partition("\n")[0] for number in numbers]
    assert told[2::2] == [told[2]] * 7
    assert told[1::2] == [told[1]] * 8
    assert told[1] != told[2]
    for _ in range(100):
        client.call("start")
    refused = [text(client.answer()) for _ in range(100)]
    assert sum("32 calls are waiting" in one for one in refused) > 50


def test_play_keeps_no_more_than_its_last_turn(client: Client) -> None:
    client.tool("start")
    for command in ("look", "take all", "inventory", "wait") * 5:
        client.tool("play", command=command)
    before = client.megabytes
    for number in range(16):
        client.tool("play", command=("north " if number % 2 else "a") * 160_000)
    for command in ("look", "take all", "inventory", "wait") * 15:
        client.tool("play", command=command)
    for _ in range(10):
        client.tool("start")
    assert client.megabytes - before < 15
