"""A person at a terminal who plays: a line that can be edited, and help from the agents."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output, create_output
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from agents.actor import PlayerLeft, TakeBack, typed
from agents.briefing import Briefing
from environments.folders import data_folder, make_private
from environments.plain_text import showable
from orchestrator.checkpoints.opening import read_turns
from orchestrator.errors import RunError
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import RunDirectory
from orchestrator.state import State
from orchestrator.viewer.drawings import chart_of
from orchestrator.viewer.frames import advice_of
from orchestrator.viewer.text_map import map_text
from orchestrator.viewer.words import plain

HELP = {
    "/undo": "take the last turn back, or so many: /undo 3",
    "/map": "the map",
    "/notes": "objectives, and what one carries",
    "/advice": "what the planner would do",
    "/quit": "leave",
}
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile("[0-9]{1,9}")
_MOST_WORDS = 2000


class _LineGivenUp(Exception):
    """Ctrl-C, which gives up a line; a KeyboardInterrupt is of a signal, and stops the play."""


class Keyboard(Completer):
    """Reads commands; a watcher too, so that it knows what there is to tell and to complete."""

    def __init__(self, console: Console, **session: Any) -> None:
        self.console = console
        self.back_to: int | None = None
        """The turn that is to be gone back to, if the person wants that."""
        self._run: RunDirectory | None = None
        self._state: State | None = None
        self._words: dict[str, None] = {}
        self._pasted: list[str] = []
        """Lines that came together and are still to be played."""
        self._session: PromptSession[str] = PromptSession(
            history=_history(),
            interrupt_exception=_LineGivenUp,
            auto_suggest=AutoSuggestFromHistory(),
            completer=self,
            complete_while_typing=False,
            bottom_toolbar=self._standing,
            key_bindings=_no_mouse(),
            output=_beside_what_is_kept(),
            **session,
        )

    def __call__(self, event: Event) -> None:
        """Take note of what the game says."""
        if isinstance(event, EpisodeStarted):
            self._run = RunDirectory(event.run_dir)
        if isinstance(event, EpisodeStarted | TurnPlayed):
            self._state = event.state if isinstance(event, EpisodeStarted) else event.after
            said = _WORD.findall(self._state["observation"].text.lower())
            self._words = dict([*dict.fromkeys([*self._words, *said]).items()][-_MOST_WORDS:])

    def read(self, briefing: Briefing) -> str:
        """The next command for the game.

        Raises:
            PlayerLeft: the person leaves, or takes turns back.
        """
        while True:
            line = self._next_line()
            if line.startswith("/"):
                self._help(line, briefing)
            elif command := typed(line, briefing):
                return command

    def _next_line(self) -> str:
        """One line of what was typed or pasted."""
        while not self._pasted:
            try:
                self._pasted = self._session.prompt("> ").splitlines() or [""]
            except _LineGivenUp:
                continue
            except EOFError as error:
                raise PlayerLeft("the keyboard input ended") from error
        return self._pasted.pop(0).strip()

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """The words seen that begin as the last one does; or what can be asked for."""
        line = document.text_before_cursor
        start = line if line.startswith("/") else line.rpartition(" ")[2].lower()
        known = list(HELP) if line.startswith("/") else sorted(self._words)
        for word in known:
            if start and word.startswith(start):
                told = HELP.get(word, "")
                yield Completion(word, start_position=-len(start), display_meta=told)

    def _help(self, line: str, briefing: Briefing) -> None:
        name, _, rest = line.partition(" ")
        told: dict[str, Callable[[], None]] = {
            "/map": self._map,
            "/notes": lambda: self._notes(briefing),
            "/advice": lambda: self._advice(briefing),
            "/undo": lambda: self._undo(rest, briefing),
            "/quit": self._quit,
        }
        told.get(name, self._list)()

    def _map(self) -> None:
        if self._state is None:
            return
        size = self.console.width, max(10, self.console.height - 4)
        drawn = map_text(chart_of(self._state), size=size)
        drawn.rstrip()
        self.console.print(drawn, soft_wrap=True)

    def _notes(self, briefing: Briefing) -> None:
        active = [one for one in briefing.objectives if one.status == "active"]
        for one in active:
            self._say(f"{one.id} {one.text}" + (f"; {one.way}" if one.way else ""))
        carried = briefing.beliefs.inventory
        self._say(f"You carry {', '.join(carried)}." if carried else "You carry nothing.")

    def _advice(self, briefing: Briefing) -> None:
        advice = advice_of(briefing)
        for told in advice[:3] or ["The planner knows nothing to do."]:
            self._say(told)

    def _undo(self, rest: str, briefing: Briefing) -> None:
        told, played = rest.strip() or "1", briefing.turn - 1
        if not _NUMBER.fullmatch(told):
            self._say(f"/undo {told}: how many turns? Say it as in /undo 3")
        elif not 1 <= int(told) <= played:
            self._say(f"There are {played} turns to take back.")
        elif why := self._lost(played - int(told)):
            self._say(why)
        else:
            self.back_to = played - int(told)
            raise TakeBack(f"back to turn {self.back_to}")

    def _lost(self, turn: int) -> str:
        """Why a turn cannot be gone back to; empty where it can."""
        if self._run is None:
            return ""
        try:
            record = self._run.record()
            with read_turns(self._run, record) as saver:
                kept = [one.turn for one in saver.turns(record.thread)]
        except RunError as error:
            return str(error)
        return "" if turn in kept else f"Turn {turn} is not kept, but {ranges(kept)}."

    def _quit(self) -> None:
        raise PlayerLeft("the person left")

    def _list(self) -> None:
        for name, told in HELP.items():
            self._say(f"{name:<9}{told}")

    def _say(self, text: str) -> None:
        self.console.print(Padding(Text(showable(text), "cyan"), (0, 0, 0, 2)))

    def _standing(self) -> str:
        if self._state is None:
            return ""
        tally = self._state["score"].last
        of = f"/{tally.max_score}" if tally.max_score is not None else ""
        room = plain(self._state["observation"].room or "")
        score, turn = f"score {tally.score}{of}", f"turn {self._state['turn']}"
        told = "  ".join(filter(None, (room, score, turn)))
        whole = f"{told}  {' '.join(HELP)}"
        return whole if len(whole) <= self.console.width else f"{told}  /help"


def _no_mouse() -> KeyBindings:
    """Colours that were pasted look like a mouse to the library, which breaks on them."""
    bindings = KeyBindings()
    bindings.add(Keys.Vt100MouseEvent)(lambda event: None)
    return bindings


def _beside_what_is_kept() -> Output | None:
    """Where the line is edited, if standard output is a machine's; else the usual."""
    kept = sys.stderr.isatty() and not sys.stdout.isatty()
    return create_output(sys.stderr) if kept else None


def _history() -> History:
    """What was typed in earlier runs; of this one only, where nothing can be kept."""
    kept = data_folder() / "typed"
    try:
        make_private(kept.parent)
        kept.open("ab").close()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(kept))
