"""Is the scheduler the limit? 1,000 simulated workers against model servers with few slots.

Run: python -m benchmarks.scheduling [CELLS]. Time is simulated: cells take 2 to 20 minutes, drawn.
Only the scheduling itself is real: what `orchestrator.evaluation.queue` takes of the driver's
processor, and how far it keeps the servers busy. No cell is played and no model asked.
"""

from __future__ import annotations

import heapq
import random
import time

from benchmarks.arguments import given
from orchestrator.evaluation.cells import Cell, Key, Task
from orchestrator.evaluation.queue import Limit, Queue

WORKERS = 1000
SERVERS = {f"server-{n}": Limit(slots=60 + 10 * n) for n in range(1, 9)}


def main() -> None:
    """Play a simulated plan through, and print what the scheduler took."""
    count = int((given(__doc__) or ["20000"])[0])
    weights = [limit.slots or 1 for limit in SERVERS.values()]
    asked = random.Random(2).choices(list(SERVERS), weights, k=count)
    tasks = [
        Task(
            Cell("hollow", "llm", n + 1, 400),
            Key("", "", n + 1, 400),
            "llm",
            (asked[n],),
        )
        for n in range(count)
    ]
    rng = random.Random(1)
    queue, running, now, spent = Queue(tasks, SERVERS), list[tuple[float, int, Task]](), 0.0, 0.0
    slots = sum(limit.slots or 0 for limit in SERVERS.values())
    busy, free_while_waiting, ended = 0.0, 0.0, 0
    while len(queue) or running:
        begun = time.process_time()
        while len(running) < WORKERS and (task := queue.take()):
            heapq.heappush(running, (now + rng.uniform(120, 1200), ended + len(running), task))
        spent += time.process_time() - begun
        at, _, task = heapq.heappop(running)
        busy += (at - now) * (len(running) + 1)
        idle = min(WORKERS, slots) - (len(running) + 1)
        free_while_waiting += (at - now) * idle * (len(queue) >= slots)
        now = at
        begun = time.process_time()
        queue.done(task)
        spent += time.process_time() - begun
        ended += 1
    print(f"{ended} cells, {WORKERS} workers, {len(SERVERS)} servers with {slots} slots in all")
    print(f"simulated {now / 3600:.1f} hours, {busy / now:.0f} cells at a time in the mean")
    print(f"while more waited than there are slots: {free_while_waiting / busy:.2%} of them free")
    print(f"scheduling: {1e6 * spent / ended:.0f} microseconds of processor time a cell")


if __name__ == "__main__":
    main()
