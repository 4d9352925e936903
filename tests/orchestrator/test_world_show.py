"""`zork world show` on a run of an embedded story."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.errors import ConfigError, RunError


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = play("workshop", steps=12, seed=3, out=tmp_path_factory.mktemp("runs"))
    return Path(result["run_dir"])


def show(run: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(make_app(), ["world", "show", str(run), *map(str, arguments)])


def test_things_and_issues_are_shown_and_drawings_are_written(run: Path, tmp_path: Path) -> None:
    puzzles, drawn = tmp_path / "puzzles.svg", tmp_path / "map.svg"
    shown = show(run, "--puzzles", puzzles, "--map", drawn)
    assert shown.exit_code == 0, shown.output
    assert "turn 12, in L1 Back Room" in shown.output
    assert "leather apron" in shown.output
    assert "unlock the door in L1 Back Room (issue, active)" in shown.output
    for drawing in (puzzles, drawn):
        root = ElementTree.parse(drawing).getroot()
        assert root.tag.endswith("svg")
    assert "L1 Back Room" in drawn.read_text(encoding="utf-8")


def test_a_run_without_states_says_so(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    (copy / "checkpoints.sqlite").write_bytes(b"")
    told = str(show(copy).exception)
    assert told.endswith("keeps no state (kept: none)")


def test_the_ending_of_a_drawing_decides_what_is_written(run: Path, tmp_path: Path) -> None:
    text, other = tmp_path / "map.txt", tmp_path / "map.gif"
    assert show(run, "--map", text).exit_code == 0
    assert re.search(r"║( *)L1 Back Room\1 ?║", text.read_text(encoding="utf-8"))
    fault = show(run, "--map", other).exception
    assert isinstance(fault, ConfigError)
    assert "map.gif': give a file that ends in .svg, .txt, .png" in str(fault)


@pytest.mark.slow
def test_a_map_may_be_a_picture(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="make install EXTRAS=pictures")
    picture = tmp_path / "map.png"
    assert show(run, "--map", picture).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_where_a_drawing_cannot_be_written_is_said(run: Path, tmp_path: Path) -> None:
    fault = show(run, "--map", tmp_path / "nowhere" / "map.svg").exception
    assert isinstance(fault, RunError)
    assert "nowhere/map.svg': cannot be written" in str(fault)


def test_an_earlier_turn_knows_less(run: Path) -> None:
    early = CliRunner().invoke(make_app(), ["world", "show", str(run), "--turn", "1"])
    assert early.output.startswith("turn 1,")
    late = CliRunner().invoke(make_app(), ["world", "show", str(run)])
    assert len(late.output) > len(early.output)


def test_a_turn_that_is_not_kept_is_named(run: Path) -> None:
    shown = CliRunner().invoke(make_app(), ["world", "show", str(run), "--turn", "99"])
    assert isinstance(shown.exception, RunError)
    assert "after turn 99" in str(shown.exception)
