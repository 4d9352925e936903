"""Stories and notes as an MCP server (`zork mcp`): any MCP client plays.

Our reader and learner take notes of what the client plays, so that it may look at the map, the
things and the objectives; the commands are the client's own.
"""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

from environments.catalog import find_story, list_stories
from environments.game import Game, GameError, Step
from environments.offering import game_for_agents
from orchestrator.config import load_config
from orchestrator.harnesses.notes import map_notes, objective_notes, world_notes
from orchestrator.harnesses.player import Player
from orchestrator.settings.stories import DEFAULT_STORY
from orchestrator.setup import DEFAULT_SEED
from orchestrator.state import State


class Table:
    """The one game that a client plays, with the notes on it. Its methods are the tools."""

    def __init__(self, game: str = DEFAULT_STORY, seed: int = DEFAULT_SEED) -> None:
        self._game: Game | None = None
        self._step: Step | None = None
        self._player = Player(load_config("offline"))
        self._default = game, seed

    def stories(self) -> list[str]:
        """The stories that can be started, by name."""
        return [listing.id for listing in list_stories() if listing.path]

    def start(self, story: str | None = None, seed: int | None = None) -> str:
        """Begin a story anew, by default the one the server was started with."""
        found = find_story(story or self._default[0])
        self.close()
        self._game = game_for_agents(found)
        self._step = self._game.start(seed or self._default[1])
        self._player.forget()
        self._player.begin(self._step.observation.text, self._step.tally.score)
        self._player.command()
        return self._told(self._step)

    def play(self, command: str) -> str:
        """Play one command, for instance `open mailbox`, and read the reply and the score."""
        if self._game is None or self._step is None:
            return self.start()
        if self._step.tally.ended:
            raise GameError("the story is over: begin another one with start")
        self._step = self._game.play(self._step.snapshot, command)
        tally = self._step.tally
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
        """The last reply with the score, and whether the story is over."""
        top = "" if step.tally.max_score is None else f" of {step.tally.max_score}"
        end = ", the story is over" if step.tally.ended else ""
        return f"{step.observation.text}\n\n[score {step.tally.score}{top}{end}]"


def make_server(game: str = DEFAULT_STORY, seed: int = DEFAULT_SEED) -> MCPServer[Any]:
    """A server with one table."""
    table = Table(game, seed)
    server: MCPServer[Any] = MCPServer(
        "zork-orchestrator",
        instructions="Play interactive fiction: start a story, then play one command at a time.",
    )
    looking = (table.look_at_map, table.look_at_world, table.look_at_objectives, table.advice)
    for tool in (table.stories, table.start, table.play, *looking):
        server.tool()(tool)
    return server
