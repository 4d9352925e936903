"""`zork world show` on a run of an embedded story."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = play("workshop", steps=12, seed=3, out=tmp_path_factory.mktemp("runs"))
    return Path(result["run_dir"])


def test_things_and_issues_are_shown_and_drawings_are_written(run: Path, tmp_path: Path) -> None:
    drawings = [tmp_path / "puzzles.svg", tmp_path / "map.svg"]
    command = ["world", "show", str(run), "--svg", str(drawings[0]), "--map", str(drawings[1])]
    shown = CliRunner().invoke(make_app(), command)
    assert shown.exit_code == 0, shown.output
    assert "turn 12, in L1 Back Room" in shown.output
    assert "leather apron" in shown.output
    assert "unlock the door in L1 Back Room (issue, active)" in shown.output
    for drawing in drawings:
        root = ElementTree.parse(drawing).getroot()
        assert root.tag.endswith("svg")
    assert "L1 Back Room" in drawings[1].read_text(encoding="utf-8")


def test_an_earlier_turn_knows_less(run: Path) -> None:
    early = CliRunner().invoke(make_app(), ["world", "show", str(run), "--turn", "1"])
    assert early.output.startswith("turn 1,")
    late = CliRunner().invoke(make_app(), ["world", "show", str(run)])
    assert len(late.output) > len(early.output)


def test_a_turn_that_is_not_kept_is_named(run: Path) -> None:
    shown = CliRunner().invoke(make_app(), ["world", "show", str(run), "--turn", "99"])
    assert isinstance(shown.exception, RunError)
    assert "after turn 99" in str(shown.exception)
