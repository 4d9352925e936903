"""A turn is an actor and the game; whatever else a graph has is there for somebody who reads it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orchestrator.config import load_config
from tests.command_line import zork
from tests.playing import states_of

LEAST = """
sequence = ["actor", "game"]

[nodes.actor]
use = "least_parts:Walks"
"""
PARTS = """
import asyncio

class Walks:
    def propose(self, briefing):
        way = ("north", "look", "south", "wait")[briefing.turn % 4]
        return {"thinking": f"Turn {briefing.turn}.", "action": way}

class Waits(Walks):
    async def propose(self, briefing):
        await asyncio.sleep(0)
        return Walks.propose(self, briefing)

class Promises(Walks):
    def propose(self, briefing):
        return Waits().propose(briefing)

class Late:
    async def judge(self, briefing):
        await asyncio.sleep(0)
        return {"accept": briefing.proposal.action != "wait", "reason": "no time"}

class Breaks:
    async def propose(self, briefing):
        await asyncio.sleep(0)
        raise ValueError("nothing comes to mind")

async def mark(state):
    await asyncio.sleep(0)
    return {"marks": state["turn"]}
"""
Graph = Callable[[str], str]


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    (tmp_path / "least_parts.py").write_text(PARTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "least_parts", None)
    monkeypatch.delitem(sys.modules, "least_parts")

    def write(text: str) -> str:
        (tmp_path / "least.toml").write_text(text, encoding="utf-8")
        return str(tmp_path / "least.toml")

    return write


def played(graph: str, *options: str, steps: int = 6) -> Path:
    done = zork("play", "--graph", graph, "--steps", str(steps), "--trust", "--json", *options)
    assert done.returncode == 0, done.stderr
    return Path(json.loads(done.stdout)["run_dir"])


def nodes_of(run: Path) -> set[str]:
    told = zork("trace", "stats", str(run)).stdout.split("roles\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in told.splitlines()[1:] if line.strip()}


@pytest.mark.slow
def test_two_nodes_play_go_on_fork_and_are_seen(graph: Graph, tmp_path: Path) -> None:
    whole = played(graph(LEAST), steps=9)
    run = played(graph(LEAST), steps=6)
    assert zork("resume", str(run), "--steps", "3", "--quiet").returncode == 0
    texts = [(one / "transcript.txt").read_bytes() for one in (whole, run)]
    assert texts[0] == texts[1]
    assert nodes_of(run) == {"actor", "game"}
    forked = zork("fork", str(run), "--turn", "4", "--steps", "2", "--json")
    assert forked.returncode == 0, forked.stderr
    fork = Path(json.loads(forked.stdout)["run_dir"])
    page = tmp_path / "page.html"
    for one in (run, fork):
        assert zork("view", str(one), "--export", str(page)).returncode == 0
        assert page.stat().st_size > 10_000
        for command in (("trace", "show"), ("trace", "stats"), ("world", "show")):
            done = zork(*command, str(one))
            assert (done.returncode, done.stderr) == (0, ""), command


@pytest.mark.parametrize("after_end", ["stop", "undo", "restart"])
def test_ends_are_met_as_in_any_graph(graph: Graph, after_end: str) -> None:
    run = played(graph(f'after_end = "{after_end}"\n{LEAST}'), steps=12)
    assert json.loads((run / "episode.json").read_text(encoding="utf-8"))["steps"] == 12


@pytest.mark.parametrize("name", ["transcript", "idle", "walkthrough", "recalled"])
def test_a_baseline_has_nobody_who_reads_or_plans(name: str) -> None:
    config = load_config(name)
    assert (config.opening, config.sequence) == (["game"], ["actor", "game"])


def test_the_opening_has_those_who_read(graph: Graph) -> None:
    reads = 'sequence = ["actor", "game", "reader", "learner"]\n[nodes.actor]\nuse = "random"\n'
    path = graph(reads + '[nodes.reader]\nrole = "extractor"\nuse = "rules"\n')
    assert load_config(path).opening == ["game", "reader", "learner"]


@pytest.mark.parametrize(
    "parts",
    [
        LEAST.replace("Walks", "Waits"),
        LEAST.replace("Walks", "Promises"),
        LEAST + '[insert.mark]\nuse = "least_parts:mark"\nafter = "game"\nwrites = ["marks"]\n'
        '[state.marks]\ntype = "int"\n',
    ],
)
def test_who_is_asynchronous_is_waited_for(graph: Graph, parts: str) -> None:
    plain, waiting = played(graph(LEAST)), played(graph(parts))
    assert (plain / "transcript.txt").read_bytes() == (waiting / "transcript.txt").read_bytes()


def test_an_asynchronous_critic_objects(graph: Graph, tmp_path: Path) -> None:
    offline = 'extends = "offline"\n[nodes.actor]\nuse = "least_parts:Walks"\n'
    path = graph(offline + '[nodes.critic]\nuse = "least_parts:Late"\n')
    options: dict[str, Any] = {"graph": path, "steps": 4, "trust": True, "trace": True}
    states = states_of(None, tmp_path / "runs", **options)
    judged = [one for state in states for one in state.get("judgements", [])]
    assert {one.command for one in judged if one.objects} == {"wait"}


def test_what_an_asynchronous_part_raises_is_one_line(graph: Graph) -> None:
    done = zork(
        "play", "--graph", graph(LEAST.replace("Walks", "Breaks")), "--steps", "2", "--trust"
    )
    assert done.returncode == 1
    assert "nothing comes to mind" in done.stderr
    assert "Traceback" not in done.stderr


def test_parts_can_be_waited_for_where_a_loop_is_running(graph: Graph, tmp_path: Path) -> None:
    """As in a notebook, or in a server."""
    path = graph(LEAST.replace("Walks", "Waits"))

    async def play_here() -> int:
        return len(states_of(None, tmp_path / "runs", graph=path, steps=3, trust=True))

    assert asyncio.run(play_here()) == 4


SEVERAL = """
extends = "offline"
sequence = ["planner", ["bold", "calm"], "judge", ["strict", "mild"], "vote", "game", "extractor",
  "learner"]

[nodes]
bold = { role = "actor", use = "bayesian", profile = "bold", into = "proposals" }
calm = { role = "actor", use = "bayesian", profile = "cautious", into = "proposals" }
strict = { role = "critic", use = "rules", into = "opinions" }
mild = { role = "critic", use = "rules", into = "opinions" }
judge = { use = "llm", prompt = "several.md" }
vote = { use = "llm", prompt = "several.md" }
"""
CHOOSES = """
ASKED = {}

def answer(question):
    ASKED.setdefault(question.title, []).append(question.text)
    return {"Pick": {"number": 1, "reason": "it may"}, "Ruling": {"accept": True}}[question.title]
"""


def test_a_model_plays_a_role_that_is_asked_about_something(graph: Graph, tmp_path: Path) -> None:
    """A judge about proposals, a vote about opinions: they are `item` in the prompt."""
    text = "Which?\n{% for one in item %}{{ loop.index0 }}: {{ one.command }}\n{% endfor %}"
    (tmp_path / "several.md").write_text(text, encoding="utf-8")
    (tmp_path / "choosing.py").write_text(CHOOSES, encoding="utf-8")
    path, model = graph(SEVERAL), "embedded:function:choosing:answer"
    states_of("hollow", tmp_path / "runs", graph=path, model=model, steps=3, seed=2, trust=True)
    asked = sys.modules.pop("choosing").ASKED
    assert {kind: len(texts) for kind, texts in asked.items()} == {"Pick": 3, "Ruling": 3}
    assert all("\n0: " in one and "\n1: " in one for one in [*asked["Pick"], *asked["Ruling"]])
