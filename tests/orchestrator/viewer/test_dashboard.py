"""The dashboard, driven without a terminal, over finished runs and a live one."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("textual", reason="make install EXTRAS=view")

from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import Input, Static

from orchestrator import play
from orchestrator.batch import play_episodes
from orchestrator.cli.showing import play_on_dashboard
from orchestrator.saved.runs import RunDirectory
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.pace import TurnPace
from orchestrator.setup import Setup
from orchestrator.viewer.controls import Controls
from orchestrator.viewer.dashboard import PANES, Dashboard, Pane
from orchestrator.viewer.runs import RunView
from testing.fake_ollama import FakeOllama

WIDE, SMALL = (120, 40), (80, 24)


def driven(
    app: Dashboard,
    act: Callable[[Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = WIDE,
) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await act(pilot)

    asyncio.run(run())


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    for _ in range(200):
        if true():
            return
        await pilot.pause(0.1)
    raise AssertionError("nothing happened in time")


def text(app: Dashboard, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


def test_a_finished_run_can_be_looked_through(whole: Path) -> None:
    app = Dashboard(lambda: RunView(RunDirectory(whole)))

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "turn 20 of 20" in text(app, "status"))
        assert "WRECKERS' HOLLOW" in text(app, "story")
        await until(pilot, lambda: "╔" in text(app, "map"))
        latest = text(app, "thinking")
        await pilot.press("b", "b")
        await until(pilot, lambda: text(app, "thinking") != latest)
        await pilot.press("l")
        await until(pilot, lambda: text(app, "thinking") == latest)

    driven(app, act)


def test_a_run_that_ends_while_it_is_watched_says_how(half: Path) -> None:
    run = RunDirectory(half)
    ended = run.record().header() | run.record().results()
    run.write_episode({**ended, "status": "running"})
    view = RunView(run)
    app = Dashboard(lambda: view)

    async def act(pilot: Pilot[None]) -> None:
        with run.locked():
            await until(pilot, lambda: "still being played" in text(app, "status"))
        run.write_episode({**ended, "status": "ended", "max_steps": 30})
        await until(pilot, lambda: "all commands played" in text(app, "status"))
        assert "turn 12 of 30" in text(app, "status")

    driven(app, act)


def visible(app: Dashboard) -> list[str]:
    """The panes that are seen."""
    seen = [pane for pane in app.query(Pane) if pane.size.height and pane.region.area]
    return [str(pane.id).removesuffix("-pane") for pane in seen]


def test_all_is_reached_in_a_small_terminal(whole: Path) -> None:
    app = Dashboard(lambda: RunView(RunDirectory(whole)))

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "turn 20 of 20" in text(app, "status"))
        assert visible(app) == ["story"]
        for key, name in zip("1234", PANES, strict=True):
            await pilot.press(key)
            await until(pilot, lambda name=name: visible(app) == [name])
            assert app.query_one(f"#{name}-pane").size.height >= 20
            assert text(app, name).strip()
        await pilot.press("tab")
        await until(pilot, lambda: visible(app) == ["story"])
        await pilot.click("#tabs", offset=(10, 0))
        await until(pilot, lambda: visible(app) == ["map"])
        await until(pilot, lambda: "╔" in text(app, "map"))
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: sorted(visible(app)) == sorted(PANES))

    driven(app, act, SMALL)


@pytest.mark.parametrize("size", [WIDE, SMALL])
def test_stepping_back_moves_everything(whole: Path, size: tuple[int, int]) -> None:
    app = Dashboard(lambda: RunView(RunDirectory(whole)))
    view = RunView(RunDirectory(whole))
    view.refresh()

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "turn 20 of 20" in text(app, "status"))
        before = text(app, "map")
        for turn in range(19, 12, -1):
            await pilot.press("b")
            row = view.row(turn)
            assert row
            assert f"turn {turn} of 20 (now 20), score {row.score}" in text(app, "status")
            assert text(app, "story").rstrip().endswith(row.text.strip())
            assert f"> {row.command}" in text(app, "thinking")
        await pilot.press("2")
        await until(pilot, lambda: text(app, "map") != before)
        story = app.query_one("#story-pane", Pane)
        await pilot.press("1")
        await until(pilot, lambda: story.scroll_offset.y == story.max_scroll_y)
        await pilot.press("n")
        assert "turn 14 of 20" in text(app, "status")

    driven(app, act, size)


def test_a_run_is_gone_through_at_a_pace_which_is_held_and_left(whole: Path) -> None:
    app = Dashboard(lambda: RunView(RunDirectory(whole)), pace=TurnPace(0.5))

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: " (now 20), score" in text(app, "status"))
        await pilot.press("space")
        held = text(app, "status")
        await pilot.pause(1)
        assert text(app, "status") == held
        await pilot.press("space")
        await until(pilot, lambda: text(app, "status") != held)

    driven(app, act)


def test_only_what_can_be_done_is_offered(whole: Path) -> None:
    watched = Dashboard(lambda: RunView(RunDirectory(whole)))
    steered = Dashboard(lambda: None, Controls("dashboard"), TurnPace(1))
    asking = Dashboard(lambda: None, Controls("dashboard", asks=True))
    actions = ("pause", "step", "hurry", "edit", "turn")
    offered = [
        [name for name in actions if app.check_action(name, ())]
        for app in (watched, steered, asking)
    ]
    assert offered == [["turn"], [*actions[:3], "turn"], ["pause", "step", "edit", "turn"]]


@pytest.mark.slow
def test_a_command_is_edited_and_the_node_is_named_while_a_model_thinks(
    fake: FakeOllama, tmp_path: Path
) -> None:
    fake.latency = 1.0
    controls = Controls("dashboard", asks=True)
    options = {"fresh": True, "out": tmp_path, "settings": ["approve=true"]}
    thread = Thread(
        target=lambda: play(
            "morning",
            graph="llm",
            steps=2,
            watchers=(controls,),
            approver=controls.approve,
            **options,
        )
    )
    thread.start()
    app = Dashboard(
        lambda: RunView(RunDirectory(tmp_path / controls.run)) if controls.run else None, controls
    )

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "actor asks llama3.1:8b" in text(app, "doing"))
        field = app.query_one("#command", Input)
        await until(pilot, lambda: field.has_class("asked"))
        field.value = "inventory"
        field.focus()
        await pilot.press("enter")
        await until(pilot, lambda: "turn 1 of 2" in text(app, "status"))
        await pilot.press("space")
        await until(pilot, lambda: "over" in text(app, "status"))

    driven(app, act)
    thread.join(20)
    view = RunView(RunDirectory(tmp_path / controls.run))
    view.refresh()
    assert view.rows[1].command == "inventory"
    assert view.frame(1).proposals[-1].decision.by == "dashboard"
    assert view.frame(2).proposals[-1].decision.by == ""


@pytest.mark.slow
def test_a_pace_is_kept_and_whoever_leaves_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dashboard of `zork play --dashboard --pace`, with a person at its keys."""
    seen: list[int] = []

    def at_the_keys(app: Dashboard) -> None:
        async def act(pilot: Pilot[None]) -> None:
            await until(pilot, lambda: "turn 2 of 50" in text(app, "status"))
            began = time.monotonic()
            await until(pilot, lambda: "turn 3 of 50" in text(app, "status"))
            seen.append(round(time.monotonic() - began))
            await pilot.press("q")

        driven(app, act)

    monkeypatch.setattr(Dashboard, "run", at_the_keys)
    setup = Setup.resolve("hollow", graph="random", steps=50, fresh=True, out=tmp_path)
    watcher = ConsoleWatcher(Console(file=io.StringIO()), quiet=True)
    began = time.monotonic()
    (result,) = play_on_dashboard(setup, watcher, TurnPace(3), play_episodes)
    assert seen[0] >= 2
    assert time.monotonic() - began < 30
    assert (result["end_reason"], result["steps"] < 5) == ("stopped", True)
