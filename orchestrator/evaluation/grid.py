"""Plans played through: every cell exactly once, however often it is stopped and begun again."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from orchestrator.errors import ConfigError, RunError, unknown
from orchestrator.evaluation.cells import Cell, Key, Task, resolved
from orchestrator.evaluation.engines import CellEnded, Engine, LocalEngine
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.queue import Limit, Queue
from orchestrator.evaluation.rows import Results, Row
from orchestrator.evaluation.scores import shares
from orchestrator.evaluation.turns import turns_played

TRIES = 3
"""How often a cell is begun whose worker dies every time."""
_TICK = 0.25
"""Seconds after which the driver looks up."""

Progress = Callable[[Task, Row], None]


@dataclass
class Outcome:
    """What a grid has come to so far."""

    rows: list[Row]
    """Of its cells, in their order."""
    missing: int = 0
    """Cells that have no row yet."""
    failed: dict[Task, str] = field(default_factory=dict)
    """Those of them that broke off, and why."""
    stopped: bool = False
    """By Ctrl-C."""


def run_grid(
    cells: Sequence[Cell],
    results: Path,
    workers: int,
    progress: Progress | None = None,
    *,
    engine: Callable[[], Engine] | None = None,
    limits: Mapping[str, Limit] | None = None,
    begin: Callable[[list[Task]], None] = lambda _waiting: None,
    turning: Callable[[int], None] = lambda _turns: None,
    trust: bool = False,
    source: str = "",
) -> Outcome:
    """Play the cells that are not in the results file yet.

    Args:
        cells: what to play.
        results: JSON lines, one a cell; appended to, so that a stopped grid goes on.
        workers: processes side by side, where no engine is given.
        progress: told of every cell as it ends.
        engine: makes what plays them.
        limits: what the model servers can bear, by provider, or by base URL where a graph sets one.
        trust: allow the code and the servers that the cells name, from now on.
        source: the file that the cells come from; empty where the user typed them.
        begin: told which cells are to be played, before any is.
        turning: told again and again how many turns the cells in play are at, together.

    Raises:
        ConfigError: a graph or the results' name will not do, something is not trusted, or a
            limit is of a server that no cell asks.
        GameError: a story is not there.
        RunError: another process adds to the results.
    """
    file = Results(results)
    tasks = resolve_all(cells, trust=trust, source=source)
    _check_limits(limits or {}, tasks.values(), source)
    with file.opened() as rows:
        waiting = [task for key, task in tasks.items() if key not in rows]
        begin(waiting)
        if not file.path.exists():
            # What lies there is of a results file that somebody has taken away.
            for task in waiting:
                shutil.rmtree(file.folder / task.folder, ignore_errors=True)
            file.begin()
        told = progress or (lambda _task, _row: None)
        grid = _Grid(file, rows, Queue(waiting, limits), told, turning)
        stopped = bool(waiting) and grid.play(engine or (lambda: LocalEngine(workers, play_task)))
        if stopped:  # Ctrl-C may have come when a row was written and not yet counted.
            rows |= file.read()
        return Outcome(
            rows=[_counting(rows[key], task.cell) for key, task in tasks.items() if key in rows],
            missing=sum(key not in rows for key in tasks),
            failed=grid.failed,
            stopped=stopped,
        )


def _counting(row: Row, cell: Cell) -> Row:
    """The row as the cell's plan counts it; it may have been played for another plan."""
    plan = {name: getattr(cell, name) for name in ("counts", "of_maximum", "protocol")}
    if plan.items() <= row.items():
        return row
    row = {**row, **plan}
    return {**row, **shares(row)}


def resolve_all(cells: Sequence[Cell], *, trust: bool = False, source: str = "") -> dict[Key, Task]:
    """The cells by what makes them the same; each is there once."""
    known: dict[Cell, Any] = {}
    tasks = (resolved(cell, known, trust=trust, source=source) for cell in cells)
    return {task.key: task for task in tasks}


def _check_limits(limits: Mapping[str, Limit], tasks: Iterable[Task], source: str) -> None:
    """A limit of a server that is called otherwise would protect nothing."""
    asked = dict.fromkeys(name for task in tasks for name in task.servers)
    for name in limits:
        if name not in asked:
            at = f"{source}: " if source else ""
            raise ConfigError(f"{at}servers: {unknown('model server', name, asked)}")


class _Grid:
    """The cells that are still to be played, and those that are."""

    def __init__(
        self,
        file: Results,
        rows: dict[Key, Row],
        queue: Queue,
        progress: Progress,
        turning: Callable[[int], None],
    ) -> None:
        self._file, self._rows, self._queue = file, rows, queue
        self._progress, self._turning = progress, turning
        self._running: dict[Key, Path] = {}
        """The folders of the cells in play."""
        self._lost: Counter[Task] = Counter()
        self.failed: dict[Task, str] = {}

    def play(self, make_engine: Callable[[], Engine]) -> bool:
        """Play to the end; True if Ctrl-C came first."""
        try:
            with closing(make_engine()) as engine:
                while self._queue or self._running:
                    self._fill(engine)
                    for ended in engine.ended(_TICK):
                        self._take(ended)
                    self._turning(sum(map(turns_played, self._running.values())))
        except KeyboardInterrupt:
            return True
        return False

    def _fill(self, engine: Engine) -> None:
        for _ in range(engine.room):
            task = self._queue.take()
            if task is None:
                return
            engine.start(task, self._file.folder)
            self._running[task.key] = self._file.folder / task.folder

    def _take(self, ended: CellEnded) -> None:
        task = ended.task
        del self._running[task.key]
        if ended.lost and self._lost[task] + 1 < TRIES:
            self._lost[task] += 1
            self._queue.again(task)
            return
        self._queue.done(task)
        if ended.row is None:
            self.failed[task] = " ".join(str(ended.error).split()) or type(ended.error).__name__
            return
        row = self._rows[task.key] = self._file.add(ended.row)
        self._progress(task, row)


def check_complete(outcome: Outcome) -> list[Row]:
    """The rows of a grid that was played through.

    Raises:
        RunError: it was not, and why.
    """
    for task, error in outcome.failed.items():
        raise RunError(f"{task.folder}: {error}")
    if outcome.missing:
        raise RunError(f"{outcome.missing} cells are missing: the grid was stopped")
    return outcome.rows
