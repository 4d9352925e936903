"""An engine on a Ray cluster (`EXTRAS=ray`): cells are tasks, and a dead node only costs time."""

from __future__ import annotations

import importlib
import time
from pathlib import Path
from typing import Any

from environments.extras import installing
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation.cells import Task
from orchestrator.evaluation.engines import CellEnded, Play


class RayEngine:
    """One CPU of the cluster a cell.

    Cells in flight go on from their checkpoints on another node where the results' folder is
    on a file system that all nodes share; otherwise they begin again.
    """

    def __init__(self, play: Play, address: str | None = None) -> None:
        """Joins the cluster at `address`, by default a new one on this machine.

        Raises:
            ConfigError: Ray is not installed, or there is no cluster.
        """
        try:
            self._ray: Any = importlib.import_module("ray")
        except ModuleNotFoundError as error:
            raise ConfigError(f"--engine ray needs Ray: {installing('ray')}") from error
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError) as error:
            said = " ".join(str(error).split())[:300]
            raise ConfigError(f"--address {address!r}: no Ray cluster there: {said}") from error
        # A cell whose node died comes back as lost: the grid begins it again.
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._running: dict[Any, Task] = {}

    @property
    def room(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0)) - len(self._running)

    def start(self, task: Task, folder: Path) -> None:
        self._running[self._play.remote(task, folder.resolve())] = task

    def ended(self, timeout: float) -> list[CellEnded]:
        if not self._running:  # There is no node at the moment.
            time.sleep(timeout)
            return []
        done, _ = self._ray.wait(list(self._running), num_returns=len(self._running), timeout=0)
        if not done:
            done, _ = self._ray.wait(list(self._running), timeout=timeout)
        return [self._outcome(self._running.pop(reference), reference) for reference in done]

    def close(self) -> None:
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._ray.shutdown()

    def _outcome(self, task: Task, reference: Any) -> CellEnded:
        errors = self._ray.exceptions
        try:
            return CellEnded(task, self._ray.get(reference))
        except errors.RayTaskError as error:
            cause = error.cause
            return CellEnded(
                task, error=cause if isinstance(cause, Exception) else RunError(str(cause))
            )
        except errors.RayError as error:
            return CellEnded(task, error=error, lost=True)
