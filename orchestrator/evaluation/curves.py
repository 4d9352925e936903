"""The score of an episode against what it cost, noted as it is played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from agents.models.ledger import Ledger
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.state import State


class CurvePoint(NamedTuple):
    """Where the score changed, and what had been spent by then."""

    turn: int
    score: int
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


class CurveWriter:
    """Watches an episode and writes its points down, so that a resumed one has them all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.ledger = Ledger()
        """Of the episode that is played now."""

    def __call__(self, event: Event) -> None:
        match event:
            case EpisodeStarted(state=state):
                before = read_points(self._path) if state["turn"] else []
                kept = [point for point in before if point.turn < state["turn"]]
                self._path.write_text("".join(map(_line, kept)), encoding="utf-8")
                self._add(state)
            case TurnPlayed(before=before_it, after=after):
                if after["score"].last.score != before_it["score"].last.score:
                    self._add(after)

    def _add(self, state: State) -> None:
        usage = self.ledger.by_role().values()
        calls, cost = sum(one.calls for one in usage), round(self.ledger.cost, 6)
        point = CurvePoint(
            state["turn"], state["score"].last.score, calls, self.ledger.tokens, cost
        )
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(point))


def curve_of(result: Mapping[str, Any], path: Path) -> list[CurvePoint]:
    """The points of an episode that has ended; the last one is its end."""
    roles = result["roles"].values()
    tokens = result["prompt_tokens"] + result["completion_tokens"]
    cost = round(sum(role["cost"] for role in roles), 6)
    calls = sum(role["calls"] for role in roles)
    end = CurvePoint(result["steps"], result["score"], calls, tokens, cost)
    points = [point for point in read_points(path) if point.turn < end.turn]
    risen = [b for a, b in pairwise(points) if a.score != b.score]
    return [*points[:1], *risen, end]


def read_points(path: Path) -> list[CurvePoint]:
    """What has been written down; a line that was cut off does not count."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [CurvePoint(*json.loads(line)) for line in lines if line.endswith("]")]


def _line(point: CurvePoint) -> str:
    return json.dumps(list(point)) + "\n"
