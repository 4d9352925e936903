"""Actors that only serve to compare and to play by hand: random, idle, a walkthrough, a person."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.pursuit import read_commands
from environments.plain_text import showable, storable


class PlayerLeft(Exception):
    """Nobody gives commands any more, and the episode ends."""

    reason = "player_left"
    """What the record says of the end."""


class TakeBack(PlayerLeft):
    """The person takes turns back: a fork goes on from an earlier one."""

    reason = "taken_back"


class RandomActor:
    """The baseline: any sensible command here, each as likely as the others."""

    def propose(self, briefing: Briefing) -> AgentResponse:
        options = briefing.situation.options or ("look",)
        choice = briefing.rng("random actor").choice(options)
        return AgentResponse(thinking=f"One of {len(options)} options, by lot.", action=choice)


class WalkthroughActor:
    """Replays a file of commands, one a line, whatever bytes they hold.

    Turn n plays line n, so that a resumed episode goes on where it stopped; empty lines
    do not count. After the last line it leaves the game.
    """

    splits = False
    """A line is one turn here, whatever it holds."""

    def __init__(self, *, commands: str | Path) -> None:
        self._name = storable(Path(commands).name)
        self._commands = read_commands(commands)

    def propose(self, briefing: Briefing) -> AgentResponse:
        if briefing.turn > len(self._commands):
            raise PlayerLeft(f"{self._name} ends after {len(self._commands)} commands")
        thinking = f"Line {briefing.turn} of {len(self._commands)} in {self._name}."
        return AgentResponse(thinking=thinking, action=self._commands[briefing.turn - 1])


class HumanActor:
    """A person at the keyboard; the end of the input ends the episode.

    The prompt goes to standard error, because standard output may be a machine's.
    """

    keyboard: Callable[[Briefing], str] | None = None
    """Reads a command more comfortably than from standard input; raises `PlayerLeft`."""

    def propose(self, briefing: Briefing) -> AgentResponse:
        for objection in briefing.objections[-1:]:
            self._say(f"(the critic on `{objection.command}`: {objection.reason})\n", sys.stderr)
        if self.keyboard is not None:
            return AgentResponse(thinking="A person decided.", action=self.keyboard(briefing))
        while True:
            self._say("> ", sys.stderr)
            line = sys.stdin.readline()
            if not line:
                self._say("\n", sys.stderr)
                raise PlayerLeft("the keyboard input ended")
            if command := typed(line, briefing):
                return AgentResponse(thinking="A person decided.", action=command)

    @staticmethod
    def _say(text: str, stream: TextIO) -> None:
        stream.write(showable(text))
        stream.flush()


def typed(line: str, briefing: Briefing) -> str:
    """The command that a person typed; Enter alone is one where the story waits for a key."""
    return line.strip() or ("enter" if briefing.observation.awaiting == "key" else "")


class IdleActor:
    """The baseline under the random one: it waits."""

    def propose(self, briefing: Briefing) -> AgentResponse:
        return AgentResponse(thinking="Doing nothing.", action="wait")
