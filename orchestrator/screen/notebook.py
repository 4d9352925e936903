"""How far an episode is, as one line under a notebook's cell."""

from __future__ import annotations

import sys
from typing import Any

from environments.plain_text import showable
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event


def in_notebook() -> bool:
    """Python runs in a cell of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


class NotebookWatcher:
    """Keeps one line that says where the episode is, and at last what came of it."""

    def __init__(self) -> None:
        self._title = ""
        self._shown: Any = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, EpisodeStarted):
            self._title = f"{event.story}, graph {event.graph}, seed {event.seed}, {event.memory}"
            self._show(f"turn {event.state['turn']} of at most {event.steps}")
        elif isinstance(event, EpisodeEnded):
            result = event.result
            told = f"{result['end_reason']} after {result['steps']} turns, score {result['score']}"
            self._show(f"{told}, {result['run_dir']}")
        else:
            score = event.after["score"].last.score
            self._show(f"turn {event.after['turn']}, score {score}")

    def _show(self, standing: str) -> None:
        line = {"text/plain": showable(f"{self._title}: {standing}")}
        if self._shown is None:
            display = sys.modules["IPython"].display.display
            self._shown = display(line, raw=True, display_id=True)
        else:
            self._shown.update(line, raw=True)
