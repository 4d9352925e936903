"""A graph file changes skills and adds one's own: played, killed, resumed, forked, traced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator import play
from orchestrator.config import ConfigError, load_config
from orchestrator.errors import RoleError
from orchestrator.fork import fork
from orchestrator.graph.crew import make_skills
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.runs import RunView

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "skills" / "digging.toml"
STEPS = 16
OWN = """
from managers.core.skill import Draft, Skill

class Jumping(Skill):
    '''Jumps once in every room.'''

    def notice(self, board, transition):
        if transition.command != "jump":
            return board
        return board.with_("jumped", [transition.fact("here", room=transition.room)])

    def offer(self, scene):
        if scene.here and not scene.board.subjects("jumped", scene.here):
            yield Draft(scene.here, "jump", "use", scale=50)

    def weigh(self, scene, draft):
        return 3.0 if draft.command == "jump" else 1.0
"""
BARE = """
sequence = ["planner", "actor", "game", "extractor", "learner"]

[nodes.extractor]
use = "rules"

[nodes.actor]
use = "bayesian"

[skills.jumping]
use = "jumping_skill:Jumping"
"""
DYING = """
import os, signal, sys
from orchestrator import play
from orchestrator.events import TurnPlayed

def die(event):
    if isinstance(event, TurnPlayed) and event.after["turn"] == 9:
        os.kill(os.getpid(), signal.SIGKILL)

play("hollow", graph=sys.argv[1], steps=16, seed=3, out=sys.argv[2], fresh=True, trust=True,
     watchers=(die,))
"""


@pytest.fixture
def graph(tmp_path: Path) -> str:
    (tmp_path / "jumping_skill.py").write_text(OWN, encoding="utf-8")
    file = tmp_path / "jumping.toml"
    file.write_text(BARE, encoding="utf-8")
    return str(file)


def commands(run: Path | str) -> list[str]:
    told = Path(run, "transcript.txt").read_text(encoding="utf-8").split("\n> ")[1:]
    return [one.partition("\n")[0] for one in told]


@pytest.mark.slow
def test_a_skill_of_ones_own_plays_survives_a_kill_and_forks(graph: str, tmp_path: Path) -> None:
    calm = play("hollow", graph=graph, steps=STEPS, seed=3, out=tmp_path / "calm", fresh=True,
                trust=True)  # fmt: skip
    played = commands(calm["run_dir"])
    assert played.count("jump") >= 2, "once in each of several rooms"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    died = subprocess.run(
        [sys.executable, "-c", DYING, graph, str(tmp_path / "wild")], env=env, check=False
    )
    assert died.returncode == -signal.SIGKILL
    (wild,) = (tmp_path / "wild").iterdir()
    resume(wild, trust=True)
    assert commands(wild) == played
    branch = fork(wild, turn=6, steps=STEPS, out=tmp_path / "forks", trust=True)
    assert commands(branch["run_dir"])[:STEPS] == played
    seen = RunView(RunDirectory(Path(calm["run_dir"])))
    seen.refresh()
    assert len(seen.rows) == STEPS + 1


def test_the_trace_tells_by_name_what_a_skill_made_of_an_option(graph: str, tmp_path: Path) -> None:
    told = {"seed": 3, "out": tmp_path, "fresh": True, "trust": True}
    result = play("hollow", graph=graph, steps=4, **told)
    trace = Path(result["run_dir"], "trace.jsonl").read_text(encoding="utf-8")
    assert '"jumping":3.0' in trace.replace(" ", "")
    assert play("hollow", graph=str(EXAMPLE), steps=4, **told)["end_reason"] == "steps"


def test_without_skills_the_agent_can_only_look(tmp_path: Path) -> None:
    off = [f"skills.{name}.enabled=false" for name in make_skills(load_config()).by_name]
    result = play("hollow", settings=off, steps=4, seed=3, out=tmp_path, fresh=True)
    assert set(commands(result["run_dir"])) == {"look"}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("skills.fight.enabled=false", r"unknown skill 'fight'; did you mean 'fights'"),
        ("skills.fights.courage=2", r"'fights' takes no options"),
        ("skills.mine.use=nowhere:Skill", r"nowhere.*not trusted"),
        ("skills.plans.chain=2", r"unknown option of plans 'chain'; did you mean 'chaining'"),
        ("skills.risk.use=fights", r"'risk' is a term"),
    ],
)
def test_a_wrong_skill_is_told_in_one_line(setting: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        make_skills(load_config(settings=[setting]))
    assert "\n" not in str(caught.value)


def test_what_is_no_skill_is_told(tmp_path: Path) -> None:
    (tmp_path / "no_skill.py").write_text("class Plain:\n    pass\n", encoding="utf-8")
    file = tmp_path / "plain.toml"
    file.write_text('extends = "offline"\n[skills.mine]\nuse = "no_skill:Plain"\n', "utf-8")
    with pytest.raises(ConfigError, match=r"is no skill"):
        play("hollow", graph=str(file), steps=2, out=tmp_path / "runs", fresh=True, trust=True)


WRONG = {
    "notice gives nothing": ("def notice(self, board, transition): pass", "notice gave None"),
    "a fact that cannot be saved": (
        "def notice(self, board, transition):\n"
        "        return board.with_('m', [transition.fact('here', room=None)])",
        "the fact 'm' .* cannot be saved",
    ),
    "one draft and no list": (
        "def offer(self, scene): return Draft(scene.here, 'jump', 'use')",
        "offer gave Draft.*yields drafts",
    ),
    "a kind that is none": (
        "def offer(self, scene): return [Draft(scene.here, 'jump', 'leap')]",
        "the kind one of",
    ),
    "a command that is no text": (
        "def offer(self, scene): return [Draft(scene.here, 3, 'use')]",
        "with texts",
    ),
    "less than nothing": ("def weigh(self, scene, draft): return -2.0", "weigh gave -2.0"),
    "no number": ("def weigh(self, scene, draft): return 'much'", "weigh gave 'much'"),
    "what is no obstacle": (
        "def obstacles(self, scene): return [1]",
        "obstacles gave 1; it yields",
    ),
    "one text and no lines": (
        "def tell(self, scene): return 'dark'",
        "tell gave 'dark'; it yields",
    ),
    "too few arguments": ("def notice(self, transition): pass", r"write notice\(self, board, tran"),
    "no hook at all": ("def notices(self, board, transition): pass", "has none of the hooks"),
}

READS = """
from orchestrator.turns.current import knowledge_of

def reads(state, runtime):
    views = runtime.context.views
    views.situation(knowledge_of(state, views)).told
    return {}
"""
"""A node that asks for what models are told."""


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_of_a_skill_is_told_of_that_skill(what: str, tmp_path: Path) -> None:
    method, told = WRONG[what]
    name = f"wrong_{list(WRONG).index(what)}"
    code = f"from managers.core.skill import Draft, Skill\nclass Wrong(Skill):\n    {method}\n"
    (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    file = tmp_path / "wrong.toml"
    reads = '[insert.reads]\nuse = "reads_told:reads"\nbefore = "actor"\n'
    (tmp_path / "reads_told.py").write_text(READS, encoding="utf-8")
    file.write_text(f'extends = "offline"\n[skills.mine]\nuse = "{name}:Wrong"\n{reads}', "utf-8")
    with pytest.raises((ConfigError, RoleError), match=told) as caught:
        play("hollow", graph=str(file), steps=2, out=tmp_path / "runs", fresh=True, trust=True)
    assert "mine" in str(caught.value)
    assert "\n" not in str(caught.value)
