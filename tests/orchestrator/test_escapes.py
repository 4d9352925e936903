"""Words of models and stories cannot command the terminal in which they are shown."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.cli.terminal import Terminal
from tests.command_line import zork
from tests.orchestrator.test_hostile_answers import HOSTILE

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f]")
STYLES = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose model wrote escapes wherever it could."""
    options: dict[str, Any] = {"out": tmp_path_factory.mktemp("runs"), "fresh": True, "steps": 12}
    return Path(play("workshop", graph="llm", settings=HOSTILE, **options)["run_dir"])


@pytest.mark.parametrize(
    "command",
    [
        *("trace show {run}", "trace show {run} --turn 5", "trace show {run} --errors"),
        *("trace show {run} --node actor", "trace stats {run}", "trace diff {run} {run}"),
        *("world show {run}", "runs show {run}", "replay {run}"),
        *("prompt show actor --run {run} --turn 3", "prompt show extractor --run {run} --turn 5"),
    ],
)
@pytest.mark.parametrize("colour", [False, True])
def test_no_command_prints_what_a_terminal_obeys(
    command: str, run: Path, colour: bool, home_of_module: Path
) -> None:
    words = [word.format(run=run) for word in command.split()]
    colours = {"FORCE_COLOR": "1"} if colour else {}
    done = zork(*words, ZORK_HOME=str(home_of_module), **colours)
    assert done.returncode == 0, done.stderr
    assert not OBEYED.findall(STYLES.sub("", done.stdout + done.stderr))


def test_the_transcript_can_be_shown_and_the_trace_has_it_raw(run: Path) -> None:
    assert not OBEYED.findall((run / "transcript.txt").read_text(encoding="utf-8"))
    older = [gzip.decompress(path.read_bytes()) for path in run.glob("trace.*.jsonl.gz")]
    assert b"\\u001b[2J" in b"".join([*older, (run / "trace.jsonl").read_bytes()])


def test_the_live_view_shows_and_does_not_obey() -> None:
    shown = io.StringIO()
    console = Terminal(file=shown, force_terminal=True, width=40)
    console.print("[bold]heavy[/] \x1b]0;title\x07 \x1b[2J \u202eback")
    assert not OBEYED.findall(STYLES.sub("", shown.getvalue()))
    assert "\u241b]0;title" in STYLES.sub("", shown.getvalue())
