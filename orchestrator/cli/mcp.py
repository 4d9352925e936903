"""`zork mcp`."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from environments.catalog import find_story
from environments.extras import installing
from environments.jericho_game import MAX_SEED
from orchestrator.cli.terminal import say
from orchestrator.errors import ConfigError
from orchestrator.settings.stories import DEFAULT_STORY
from orchestrator.setup import DEFAULT_SEED


def mcp(
    game: Annotated[str, typer.Option(help="Path, catalog id or name of a story.")] = DEFAULT_STORY,
    seed: Annotated[int, typer.Option(min=1, max=MAX_SEED, help="Emulator's seed.")] = DEFAULT_SEED,
) -> None:
    """Serve stories and notes on them to an MCP client, over standard input and output."""
    find_story(game)
    try:
        importlib.import_module("mcp.server.mcpserver")
    except ModuleNotFoundError as error:
        raise ConfigError(f"zork mcp needs the MCP SDK: {installing('mcp')}") from error
    module = importlib.import_module("orchestrator.harnesses.mcp_server")
    if sys.stdin.isatty():
        say("an MCP client is to start this, and to write here; Ctrl-C ends it", err=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    module.make_server(game, seed).run("stdio")


def _leave(number: int, _frame: FrameType | None) -> None:
    """At once: whoever waits for standard input cannot be interrupted otherwise."""
    os._exit(128 + number)
