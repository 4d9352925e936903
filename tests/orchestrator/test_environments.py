"""A Python class as the story: through every shipped graph, resumed, forked and played again."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from environments.game import GameError
from orchestrator import play
from orchestrator.config import load_config
from orchestrator.errors import ConfigError
from orchestrator.events import EpisodeStarted, Event
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.settings.identity import graph_id
from orchestrator.settings.sheets import shipped_graphs
from testing.fake_ollama import FakeOllama

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "environments"
CORRIDOR = "corridor:Corridor"
LONG = "nodes.game.length=1000"
COMMANDS = ["east", "look", "west", "east", "east", "jump"]
DYING = """
import os, signal, sys
from orchestrator import play

def watch(event):
    if getattr(event, "after", {}).get("turn") == 7:
        os.kill(os.getpid(), signal.SIGKILL)

play("corridor:Corridor", settings=["nodes.game.length=1000"], seed=5, steps=12, fresh=True,
     watchers=[watch], out=sys.argv[1])
"""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The working directory is where the class is looked up."""
    monkeypatch.chdir(FOLDER)


def run(out: Path, steps: int = 12, **options: Any) -> Path:
    known = {"settings": [LONG], "seed": 5, "fresh": True, "out": out}
    result = play(CORRIDOR, steps=steps, **{**known, **options})
    return Path(result["run_dir"])


def transcript(path: Path) -> bytes:
    return (path / "transcript.txt").read_bytes()


@pytest.mark.parametrize("graph", shipped_graphs())
def test_it_is_played_through_every_shipped_graph(
    graph: str, tmp_path: Path, fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [LONG]
    if graph == "walkthrough":
        (tmp_path / "commands").write_text("\n".join(COMMANDS), encoding="utf-8")
        settings.append(f"nodes.actor.commands={tmp_path / 'commands'}")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(COMMANDS)))
    limits: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, EpisodeStarted):
            limits.append(event.limits)

    options: dict[str, Any] = {"settings": settings, "graph": graph, "watchers": [note]}
    result = play(CORRIDOR, steps=6, fresh=True, cache=False, out=tmp_path / "runs", **options)
    # The fake server recalls a single command.
    assert (result["steps"], result["story"]) == (1 if graph == "recalled" else 6, "Corridor")
    assert result["access"] == ["text"]
    lacking = {"jericho": "words, tree, actions", "words": "words"}.get(graph)
    assert limits == [
        f"corridor:Corridor has no access {lacking}: played with text alone" if lacking else ""
    ]


@pytest.mark.slow
def test_a_killed_run_is_resumed_by_playing_its_commands_again(tmp_path: Path) -> None:
    calm = run(tmp_path / "calm")
    command = [sys.executable, "-c", DYING, str(tmp_path / "wild")]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    died = subprocess.run(command, env=env, cwd=FOLDER, check=False)
    assert died.returncode == -signal.SIGKILL
    (wild,) = (tmp_path / "wild").iterdir()
    assert transcript(wild) != transcript(calm)
    resume(wild)
    assert transcript(wild) == transcript(calm)
    assert replay(wild).checkpoints == 13
    forked = fork(wild, 4, steps=3, out=tmp_path / "forks")
    assert forked["steps"] == 7
    with pytest.raises(GameError, match="leave out --seed"):
        fork(wild, 4, seed=9, out=tmp_path / "forks")
    with pytest.raises(ConfigError, match="goes on with the story that it began with"):
        fork(wild, 4, settings=["nodes.game.length=3"], out=tmp_path / "forks", trust=True)


def test_it_wins_and_tells_so(tmp_path: Path) -> None:
    result = play(CORRIDOR, steps=60, fresh=True, out=tmp_path)
    assert (result["end_reason"], result["score"], result["max_score"]) == ("won", 1, 1)


def test_who_tells_the_story_does_not_change_the_graph() -> None:
    own = load_config("offline", settings=[f"nodes.game.use={CORRIDOR}"])
    assert (own.name, graph_id(own)) == ("offline", graph_id(load_config("offline")))


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("corridor:Corridr", [], "did you mean 'Corridor'"),
        (CORRIDOR, ["nodes.game.lenth=3"], "did you mean 'length'"),
        ("json:JSONDecoder", [], "tells no story, it is no class with a method reset"),
        ("hollow", [f"nodes.game.use={CORRIDOR}"], "leave one of them out"),
        (None, ["nodes.game.use=zork1"], "story files are named by --game"),
        ("hollow", ["nodes.game.length=3"], "game has no options"),
    ],
)
def test_mistakes_are_told(
    game: str | None, settings: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        play(game, settings=settings, steps=2, fresh=True, out=tmp_path)


def test_a_file_that_names_a_class_needs_trust(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'extends = "random"\n[nodes.game]\nuse = "{CORRIDOR}"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"nodes.game.use = corridor:Corridor .*--trust"):
        play(graph=str(mine), steps=2, fresh=True, out=tmp_path)
    result = play(graph=str(mine), steps=2, fresh=True, trust=True, out=tmp_path)
    assert result["story"] == "Corridor"
