"""A story's end stops the run, is taken back, or begins the story anew, as the graph says."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from environments.catalog import find_story
from environments.game import Observation, Tally
from environments.python_game import PythonStory
from managers.language.history import BEGINS_ANEW
from managers.planning.objectives import Objective
from managers.world.objects import empty_world
from managers.world.trail import MemoryData
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.events import Event, TurnPlayed
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.state import Before, Line, Score
from orchestrator.turns.approval import Approval, Question
from orchestrator.turns.ends import (
    ALL_TAKEN_BACK,
    RESTART,
    TAKEN_BACK,
    back_to,
    possible,
    stands_after,
    still_wanted,
    way_on,
)
from tests.conftest import real_story

DEADLY = "north northeast north in west in north".split()
"""It ends the story of the detective."""
Play = Callable[..., dict[str, Any]]


@pytest.fixture
def played(tmp_path: Path) -> Play:
    commands = tmp_path / "commands.txt"

    def run(
        after_end: str, graph: str = "walkthrough", more: Sequence[str] = (), **options: Any
    ) -> dict[str, Any]:
        commands.write_text("\n".join([*DEADLY, *["wait"] * 7]), encoding="utf-8")
        learning = ['sequence=["actor","game","extractor","learner"]', "nodes.extractor.use=rules"]
        told = [f"nodes.actor.commands={commands}", *learning] if graph == "walkthrough" else []
        return play(
            real_story("detective.z5"),
            graph=graph,
            settings=[f"after_end={after_end}", *told, *more],
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


def test_what_had_led_to_a_place_is_known_again_when_an_end_is_taken_back(played: Play) -> None:
    memories: list[MemoryData] = []

    def watch(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            memories.append(event.after["memory"])

    played("undo", watchers=[watch])
    before, ended, back = memories[len(DEADLY) - 2 : len(DEADLY) + 1]
    assert before["trail"]
    assert ended["died"] == 1
    assert back == before


def test_the_screen_says_that_an_end_was_taken_back(played: Play) -> None:
    screen = io.StringIO()
    played("undo", watchers=[ConsoleWatcher(Console(file=screen, width=100), quiet=True)])
    assert "; died once; took its end back once; " in screen.getvalue()


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
    result = played("restart", graph=graph, steps=40)
    assert result["steps"] == 40 or result["end_reason"] == "won"


def test_where_nothing_can_be_taken_back_the_story_begins_anew() -> None:
    assert possible("undo", find_story("hollow")) == "undo"
    assert possible("undo", find_story(str(real_story("zork1.z5")))) == "restart"
    assert possible("stop", find_story("hollow")) == "stop"


def test_anything_else_is_refused() -> None:
    with pytest.raises(ConfigError, match="after_end"):
        play("hollow", settings=["after_end=weep"])


FUSE = """
class Fuse:

    def reset(self, seed=None):
        self.left = None
        return "Vault\\nA vault with a red button.", {}

    def step(self, command):
        if self.left is not None:
            self.left -= 1
        if command == "press button":
            self.left = 6
        if self.left == 0:
            return "The vault blows up. You have died.", 0.0, True, False, {}
        return "Time passes.", 0.0, False, False, {}


class Presser:
    def propose(self, briefing):
        return {"thinking": "", "action": "press button" if briefing.turn == 4 else "wait"}
"""


@pytest.fixture
def fuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fuse.py").write_text(FUSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(PythonStory, "takes_back", True)
    return tmp_path


@pytest.mark.slow
def test_where_the_end_comes_again_more_is_taken_back(fuse: Path) -> None:
    settings = ["after_end=undo", "nodes.actor.use=fuse:Presser", "nodes.critic.enabled=false"]
    options: dict[str, Any] = {"settings": settings, "fresh": True, "seed": 5, "out": fuse / "runs"}
    whole = play("fuse:Fuse", steps=40, **options)
    assert (whole["end_reason"], whole["steps"], whole["undone"]) == ("steps", 40, 4)
    commands = typed(whole)
    ends = [at for at, command in enumerate(commands) if command == "undo"]
    assert ends == [10, 12, 15, 22]
    text = (Path(whole["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")
    assert [n for n in range(2, 40) if ALL_TAKEN_BACK.format(n) in text] == [2, 6, 10]
    assert replay(whole["run_dir"]).turns == 40
    half = play("fuse:Fuse", steps=17, **options)
    assert typed(resume(half["run_dir"], steps=23)) == commands


def test_the_story_begins_anew_where_taking_back_leads_nowhere() -> None:
    over = Tally(score=0, ended=True)
    lost = Score(last=over, line=Line(length=60, ended=60, back=32))
    assert way_on(lost, "undo") == RESTART
    assert way_on(Score(last=over, line=Line(length=61, ended=60, back=32)), "undo") == "undo"


def test_few_stands_are_kept() -> None:
    stands: list[Before] = []
    for length in range(200):
        stand = Before.model_construct(at=length)
        stands = stands_after(stands, None, stand, Line(length=length + 1))
        assert len(stands) <= 7
        for back in (1, 2, 4, 8, 16, 32):
            line = Line(length=length + 1, ended=length + 1, back=back // 2)
            found = back_to(stands, line)
            assert found is not None
            assert back <= line.length - found.at < 2 * back or found.at == 0


def test_what_was_reached_in_commands_that_were_taken_back_is_wanted_again() -> None:
    reached = [
        Objective(
            id=id, text="be there", source="agent", status="done", updated=turn, evidence=evidence
        )
        for id, turn, evidence in (
            ("O1", 6, "it is shown"),
            ("O2", 7, "the actor says so"),
            ("O3", 7, "it is shown"),
            ("O4", 8, "the actor says so"),
        )
    ]
    world = {**empty_world(), "turn": 5}
    shown, tally = Observation(text="Hall"), Tally()
    stand = Before(at=5, observation=shown, snapshot=b"", tally=tally, world=world, here="L1")
    score = Score(last=tally, again="undo")
    state: Any = {"objectives": reached, "before": [stand], "score": score}
    assert [one.status for one in still_wanted(state)] == ["done", "done", "active", "active"]
    state["score"] = Score(last=tally)
    assert still_wanted(state) is reached


def test_another_seed_counts_when_a_story_begins_anew_after_a_fork(played: Play) -> None:
    whole = played("restart")
    forked = fork(whole["run_dir"], 3, seed=9, out=Path(whole["run_dir"]).parent)
    assert forked["restarts"] == 1
    assert replay(forked["run_dir"]).divergence is None


def test_a_fork_goes_on_after_an_end_that_stopped_its_parent(played: Play) -> None:
    over = played("stop")
    out = Path(over["run_dir"]).parent
    forked = fork(over["run_dir"], settings=["after_end=undo"], steps=3, out=out)
    assert typed(forked) == [*typed(over), "restart", "wait", "wait"]
    assert (forked["undone"], forked["restarts"]) == (0, 1)
    assert replay(forked["run_dir"]).divergence is None


def test_nobody_is_asked_how_a_story_goes_on_that_has_ended(played: Play) -> None:
    asked: list[str] = []

    def accept(question: Question) -> Approval:
        asked.append(question.command)
        return Approval()

    result = played("undo", approver=accept, more=["approve=true"])
    commands = typed(result)
    assert commands[len(DEADLY)] == "undo"
    assert asked == [one for one in commands if one != "undo"]
