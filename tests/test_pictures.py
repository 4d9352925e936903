"""The moving picture of a terminal: what was printed, in the order in which it was."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("selenium", reason="make install EXTRAS=browser")

from benchmarks.pictures import END_S, SHOWN, SIZE, TURN_S, Recorder
from benchmarks.terminal_svg import moving
from orchestrator import play

pytestmark = pytest.mark.slow
SVG = "{http://www.w3.org/2000/svg}"


def test_a_play_becomes_one_picture_that_needs_nothing_else(tmp_path: Path) -> None:
    recorder = Recorder("zork play --game morning")
    result = play("morning", steps=SHOWN + 2, out=tmp_path, watchers=(recorder,), fresh=True)
    picture = moving(recorder.log, recorder.seen(), "A <story> & more", SIZE)
    document = ElementTree.fromstring(picture)
    assert document.findtext(f"{SVG}title") == "A <story> & more"
    assert not [one for one in document.iter() if one.tag in (f"{SVG}script", f"{SVG}image")]
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")

    log, status = document.findall(f"{SVG}svg/{SVG}g")
    told = "\n".join("".join(one.itertext()) for one in log)
    assert told.startswith("$ \nzork play --game morning")
    assert "... 2 turns later ..." in told
    assert f"{SHOWN + 2} of {SHOWN + 2} commands played" in told
    assert f"score {result['score']}/10" not in told
    assert f"turn {SHOWN}/{SHOWN + 2}" in "\n".join("".join(one.itertext()) for one in status)

    seconds = TURN_S * (2 + SHOWN) + END_S
    assert f"log {seconds:.2f}s" in picture
    jumps = re.search(r"@keyframes log\{(.*?\})\}", picture)
    assert jumps
    assert jumps[1].count("translateY") == len(recorder.frames) + 1
