"""A story's end stops the run, is taken back, or begins the story anew, as the graph says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environments.catalog import find_story
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.turns.ends import BEGINS_ANEW, TAKEN_BACK, possible
from tests.conftest import real_story

DEADLY = "north northeast north in west in north".split()
"""It ends the story of the detective."""
Play = Callable[..., dict[str, Any]]


@pytest.fixture
def played(tmp_path: Path) -> Play:
    commands = tmp_path / "commands.txt"

    def run(after_end: str, graph: str = "walkthrough", **options: Any) -> dict[str, Any]:
        commands.write_text("\n".join([*DEADLY, *["wait"] * 7]), encoding="utf-8")
        told = [f"nodes.actor.commands={commands}"] if graph == "walkthrough" else []
        return play(
            real_story("detective.z5"),
            graph=graph,
            settings=[f"after_end={after_end}", *told],
            out=tmp_path / "runs",
            fresh=True,
            **{"steps": 14, **options},
        )

    return run


def typed(result: dict[str, Any]) -> list[str]:
    text = (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")
    return [line[2:] for line in text.splitlines() if line.startswith("> ")]


def test_a_run_stops_with_its_story_unless_it_is_told_otherwise(played: Play) -> None:
    result = played("stop")
    assert (result["end_reason"], result["steps"], result["deaths"]) == ("story_ended", 7, 1)
    assert (result["undone"], result["restarts"]) == (0, 0)


def test_an_end_is_taken_back(played: Play) -> None:
    result = played("undo")
    assert typed(result)[:9] == [*DEADLY, "undo", "wait"]
    text = (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")
    assert TAKEN_BACK.format("north") in text
    assert (result["end_reason"], result["steps"], result["undone"]) == ("steps", 14, 1)
    assert result["best_score"] == result["score"] == 20


def test_a_story_begins_anew_and_what_was_learned_stays(played: Play) -> None:
    result = played("restart")
    assert typed(result)[:8] == [*DEADLY, "restart"]
    assert (result["end_reason"], result["restarts"], result["deaths"]) == ("steps", 1, 1)
    assert result["score"] < result["best_score"] == 20
    text = (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")
    assert BEGINS_ANEW in text
    assert TAKEN_BACK not in text


def test_lives_end_a_run_all_the_same(played: Play) -> None:
    assert played("restart", lives=1)["end_reason"] == "died"


@pytest.mark.slow
@pytest.mark.parametrize("after_end", ["undo", "restart"])
def test_such_a_run_is_played_again_and_resumed_like_any_other(
    played: Play, after_end: str
) -> None:
    whole = played(after_end)
    again = replay(whole["run_dir"])
    assert (again.divergence, again.turns) == (None, 14)
    for steps in (7, 8):
        half = played(after_end, steps=steps)
        assert half["end_reason"] == "steps"
        resumed = resume(half["run_dir"], steps=14 - steps)
        assert typed(resumed) == typed(whole)
        assert [resumed[name] for name in ("score", "undone", "restarts")] == [
            whole[name] for name in ("score", "undone", "restarts")
        ]


@pytest.mark.parametrize("graph", ["offline", "random"])
def test_every_graph_goes_on(played: Play, graph: str) -> None:
    result = played("restart", graph=graph, steps=60)
    assert result["steps"] == 60 or result["end_reason"] == "won"


def test_where_nothing_can_be_taken_back_the_story_begins_anew() -> None:
    assert possible("undo", find_story("hollow")) == "undo"
    assert possible("undo", find_story(str(real_story("zork1.z5")))) == "restart"
    assert possible("stop", find_story("hollow")) == "stop"


def test_anything_else_is_refused() -> None:
    with pytest.raises(ConfigError, match="after_end"):
        play("hollow", settings=["after_end=weep"])
