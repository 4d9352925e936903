"""The short examples in examples/gallery do what they say, in any folder."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"
SAID = {
    "own_critic": r"\d+ points in 30 turns, [1-9]\d* objections\n",
    "async_actor": r"\d+ of 10 points in \d+ turns\n",
    "compare_graphs": r"offline +[1-9]\d\.\d points\nrandom +\d\.\d points\n",
    "watch_rooms": r"(L\d+ first seen in turn \d+\n){3,}",
    "gymnasium_loop": r"(> .+  \[Back Room\]\n){8}\d points\n",
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name == "gymnasium_loop" else [])
        for name in SAID
    ],
)
def test_an_example_says_what_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "gymnasium_loop":
        pytest.importorskip("gymnasium", reason="make install EXTRAS=gymnasium")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(GALLERY / f"{name}.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert re.fullmatch(SAID[name], said), said


def test_the_gallery_is_whole() -> None:
    files = list(GALLERY.glob("*.py"))
    assert {path.stem for path in files} == SAID.keys()
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 30 for path in files)
