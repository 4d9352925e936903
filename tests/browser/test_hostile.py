"""Strings that would like to be markup, scripts or control characters are only ever text."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.browser import Page, served
from environments.plain_text import showable
from orchestrator import play
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.chart import Chart, Exit, Place, RoomWay
from orchestrator.viewer.runs import RunView
from orchestrator.viewer.server import Viewer
from orchestrator.viewer.sketch import sketch
from orchestrator.viewer.svg import map_svg
from orchestrator.viewer.text_map import map_text

SEEDS = (
    "<script>window.bad=1</script>",
    "<img src=x onerror='window.bad=1'>",
    "<svg onload=window.bad=1>",
    "</pre></script><iframe src=javascript:window.bad=1>",
    "javascript:window.bad=1",
    '" onmouseover="window.bad=1" x="',
    "{{constructor.constructor('window.bad=1')()}}",
    "${window.bad=1}",
    "<style>*{display:none}</style>",
    "<!-- ",
    "]]>",
    "&lt;b&gt;&#x3C;script&#x3E;",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    "\x1b[2J\x1b[H",
    "\x9b31m",
    "\x07\x08\x0b\x0c",
    "a\rb",
    "\u202egnp.exe",
    "\u2066\u2069\u200f\u061c",
    "\ufeff\u200b\u2060",
    "[bold red]markup[/bold red]",
    "[link=file:///etc/passwd]x[/link]",
    "[/]",
    "\\[",
    "\U000e0001\U000e0041",
    "\ud7ff\ue000",
    "é" * 300,
    "가각" * 40,
    "👩\u200d👩\u200d👧" * 20,
    "%00%0a%0d",
    "../../etc/passwd",
    "'; DROP TABLE runs; --",
    "\n\n\n",
)
STRINGS = [seed * times + tail for seed in SEEDS for times in (1, 2, 3) for tail in ("", " <b>x")]
STRINGS += [f"{one}{other}" for one, other in zip(SEEDS, SEEDS[1:] + SEEDS[:1], strict=True)]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose trace says hostile things wherever the game and the agents speak."""
    folder = tmp_path_factory.mktemp("hostile")
    played = play("morning", seed=2, steps=60, out=folder, fresh=True)
    run = Path(shutil.move(played["run_dir"], folder / "<img src=x onerror=window.bad=1>"))
    words = iter(STRINGS * 40)
    spoken = {"text", "thinking", "reason", "purpose", "content", "room", "location", "command"}

    def replaced(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: replaced(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [replaced(inner, key) for inner in value]
        return next(words) if isinstance(value, str) and key in spoken else value

    lines = (run / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    for n, line in enumerate(lines):
        record = json.loads(line)
        for inner in record.values():
            for side in ("inputs", "outputs"):
                if side in inner:
                    inner[side] = replaced(inner[side])
        lines[n] = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    (run / "trace.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run


def test_there_are_enough_of_them() -> None:
    assert len(set(STRINGS)) >= 200


@pytest.mark.slow
def test_in_the_browser_they_are_text(desktop: Page, hostile: Path) -> None:
    view = RunView(RunDirectory(hostile))
    view.refresh()
    desktop.complaints()
    with served(Viewer(hostile.parent, hostile.name)) as server:
        desktop.open(server.address)
        for row in view.rows:
            desktop.goto(f"#t{row.turn}")
            desktop.turn(row.turn)
            assert desktop.run("return window.bad") is None
            made = "return document.querySelectorAll('iframe, img, main style, main script').length"
            assert desktop.run(made) == 0
        shown = desktop.run("return document.body.textContent")
        desktop.goto("#/runs")
        desktop.until("return document.querySelector('tbody tr')")
        assert "<img src=x" in desktop.text("tbody")
        assert desktop.run("return window.bad") is None
    assert "<b>x" in shown
    assert not any(one in shown for one in "\x1b\x9b\u202e\u2066")
    assert desktop.complaints() == []


def test_in_maps_and_in_the_terminal_they_are_text() -> None:
    for start in range(0, len(STRINGS), 6):
        words = STRINGS[start : start + 6]
        places = tuple(Place(f"L{n}", one, things=(one, one)) for n, one in enumerate(words))
        ways = tuple(RoomWay(f"L{n}", "L0", f"enter {one}") for n, one in enumerate(words))
        exits = tuple(Exit(f"L{n}", "north", "blocked", one) for n, one in enumerate(words))
        chart = Chart(places, ways, exits, "L0", ("L1", "L0"))
        markup = map_svg(sketch(chart))
        assert "<script" not in markup
        assert "<img" not in markup
        drawn = map_text(chart)
        screen = io.StringIO()
        Console(file=screen, width=200).print(drawn)
        for text in (markup, screen.getvalue()):
            assert not any(ord(one) < 32 and one != "\n" for one in text)
            assert not any(one in text for one in "\x7f\x9b\u202e\u2066\u200f\ufeff")


@pytest.mark.parametrize("said", STRINGS[:40])
def test_what_the_console_prints_moves_no_cursor(said: str) -> None:
    shown = showable(said)
    assert not any(ord(one) < 32 and one != "\n" for one in shown)
    assert not any(one in shown for one in "\x7f\x9b\u202e\u2066\u200f\ufeff")
