"""A run in the terminal: transcript, map, objectives and thinking, live or turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.widgets import Footer, Input, Static

from environments.plain_text import showable
from orchestrator.errors import ConfigError
from orchestrator.recap import ENDS
from orchestrator.screen.pace import TurnPace
from orchestrator.turns.current import arrival
from orchestrator.viewer.controls import Controls
from orchestrator.viewer.frames import Frame, TurnRow
from orchestrator.viewer.runs import RunView, head
from orchestrator.viewer.text_map import map_text
from orchestrator.viewer.words import plain

_POLL_S = 0.25
_MOST_OBJECTIVES = 16
_MOST_TURNS = 30
"""So many turns can be scrolled back to; earlier ones are stepped back to."""
_TAIL = 600


PANES = ("story", "map", "objectives", "thinking")
_LINES = ("status", "doing", "tabs")
NARROW = 100
"""Columns below which one pane is shown at a time."""


class Pane(VerticalScroll):
    """A text that may be longer than the screen."""

    def __init__(self, name: str) -> None:
        self.text = Static(id=name, markup=False)
        super().__init__(self.text, id=f"{name}-pane")
        self.border_title = name


class Dashboard(App[None]):
    """Follows a run or goes through its turns; with controls it can be steered and judged."""

    CSS = """
    #status { height: 1; background: $primary-background; }
    #doing { height: 1; color: $accent; }
    #tabs { height: 1; display: none; link-style: none; link-color: $text; }
    Pane { border: round $primary; scrollbar-size-vertical: 1; }
    #story-pane { width: 1fr; }
    #right { width: 1fr; }
    #map-pane { height: 1fr; overflow: hidden; }
    #objectives-pane { height: auto; max-height: 10; }
    #thinking-pane { height: auto; max-height: 14; }
    #command { display: none; }
    #command.asked { display: block; }
    .narrow #tabs { display: block; }
    .narrow Pane { display: none; border: none; }
    .narrow #objectives-pane, .narrow #thinking-pane { height: 1fr; max-height: 100%; }
    .narrow Pane.chosen { display: block; }
    .narrow #right { display: none; }
    .narrow #right.chosen { display: block; }
    """
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause/go on"),
        Binding("s", "step", "Step"),
        Binding("h", "hurry", "Hurry"),
        Binding("e", "edit", "Judge"),
        Binding("b", "turn(-1)", "Before"),
        Binding("n", "turn(1)", "Next"),
        Binding("l", "follow", "Latest"),
        *(Binding(str(n), f"pane('{name}')", show=False) for n, name in enumerate(PANES, start=1)),
        Binding("tab", "next_pane", show=False, priority=True),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(
        self,
        open_run: Callable[[], RunView | None],
        controls: Controls | None = None,
        pace: TurnPace | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Show a run.

        Args:
            open_run: The run, once it has begun.
            controls: Of the episode, if it is played in this process.
            pace: Of that episode; without one, that of going through a run from its beginning.
            is_over: Whether to leave; asked several times a second.
        """
        super().__init__()
        self._open_run = open_run
        self._is_over = is_over
        self._controls = controls
        self._pace = pace
        self._view: RunView | None = None
        self._turn = -1
        self._goes_through = bool(pace and pace.seconds and controls is None)
        self._follows = not self._goes_through
        self._asked = ""
        self._pane = PANES[0]

        self._lines = {name: Static(id=name, markup=name == "tabs") for name in _LINES}
        self._panes = {name: Pane(name) for name in PANES}
        self._right = Vertical(*(self._panes[name] for name in PANES[1:]), id="right")
        self._command = Input(
            id="command", placeholder="Enter plays it; /no and why not", disabled=True
        )

    def compose(self) -> ComposeResult:
        yield from self._lines.values()
        yield Horizontal(self._panes[PANES[0]], self._right)
        yield self._command
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(_POLL_S, self._refresh)
        if self._pace and self._goes_through:
            self.set_interval(self._pace.seconds, self._go_through)
        self.action_pane(self._pane)

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < NARROW, "narrow")
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What cannot be done here is not offered."""
        paced = self._pace is not None and self._pace.seconds > 0
        offered = {
            "pause": bool(self._controls or paced),
            "hurry": bool(self._controls and paced),
            "step": self._controls is not None,
            "edit": bool(self._controls and self._controls.asks),
        }
        return offered.get(action, True)

    def action_pane(self, name: str) -> None:
        """Show a pane, where there is room for one only."""
        self._pane = name
        for one, pane in self._panes.items():
            pane.set_class(one == name, "chosen")
        self._right.set_class(name != PANES[0], "chosen")
        told = (
            f"[@click=app.pane('{one}')]{'[reverse]' if one == name else ''} {n} {one} [/]"
            for n, one in enumerate(PANES, start=1)
        )
        self._lines["tabs"].update(" ".join(told))
        self._show()

    def action_next_pane(self) -> None:
        """Show the pane after this one."""
        self.action_pane(PANES[(PANES.index(self._pane) + 1) % len(PANES)])

    def action_pause(self) -> None:
        """Pause what goes on, or let it go on."""
        if self._controls:
            paused = self._controls.stand()["paused"]
            self._steer({"do": "go" if paused else "pause"})
        else:
            self._goes_through = not self._goes_through

    def action_step(self) -> None:
        """Play one turn."""
        self._steer({"do": "step"})

    def action_hurry(self) -> None:
        """Play as fast as it goes, or at the pace again."""
        if self._pace:
            self._pace.hurry()

    def action_edit(self) -> None:
        """Put the cursor on the command that waits to be judged."""
        field = self._command
        if field.has_class("asked"):
            field.focus()

    def action_turn(self, by: int) -> None:
        """Look at another turn."""
        turns = [row.turn for row in self._view.rows] if self._view else []
        beside = [turn for turn in turns if (turn > self._turn if by > 0 else turn < self._turn)]
        if beside:
            self._look_at(beside[0] if by > 0 else beside[-1])

    def action_follow(self) -> None:
        """Look at the latest turn."""
        self._goes_through = False
        self._look_at(self._latest())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        first, _, rest = event.value.strip().partition(" ")
        question = self._controls.stand()["question"] if self._controls else None
        if question and first == "/no":
            self._steer({"do": "reject", "text": rest or "the person at the dashboard says no"})
        elif question and event.value.strip() == question["command"]:
            self._steer({"do": "accept"})
        elif question:
            self._steer({"do": "edit", "text": event.value})
        self.set_focus(None)

    def _steer(self, request: dict[str, Any]) -> None:
        if self._controls is None:
            return
        try:
            self._controls.take(request)
        except ConfigError as error:
            self.notify(str(error), markup=False)

    def _refresh(self) -> None:
        """Read on, or leave; called several times a second."""
        if self._is_over():
            self.exit()
            return
        self._view = self._view or self._open_run()
        if self._view is None:
            return
        changed = self._view.refresh()
        if self._view.rows and self._turn < 0:
            self._look_at(self._latest() if self._follows else self._view.rows[0].turn)
        elif changed and self._follows:
            self._look_at(self._latest())
        self._doing()
        self._question()

    def _go_through(self) -> None:
        """Look at the next turn, where the run is gone through."""
        if self._goes_through:
            self.action_turn(1)

    def _latest(self) -> int:
        """The last turn that has ended; the first that there is, as long as none has."""
        rows = self._view.rows if self._view else []
        ended = [row.turn for row in rows if row.seconds is not None]
        return ended[-1] if ended else rows[0].turn if rows else -1

    def _look_at(self, turn: int) -> None:
        """Show a turn in every pane; the latest one is left when the next has been played."""
        self._turn = turn
        self._follows = turn >= self._latest() and not self._goes_through
        self._show()

    def _show(self) -> None:
        """The turn that is looked at."""
        view = self._view
        if view is None or view.row(self._turn) is None:
            return
        frame = view.frame(self._turn)
        self._fill("story", story_text(view.rows, self._turn))
        self._fill("objectives", _objectives(frame))
        self._fill("thinking", _thinking(frame))
        self._panes["thinking"].border_title = f"thinking of turn {self._turn}"
        self._panes["story"].scroll_end(animate=False, immediate=False)
        self._doing()
        # Only once the others have their size it is known how much is left for the map.
        self.call_after_refresh(self._draw, view, self._turn)

    def _fill(self, name: str, text: Text) -> None:
        self._panes[name].text.update(text)

    def _draw(self, view: RunView, turn: int) -> None:
        area = self._panes["map"].size
        charted = view.charted(turn)
        size = max(10, area.width), max(3, area.height)
        nothing = Text("no state of this turn is kept")
        self._fill("map", map_text(*charted, size) if charted else nothing)

    def _doing(self) -> None:
        view = self._view
        row = view.row(self._turn) if view else None
        if view is None or row is None:
            return
        record, known = view.record, head(view.run)
        room = plain(arrival(row.room))
        latest = self._latest()
        now = f" (now {latest})" if latest > row.turn else ""
        limit = known.get("limit", record.max_steps)
        standing = f"turn {row.turn} of {limit}{now}, score {row.score}, best {row.best}"
        told = f" {plain(record.story)}, {record.graph}, seed {record.seed}: {standing}"
        self._lines["status"].update(
            Text(f"{told}, {self._kept(known)}{f' | {room}' if room else ''}", no_wrap=True)
        )
        self._lines["doing"].update(Text(f" {self._activity()}", no_wrap=True))

    def _kept(self, known: dict[str, Any]) -> str:
        """Whether the run goes on, in a word."""
        if self._controls is None:
            status: str = known["status"]
            return ENDS.get(status, status)
        state = self._controls.stand()
        if state["paused"] or state["over"]:
            return "paused" if state["paused"] else "over"
        return "hurrying" if self._pace and self._pace.hurried else "playing"

    def _activity(self) -> str:
        """The node at work with its clock; in another process as the trace tells."""
        if self._controls:
            doing = self._controls.activity.now()
            if not doing.node:
                return ""
            asks = f" asks {doing.model}" if doing.model else ""
            said = plain((doing.words or doing.thinking)[-_TAIL:])[-80:]
            return plain(f"{doing.node}{asks}: {doing.seconds:.0f} s, {doing.parts} tokens ") + said
        active = self._view.active() if self._view else None
        if active is None:
            return ""
        asks = f" asks {active.asks}" if active.asks else ""
        return plain(f"{active.node}{asks}: {active.seconds():.0f} s")

    def _question(self) -> None:
        field = self._command
        question = self._controls.stand()["question"] if self._controls else None
        field.set_class(bool(question), "asked")
        field.disabled = not question
        key = f"{question['turn']} {question['command']}" if question else ""
        if question and key != self._asked:
            field.value = plain(question["command"])
            field.border_title = plain(question["thinking"])[:200]
        self._asked = key


def story_text(rows: Sequence[TurnRow], turn: int) -> Text:
    """What was played until a turn: the last ones, this one at the end."""
    text = Text()
    shown = [row for row in rows if row.turn <= turn][-_MOST_TURNS:]
    for row in shown:
        style = "bold" if row.turn == turn else "dim"
        text.append(f"\n{row.turn:>4}  {plain(row.room)}  score {row.score}\n", style)
        if row.command:
            text.append(f"  > {showable(row.command)}\n", "bold")
        text.append(f"{showable(row.text.strip())}\n")
    return text


def _objectives(frame: Frame) -> Text:
    active = [one for one in frame.objectives if one.status == "active"]
    lines = [plain(f"{one.id} {one.text}") for one in active[:_MOST_OBJECTIVES]]
    more = [f"and {len(active) - _MOST_OBJECTIVES} more"] if len(active) > _MOST_OBJECTIVES else []
    return Text("\n".join(lines + more) or "none yet")


def _thinking(frame: Frame) -> Text:
    text = Text()
    for one in frame.proposals:
        text.append(showable(one.thinking) + "\n", "italic")
        text.append(f"> {showable(one.command)}\n", "bold")
        if one.objection:
            text.append(f"objection: {showable(one.objection)}\n", "yellow")
    for number, option in enumerate(frame.options[:4], start=1):
        told = f"{number}. {option.command} ({option.probability or 0:.0%})\n"
        text.append(plain(told) + "\n", "bold" if number == frame.chosen else "dim")
    return text
