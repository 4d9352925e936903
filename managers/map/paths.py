"""Shortest paths over plain adjacency; networkx costs ten times as much per turn."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

Edges = Mapping[str, Mapping[str, list[object]]]
SUPPOSED = 2
"""What a supposed way back costs, where a walked passage costs 1."""


def shortest(
    edges: Edges, start: str, *, seen_only: bool = False
) -> dict[str, tuple[int, str, str]]:
    """Room -> (cost, room before, command there) of the cheapest way from `start`."""
    best: dict[str, tuple[int, str, str]] = {start: (0, "", "")}
    queue: list[tuple[int, int, str]] = [(0, 0, start)]
    counter = 0
    done: set[str] = set()
    while queue:
        cost, _, room = heappop(queue)
        if room in done:
            continue
        done.add(room)
        for command, (to, seen, *_rest) in edges.get(room, {}).items():
            if not seen and seen_only:
                continue
            total = cost + (1 if seen else SUPPOSED)
            target = str(to)
            if target not in best or total < best[target][0]:
                best[target] = (total, room, command)
                counter += 1
                heappush(queue, (total, counter, target))
    return best


def commands_to(best: Mapping[str, tuple[int, str, str]], goal: str) -> list[str] | None:
    """The commands of the way to `goal`, or None where no way is known."""
    if goal not in best:
        return None
    commands: list[str] = []
    while best[goal][1]:
        _, goal, command = best[goal]
        commands.append(command)
    return commands[::-1]
