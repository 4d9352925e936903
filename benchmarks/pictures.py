"""`make pictures`: the pictures of README and docs, from a run that is played for them.

A moving one of the terminal, and two of the page, where a browser is installed. A real model is
asked where it is installed (`make .venv/.local`), and none where it is not.
"""

from __future__ import annotations

import base64
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from threading import Event as Signal
from threading import Thread

from rich.ansi import AnsiDecoder
from rich.console import Console, Group, RenderableType
from rich.text import Text

from agents.models.local.weights import find_weights
from benchmarks.browser import browser, missing, served
from benchmarks.terminal_svg import Frame, moving
from orchestrator.episode import play_setup
from orchestrator.events import EpisodeEnded, Event, TurnPlayed
from orchestrator.saved.runs import RUNS
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.setup import Setup
from orchestrator.viewer.server import Viewer

DOCS = Path(__file__).parent.parent / "docs"
STORY, SEED, STEPS, SHOWN = "hollow", 7, 60, 16
"""So many of the commands are in the moving picture."""
SIZE = 92, 30
"""Columns and rows."""
LOOKS_S = 0.25
"""How often it is looked at what a model says."""
TURN_S, DOING_S, END_S = 1.6, 0.3, 7.0
"""So long a turn, a moment within one, and the end are seen."""
MOMENTS = 6
"""So many moments of a turn are seen at most."""
DESKTOP, PHONE = (1440, 900), (400, 820)


class Recorder:
    """A watcher that keeps what the console of `zork play` prints, and what moves under it."""

    def __init__(self, command: str) -> None:
        self._out = _console()
        self.watcher = ConsoleWatcher(self._out, bar=False)
        self.handlers = self.watcher.handlers
        self.log = [Text.assemble(("$ ", "green"), (command, "bold")), Text()]
        self.frames = [Frame(len(self.log), (), TURN_S)]
        self.best = 0
        """The turn that last brought points."""
        self._turns = 0
        self._over = Signal()

    def __call__(self, event: Event) -> None:
        """Keep what is printed."""
        ended = isinstance(event, EpisodeEnded)
        if isinstance(event, TurnPlayed):
            self._turns = event.after["turn"]
            if event.after["score"].best > event.before["score"].best:
                self.best = self._turns
        self.watcher(event)
        printed = _printed(self._out)
        if self._turns > SHOWN and not ended:
            return
        if ended:
            self._over.set()
            left_out = max(0, self._turns - SHOWN)
            later = [f"      ... {left_out} turns later ..."] if left_out else []
            self.log += [Text(line, "dim") for line in ("", *later, "")]
        self.log += printed
        status = () if ended else self._status()
        self.frames.append(Frame(len(self.log), status, END_S if ended else TURN_S))

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Keep what a model says while it is asked, too."""
        looker = Thread(target=self._look, daemon=True)
        looker.start()
        yield
        self._over.set()
        looker.join()

    def seen(self) -> list[Frame]:
        """The frames, with a few of the moments of every turn that took long."""
        told: list[Frame] = []
        for _, group in groupby(self.frames, key=lambda frame: frame.lines):
            first, *moments = group
            step = max(1, -(-len(moments) // MOMENTS))
            told += [first, *moments[::step]]
        return told

    def _look(self) -> None:
        while not self._over.wait(LOOKS_S):
            if self.watcher.activity.now().model and self._turns <= SHOWN:
                self.frames.append(Frame(len(self.log), self._status(), DOING_S))

    def _status(self) -> list[Text]:
        console = _console()
        lines: list[RenderableType] = [*self.watcher.progress.get_renderables()]
        console.print(Group(*lines))
        return [line for line in _printed(console) if line.plain.strip()]


def main() -> None:
    """Play, and write the pictures."""
    model = ["--model", "local", "--graph", "likely"] if find_weights() else []
    command = " ".join(["zork play", *model, f"--steps {STEPS} --seed {SEED}"])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.argv[0] = "zork"
        recorder = Recorder(command)
        watchers = (recorder,)
        setup = Setup.resolve(
            STORY,
            model="local" if model else None,
            graph="likely" if model else "offline",
            steps=STEPS,
            seed=SEED,
            cache=False,
            fresh=True,
            out=RUNS,
            watchers=watchers,
        )
        began = time.monotonic()
        with recorder.looking():
            result = play_setup(setup)
        _say(
            f"played in {time.monotonic() - began:.0f} s, {'a local model' if model else 'offline'}"
        )
        picture = moving(recorder.log, recorder.seen(), command, SIZE)
        _write("play.svg", picture.encode())
        if lacking := missing():
            _say(f"no pictures of the page: {lacking} not installed, run tests/browser/setup.sh")
            return
        for name, size in (("viewer.png", DESKTOP), ("viewer-phone.png", PHONE)):
            _write(name, _page(result["run_id"], recorder.best, size))


def _page(run: str, turn: int, size: tuple[int, int]) -> bytes:
    """What a browser shows of a turn of a run."""
    with served(Viewer(RUNS.resolve(), run)) as server, browser(*size) as page:
        page.open(server.address, f"#/run/{run}/t{turn}")
        page.turn(turn)
        time.sleep(1)
        return base64.b64decode(page.driver.get_screenshot_as_base64())


def _console() -> Console:
    columns = SIZE[0]
    return Console(
        file=io.StringIO(),
        record=True,
        width=columns,
        force_terminal=True,
        color_system="truecolor",
    )


def _printed(console: Console) -> list[Text]:
    """What has been printed since the last time."""
    return [*AnsiDecoder().decode(console.export_text(styles=True))]


def _write(name: str, content: bytes) -> None:
    (DOCS / name).write_bytes(content)
    _say(f"docs/{name}: {len(content) / 1e3:,.0f} kB")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
