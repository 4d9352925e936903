"""Which cell is played next, so that no model server gets more than it can bear."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import Field

from orchestrator.evaluation.cells import Task
from orchestrator.graph.spec import Strict


class Limit(Strict):
    """What a model server can bear."""

    slots: int | None = Field(default=None, ge=1)
    """Episodes at a time."""
    tokens_per_minute: int | None = Field(default=None, ge=1)
    """Shared out evenly over its slots; needs `slots`."""

    @property
    def share(self) -> int | None:
        """The tokens a minute of one slot."""
        if self.tokens_per_minute is None:
            return None
        return max(1, self.tokens_per_minute // (self.slots or 1))


class Queue:
    """Cells that wait. Those that ask the same servers wait in one line."""

    def __init__(self, tasks: Iterable[Task], limits: Mapping[str, Limit] | None = None) -> None:
        self._limits = dict(limits or {})
        self._lines: dict[tuple[str, ...], deque[Task]] = {}
        self._busy: Counter[str] = Counter()
        for task in tasks:
            self._lines.setdefault(task.servers, deque()).append(self._paced(task))

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def take(self) -> Task | None:
        """The next cell whose servers all have a free slot; None where none has.

        The lines take turns.
        """
        for servers in list(self._lines):
            if all(map(self._free, servers)):
                line = self._lines.pop(servers)
                task = line.popleft()
                if line:
                    self._lines[servers] = line
                self._busy.update(servers)
                return task
        return None

    def done(self, task: Task) -> None:
        """A cell that was taken is played no more."""
        self._busy.subtract(task.servers)

    def again(self, task: Task) -> None:
        """A cell that was taken is to be played once more, before the others of its line."""
        self.done(task)
        self._lines.setdefault(task.servers, deque()).appendleft(task)

    def _free(self, server: str) -> bool:
        limit = self._limits.get(server)
        return limit is None or limit.slots is None or self._busy[server] < limit.slots

    def _paced(self, task: Task) -> Task:
        shares = [limit.share for name in task.servers if (limit := self._limits.get(name))]
        told = [share for share in shares if share is not None]
        return replace(task, pace=min(told)) if told else task
