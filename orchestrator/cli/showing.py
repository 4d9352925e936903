"""How an episode that is played here is shown: printed, on a page, or as a dashboard."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import typer

from orchestrator.checkpoints.opening import NAMED_BY
from orchestrator.cli.stopping import noting_signals
from orchestrator.events import EpisodeEnded
from orchestrator.fork import fork
from orchestrator.saved.runs import RunDirectory
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.keyboard import Keyboard
from orchestrator.screen.keys import can_press, pressed
from orchestrator.screen.pace import TurnPace
from orchestrator.setup import Setup
from orchestrator.viewer.controls import Controls
from orchestrator.viewer.pictures import needed
from orchestrator.viewer.runs import RunView

Result = dict[str, Any]
Results = list[Result]
Played = Callable[[Setup], Results]


def play_printed(setup: Setup, watcher: ConsoleWatcher, pace: TurnPace, played: Played) -> Results:
    """Play and print every turn; a person who plays gets a line to edit.

    Whoever looks on at a terminal may pause and hurry it by keys.
    """
    if setup.is_played_by_hand and sys.stdin.isatty():
        return play_typed(setup, watcher, Keyboard(watcher.console), played)
    shown = replace(setup, watchers=(watcher, pace))
    if not pace.seconds or setup.config.approve or not can_press():
        return played(shown)
    watcher.progress.pace = pace
    with pressed({" ": pace.pause, "h": pace.hurry}):
        return played(shown)


def play_typed(
    setup: Setup, watcher: ConsoleWatcher, keyboard: Keyboard, played: Played
) -> Results:
    """Play what a person types; where turns are taken back, a fork goes on from there."""
    shown: dict[str, Any] = {
        "watchers": (watcher, keyboard),
        "keyboard": keyboard.read,
        "approver": setup.approver,
        "cache": setup.cache,
    }
    if setup.database:
        os.environ[NAMED_BY] = setup.database  # It is where forks look for what they go on from.
    results = played(replace(setup, **shown))
    results[-1] = _gone_back(results[-1], keyboard, shown)
    return results


def play_one(watcher: ConsoleWatcher, played: Callable[..., Result], **options: Any) -> Result:
    """Play one episode and print it; at a terminal a person who plays gets a line to edit.

    `options` are for the episode, and for every fork that a person makes by taking turns back.
    """
    shown = {**options, "watchers": (watcher,), "approver": watcher.approve}
    if not sys.stdin.isatty():
        return played(**shown)
    keyboard = Keyboard(watcher.console)
    shown |= {"watchers": (watcher, keyboard), "keyboard": keyboard.read}
    return _gone_back(played(**shown), keyboard, shown)


def _gone_back(result: Result, keyboard: Keyboard, shown: dict[str, Any]) -> Result:
    """The result of the fork that plays on from the turn that the person went back to, if any."""
    while keyboard.back_to is not None:
        turn, keyboard.back_to = keyboard.back_to, None
        run = Path(result["run_dir"])
        result = fork(run, turn, out=run.parent, **shown)
    return result


def play_on_page(setup: Setup, watcher: ConsoleWatcher, pace: TurnPace, played: Played) -> Results:
    """Play with a page that can pause, step and, where the graph asks, judge commands."""
    server = needed("orchestrator.viewer.server", "view")
    controls = Controls("browser", asks=setup.config.approve)
    viewer = server.Viewer(setup.out, controls=controls, forks=True)
    serving = server.Server(viewer)
    thread = Thread(target=serving.serve, daemon=True)
    thread.start()
    watcher.console.print(serving.address, soft_wrap=True, highlight=False)
    results: Results = []
    try:
        shown = replace(setup, watchers=(watcher, pace, controls), approver=controls.approve)
        results = played(shown)
        if not results or results[-1]["end_reason"] != "stopped":
            typer.echo("the page stays until Ctrl-C", err=True)
            thread.join()
    except KeyboardInterrupt:
        pass
    finally:
        serving.stop()
        thread.join(5)
    return results


def play_on_dashboard(
    setup: Setup, watcher: ConsoleWatcher, pace: TurnPace, played: Played
) -> Results:
    """Play in a thread while the terminal shows the dashboard; who leaves it stops the episode.

    Behind it stays what a console tells at the end.
    """
    dashboard = needed("orchestrator.viewer.dashboard", "view")
    controls = Controls("dashboard", asks=setup.config.approve)
    results: Results = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            shown = replace(setup, watchers=(pace, controls), approver=controls.approve)
            results.extend(played(shown))
        except BaseException as error:  # noqa: BLE001 - raised again where it belongs
            faults.append(error)

    def opened() -> RunView | None:
        return RunView(RunDirectory(setup.out / controls.run)) if controls.run else None

    thread = Thread(target=run)
    thread.start()
    try:
        # A signal leaves the dashboard, and so stops the episode, which tells of it.
        with noting_signals() as stopped:
            dashboard.Dashboard(
                opened, controls, pace, is_over=lambda: bool(faults) or stopped()
            ).run()
    finally:
        controls.leave()
        pace.leave()
        thread.join()
    if faults:
        raise faults[0]
    for result in results:
        watcher(EpisodeEnded(result))
    return results
