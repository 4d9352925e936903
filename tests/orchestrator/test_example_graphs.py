"""The graphs in examples/graphs play, survive a death in their middle, and can be looked at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.config import load_config
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.state import State
from orchestrator.viewer.runs import RunView

ROOT = Path(__file__).parents[2]
GRAPHS = ROOT / "examples" / "graphs"
STEPS = 24
MIDDLE = {
    "two_actors": "cautious",
    "two_critics": "critic.careful",
    "advocates": "advocate",
    "reflection": "reflection",
    "no_objectives": "actor",
    "ask_three_times": "actor",
}
"""Graph -> a node in which the process dies, while others run beside it if there are any."""
DYING = """
import os, signal, sys, threading
from orchestrator import play
graph, node, out, steps, after = sys.argv[1:]
left = [int(after)]

def watch(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_qualname == "keeping_contract.<locals>.checked":
        left[0] -= frame.f_locals["name"] == node
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

threading.setprofile(watch)
sys.setprofile(watch)
play("hollow", graph=graph, seed=5, steps=int(steps), out=out, fresh=True, trust=True)
"""


def options(name: str, out: Path, **more: Any) -> dict[str, Any]:
    graph = str(GRAPHS / f"{name}.toml")
    return {"graph": graph, "seed": 5, "out": out, "fresh": True, "trust": True, **more}


def transcript(run: Path | str) -> bytes:
    return Path(run, "transcript.txt").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one != "two_actors")) for one in MIDDLE]
)
def test_a_death_in_the_middle_of_a_step_changes_nothing(name: str, tmp_path: Path) -> None:
    calm = play("hollow", **options(name, tmp_path / "calm", steps=STEPS, trace=False))
    assert (calm["steps"], calm["end_reason"]) == (STEPS, "steps")
    after = {"reflection": "1", "advocates": "2"}.get(name, "12")
    command = [sys.executable, "-c", DYING, str(GRAPHS / f"{name}.toml"), MIDDLE[name]]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    died = subprocess.run(
        [*command, str(tmp_path / "wild"), str(STEPS), after], env=env, check=False
    )
    assert died.returncode == -signal.SIGKILL
    (wild,) = (tmp_path / "wild").iterdir()
    assert transcript(wild) != transcript(calm["run_dir"])
    resume(wild)
    assert transcript(wild) == transcript(calm["run_dir"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, list[State]]]:
    """A short run of every graph, with all of its states."""
    found = {}
    for name in MIDDLE:
        states: list[State] = []

        def note(event: Event, states: list[State] = states) -> None:
            if isinstance(event, EpisodeStarted | TurnPlayed):
                states.append(event.after if isinstance(event, TurnPlayed) else event.state)

        out = tmp_path_factory.mktemp(name)
        result = play("hollow", **options(name, out, steps=11, watchers=(note,)))
        found[name] = Path(result["run_dir"]), states
    return found


def zork(*arguments: str) -> str:
    done = CliRunner().invoke(make_app(), list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (
            "two_actors",
            [
                "bold proposed",
                "cautious proposed",
                "(bayesian)",
                "chosen by judge (best): worth ",
            ],
        ),
        ("two_critics", ["at the same time", "├── careful", "└── rules", "└── vote"]),
        ("advocates", ["advocate 1 proposed", "advocate 2 proposed", "for the issue", "own"]),
        ("reflection", ["reflection"]),
        ("ask_three_times", ["actor proposed", "actor 2 proposed", "actor 3 proposed"]),
    ],
)
def test_traces_show_the_branches(
    runs: dict[str, tuple[Path, list[State]]], name: str, shown: list[str]
) -> None:
    turn = "11" if name == "advocates" else "10"  # In which one are there two issues?
    told = zork("trace", "show", str(runs[name][0]), "--turn", turn)
    for one in shown:
        assert one in told


@pytest.mark.parametrize("name", MIDDLE)
def test_every_graph_is_drawn(name: str, tmp_path: Path) -> None:
    graph = GRAPHS / f"{name}.toml"
    zork("graph", "draw", str(graph), "--trust", "-o", str(tmp_path / "graph.svg"))
    picture = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    for name, node in load_config(str(graph)).nodes.items():
        within = [f"{name}.{inner}" for inner in node.graph.nodes] if node.graph else []
        for said in within or [f"({node.use})"]:
            assert node.use == "none" or said in picture


def test_views_tell_who_said_what(runs: dict[str, tuple[Path, list[State]]]) -> None:
    last = {}
    for name, (run, _) in runs.items():
        view = RunView(RunDirectory(run))
        view.refresh()
        last[name] = view.frame(10)
        drawn = {*view.graph().boxes}
        assert {node.name for node in last[name].nodes} <= drawn
        view.close()
    actors, critics = last["two_actors"].proposals[0], last["two_critics"].proposals[0]
    assert {one.by for one in actors.chosen_from} == {"bold", "cautious"} > {actors.by}
    assert {one.by for one in critics.opinions} == {"critic.rules", "critic.careful"}
    assert len(last["ask_three_times"].proposals[-1].chosen_from) >= 2


def test_a_graph_may_stand_for_the_actor(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(
        'sequence = [["bold", "cautious"], "judge"]\n'
        'nodes.bold = { role = "actor", use = "bayesian", into = "proposals" }\n'
        'nodes.cautious = { role = "actor", use = "bayesian", into = "proposals" }\n'
        'nodes.judge.use = "best"\n'
    )
    (tmp_path / "own.toml").write_text('extends = "offline"\nnodes.actor.use = "graph:pair.toml"\n')
    graph = str(tmp_path / "own.toml")
    run = play("hollow", graph=graph, seed=5, steps=4, out=tmp_path / "runs", fresh=True)["run_dir"]
    told = zork("trace", "show", run, "--turn", "3")
    assert "actor.bold proposed" in told
    assert "actor.cautious proposed" in told


def test_what_branches_write_is_joined(runs: dict[str, tuple[Path, list[State]]]) -> None:
    last = {name: states[-1] for name, (_, states) in runs.items()}
    assert [one.by for one in last["two_actors"]["proposals"]] == ["bold", "cautious"]
    assert {one.by for one in last["two_critics"]["opinions"]} == {
        "critic.careful",
        "critic.rules",
    }
    assert len(last["two_critics"]["judgements"]) == 1
    asked = last["ask_three_times"]["proposals"]
    assert [one.by for one in asked] == ["actor", "actor 2", "actor 3"]
    commands = [one.command for one in asked]
    chosen = last["ask_three_times"]["proposal"].command
    assert commands.count(chosen) == max(map(commands.count, commands))
    assert any(len(state.get("proposals", ())) > 2 for state in runs["advocates"][1])
    assert "objectives" not in last["no_objectives"]


def test_a_field_of_ones_own_is_written_and_gone_by(tmp_path: Path) -> None:
    found: list[tuple[list[str], str]] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            before: Any = event.before
            found.append((before.get("reflections", []), event.after["command"]))

    play("hollow", **options("reflection", tmp_path, steps=40, trace=False, watchers=(note,)))
    assert not any(idle for idle, _ in found[:10])
    assert any(idle for idle, _ in found[10:])
    assert not [command for idle, command in found if command.split()[0] in idle]
