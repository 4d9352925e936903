"""An engine without processes."""

from __future__ import annotations

from pathlib import Path

from orchestrator.evaluation.cells import Task
from orchestrator.evaluation.engines import CellEnded
from orchestrator.evaluation.playing import play_task


class InlineEngine:
    """Plays in this process; loses every cell a number of times first."""

    def __init__(self, losses: int = 0) -> None:
        self._losses, self._ended = losses, list[CellEnded]()
        self.started: list[Task] = []
        self.closed = False

    @property
    def room(self) -> int:
        return 2 - len(self._ended)

    def start(self, task: Task, folder: Path) -> None:
        self.started.append(task)
        if self.started.count(task) <= self._losses:
            self._ended.append(CellEnded(task, error=OSError("a node died"), lost=True))
        else:
            self._ended.append(CellEnded(task, play_task(task, folder)))

    def ended(self, timeout: float) -> list[CellEnded]:
        ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        self.closed = True
