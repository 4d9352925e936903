"""Stories and notes as an MCP server (`zork mcp`): any MCP client plays.

Our reader and learner take notes of what the client plays, so that it may look at the map, the
things and the objectives; the commands are the client's own.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from pydantic import ValidationError

from environments.catalog import find_story, list_stories
from environments.game import Game, GameError, Step
from environments.offering import game_for_agents
from environments.sanitiser import EMULATOR_ROOM
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, RoleError, RunError, unknown
from orchestrator.harnesses.mcp_requests import Requests
from orchestrator.harnesses.notes import map_notes, objective_notes, world_notes
from orchestrator.harnesses.player import Player
from orchestrator.recap import ending
from orchestrator.saved.record import ToldResult
from orchestrator.saved.runs import versions
from orchestrator.settings.stories import DEFAULT_STORY
from orchestrator.setup import DEFAULT_SEED
from orchestrator.state import State

LONGEST_NAME = 200
"""Letters of a story's name."""
MOST_WAITING = 32
"""So many calls may wait for the one that is played."""
LONGEST_ERROR = 600


class Table:
    """The one game that a client plays, with the notes on it. Its methods are the tools."""

    def __init__(self, game: str = DEFAULT_STORY, seed: int = DEFAULT_SEED) -> None:
        self._game: Game | None = None
        self._step: Step | None = None
        self._played = self._deaths = 0
        self._player = Player(load_config("offline"))
        self._default = game, seed

    def stories(self) -> list[str]:
        """The stories that can be started, by name."""
        return [listing.id for listing in list_stories() if listing.path]

    def start(self, story: str | None = None, seed: int | None = None) -> str:
        """Begin a story anew, by default the one the server was started with."""
        if story and len(story) > LONGEST_NAME:
            raise GameError(
                f"story: a name of {len(story):,} letters, at most {LONGEST_NAME}; "
                "the tool `stories` lists them"
            )
        game = game_for_agents(find_story(story or self._default[0]))
        try:
            step = game.start(self._default[1] if seed is None else seed)
        except GameError:
            game.close()
            raise
        self.close()
        self._game, self._step = game, step
        self._played = self._deaths = 0
        self._player.forget()
        self._player.begin(step.observation.text, step.tally.score)
        self._player.command()
        return self._told(step)

    def play(self, command: str) -> str:
        """Play one command, for instance `open mailbox`, and read the reply and the score.

        Where no story is begun, the default one is, and its opening stands before the reply.
        """
        command = _one_line(command)
        if self._game is None or self._step is None:
            return f"{self.start()}\n\n> {command}\n{self.play(command)}"
        if self._step.tally.ended:
            raise GameError("the story is over: begin another one with start")
        self._step = self._game.play(self._step.snapshot, command)
        tally = self._step.tally
        self._played += 1
        self._deaths += tally.died
        self._player.heard(command, self._step.observation.text, tally.score, ended=tally.ended)
        if not tally.ended:
            self._player.command()
        return self._told(self._step)

    def look_at_map(self) -> dict[str, Any]:
        """The rooms seen so far, the ways between them, and where you are."""
        return map_notes(self._noted())

    def look_at_world(self) -> dict[str, Any]:
        """The things seen so far: where they are, what is carried, what is open or lit."""
        return world_notes(self._noted())

    def look_at_objectives(self) -> dict[str, Any]:
        """What there may be to do."""
        return objective_notes(self._noted())

    def advice(self) -> str:
        """What the project's own planner would do now, and why."""
        response = self._noted()["proposal"].response
        return f"{response.action}: {response.thinking}"

    def close(self) -> None:
        """End the game."""
        if self._game is not None:
            self._game.close()
            self._game = self._step = None

    def _noted(self) -> State:
        if self._step is None:
            raise GameError("no story is begun: begin one with start")
        return self._player.state

    def _told(self, step: Step) -> str:
        """The last reply with the score; what the play came to once the story is over."""
        tally = step.tally
        top = "" if tally.max_score is None else f" of {tally.max_score}"
        standing = f"score {tally.score}{top}"
        if tally.ended:
            came = ToldResult(
                steps=self._played,
                score=tally.score,
                max_score=tally.max_score,
                deaths=self._deaths,
            )
            standing = ending(came, None, "won" if tally.won else "story_ended")
        return f"{step.observation.text}\n\n[{standing}]"


class TableServer(MCPServer[Any]):
    """Serves one table, a call at a time; what the client did wrong is told in its own words."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            "zork-orchestrator",
            version=versions()["zork-orchestrator"],
            instructions="Play interactive fiction: start a story, then play one command at a "
            "time.",
            log_level="ERROR",
        )
        looking = (table.look_at_map, table.look_at_world, table.look_at_objectives, table.advice)
        tools = (table.stories, table.start, table.play, *looking)
        for tool in tools:
            self.tool()(tool)
        self._arguments = {tool.__name__: [*inspect.signature(tool).parameters] for tool in tools}
        self._calls = anyio.Lock()

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool as soon as those that were called before are done.

        Raises:
            ToolError: it cannot be done as asked, and why.
        """
        if self._calls.statistics().tasks_waiting >= MOST_WAITING:
            raise ToolError(f"{MOST_WAITING} calls are waiting: wait for their answers first")
        async with self._calls:
            try:
                self._check(name, arguments)
                return await super().call_tool(name, arguments, context)
            except ConfigError as error:
                raise ToolError(_bounded(str(error))) from error
            except ToolError as error:
                raise _told_by(error) from error

    async def run_stdio_async(self) -> None:
        """Serve over standard input and output."""
        server, requests = self._lowlevel_server, anyio.wrap_file(Requests(sys.stdin.buffer))
        try:
            async with stdio_server(stdin=requests) as (read, write):
                await server.run(read, write, server.create_initialization_options())
        except* BrokenPipeError:
            pass  # The client reads no more.

    def _check(self, tool: str, arguments: dict[str, Any]) -> None:
        """See to it that there are such a tool and such arguments.

        Raises:
            ConfigError: there are none.
        """
        if tool not in self._arguments:
            raise ConfigError(unknown("tool", tool[:LONGEST_NAME], self._arguments))
        for name in arguments:
            if name not in self._arguments[tool]:
                known = self._arguments[tool]
                raise ConfigError(f"{tool}: {unknown('argument', name[:LONGEST_NAME], known)}")


def _one_line(command: str) -> str:
    """The command without blanks around it.

    Raises:
        GameError: it is several, or longer than any story reads.
    """
    lines = [line.strip() for line in command.strip().splitlines()] or [""]
    if len(lines) > 1:
        raise GameError(
            f"command: {len(lines)} lines, none of which was played; play one at a time"
        )
    if len(lines[0]) > EMULATOR_ROOM:
        raise GameError(
            f"command: {len(lines[0]):,} letters; stories read {EMULATOR_ROOM} at most, say less"
        )
    return lines[0]


def _told_by(error: ToolError) -> ToolError:
    """The error in the words of what caused it, where these are meant to be read."""
    match error.__cause__:
        case ValidationError() as cause:
            faults = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in cause.errors())
            return ToolError(_bounded("; ".join(faults)))
        case GameError() | ConfigError() | RoleError() | RunError() as cause:
            return ToolError(_bounded(str(cause)))
    return error


def _bounded(text: str) -> str:
    """The text, or its beginning and its end."""
    half = LONGEST_ERROR // 2
    return text if len(text) <= LONGEST_ERROR else f"{text[:half]} ... {text[-half:]}"


def make_server(game: str = DEFAULT_STORY, seed: int = DEFAULT_SEED) -> TableServer:
    """A server with one table."""
    return TableServer(Table(game, seed))
