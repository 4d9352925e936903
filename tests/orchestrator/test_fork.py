"""Forks share the past with their parent, and only that."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks import forks
from orchestrator import play
from orchestrator.checkpoints.saver import Keep
from orchestrator.errors import ConfigError, RunError
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from tests.command_line import zork


def transcript(result: dict[str, Any]) -> str:
    return Path(result["run_dir"], "transcript.txt").read_text(encoding="utf-8")


def turns(text: str) -> list[str]:
    return text.split("\n> ")


def test_with_the_same_config_a_fork_continues_identically(whole: Path, tmp_path: Path) -> None:
    result = fork(whole, 7, out=tmp_path)
    assert transcript(result) == (whole / "transcript.txt").read_text(encoding="utf-8")
    record = RunDirectory(Path(result["run_dir"])).record()
    assert record.parent is not None
    assert (record.parent.run_id, record.parent.turn) == (whole.name, 7)


def test_with_other_nodes_a_fork_differs_only_from_there(whole: Path, tmp_path: Path) -> None:
    result = fork(whole, 7, graph="random", out=tmp_path)
    old = turns((whole / "transcript.txt").read_text(encoding="utf-8"))
    new = turns(transcript(result))
    assert new[:8] == old[:8]
    assert new[8:] != old[8:]
    assert len(new) == len(old) == 21


def test_with_another_critic_a_fork_differs_only_from_there(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "contrary.py").write_text(
        "class Critic:\n"
        "    def judge(self, briefing):\n"
        "        return {'accept': briefing.attempt > 1, 'reason': 'anything but that'}\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = fork(whole, 9, settings=["nodes.critic.use=contrary:Critic"], out=tmp_path)
    old = turns((whole / "transcript.txt").read_text(encoding="utf-8"))
    new = turns(transcript(result))
    assert new[:10] == old[:10]
    assert new[10].splitlines()[0] != old[10].splitlines()[0]


@pytest.mark.slow
def test_another_seed_changes_chance_from_there_on_and_is_replayed(
    whole: Path, tmp_path: Path
) -> None:
    result = fork(whole, 4, seed=77, out=tmp_path)
    record = RunDirectory(Path(result["run_dir"])).record()
    assert record.emulator_seeds == ((0, 5), (4, 77))
    old = (whole / "transcript.txt").read_text(encoding="utf-8")
    assert turns(transcript(result))[:5] == turns(old)[:5]
    assert transcript(result) != old
    again = fork(result["run_dir"], 6, out=tmp_path)
    assert transcript(again) == transcript(result)
    found = replay(again["run_dir"])
    assert (found.turns, found.divergence) == (20, None)


def test_a_fork_is_a_run_like_any_other(whole: Path, tmp_path: Path) -> None:
    result = fork(whole, 10, steps=2, out=tmp_path)
    assert result["steps"] == 12
    resume(result["run_dir"], steps=8)
    assert transcript(result) == (whole / "transcript.txt").read_text(encoding="utf-8")


def test_what_is_missing_of_the_parents_transcript_is_made_again(
    whole: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(whole, tmp_path / "copy"))
    (copy / "transcript.txt").unlink()
    result = fork(copy, 7, out=tmp_path / "forks")
    assert transcript(result) == (whole / "transcript.txt").read_text(encoding="utf-8")


def test_the_way_back_from_the_end_is_a_command_that_works(tmp_path: Path) -> None:
    solution = Path("game_files/morning.walkthrough.txt").resolve()
    options = [f"nodes.actor.commands={solution}"]
    over = Path(
        play("morning", graph="walkthrough", settings=options, out=tmp_path / "a b")["run_dir"]
    )
    for go_on in (resume, fork):
        with pytest.raises(RunError, match="go back with: ") as refused:
            go_on(over)
        way = str(refused.value).partition("go back with: ")[2]
        answer = zork(*shlex.split(way.replace("--turn N", "--turn 2 --steps 1"))[1:])
        assert answer.returncode == 0, answer.stderr


def test_the_parent_is_only_read(whole: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in RunDirectory(whole).files()}
    fork(whole, steps=1, out=tmp_path)
    assert {path.name: path.read_bytes() for path in RunDirectory(whole).files()} == before


def test_forking_a_pruned_turn_says_which_are_left(tmp_path: Path) -> None:
    run = play("workshop", fresh=True, steps=9, keep=Keep.parse("every:4"), out=tmp_path)["run_dir"]
    with pytest.raises(RunError, match=r"does not keep turn 5 \(kept: 0, 4, 8-9\)"):
        fork(run, 5, out=tmp_path)


def test_what_a_fork_cannot_be_is_said(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="seed 0: must be a whole number, 1 or more"):
        fork(whole, 3, seed=0, out=tmp_path)
    with pytest.raises(ConfigError, match="did you mean 'critic'"):
        fork(whole, 3, settings=["nodes.critc.use=none"], out=tmp_path)
    with pytest.raises(RunError, match="give --steps N for more"):
        fork(whole, out=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_two_configs_are_compared_from_the_very_same_moments(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The benchmark, at three points instead of a hundred."""
    command = ["forks", str(whole), "--points", "3", "--steps", "4"]
    for settings, apart in (([], 0), (["-b", "nodes.actor.use=random"], 3)):
        monkeypatch.setattr("sys.argv", [*command, *settings])
        forks.main()
        assert f"played differently at {apart} of 3 points" in capsys.readouterr().out


def test_a_fork_may_read_by_another_node(whole: Path, tmp_path: Path) -> None:
    """What opens the story follows from the sequence, as it does for a run of its own."""
    settings = [
        'sequence=["objective_manager", "planner", "actor", "game", "reader", "learner"]',
        "mind.modes=false",
        "nodes.reader.role=extractor",
        "nodes.reader.use=rules",
    ]
    result = fork(whole, 7, settings=settings, steps=2, out=tmp_path)
    record = RunDirectory(Path(result["run_dir"])).record()
    assert (result["steps"], record.config.opening) == (9, ["game", "reader", "learner"])
