"""What stands in examples/ plays: parts of one's own, in a story and in a game of one's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.resume import resume

ROOT = Path(__file__).parents[2]
GRAPH = str(ROOT / "examples" / "lighthouse" / "lighthouse.toml")


@pytest.mark.slow
def test_agents_of_ones_own_win_a_game_of_ones_own(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.lighthouse", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    told, _, diary = done.stdout.partition(" The diary:\n")
    assert "*** You have won ***" in told
    turns = told.count("\n> ")
    assert told.endswith(f"10 of 10 points in {turns} turns.")
    lines = diary.splitlines()
    assert len(lines) == turns + 1
    assert lines[0] == "  turn 0: arrived, 0 points"
    assert lines[-1].endswith("10 points")


def test_the_same_agents_play_a_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node finds in the state what it has written itself, after a resume too."""
    monkeypatch.syspath_prepend(ROOT)
    diaries: list[list[str]] = []

    def watch(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            after: Any = event.after
            diaries.append(after["diary"])

    told: dict[str, Any] = {"settings": ["nodes.game.use=jericho"], "watchers": (watch,)}
    result = play("hollow", graph=GRAPH, trust=True, steps=5, out=tmp_path, **told)
    resume(result.run_dir, steps=3, watchers=(watch,))
    assert [len(diary) for diary in diaries] == list(range(2, 10))


@pytest.mark.slow
def test_the_notebook_plays_plots_and_forks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="EXTRAS=pictures")
    pyplot.switch_backend("agg")
    notebook = json.loads((ROOT / "examples/play_plot_fork.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            exec("".join(cell["source"]), names)
    said = capsys.readouterr().out
    assert "forked at turn" in said
    assert "checkpoints.sqlite" in said
    assert len(names["axes"].lines) == 2
    pyplot.close("all")
