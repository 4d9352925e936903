"""What graph files of a user's own come to in play."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.cli.mistakes import mistake_in_own_part
from orchestrator.errors import RoleError, RunError
from orchestrator.fork import fork
from orchestrator.saved.prompting import would_ask
from orchestrator.saved.runs import RunDirectory
from tests.command_line import zork
from tests.playing import states_of

PARTS = '''
class Accepts:
    def judge(self, briefing):
        return {"accept": True, "reason": "I like it"}

class Objects:
    """To the first proposal of a turn."""
    def judge(self, briefing):
        return {"accept": briefing.proposal.action == "wait", "reason": "I do not like it"}

class Waits:
    """After an objection."""
    def propose(self, briefing):
        return {"thinking": "", "action": "wait" if briefing.objections else "look"}

class Lines:
    needs, writes = ("recent",), ("lines",)
    def __call__(self, state):
        return {"lines": len(state["recent"])}

class Silent:
    needs, writes = ("turn",), ("lines",)
    def __call__(self, state):
        return {}

def reader(state):
    return {}

reader.needs = ("lines",)
'''
TURN = '["objective_manager", "mode", "planner", "actor", {}, "game", "extractor", "learner"]'
EDGES = """
[edges.second]
router = "verdict"
to = { object = "actor", play = "game" }
at_most = 1
[edges]
critic = "second"
[nodes.critic]
use = "graph_parts:FIRST"
[nodes.second]
role = "critic"
use = "graph_parts:SECOND"
[nodes.actor]
use = "graph_parts:Waits"
"""
BRANCHES = """
[edges.gate]
router = "verdict"
to = { object = "actor", play = "game" }
at_most = 1
[nodes.gate]
use = "graph_parts:gate"
"""
MODELS = """
from datetime import date
from enum import Enum
from pydantic import BaseModel, ConfigDict, RootModel, field_validator

class Words(RootModel[list[str]]): pass

class Place(Enum):
    HERE = (1, 2)

class Exact(BaseModel):
    model_config = ConfigDict(strict=True)
    pair: tuple[int, str] = (1, "a")
    place: Place = Place.HERE

class Day(BaseModel):
    at: date = date(2026, 1, 1)

class Twice(BaseModel):
    n: int
    _doubled = field_validator("n")(lambda n: n * 2)

class Text(BaseModel):
    n: int
    _read = field_validator("n", mode="before")(lambda text: int(text.strip()))
"""
Graph = Callable[[str], Path]


def add_parts(graph: Path, code: str) -> None:
    """More of what the file of a graph names."""
    with (graph.parent / "graph_parts.py").open("a") as file:
        file.write(code)


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """Writes a file that extends `offline`, with the parts beside it."""
    (tmp_path / "graph_parts.py").write_text(f"{PARTS}\ndef gate(state):\n    return {{}}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "graph_parts", None)
    monkeypatch.delitem(sys.modules, "graph_parts")

    def write(text: str, name: str = "own.toml") -> Path:
        (tmp_path / name).write_text(f'extends = "offline"\n{text}', encoding="utf-8")
        return tmp_path / name

    return write


def states(graph: Path, steps: int = 3) -> list[dict[str, Any]]:
    """The states after the turns of an episode."""
    options: dict[str, Any] = {"graph": str(graph), "steps": steps, "trust": True, "trace": True}
    return [dict(state) for state in states_of(None, graph.parent / "runs", **options)[1:]]


@pytest.mark.parametrize("critics", [("Objects", "Accepts"), ("Accepts", "Objects")])
def test_of_critics_in_a_row_every_objection_counts(critics: tuple[str, str], graph: Graph) -> None:
    first, second = critics
    edges = EDGES.replace("FIRST", first).replace("SECOND", second)
    own = graph(f"sequence = {TURN}\n{edges}".replace("{}", '"critic", "second"'))
    assert [state["command"] for state in states(own)] == ["wait"] * 3
    told = zork("trace", "show", "last", "--turn", "2", "--out", "runs").stdout
    assert "objection to 'look': I do not like it" in told


@pytest.mark.parametrize("critics", [("Objects", "Accepts"), ("Accepts", "Objects")])
def test_of_critics_at_the_same_time_every_objection_counts(
    critics: tuple[str, str], graph: Graph
) -> None:
    first, second = critics
    parts = EDGES[EDGES.index("[nodes.critic]") :].replace("FIRST", first).replace("SECOND", second)
    parts = parts.replace("[nodes.critic]", '[nodes.first]\nrole = "critic"')
    turn = TURN.replace("{}", '["first", "second"], "gate"')
    own = graph(f"sequence = {turn}\n{BRANCHES}{parts}")
    assert [state["command"] for state in states(own)] == ["wait"] * 3


def test_a_node_behind_the_opening_finds_what_the_learner_writes(graph: Graph) -> None:
    own = graph(
        '[state.lines]\ntype = "int"\n'
        '[insert.lines]\nuse = "graph_parts:Lines"\nafter = "learner"\n'
    )
    assert [state["lines"] for state in states(own)] == [1, 2, 3]


def test_branches_may_follow_a_node_that_runs_for_each(graph: Graph) -> None:
    own = graph(
        'sequence = ["actor", "game", "even", "each", ["left", "right"]]\n'
        'opening = ["game", "even", "each", ["left", "right"]]\n'
        '[state]\nfew.type = "list[int]"\nran = { type = "list[str]", reducer = "append" }\n'
        '[nodes]\nactor = { use = "random" }\n'
        'even = { use = "graph_parts:even", writes = ["few"] }\n'
        'each = { use = "graph_parts:ran", writes = ["ran"], each = "few", name = "each" }\n'
        'left = { use = "graph_parts:ran", writes = ["ran"], name = "left" }\n'
        'right = { use = "graph_parts:ran", writes = ["ran"], name = "right" }\n'
    )
    add_parts(
        own,
        "class ran:\n"
        "    def __init__(self, *, name): self.name = name\n"
        "    def __call__(self, state): return {'ran': [f\"{self.name} {state['turn']}\"]}\n"
        "def even(state):\n    return {'few': [5] * (1 - state['turn'] % 2)}\n",
    )
    branches = [f"{name} {turn}" for turn in range(3) for name in ("left", "right")]
    assert sorted(states(own, 2)[-1]["ran"]) == sorted([*branches, "each 0", "each 2"])


def test_a_node_that_leaves_out_what_another_needs_is_named(graph: Graph) -> None:
    own = graph(
        '[state.lines]\ntype = "int"\n[insert.silent]\nuse = "graph_parts:Silent"\n'
        'after = "planner"\n[insert.reader]\nuse = "graph_parts:reader"\nafter = "silent"\n'
    )
    with pytest.raises(RoleError, match=r"node 'reader' reads 'lines', which .* did not"):
        states(own)


def test_a_node_of_ones_own_may_propose(graph: Graph) -> None:
    own = graph(
        'sequence = ["always", "game", "extractor", "learner"]\n'
        '[nodes.always]\nuse = "graph_parts:always"\nwrites = ["proposal"]\n'
    )
    add_parts(
        own,
        "from agents.answers import AgentResponse\n"
        "from orchestrator.state import Proposal\n\n"
        "def always(state):\n"
        "    said = AgentResponse(thinking='', action='look')\n"
        "    turn = state['turn'] + 1\n"
        "    one = Proposal(turn=turn, attempt=1, response=said, command='look')\n"
        "    return {'proposal': one}\n",
    )
    assert [state["command"] for state in states(own)] == ["look"] * 3


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ('type = "int"', "'five'", "node 'lines' wrote 'lines' = 'five', no int"),
        ('type = "list[str]"\nreducer = "append"', "'abc'", "wrote 'lines' = 'abc', no list"),
        ('type = "list[str]"\nreducer = "append"', "None", "wrote 'lines' = None, no list"),
        ('type = "str"\nreducer = "graph_parts:worse"', "'a'", "worse made 'lines' None, no str"),
        ('type = "list[str]"', "('a', 'b')", ""),
        ('type = "graph_parts:Note"', "{'text': 'a'}", ""),
        ('type = "str"\nreducer = "graph_parts:longer"', "'a'", ""),
        ('type = "graph_parts:Words"', "['a', 'b']", ""),
        ('type = "graph_parts:Exact"', "Exact()", ""),
        ('type = "graph_parts:Day"', "{}", "which no checkpoint can hold (at: date); write"),
        ('type = "graph_parts:Twice"', "{'n': 1}", "would be read back as Twice(n=4)"),
        ('type = "graph_parts:Text"', "{'n': '3'}", "could not be read back: it holds a"),
    ],
)
def test_what_is_written_is_of_the_fields_type_and_read_back(
    field: str, value: str, said: str, graph: Graph
) -> None:
    own = graph(
        f"[state.lines]\n{field}\n"
        '[insert.lines]\nuse = "graph_parts:given"\nafter = "learner"\nwrites = ["lines"]\n'
    )
    add_parts(
        own,
        f"def given(state):\n    return {{'lines': {value}}}\n"
        "def worse(old, new):\n    return None\n"
        "def longer(old, new, more=1):\n    return max(old, new, key=len)\n"
        "from pydantic import BaseModel\nclass Note(BaseModel):\n    text: str\n" + MODELS,
    )
    out = ("--out", "runs", "--quiet")
    done = zork("play", "--graph", str(own), "--trust", "--steps", "2", *out)
    if said:
        assert said in done.stderr
        assert done.returncode == 2
        return
    assert zork("resume", "last", "--steps", "1", *out).stderr == ""


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("def node(state):\n    next(iter(()))", RuntimeError, "raised StopIteration"),
        (
            "import asyncio\ndef node(state):\n    raise asyncio.CancelledError",
            RuntimeError, "raised CancelledError",
        ),
        ("def node(state):\n    raise SystemExit(0)", RuntimeError, "raised SystemExit"),
        (
            "import asyncio\nasync def worse():\n    raise ValueError('within')\n"
            "async def node(state):\n    async with asyncio.TaskGroup() as tasks:\n"
            "        tasks.create_task(worse())",
            ExceptionGroup, "unhandled errors",
        ),
        ("async def node(state):\n    raise TimeoutError('slow')", TimeoutError, "slow"),
        (
            "from langgraph.types import interrupt\ndef node(state):\n    interrupt('what?')",
            RoleError, "a node interrupts with 'what[?]', no Question",
        ),
        ("def node(state, *, scale=2):\n    return {}", None, ""),
        ("def node(state, **more):\n    return {}", None, ""),
    ],
)  # fmt: skip
def test_what_a_node_raises_is_told_with_its_place(
    code: str, error: type[Exception] | None, said: str, graph: Graph
) -> None:
    own = graph('[insert.node]\nuse = "graph_parts:node"\nafter = "learner"\n')
    add_parts(own, f"{code}\n")
    if error is None:
        assert len(states(own, 1)) == 1
        return
    with pytest.raises(error, match=said) as caught:
        states(own, 1)
    told = mistake_in_own_part(caught.value)
    assert error is RoleError or "graph_parts.py line" in told
    assert error is not ExceptionGroup or "node 'node': ValueError: within (" in told


def test_a_fork_drops_what_its_graph_has_no_field_for(graph: Graph) -> None:
    own = graph(
        '[state.note]\ntype = "graph_parts:Note"\n'
        '[insert.noted]\nuse = "graph_parts:noted"\nafter = "learner"\nwrites = ["note"]\n'
    )
    add_parts(
        own,
        "from pydantic import BaseModel\nclass Note(BaseModel):\n    text: str\n"
        "def noted(state):\n    return {'note': Note(text='x')}\n",
    )
    run = play("hollow", graph=str(own), steps=1, trust=True, out=Path("runs"))["run_dir"]
    told = {"turn": 1, "steps": 1, "out": Path("runs"), "trust": True}
    assert fork(run, graph="offline", **told)["steps"] == 2
    other = graph('[state.note]\ntype = "list[str]"\n', "other.toml")
    with pytest.raises(RunError, match="a field of another type"):
        fork(run, graph=str(other), **told)


def test_the_way_on_is_told_wherever_the_run_lies(graph: Graph) -> None:
    own = graph('nodes.actor.use = "graph_parts:Stumbles"\n')
    add_parts(
        own,
        "class Stumbles:\n"
        "    def propose(self, briefing):\n"
        "        if briefing.turn == 2:\n"
        "            raise KeyError('nothing')\n"
        "        return {'thinking': '', 'action': 'look'}\n",
    )
    out = str(own.parent / "my runs")
    done = zork("play", "--graph", str(own), "--trust", "--quiet", "--out", out)
    (run,) = (own.parent / "my runs").iterdir()
    assert done.returncode == 1
    assert f"mend it, then zork resume '{run}'" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('nodes.extractor.use = "none"', "'learner' reads 'extraction'"),
        ('nodes.extractor.use = "graph_parts:Accepts"', "has no method extract"),
        ('[insert.gate]\nuse = "graph_parts:broken"\nafter = "learner"', "KeyError"),
    ],
)
def test_what_never_began_leaves_no_run(text: str, said: str, graph: Graph) -> None:
    own = graph(text)
    add_parts(own, "def broken(state):\n    return {}['nothing']\n")
    done = zork("play", "--graph", str(own), "--trust", "--quiet", "--out", "runs")
    assert said in done.stderr
    assert "zork resume" not in done.stderr
    assert not Path("runs").exists() or not list(Path("runs").iterdir())


def test_the_actor_sees_a_field_that_is_shown(graph: Graph) -> None:
    text = (
        '[nodes.actor]\nuse = "graph_parts:Reader"\n[insert.lines]\nuse = "graph_parts:Lines"\n'
        'after = "learner"\n[state.lines]\ntype = "int"\nshown = true\n'
    )
    own = graph(text)
    add_parts(
        own,
        "class Reader:\n"
        "    def propose(self, briefing):\n"
        "        return {'thinking': '', 'action': f'say {briefing.shown.get(\"lines\")}'}\n",
    )
    assert [state["command"] for state in states(own)] == ["say 0", "say 1", "say 2"]
    full = ["models.default.style=full"]
    kept = play("hollow", graph=str(own), settings=full, steps=3, out=Path("kept"))
    assert "## Lines\n> 2\n" in would_ask(RunDirectory(Path(kept["run_dir"])), "actor", 3)


def test_parts_are_found_beside_the_files_that_a_graph_is_made_of(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = graph("").parent
    (folder / "base").mkdir()
    (folder / "parts").mkdir()
    critic = "class Beside:\n    def judge(self, briefing):\n        return {'accept': True}\n"
    (folder / "parts" / "lies_in_parts.py").write_text(critic, encoding="utf-8")
    (folder / "base" / "lies_in_base.py").write_text("def node(state):\n    return {}\n", "utf-8")
    (folder / "parts" / "critics.toml").write_text(
        'sequence = ["one"]\nnodes.one = { role = "critic", use = "lies_in_parts:Beside" }\n',
        "utf-8",
    )
    (folder / "base" / "base.toml").write_text(
        'extends = "offline"\nnodes.critic.use = "graph:../parts/critics.toml"\n'
        'insert.node = { use = "lies_in_base:node", after = "learner" }\n',
        encoding="utf-8",
    )
    (folder / "own.toml").write_text('extends = "base/base.toml"\n', encoding="utf-8")
    out = ("--out", str(folder / "runs"), "--quiet")
    done = zork("play", "--graph", "own.toml", "--trust", "--steps", "2", *out)
    assert (done.returncode, done.stderr) == (0, "")
    monkeypatch.chdir(folder.parent)
    assert zork("resume", "last", "--steps", "1", *out).stderr == ""
    own = ("--graph", str(folder / "own.toml"))
    assert zork("fork", "last", "--turn", "1", *own, *out).stderr == ""


def test_a_graph_that_stands_for_a_node_is_checked_alone(graph: Graph) -> None:
    part = graph("").with_name("critics.toml")
    part.write_text(
        'sequence = [["one", "two"], "vote"]\n'
        'nodes.one = { role = "critic", use = "graph_parts:Accepts", into = "opinions" }\n'
        'nodes.two = { role = "critic", use = "graph_parts:Objects", into = "opinions" }\n'
        'nodes.vote.use = "veto"\n'
    )
    done = zork("graph", "check", "critics.toml", "--trust")
    assert done.stdout == "critics: fits, to stand for a node; writes judgements, opinions\n"
    done = zork("play", "--graph", "critics.toml", "--out", "runs", "--trust")
    assert "critics.toml:1: sequence: names no 'game'" in done.stderr
    part.write_text(part.read_text().replace('"vote"]', '"vtoe"]'))
    done = zork("graph", "check", "critics.toml", "--trust")
    assert "critics.toml:1: sequence: unknown node 'vtoe'; did you mean 'vote'" in done.stderr


@pytest.mark.parametrize("deep", [False, True])
def test_a_loop_behind_a_graph_that_stands_for_a_node_has_its_bound(
    deep: bool, graph: Graph
) -> None:
    own = graph('nodes.critic.use = "graph:critics.toml"\nedges.critic.at_most = 2\n')
    folder, inner = own.parent, "inner.toml" if deep else "critics.toml"
    (folder / "critics.toml").write_text(
        'sequence = ["critic"]\nnodes.critic.use = "graph:inner.toml"\n', encoding="utf-8"
    )
    (folder / inner).write_text(
        'sequence = [["one", "two"], "vote"]\n'
        'nodes.one = { role = "critic", use = "graph_parts:Never", into = "opinions" }\n'
        'nodes.two = { role = "critic", use = "rules", into = "opinions" }\n'
        'nodes.vote.use = "veto"\n',
        encoding="utf-8",
    )
    add_parts(
        own,
        "class Never:\n"
        "    def judge(self, briefing):\n"
        "        assert briefing.attempt <= 3, 'asked without end'\n"
        "        return {'accept': False, 'reason': 'never'}\n",
    )
    found = states(own)
    assert [state["proposal"].attempt for state in found] == [3, 3, 3]
    assert [state["rounds"].runs for state in found] == [{"critic": 3}] * 3


def test_a_fork_begins_at_the_last_turn_that_is_whole(graph: Graph) -> None:
    own = graph('[insert.gate]\nuse = "graph_parts:stumbles"\nafter = "learner"\n')
    add_parts(
        own,
        "def stumbles(state):\n"
        "    if state['turn'] == 2:\n"
        "        raise KeyError('nothing')\n"
        "    return {}\n",
    )
    out = Path("runs")
    with pytest.raises(KeyError):
        play("hollow", graph=str(own), steps=4, trust=True, out=out)
    (run,) = out.iterdir()
    with pytest.raises(RunError, match=r"does not keep turn 2 \(kept: 0-1\)"):
        fork(run, 2, out=out)
    forked = fork(run, settings=["insert.gate.use=graph_parts:gate"], out=out)
    assert (forked["parent"]["turn"], forked["steps"]) == (1, 4)


def test_a_node_and_what_plays_it_may_be_called_anything(graph: Graph) -> None:
    shown = TURN.format('"shown"')
    own = graph(
        f"sequence = {shown}\n"
        '[state.mood]\ntype = "graph_parts:Mood"\n[nodes.actor]\nuse = "graph_parts:Boasts"\n'
        '[nodes.shown]\nrole = "graph_parts:Moody"\nuse = "graph_parts:Feels"\n'
    )
    add_parts(
        own,
        "from pydantic import BaseModel\nclass Mood(BaseModel):\n    word: str\n"
        "class Moody:\n    method, answer, writes = 'feel', Mood, 'mood'\n"
        "class Feels:\n    def feel(self, briefing):\n        return {'word': 'calm'}\n"
        "class Boasts(Waits):\n    profile = 'aggressive'\n",
    )
    assert [state["mood"].word for state in states(own, 2)] == ["calm", "calm"]


def test_a_person_may_be_asked_where_the_graph_says(graph: Graph) -> None:
    asking = TURN.replace('"actor"', '"mine"').format('"approval"')
    own = graph(
        f"approve = true\nsequence = {asking}\n"
        '[nodes.mine]\nrole = "actor"\nuse = "random"\n'
        '[edges.approval]\nrouter = "decision"\nto = { object = "mine", play = "game" }\n'
    )
    done = zork("graph", "check", str(own))
    assert done.returncode == 0, done.stderr
