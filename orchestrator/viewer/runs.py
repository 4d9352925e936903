"""Runs as views show them: heads for the list, and one run with its turns and maps."""

from __future__ import annotations

import datetime
import itertools
import weakref
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from orchestrator.errors import ConfigError, RunError
from orchestrator.recap import Recap, recap, title_of
from orchestrator.replay import Kept, kept_states, no_states
from orchestrator.saved.record import Record
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import RunDirectory, list_runs
from orchestrator.traces.reader import Run
from orchestrator.traces.turns import turn_of
from orchestrator.viewer.amiss import misanswers, objections
from orchestrator.viewer.chart import Cell, Chart
from orchestrator.viewer.diagram import Diagram
from orchestrator.viewer.drawings import chart_of, puzzles_of, turn_diagram
from orchestrator.viewer.frames import Frame, TurnRow, frame_of, node_runs, row_of
from orchestrator.viewer.layout import placed
from orchestrator.viewer.sketch import Sketch, sketch
from orchestrator.viewer.states import State
from orchestrator.viewer.trace_index import TraceIndex

_STATES = 8
"""So many states are kept at hand."""
_READINGS = itertools.count(1)
"""Numbers the times that a trace was read, over all runs that are open."""


class Active(NamedTuple):
    """What is being done in a run right now."""

    turn: int
    node: str
    """Several that are at work at the same time, with commas."""
    since: str
    """ISO time of the last one's start."""
    asks: str
    """The model that is being asked; empty while none is."""

    def seconds(self) -> float:
        """How long the node has been at work."""
        begun = datetime.datetime.fromisoformat(self.since)
        return (
            datetime.datetime.now(datetime.UTC) - begun.astimezone(datetime.UTC)
        ).total_seconds()


def head(run: RunDirectory) -> dict[str, Any]:
    """What the list of runs tells of one; a damaged record is told as one."""
    try:
        record = run.record()
        status = run.status(record)
    except RunError as error:
        return {"id": run.path.name, "status": "damaged", "error": str(error)}
    came = record.outcome
    models = record.config.models.values()
    return {
        "id": run.path.name,
        "story": record.story,
        "graph": record.graph,
        "models": [str(getattr(model, "model", model)) for model in models],
        "access": list(record.access),
        "seed": record.seed,
        "agent_seed": record.agent_seed,
        "started": record.sessions[0].started.isoformat() if record.sessions else "",
        "status": status,
        "limit": record.max_steps,
        "parent": record.parent.model_dump() if record.parent else None,
        "title": title_of(run, record, status),
        **came.model_dump(exclude={"end_reason", "completion_tokens"}),
    }


def heads(out: Path) -> list[dict[str, Any]]:
    """All runs under a folder, newest first; nothing of those that are removed meanwhile."""
    told = [(run, head(run)) for run in reversed(list_runs(out))]
    return [one for run, one in told if run.is_there]


def recap_of(run: RunDirectory, status: str = "") -> Recap:
    """A run in few words; without highlights where its trace cannot be read.

    Raises:
        RunError: its record cannot be read.
    """
    view = RunView(run)
    with suppress(RunError):
        view.refresh()
    return view.recap(status)


class RunView:
    """One run, read as far as it has been written; several threads may ask it."""

    def __init__(self, run: RunDirectory) -> None:
        self.run = run
        self.record: Record = run.record()
        self._lies = run.path.stat().st_ino
        self._index = TraceIndex(run.trace)
        self._traces: dict[int, list[str]] = {}
        self._turn_of: dict[str, int] = {}
        self._rows: dict[int, TurnRow] = {}
        self._changed: dict[int, int] = {}
        """Turn -> the number of the reading that changed it last."""
        self._cells: dict[str, Cell] = {}
        self._states: dict[int, State] = {}
        self._files = ExitStack()
        self._opened: tuple[int, Kept | None] = (-1, None)
        weakref.finalize(self, self._files.close)
        self._lock = RLock()

    def close(self) -> None:
        """Close what is open of the run; it is opened again when it is needed."""
        with self._lock:
            self._files.close()
            self._opened = (-1, None)

    def refresh(self) -> list[TurnRow]:
        """Read what has been written since the last time; returns the turns it belongs to.

        Raises:
            RunError: it cannot be read, or is another run by now.
        """
        if self.is_another:
            raise RunError(f"{str(self.run.path)!r}: another run lies there by now; open that one")
        with self._lock:
            touched: dict[int, None] = {}
            for trace in self._index.refresh():
                root = self._index.root(trace)
                if root is not None:
                    touched[self._note(trace, root)] = None
            reading = next(_READINGS)
            for turn in touched:
                self._rows[turn] = self._row(turn)
                self._changed[turn] = reading
                self._states.pop(turn, None)
            return [self._rows[turn] for turn in touched]

    @property
    def is_another(self) -> bool:
        """Whether another run lies in its place by now, or an earlier state of it."""
        try:
            lies, thread = self.run.path.stat().st_ino, self.run.record().thread
        except (OSError, RunError):
            return False
        return (lies, thread) != (self._lies, self.record.thread)

    def since(self, reading: int) -> tuple[list[TurnRow], int]:
        """The turns that have changed since a reading of the trace, and the latest reading.

        Several may follow the run, each from where it was; 0 is before its beginning.
        """
        with self._lock:
            latest = max(self._changed.values(), default=reading)
            return [row for row in self.rows if self._changed[row.turn] > reading], latest

    @property
    def rows(self) -> list[TurnRow]:
        """The overview, in the order of the turns."""
        return [self._rows[turn] for turn in sorted(self._rows)]

    @property
    def last(self) -> int:
        """The last turn; -1 where the trace tells of none."""
        return max(self._rows, default=-1)

    def recap(self, status: str = "") -> Recap:
        """The run in few words, with the highlights of its turns."""
        return recap(self.run, self.rows, status)

    def row(self, turn: int) -> TurnRow | None:
        """A turn in the overview; None where the trace does not tell of it."""
        return self._rows.get(turn)

    def frame(self, turn: int) -> Frame:
        """All of a turn.

        Raises:
            RunError: the trace does not tell of it.
        """
        with self._lock:
            if turn not in self._traces:
                raise RunError(
                    f"run {self.run.path.name}: no turn {turn} in its trace "
                    f"(it has {ranges(self._traces) or 'none'})"
                )
            found, row = self._index.turn(self._traces[turn]), self._rows[turn]
        frame = frame_of(found, self.state(turn), self.state(turn - 1) if turn else None)
        return Frame(**{**vars(frame), "room": row.room, "turn": turn})

    def state(self, turn: int) -> State | None:
        """The state after a turn, or before one that has not ended.

        None where none is kept, or it is damaged or not trusted.
        """
        with self._lock:
            turn -= turn in self._rows and self._rows[turn].seconds is None
            if turn not in self._states:
                try:
                    found = (self._kept() or no_states)(turn)
                except (ConfigError, RunError):
                    found = []
                if not found:
                    return None
                self._states = dict([*self._states.items(), (turn, found[-1])][-_STATES:])
            return self._states[turn]

    def map(self, turn: int) -> Sketch | None:
        """The map after a turn; rooms are where they are in the maps of all other turns."""
        charted = self.charted(turn)
        return sketch(*charted) if charted else None

    def charted(self, turn: int) -> tuple[Chart, dict[str, Cell]] | None:
        """What is known of the map after a turn, and where its rooms are in all turns."""
        state = self.state(turn)
        if state is None:
            return None
        with self._lock:
            last = self._last_chart() if not self._cells else None
            self._cells |= placed(last) if last else {}
            chart = chart_of(state)
            self._cells |= placed(chart, self._cells)
            return chart, dict(self._cells)

    def puzzles(self, turn: int) -> Diagram | None:
        """What needs what after a turn."""
        state = self.state(turn)
        return None if state is None else puzzles_of(state)

    def graph(self) -> Diagram:
        """The graph of a turn."""
        return turn_diagram(self.record.config)

    def active(self) -> Active | None:
        """What is being done; None where the last turn has ended."""
        with self._lock:
            number = self.last
            if number < 0 or self._rows[number].seconds is not None:
                return None
            turn = self._index.turn(self._traces[number])
        running = [(path, run) for path, run in node_runs(turn.nodes) if run.is_open]
        if not running:
            return None
        asked = [one for _, run in running for one in run.walk() if one.kind == "llm"]
        models = [one.about.ls_model_name for one in asked if one.is_open]
        return Active(
            number,
            ", ".join(dict.fromkeys(path for path, _ in running)),
            running[-1][1].started.isoformat(),
            models[-1] if models else "",
        )

    def _note(self, trace: str, root: Run) -> int:
        """The turn a trace belongs to; those after it, played before a crash, are forgotten."""
        if trace in self._turn_of:
            return self._turn_of[trace]
        turn = turn_of(root, self.last)
        self._turn_of[trace] = turn
        self._traces.setdefault(turn, []).append(trace)
        for later in [number for number in self._rows if number > turn]:
            del self._rows[later], self._traces[later], self._changed[later]
        return turn

    def _parts(self, turn: int) -> list[str]:
        """The traces of a turn that broke off and went on; of one played again, the latest."""
        traces = self._traces[turn]
        if len(traces) == 1:
            return traces
        return [str(root.record["id"]) for root in self._index.turn(traces).roots]

    def _row(self, turn: int) -> TurnRow:
        traces = self._parts(turn)
        roots = [root for trace in traces if (root := self._index.root(trace))]
        models = [run for trace in traces for run in self._index.models(trace)]
        row = row_of(turn, roots, models, self._rows.get(turn - 1))
        amiss = [run for trace in traces for run in self._index.amiss(trace)]
        row = row._replace(objections=objections(amiss), misanswers=misanswers(amiss))
        if row.seconds is not None:
            return row
        begun = self._index.turn(traces)
        return row._replace(command=begun.command, text=begun.reply, thinking=begun.thinking)

    def _kept(self) -> Kept | None:
        """Looks up kept states; opened again once more turns have ended, as only they have one."""
        known, look = self._opened
        ended = sum(row.seconds is not None for row in self._rows.values())
        if look is None or known != ended:
            self._files.close()
            try:
                look = self._files.enter_context(kept_states(self.run, self.record))
            except RunError:
                look = None
            self._opened = ended, look
        return look

    def _last_chart(self) -> Chart | None:
        """The map of the last turn that is kept."""
        for turn in sorted(self._rows, reverse=True):
            state = self.state(turn)
            if state is not None:
                return chart_of(state)
        return None
