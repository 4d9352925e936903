"""The viewer's page in a real browser: finished, killed, live, exported and hostile runs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from benchmarks.browser import Page, served
from orchestrator import play
from orchestrator.fork import fork
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.controls import Controls
from orchestrator.viewer.export import export
from orchestrator.viewer.runs import RunView
from orchestrator.viewer.server import Server, Viewer
from testing.fake_ollama import FakeOllama

STEPS = 30
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished runs of 30 turns, and a killed one."""
    folder = tmp_path_factory.mktemp("runs")
    for seed in (4, 5):
        play("hollow", seed=seed, steps=STEPS, out=folder, fresh=True)
    finished = sorted(folder.iterdir())[0]
    killed = Path(shutil.copytree(finished, folder / "killed"))
    record = json.loads((killed / "episode.json").read_text(encoding="utf-8"))
    (killed / "episode.json").write_text(json.dumps({**record, "status": "running"}))
    trace = (killed / "trace.jsonl").read_bytes()
    (killed / "trace.jsonl").write_bytes(trace[: len(trace) * 2 // 3])
    return folder


@pytest.fixture(scope="module")
def server(out: Path) -> Iterator[Server]:
    with served(Viewer(out)) as found:
        yield found


def runs(out: Path) -> list[str]:
    return sorted(path.name for path in out.iterdir() if path.name[0].isdigit())


@pytest.fixture
def page(desktop: Page, server: Server) -> Iterator[Page]:
    desktop.complaints()
    desktop.hosts()
    desktop.open(server.address)
    yield desktop
    assert desktop.complaints() == []
    assert desktop.hosts() <= {f"127.0.0.1:{server.port}", ""}


def test_a_finished_run_is_shown_turn_by_turn(page: Page, out: Path) -> None:
    name = runs(out)[0]
    page.goto(f"#/run/{name}/t12")
    page.turn(12)
    commands = [
        line
        for line in (out / name / "transcript.txt").read_text().splitlines()
        if line[:2] == "> "
    ]
    assert commands[11] in page.text(".entry.now")
    assert "Turn 12" in page.text(".made")
    assert not {"null", "undefined", "NaN"} & set(page.text("body").split())
    for part in ("Options", "Objectives", "Reading", "Beliefs"):
        assert part in page.text(".made")
    for line in ("thinks", "does", "game says"):
        assert line in page.text(".entry.now")
    assert page.run("return document.querySelectorAll('.room').length") >= 2
    assert page.run("return document.querySelectorAll('.room.here').length") == 1
    page.click("[data-board=graph]")
    page.until("return document.querySelectorAll('.node.used').length > 4")
    page.until("return document.querySelectorAll('.way.on-path').length > 4")
    page.run("document.querySelector('.node.used').dispatchEvent(new Event('click'))")
    page.until("return document.querySelector('.node-row details[open]')")
    assert "read" in page.text(".waterfall")
    assert f"zork fork {name} --turn 12" in page.text(".onwards")
    page.click("[data-board=puzzles]")
    page.until("return document.querySelectorAll('.node').length > 1")
    page.click("[data-board=map]")
    assert 0 < page.first_paint() < 5000


def test_the_keyboard_scrubs_searches_and_plays(page: Page, out: Path) -> None:
    page.goto(f"#/run/{runs(out)[0]}/t5")
    page.turn(5)
    for key, turn in (("ArrowRight", 6), ("ArrowLeft", 5), ("End", STEPS), ("Home", 0)):
        page.press(key)
        page.turn(turn)
    page.run("const f = document.querySelector('input[type=search]'); f.value = 'cliff'")
    page.press("n")
    page.until("return document.documentElement.dataset.turn !== '0'")
    page.press("Home")
    page.turn(0)
    page.press(" ")
    page.turn(1)
    page.press(" ")


def test_a_finished_run_opens_at_its_end_and_its_highlights_lead_to_their_turns(
    page: Page, out: Path
) -> None:
    name = runs(out)[0]
    view = RunView(RunDirectory(out / name))
    view.refresh()
    told = view.recap()
    page.goto(f"#/run/{name}")
    page.turn(STEPS)
    assert page.text(".run-title") == told.title
    assert page.run("return document.querySelectorAll('.chip').length") == len(told.highlights)
    assert told.end in page.text(".end-card")
    assert f"zork fork {name} --turn {STEPS}" in page.text(".end-card")
    for one in told.highlights[:3]:
        page.click(f".chip[data-turn='{one.turn}']")
        page.turn(one.turn)
        assert str(view.row(one.turn).score) in page.text(".fact.score")
        assert view.row(one.turn).room in page.text(".fact.place")
    view.close()


def test_what_is_sought_is_marked_and_help_is_a_key_away(page: Page, out: Path) -> None:
    page.goto(f"#/run/{runs(out)[0]}/t5")
    page.turn(5)
    page.run("const f = document.querySelector('input[type=search]'); f.value = 'PATH'")
    page.press("n")
    page.until("return document.querySelector('.entry.now mark')?.textContent.match(/^path$/i)")
    page.press("?")
    page.until("return document.querySelector('dialog').open")
    assert "What am I looking at?" in page.text("dialog")
    page.click("dialog button")
    page.until("return !document.querySelector('dialog').open")


def test_the_letters_of_a_map_are_never_smaller_than_eleven_pixels(page: Page, out: Path) -> None:
    sizes = """const picture = document.querySelector('.board-picture');
        const pixels = picture.clientWidth / picture.viewBox.baseVal.width;
        return [...picture.querySelectorAll('text')]
          .map((one) => parseFloat(getComputedStyle(one).fontSize) * pixels)"""
    page.goto(f"#/run/{runs(out)[0]}/t{STEPS}")
    page.turn(STEPS)
    page.until("return document.querySelectorAll('.room').length > 2")
    for full in (False, True):
        assert min(page.run(sizes)) > 10.99
        assert page.run("return document.querySelector('.board').matches('.full')") is full
        page.click("[title^='Full screen']")


def test_a_room_tells_its_turns_things_and_failed_tries(page: Page, out: Path) -> None:
    name = runs(out)[0]
    view = RunView(RunDirectory(out / name))
    view.refresh()
    failed = [(one.id, tried) for one in view.charted(STEPS)[0].places for tried in one.failed]
    room, (turn, command) = failed[-1]
    page.goto(f"#/run/{name}/t{STEPS}")
    page.turn(STEPS)
    page.until("return document.querySelectorAll('.room').length > 2")
    page.run(
        "const rooms = document.querySelector('.room-choice'); rooms.value = arguments[0];"
        "rooms.dispatchEvent(new Event('change'))",
        room,
    )
    told = page.text(".room-notes")
    assert command in told.partition("failed tries")[2]
    page.run(
        "[...document.querySelectorAll('.room-notes .number')]"
        ".find((one) => one.textContent === arguments[0]).click()",
        str(turn),
    )
    page.turn(turn)
    page.press("Escape")
    view.close()


def test_the_map_is_saved_as_a_picture_that_stands_alone(page: Page, out: Path) -> None:
    page.goto(f"#/run/{runs(out)[0]}/t{STEPS}")
    page.turn(STEPS)
    page.until("return document.querySelectorAll('.room').length > 2")
    page.run(
        "window.saved = {}; URL.createObjectURL = (blob) => {"
        "blob.arrayBuffer().then((read) => { saved[blob.type] = new Uint8Array(read); });"
        "return 'data:,'; }"
    )
    for kind, wanted in (("SVG", "image/svg+xml"), ("PNG", "image/png")):
        page.click(f"[title='Save as {kind}']")
        page.until("return saved[arguments[0]]?.length > 1000", wanted)
    text = page.run("return new TextDecoder().decode(saved['image/svg+xml'])")
    assert "var(--" not in text
    assert text.count("room-title") > 2


def test_runs_are_listed_filtered_and_compared(page: Page, out: Path) -> None:
    page.goto("#/runs")
    page.until("return document.querySelectorAll('tbody tr').length === 3")
    assert "killed" in page.text("tbody")
    one, other = runs(out)
    page.goto(f"#/compare/{one}/{other}")
    page.until("return document.querySelectorAll('.side .command').length === 2")
    page.goto("#/runs")
    page.until("return document.querySelector('.filters input')")
    page.run(
        "const f = document.querySelector('.filters input'); f.value = 'killed';"
        "f.dispatchEvent(new Event('input'))"
    )
    page.until("return document.querySelectorAll('tbody tr').length === 1")


def test_a_fork_begins_behind_its_fork_and_is_compared_with_its_parent(
    desktop: Page, out: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(out, tmp_path / "runs"))
    parent = runs(folder)[0]
    forked = fork(folder / parent, 20, steps=5, seed=9, out=folder)["run_id"]
    desktop.complaints()
    with served(Viewer(folder)) as server:
        desktop.open(server.address, f"#/run/{forked}")
        desktop.turn(25)
        assert "Turn 25" in desktop.text(".turn-title")
        for key, turn in (("Home", 21), ("ArrowLeft", 21), ("ArrowRight", 22), ("End", 25)):
            desktop.press(key)
            desktop.turn(turn)
        desktop.goto(f"#/compare/{parent}/{forked}/t10")
        desktop.turn(10)
        desktop.until("return document.querySelectorAll('.side .command').length === 2")
        told = desktop.text(".comparison")
        assert f"as in {parent}, which it was forked from" in told
        assert "is a fork of the other, made after turn 20" in told
        assert desktop.run("return document.querySelectorAll('.side .room.here').length") == 2
        assert desktop.run("return document.querySelectorAll('.curve').length") == 2
        assert not {"null", "undefined", "NaN"} & set(told.split())
        parting = re.search(r"part at turn (\d+)|are the same", told)
        assert parting
        assert int(parting[1] or 21) > 20
        desktop.goto(f"#/compare/{parent}/{forked}/t28")
        desktop.until("return document.body.innerText.includes('It ended at turn 25.')")
        desktop.driver.get("about:blank")
    assert desktop.complaints() == []


def test_a_run_that_comes_late_does_not_replace_what_was_asked_for_since(
    page: Page, out: Path
) -> None:
    slow, quick = runs(out)
    page.goto("#/runs")
    page.until("return document.querySelector('tbody')")
    page.run(
        "const [fetched, slow] = [window.fetch, `/api/runs/${arguments[0]}`]; window.late = 0;"
        "window.fetch = async (address, ...rest) => {"
        "const answer = await fetched(address, ...rest); if (address !== slow) return answer;"
        "await new Promise((done) => setTimeout(done, 700)); window.late = 1; return answer; }",
        slow,
    )
    page.goto(f"#/run/{slow}")
    page.goto(f"#/run/{quick}")
    page.turn(STEPS)
    page.until("return window.late")
    page.run("return new Promise((done) => setTimeout(done, 300))")
    assert page.text(".run-title").endswith(RunView(RunDirectory(out / quick)).recap().title)


def test_a_killed_run_shows_where_it_died(page: Page) -> None:
    page.goto("#/run/killed/t999")
    page.until("return document.querySelector('.turn-title')?.innerText.includes('not ended')")


def test_a_run_that_breaks_while_it_is_looked_at_says_so(
    desktop: Page, out: Path, tmp_path: Path
) -> None:
    name = runs(out)[0]
    broken = Path(shutil.copytree(out / name, tmp_path / name)) / "episode.json"
    with served(Viewer(tmp_path)) as server:
        desktop.open(server.address, f"#/run/{name}")
        desktop.turn(STEPS)
        broken.write_text("{", encoding="utf-8")
        desktop.until("return document.querySelector('.doing').innerText.includes('episode.json')")
        desktop.driver.get("about:blank")
    assert desktop.complaints() == []


def test_a_phone_sees_one_part_at_a_time(phone: Page, server: Server, out: Path) -> None:
    phone.open(server.address, f"#/run/{runs(out)[0]}/t9")
    phone.turn(9)
    assert phone.run("return document.documentElement.scrollWidth") <= 400
    for part, shown in (("made", ".made"), ("map", ".board"), ("text", ".transcript")):
        phone.click(f".phone-tabs [data-tab={part}]")
        phone.until("return document.querySelector(arguments[0]).offsetParent !== null", shown)
    assert phone.complaints() == []


def test_everything_has_a_name_and_texts_have_contrast(page: Page, out: Path) -> None:
    page.goto(f"#/run/{runs(out)[0]}/t9")
    page.turn(9)
    nameless = """return [...document.querySelectorAll('button, input, select, a, [role=img]')]
        .filter((one) => !(one.innerText || '').trim() && !one.getAttribute('aria-label')
          && !one.closest('label') && !one.title).map((one) => one.outerHTML)"""
    assert page.run(nameless) == []
    faint = """const light = (css) => { const [r, g, b] = css.match(/[\\d.]+/g).map((c) => {
          c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const behind = (node) => { for (let one = node; one; one = one.parentElement) {
          const css = getComputedStyle(one).backgroundColor;
          if (!css.endsWith(', 0)')) return css; } return 'rgb(255, 255, 255)'; };
        return [...document.querySelectorAll('p, span, b, td, th, h2, h3, button, li')]
          .filter((one) => one.innerText && one.offsetParent).map((one) => {
            const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort();
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.className]; })
          .filter(([ratio]) => ratio < 4.5)"""
    for theme in ("light", "dark"):
        page.run("document.documentElement.dataset.theme = arguments[0]", theme)
        assert page.run(faint) == []


def test_an_exported_run_works_from_disk(desktop: Page, out: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    export(RunDirectory(out / runs(out)[0]), path)
    desktop.complaints()
    desktop.hosts()
    desktop.open(path.as_uri(), "#t7")
    desktop.turn(7)
    assert "Turn 7" in desktop.text(".made")
    assert desktop.run("return document.querySelectorAll('.room').length") >= 2
    assert desktop.text("[data-board=puzzles]") == "What needs what, at the end"
    desktop.click("[data-board=graph]")
    desktop.until("return document.querySelectorAll('.node').length > 4")
    assert desktop.complaints() == []
    assert desktop.hosts() <= {""}


def test_a_live_run_is_paused_edited_and_goes_on(
    desktop: Page, fake: FakeOllama, tmp_path: Path
) -> None:
    fake.latency = 0.8
    controls = Controls("browser", asks=True)
    options = {"fresh": True, "out": tmp_path, "settings": ["approve=true"], "steps": 3}
    watched = {"watchers": (controls,), "approver": controls.approve}
    thread = Thread(target=lambda: play("morning", graph="llm", **options, **watched))
    with served(Viewer(tmp_path, controls=controls)) as server:
        thread.start()
        while not controls.run:
            thread.join(0.05)
        desktop.open(server.address)
        desktop.until("return /asks llama/.test(document.querySelector('.doing').textContent)")
        desktop.until("return document.querySelector('.judge input')")
        desktop.run(
            "document.querySelector('.judge input').value = 'inventory';"
            "document.querySelector('.judge').requestSubmit()"
        )
        desktop.until(
            "return [...document.querySelectorAll('.command')]"
            ".some((one) => one.textContent === '> inventory')"
        )
        desktop.until("return document.querySelector('.judge')")
        desktop.click(".steer button")
        thread.join(30)
        desktop.turn(3)
        desktop.goto(f"#/run/{controls.run}/t1")
        desktop.turn(1)
        assert 'A person (browser) plays "inventory" instead' in desktop.text(".entry.now")
        assert "Question and answer" in desktop.text(".made")
