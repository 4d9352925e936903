"""Steering an episode that is played in this process: pause, step, and judge its commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from queue import Empty, Queue
from threading import Condition, Thread
from typing import Any, Literal

from orchestrator.errors import ConfigError, RunError
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.fork import fork
from orchestrator.saved.runs import RunDirectory
from orchestrator.screen.activity import Activity
from orchestrator.turns.approval import Approval, Question

Deed = Literal["accept", "edit", "reject"]
_BEGIN_S = 30
"""How long the beginning of a run is waited for."""
_SHOWN = 4000
"""So many characters of what a model says are shown while it speaks."""


class Controls:
    """A watcher and approver whose answers come from elsewhere: a page, a dashboard."""

    def __init__(self, by: str, *, asks: bool = False) -> None:
        self.by = by
        """Who decides, as it stands in the trace."""
        self.asks = asks
        """The graph asks before every command, so that a pause is before one, not after a turn."""
        self.run = ""
        self.activity = Activity()
        self.handlers = (self.activity,)
        self._change = Condition()
        self._paused = asks
        self._steps = 0
        self._question: Question | None = None
        self._answer: Approval | None = None
        self._over = False
        self._left = False

    def __call__(self, event: Event) -> None:
        """Follow the episode; waits after a turn while it is paused.

        Raises:
            KeyboardInterrupt: whoever steered it has left.
        """
        if isinstance(event, EpisodeStarted):
            with self._change:
                self.run, self._over = event.run_dir.name, False
                self._change.notify_all()
        elif isinstance(event, EpisodeEnded):
            self._over = True
        elif isinstance(event, TurnPlayed):
            with self._change:
                self._steps = max(0, self._steps - 1)
                self._change.wait_for(lambda: not self._paused or self._steps or self.asks)
            if self._left:
                raise KeyboardInterrupt

    def begun(self) -> str:
        """The id of the run; waits for one that is about to begin."""
        with self._change:
            self._change.wait_for(lambda: self.run, _BEGIN_S)
            return self.run

    def approve(self, question: Question) -> Approval:
        """Ask about a command while paused; what is not asked about is accepted by nobody.

        Raises:
            KeyboardInterrupt: whoever is to be asked has left.
        """
        with self._change:
            self._answer = None
            if self._paused:
                self._question = question
                self._change.wait_for(lambda: self._answer or not self._paused)
                self._question = None
            if self._left:
                raise KeyboardInterrupt
            return self._answer or Approval(by="")

    def take(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what is asked for; returns how things stand then.

        Raises:
            ConfigError: nothing of that name can be done, or not now.
        """
        do, text = str(request.get("do")), str(request.get("text") or "")
        with self._change:
            if do in ("pause", "go", "step"):
                self._paused = do != "go"
                self._steps = int(do == "step")
                if do == "step" and self._question:
                    self._answer = Approval(by=self.by)
            elif do in ("accept", "edit", "reject"):
                self._judge(do, text)  # type: ignore[arg-type]
            else:
                raise ConfigError(f"{do!r} is nothing that can be done here")
            self._change.notify_all()
        return self.stand()

    def leave(self) -> None:
        """Stop the episode at the end of its turn, or before the command that is asked about."""
        with self._change:
            self._left, self._paused = True, False
            self._change.notify_all()

    def stand(self) -> dict[str, Any]:
        """How things stand, in plain data."""
        with self._change:
            question = self._question
        return {
            "paused": self._paused,
            "asks": self.asks,
            "over": self._over,
            "question": question.model_dump() if question else None,
        }

    def words(self) -> dict[str, Any]:
        """What is being done and said at this moment, in plain data."""
        doing = self.activity.now()
        said = {"thinking": doing.thinking[-_SHOWN:], "words": doing.words[-_SHOWN:]}
        return {**doing._asdict(), **said, "seconds": round(doing.seconds, 1)}

    def _judge(self, do: Deed, text: str) -> None:
        if self._question is None:
            raise ConfigError("no command is waiting to be judged; pause first")
        if do == "edit" and not text.strip():
            raise ConfigError("an edited command needs words")
        self._answer = Approval(do=do, text=" ".join(text.split()), by=self.by)


def fork_aside(run: RunDirectory, turn: int, out: Path) -> str:
    """Let a fork be played in a thread of its own; returns its id once it has begun.

    Nobody is asked about its commands.

    Raises:
        RunError: it did not begin in time.
        Exception: what kept it from beginning.
    """
    told: Queue[str | Exception] = Queue()

    def watch(event: Event) -> None:
        if isinstance(event, EpisodeStarted):
            told.put(event.run_dir.name)

    def played() -> None:
        try:
            fork(run.path, turn, out=out, watchers=(watch,), settings=["approve=false"])
        except Exception as error:  # noqa: BLE001 - told to who asked for it
            told.put(error)

    Thread(target=played, daemon=True).start()
    try:
        answer = told.get(timeout=_BEGIN_S)
    except Empty as error:
        raise RunError(f"the fork of {run.path.name} did not begin in {_BEGIN_S} s") from error
    if isinstance(answer, Exception):
        raise answer
    return answer
