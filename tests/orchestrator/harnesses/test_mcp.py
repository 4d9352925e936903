"""An MCP client of the official SDK plays through `zork mcp` and looks at the notes."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import zork

ROOT = Path(__file__).parents[3]
ZORK = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from orchestrator.cli import main; main()"
)
"""Hears Ctrl-C also where the tests run in the background of a shell."""


@pytest.mark.slow
def test_a_client_plays_twenty_turns_and_looks_at_the_notes(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="make install EXTRAS=mcp")
    told = asyncio.run(_session(tmp_path))
    assert "[score 0 of 10]" in told["start"]
    assert len(told["replies"]) == 20
    assert len({reply for reply in told["replies"]}) > 3
    assert told["map"]["here"] in told["map"]["rooms"]
    assert told["world"]["things"]
    assert ":" in told["advice"]
    assert "objectives" in told["objectives"]
    assert {"start", "play", "look_at_map", "advice"} <= told["tools"]


def test_a_table_says_how_a_story_ended_in_the_words_of_a_run() -> None:
    server = pytest.importorskip("orchestrator.harnesses.mcp_server", reason="make install")
    table = server.Table("morning")
    walked = (ROOT / "game_files" / "morning.walkthrough.txt").read_text(encoding="utf-8")
    replies = [table.play(command) for command in walked.split("\n") if command]
    table.close()
    assert replies[0].endswith("[score 1 of 10]")
    assert replies[-1].endswith(f"[won; {len(replies)} commands played; 10 of 10 points]")


async def _session(home: Path) -> dict[str, Any]:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {"PYTHONPATH": str(ROOT), "ZORK_HOME": str(home)}
    arguments = ["-c", ZORK, "mcp", "--game", "workshop", "--seed", "3"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    told: dict[str, Any] = {"replies": []}
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        told["tools"] = {tool.name for tool in (await session.list_tools()).tools}
        told["start"] = await _called(session, "start")
        for turn in range(20):
            # Every other command is what the planner advises.
            advice = await _called(session, "advice")
            command = advice.partition(":")[0] if turn % 2 else "look"
            told["replies"].append(await _called(session, "play", command=command))
        told["advice"] = await _called(session, "advice")
        for name in ("map", "world", "objectives"):
            result = await session.call_tool(f"look_at_{name}", {})
            told[name] = result.structured_content
    return told


async def _called(session: Any, tool: str, **arguments: Any) -> str:
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, result
    return str(result.content[0].text)


@pytest.mark.slow
def test_ctrl_c_ends_a_server_that_waits_for_input(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="make install EXTRAS=mcp")
    pipe = subprocess.PIPE
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "a test", "version": "1"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with subprocess.Popen(
        [sys.executable, "-c", ZORK, "mcp"], stdin=pipe, stdout=pipe, cwd=ROOT, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 130


def test_without_the_sdk_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mcp", "mcp.server.mcpserver"):
        monkeypatch.setitem(sys.modules, name, None)
    done = zork("mcp")
    assert done.returncode == 2
    assert "make install EXTRAS=mcp" in done.stderr
