"""A run in the terminal: transcript, map, objectives and thinking, live or turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Input, RichLog, Static

from environments.plain_text import showable
from orchestrator.errors import ConfigError
from orchestrator.viewer.controls import Controls
from orchestrator.viewer.frames import Frame, TurnRow
from orchestrator.viewer.runs import RunView
from orchestrator.viewer.text_map import map_text
from orchestrator.viewer.words import plain

_POLL_S = 0.25
_MOST_OBJECTIVES = 8
_TAIL = 600


class Dashboard(App[None]):
    """Follows a run; with controls it can be paused, stepped, and its commands judged."""

    CSS = """
    #status { height: 1; background: $primary-background; }
    #doing { height: 1; color: $accent; }
    #log { width: 1fr; border: round $primary; }
    #right { width: 1fr; }
    #map { height: 1fr; border: round $primary; overflow: hidden; }
    #objectives { height: auto; max-height: 10; border: round $primary; }
    #thinking { height: auto; max-height: 14; border: round $primary; }
    #command { display: none; }
    #command.asked { display: block; }
    .narrow #right { display: none; }
    """
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause / go on"),
        Binding("s", "step", "Step"),
        Binding("e", "edit", "Judge"),
        Binding("b", "turn(-1)", "Before"),
        Binding("n", "turn(1)", "Next"),
        Binding("l", "follow", "Latest"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, open_run: Callable[[], RunView | None], controls: Controls | None = None):
        super().__init__()
        self._open_run = open_run
        self._controls = controls
        self._view: RunView | None = None
        self._turn = -1
        self._follows = True
        self._told = -1
        self._asked = ""

    def compose(self) -> ComposeResult:
        yield Static(id="status", markup=False)
        yield Static(id="doing", markup=False)
        with Horizontal():
            yield RichLog(id="log", wrap=True, min_width=1, markup=False, highlight=False)
            with Vertical(id="right"):
                yield Static(id="map", markup=False)
                yield Static(id="objectives", markup=False)
                yield Static(id="thinking", markup=False)
        yield Input(id="command", placeholder="Enter plays it; /no and why not", disabled=True)
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(_POLL_S, self._refresh)
        self.query_one("#log", RichLog).can_focus = False
        for name in ("log", "map", "objectives", "thinking"):
            self.query_one(f"#{name}").border_title = name

    def on_resize(self) -> None:
        self.set_class(self.size.width < 90, "narrow")
        if self._view:
            self._show()

    def action_pause(self) -> None:
        """Pause the episode, or let it go on."""
        if self._controls:
            paused = self._controls.stand()["paused"]
            self._steer({"do": "go" if paused else "pause"})

    def action_step(self) -> None:
        """Play one turn."""
        self._steer({"do": "step"})

    def action_edit(self) -> None:
        """Put the cursor on the command that waits to be judged."""
        field = self.query_one("#command", Input)
        if field.has_class("asked"):
            field.focus()

    def action_turn(self, by: int) -> None:
        """Look at another turn."""
        turns = [row.turn for row in self._view.rows] if self._view else []
        if turns:
            beside = [
                turn for turn in turns if (turn > self._turn if by > 0 else turn < self._turn)
            ]
            self._turn = (beside[0] if by > 0 else beside[-1]) if beside else self._turn
            self._follows = self._turn == turns[-1]
            self._show()

    def action_follow(self) -> None:
        """Look at the latest turn."""
        self._follows, self._turn = True, self._latest()
        self._show()

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
            self.notify("This run is only watched.", markup=False)
            return
        try:
            self._controls.take(request)
        except ConfigError as error:
            self.notify(str(error), markup=False)

    def _refresh(self) -> None:
        """Read on; called several times a second."""
        self._view = self._view or self._open_run()
        if self._view is None:
            return
        changed = self._view.refresh()
        for row in self._view.rows:
            if row.turn > self._told and row.seconds is not None:
                self._told = row.turn
                self._write(row)
        if self._view.rows and (changed or self._turn < 0) and self._follows:
            self._turn = self._latest()
            self._show()
        self._doing()
        self._question()

    def _latest(self) -> int:
        """The last turn that has ended; the first that there is, as long as none has."""
        return self._told if self._told >= 0 or not self._view else self._view.rows[0].turn

    def _write(self, row: TurnRow) -> None:
        log = self.query_one("#log", RichLog)
        log.write(Text(f"\n{row.turn:>4}  {plain(row.room)}  score {row.score}", "dim"))
        if row.command:
            log.write(Text(f"  > {showable(row.command)}", "bold"))
        log.write(Text(showable(row.text.strip())))

    def _show(self) -> None:
        """The turn that is looked at."""
        view = self._view
        if view is None or view.row(self._turn) is None:
            return
        frame = view.frame(self._turn)
        self.query_one("#objectives", Static).update(_objectives(frame))
        self.query_one("#thinking", Static).update(_thinking(frame))
        self.query_one("#thinking", Static).border_title = f"thinking of turn {self._turn}"
        # Only once the others have their size it is known how much is left for the map.
        self.call_after_refresh(self._draw, view, self._turn)

    def _draw(self, view: RunView, turn: int) -> None:
        area = self.query_one("#map", Static)
        size = max(10, area.size.width), max(3, area.size.height)
        charted = view.charted(turn)
        area.update(map_text(*charted, size) if charted else "no state of this turn is kept")

    def _doing(self) -> None:
        view = self._view
        if view is None or not view.rows:
            return
        row, record = view.row(self._latest()) or view.rows[0], view.record
        state = self._controls.stand() if self._controls else {}
        kept = "paused" if state.get("paused") else "over" if state.get("over") else "playing"
        where = f"{record.story}, {record.graph}, seed {record.seed}"
        standing = f"turn {row.turn} of {record.max_steps}, score {row.score}, best {row.best}"
        kept = kept if self._controls else view.run.status(record)
        self.query_one("#status", Static).update(Text(f" {where}: {standing}, {kept}"))
        self.query_one("#doing", Static).update(Text(f" {self._activity()}", no_wrap=True))

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
        field = self.query_one("#command", Input)
        question = self._controls.stand()["question"] if self._controls else None
        field.set_class(bool(question), "asked")
        field.disabled = not question
        key = f"{question['turn']} {question['command']}" if question else ""
        if question and key != self._asked:
            field.value = plain(question["command"])
            field.border_title = plain(question["thinking"])[:200]
        self._asked = key


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
