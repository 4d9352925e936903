"""Graph files that would not come through a turn: one line each, with file, line and remedy."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import main, make_app

PARTS = '''
from pydantic import BaseModel

class Critic:
    def judge(self, briefing):
        return {"accept": True}

class Poet:
    pass

class Historian:
    method, answer, writes = "judge", BaseModel, "chapter"

class Deaf:
    def judge(self):
        return {"accept": True}

    def choose(self, briefing):
        return {"number": 0}

class Chapter(BaseModel):
    text: str = ""

class Role:
    method, answer, writes, needs = "judge", Chapter, "chapter", "recent"

class Bound(Role):
    def update(self, answer, state):
        return {}

class Listed(Role):
    parts = ["plain"]

class Vague(Role):
    fallback = "nothing"

class Play:
    labels = "play"
    def __call__(self, state):
        return "play"

class Meddler:
    """A node that reads and writes."""
    needs = ("reflection",)
    writes = ("world",)

    def __call__(self, state):
        return {}

def note(state):
    return {}

def two(state, runtime, more):
    return {}

def anywhere(state):
    return "nowhere"

class Slow:
    async def judge(self, briefing):
        yield {"accept": True}

async def later(state):
    return {}

async def join(old, new):
    return new

class Later:
    async def __call__(self, state):
        yield {}
'''
TAIL = '"critic", "game", "extractor", "learner"]'
ACTORS = """
[nodes.bold]
role = "actor"
use = "random"
[nodes.calm]
role = "actor"
use = "random"
"""
CHAPTER = "state.chapter.type = 'broken_parts:Chapter'\nedges.learner = 'x'\n[nodes.x]\n"
INTO_PROPOSALS = ACTORS.replace('"random"\n', '"random"\ninto = "proposals"\n')


class Broken(NamedTuple):
    """A graph file that extends `offline`, and what is said of it."""

    text: str
    line: int
    """Where the fault is, 0 where none is known; what is taken over stands at `extends`, line 1."""
    said: str
    remedy: str


BROKEN = {
    "no TOML": Broken("[nodes.critic\n", 2, "Expected ']'", "it is no valid TOML"),
    "unknown key": Broken('acess = ["text"]\n', 2, "unknown key 'acess'", "did you mean 'access'"),
    "unknown table": Broken(
        'description = ""\n\n[node.critic]\nuse = "rules"\n[node.actor]\nuse = "random"\n',
        4, "unknown key 'node'", "did you mean 'nodes'",
    ),
    "wrong value": Broken('max_tokens = "many"\n', 2, "max_tokens = 'many'", "valid integer"),
    "no sequence": Broken("sequence = []\n", 2, "a sequence is a list of nodes", "for instance"),
    "sequence of numbers": Broken("sequence = [1, 2]\n", 2, "list of nodes", "for instance"),
    "unknown node": Broken(
        f'sequence = ["objective_manager",\n  "actr",\n  {TAIL}\n',
        3, "unknown node 'actr'", "did you mean 'actor'",
    ),
    "node that nothing leads to": Broken(
        '[nodes.critc]\nuse = "rules"\n', 2, "unknown node 'critc'", "put it into the sequence"
    ),
    "edge of an unknown node": Broken(
        '[edges]\ncritc = "game"\n', 3, "unknown node 'critc'", "did you mean 'critic'"
    ),
    "edge to an unknown node": Broken(
        '[edges.critic]\nto = { object = "actr" }\n', 3, "unknown node 'actr'", "mean 'actor'"
    ),
    "unknown role": Broken(
        '[nodes.critic]\nrole = "crtic"\n', 3, "unknown role 'crtic'", "did you mean 'critic'"
    ),
    "nobody plays": Broken(
        f'sequence = ["actor", "second", {TAIL}\n[nodes.second]\nrole = "critic"\n',
        3, "'second' has no use", "use = one of rules",
    ),
    "unknown part": Broken(
        '[nodes.critic]\nuse = "rulez"\n', 3, "unknown critic 'rulez'", "did you mean 'rules'"
    ),
    "missing module": Broken(
        '[nodes.critic]\nuse = "nowhere:Critic"\n', 3, "no module 'nowhere'", "beside the config"
    ),
    "missing class": Broken(
        '[nodes.critic]\nuse = "broken_parts:Critik"\n', 3, "'Critik'", "did you mean 'Critic'"
    ),
    "class that does not fit": Broken(
        '[nodes.critic]\nuse = "broken_parts:Poet"\n', 3, "no method judge(briefing)", "docs/roles"
    ),
    "part with many answers": Broken(
        '[nodes.critic]\nuse = "broken_parts:Slow"\n', 3, "judge is async", "def, not async def"
    ),
    "node with many answers": Broken(
        '[insert.x]\nuse = "broken_parts:Later"\nafter = "critic"\n', 3, "__call__ is async",
        "def, not async def",
    ),
    "router that is asynchronous": Broken(
        '[edges.learner]\nrouter = "broken_parts:later"\nto = { on = "END" }\n', 3,
        "later is async", "def, not async def",
    ),
    "number without end": Broken(
        f'[nodes.critic]\nx = {"9" * 5000}\n', 0, "integer string conversion", "graph config"
    ),
    "unknown option": Broken(
        '[nodes.critic]\nuse = "rules"\nmood = 3\n', 2, "unknown option of rules 'mood'", "known:"
    ),
    "kind of an option": Broken(
        '[nodes.critic]\nuse = "rules"\ndanger = "high"\n',
        2, "nodes.critic.danger = 'high'", "'rules' takes a number there",
    ),
    "kind of an option of a skill": Broken(
        '[skills.plans]\nchaining = 2\n',
        2, "skills.plans.chaining = 2", "'plans' takes true or false there",
    ),
    "part where none plays": Broken(
        '[nodes.learner]\nuse = "rules"\n', 3, "no part plays learner", "leave it out"
    ),
    "option where none plays": Broken(
        "[nodes.learner]\nspeed = 3\n", 3, "nodes.learner.speed: learner has no options",
        "leave it out",
    ),
    "story as a part": Broken(
        '[nodes.game]\nuse = "zork1"\n', 3, "is no jericho and no module:Class", "by --game"
    ),
    "class that tells no story": Broken(
        '[nodes.game]\nuse = "broken_parts:Poet"\n', 3, "no class with a method reset",
        "docs/environments.md",
    ),
    "unknown router": Broken(
        '[edges.critic]\nrouter = "verdikt"\nto = { object = "actor", play = "game" }\n',
        3, "unknown router 'verdikt'", "did you mean 'verdict'",
    ),
    "label too many": Broken(
        '[edges.critic]\nto = { refuse = "actor" }\n', 3, "unknown label of verdict 'refuse'",
        "known: object, play",
    ),
    "label too few": Broken(
        '[edges.learner]\nrouter = "every"\nturns = 3\nto = { due = "END" }\n',
        5, "says nothing of 'otherwise'", "add otherwise =",
    ),
    "option of a router": Broken(
        '[edges.learner]\nrouter = "every"\nturns = 0\nto = { due = "END", otherwise = "END" }\n',
        2, "turns must be a whole number of 1 or more", "cannot be made with",
    ),
    "loop without a bound": Broken(
        '[edges.learner]\nrouter = "broken_parts:anywhere"\n'
        'to = { back = "extractor", on = "END" }\n',
        2, "learner -> extractor -> learner has no bound", "at_most = 2",
    ),
    "bound without a loop": Broken(
        '[edges.learner]\nrouter = "every"\nturns = 3\nat_most = 2\n'
        'to = { due = "END", otherwise = "END" }\n',
        5, "none of its labels leads back", "leave at_most out",
    ),
    "way without a command": Broken(
        '[edges.critic]\nto = { play = "END" }\n', 3, "actor -> critic -> END",
        "let every way go through 'game'",
    ),
    "opening without the story": Broken(
        'opening = ["extractor", "learner"]\n', 2, "opening: no command is played",
        "let every way go through 'game'",
    ),
    "two commands": Broken(
        '[edges.learner]\nrouter = "every"\nturns = 3\nat_most = 1\n'
        'to = { due = "critic", otherwise = "END" }\n',
        6, "leads from 'game' back to 'game'", "let loops end before it",
    ),
    "way into one of several branches": Broken(
        'sequence = ["planner", ["bold", "calm"], "judge", "game", "extractor", "learner"]\n'
        '[nodes]\nbold = { role = "actor", use = "bayesian", into = "proposals" }\n'
        'calm = { role = "actor", use = "random", into = "proposals" }\njudge.use = "majority"\n'
        '[edges.planner]\nrouter = "every"\nturns = 2\nto = { due = "bold", otherwise = "calm" }\n',
        10, "leads to 'bold', one of several parallel branches", "lead to a node before them all",
    ),
    "way past all branches": Broken(
        'sequence = ["planner", ["one", "two"], "actor", "game", "extractor", "learner"]\n'
        'nodes = { one.use = "broken_parts:note", two.use = "broken_parts:note" }\n'
        'edges.planner = "actor"\n',
        2, "nothing leads to 'one'", "let an edge lead to it",
    ),
    "node twice": Broken(
        'sequence = ["actor", "critic", "game", "extractor",\n  "critic", "learner"]\n',
        2, "'extractor' is followed by 'critic' in the sequence and by 'learner' in the opening",
        "write opening = [...] too",
    ),
    "node twice in a row of nodes": Broken(
        'sequence = ["mode", "actor", "mode", "critic", "game", "extractor", "learner"]\n',
        2, "'mode' is followed by 'actor' in one place", "name each node once",
    ),
    "proposals that nobody chooses from": Broken(
        f'sequence = ["objective_manager", ["bold", "calm"], "game", "extractor", "learner"]\n'
        f'{INTO_PROPOSALS}',
        2, "'game' reads 'proposal', which is not written", "put a judge behind it",
    ),
    "no actor": Broken(
        'sequence = ["objective_manager", "game", "extractor", "learner"]\n',
        2, "'game' reads 'proposal', which is not written", "does: actor or judge",
    ),
    "actor switched off": Broken(
        '[nodes.actor]\nuse = "none"\n', 1, "'critic' reads 'proposal'",
        "switched off: broken.toml:3: nodes.actor.use",
    ),
    "modes that nobody chooses": Broken(
        "[mind]\nmodes = true\n", 3, "no node chooses the mode",
        "put 'mode' into the sequence",
    ),
    "edge that is taken over": Broken(
        'sequence = ["second", "critic", "game", "extractor", "learner"]\n'
        '[nodes.second]\nrole = "actor"\nuse = "random"\n',
        2, "names no 'actor', and the edge that is taken over (broken.toml:1 (extends offline.",
        "write [edges.critic] anew",
    ),
    "opinions that nobody puts to the vote": Broken(
        'sequence = ["actor", ["one", "two"], "game", "extractor", "learner"]\n'
        '[nodes.one]\nrole = "critic"\nuse = "rules"\ninto = "opinions"\n'
        '[nodes.two]\nrole = "critic"\nuse = "rules"\ninto = "opinions"\n',
        2, "'one' puts its answer into 'opinions', which nobody reads", "put a vote behind it",
    ),
    "what is written now and then only": Broken(
        '[nodes.oracle]\nuse = "useless"\n[insert.x]\nuse = "broken_parts:note"\n'
        'after = "oracle"\nneeds = ["advice"]\n',
        4, "'x' reads 'advice', which is not written on every way", "state.get('advice')",
    ),
    "nothing to run for": Broken(
        'sequence = ["issues", "actor", "judge", "critic", "game", "extractor", "learner"]\n'
        '[nodes.actor]\neach = "issues"\ninto = "proposals"\n[nodes.judge]\nuse = "best"\n'
        '[edges.critic]\nto = { object = "issues" }\n',
        2, "'judge' reads 'proposals', which is not written", "there is nothing in 'issues'",
    ),
    "router before what it reads": Broken(
        '[edges.critic]\nrouter = "decision"\nto = { object = "actor", play = "game" }\n',
        3, "the router behind 'critic' reads 'decisions'", "does: approval",
    ),
    "role that writes no field": Broken(
        '[nodes.historian]\nrole = "broken_parts:Historian"\nuse = "broken_parts:Critic"\n'
        '[edges]\nlearner = "historian"\nhistorian = "END"\n',
        3, "historian writes 'chapter', which is no field", "declare it: [state.chapter]",
    ),
    "field that is not declared": Broken(
        '[insert.x]\nuse = "broken_parts:note"\nafter = "critic"\nwrites = ["reflections"]\n',
        5, "unknown field 'reflections'", "or declare it: [state.reflections]",
    ),
    "no table of a node": Broken(
        'sequence = ["actor", "judge", "game", "extractor", "learner"]\n'
        '[nodes.actor]\ninto = "proposals"\n',
        2, "'judge' has no use", "write [nodes.judge] with use = one of majority",
    ),
    "into where a graph stands": Broken(
        '[nodes.critic]\nuse = "graph:pair.toml"\ninto = "opinions"\n',
        4, "a graph stands for 'critic'", "say into in the tables of these",
    ),
    "options where a graph stands": Broken(
        '[nodes.critic]\nuse = "graph:pair.toml"\nforbidden = ["jump"]\n',
        4, "a graph stands for 'critic', and has no options", "in the tables of its nodes",
    ),
    "never an end": Broken(
        '[edges]\nlearner = "extractor"\n', 3, "no way leads to the end", "or to END"
    ),
    "nobody leads there": Broken(
        f'sequence = ["actor", {TAIL}\n[edges]\nreflection = "actor"\n'
        '[nodes.reflection]\nuse = "broken_parts:note"\n',
        5, "unknown node 'reflection'", "put it into the sequence",
    ),
    "field before it is written": Broken(
        'sequence = ["critic", "actor", "game", "extractor", "learner"]\n'
        '[edges]\ncritic = "actor"\n',
        2, "'critic' reads 'proposal', which is not written", "put actor before it",
    ),
    "judge before proposals": Broken(
        'sequence = ["actor", "judge",\n' f'  {TAIL}\n[nodes.judge]\nuse = "best"\n',
        2, "'judge' reads 'proposals', which is not written", "put a node before it",
    ),
    "learner before extractor": Broken(
        'sequence = ["actor", "critic", "game", "learner"]\nopening = ["game",\n"learner"]\n',
        2, "'learner' reads 'extraction'", "put a node before it that does",
    ),
    "node of one's own before its field": Broken(
        '[state.reflection]\ntype = "str"\n[insert.thinker]\n'
        'use = "broken_parts:Meddler"\nafter = "learner"\n',
        4, "'thinker' reads 'reflection'", "put a node before it that does",
    ),
    "two write at once": Broken(
        f'sequence = [["bold", "calm"], {TAIL}\n[edges]\ncritic = "game"\n{ACTORS}', 9,
        "'calm' writes 'proposal' at the same time as 'bold'", "into = 'proposals'",
    ),
    "into a field that is no list": Broken(
        '[nodes.actor]\ninto = "world"\n', 3, "is no list with a reducer", "these are: proposals"
    ),
    "into an unknown field": Broken(
        '[nodes.actor]\ninto = "proposal_s"\n', 3, "unknown field 'proposal_s'", "mean 'proposals'"
    ),
    "for each of no list": Broken(
        f'sequence = ["objective_manager", "actor", {TAIL}\n[nodes.actor]\neach = "world"\n',
        4, "unknown list 'world'", "known:",
    ),
    "many at once into one field": Broken(
        f'sequence = ["issues", "actor", {TAIL}\n[nodes.actor]\neach = "issues"\n'
        '[edges.critic]\nto = { object = "issues" }\n',
        3, "writes 'proposal' for each of 'issues'", "into = 'proposals'",
    ),
    "many at once behind a router": Broken(
        '[nodes.actor]\neach = "objectives"\ninto = "proposals"\n', 3,
        "has to stand between two nodes", "use = 'graph:FILE'",
    ),
    "game in a branch": Broken(
        'sequence = ["actor", ["critic", "game"], "extractor", "learner"]\n'
        'opening = ["game", "extractor", "learner"]\n[edges]\ncritic = "game"\n',
        5, "'critic' is in one of several parallel branches", "use = 'graph:FILE'",
    ),
    "field that is there already": Broken(
        '[state.world]\ntype = "str"\n', 2, "is there already", "another"
    ),
    "unknown type": Broken(
        '[state.notes]\ntype = "list[string]"\n', 3, "unknown type 'string'", "did you mean 'str'"
    ),
    "unknown reducer": Broken(
        '[state.notes]\ntype = "list[str]"\nreducer = "apend"\n', 4, "unknown reducer 'apend'",
        "did you mean 'append'",
    ),
    "reducer that does not suit the type": Broken(
        '[state.notes]\ntype = "str"\nreducer = "append"\n', 4,
        "joins what is a list, and 'notes' is none", "give it another type",
    ),
    "reducer that is asynchronous": Broken(
        '[state.notes]\ntype = "str"\nreducer = "broken_parts:join"\n', 4, "join is async",
        "def, not async def",
    ),
    "class within a type": Broken(
        '[state.notes]\ntype = "list[broken_parts:Critic]"\n', 3, "is no type",
        "module:Class alone",
    ),
    "part that is not given the briefing": Broken(
        '[nodes.critic]\nuse = "broken_parts:Deaf"\n', 3,
        "its method judge has to take the briefing", "docs/roles.md",
    ),
    "judge that is not given the proposals": Broken(
        'sequence = ["actor", "judge", "game"]\nopening = ["game"]\n'
        '[nodes.actor]\ninto = "proposals"\n[nodes.judge]\nuse = "broken_parts:Deaf"\n', 7,
        "choose has to take the briefing and", "docs/roles.md",
    ),
    "role with a method for a function": Broken(
        f"{CHAPTER}role = 'broken_parts:Bound'\n", 5, "update is no function", "without self"
    ),
    "role with a list of parts": Broken(
        f"{CHAPTER}role = 'broken_parts:Listed'\n", 5, "parts is no table", "'module:Class'"
    ),
    "role with a fallback of no use": Broken(
        f"{CHAPTER}role = 'broken_parts:Vague'\n", 5, "fallback is no Chapter", "its answer"
    ),
    "role that needs one field": Broken(
        f"sequence = ['actor', 'x', 'game']\nopening = ['game']\n{CHAPTER}"
        "role = 'broken_parts:Role'\nuse = 'broken_parts:Critic'\n", 2,
        "'x' reads 'recent'", "does: learner",
    ),
    "router of one label": Broken(
        '[edges.critic]\nrouter = "broken_parts:Play"\n'
        'to = { object = "actor", play = "game" }\n', 4,
        "unknown label of broken_parts:Play 'object'", "known: play)",
    ),
    "missing graph file": Broken(
        '[nodes.critic]\nuse = "graph:nowhere.toml"\n', 3, "nowhere.toml", "no such file"
    ),
    "graph within itself": Broken(
        '[nodes.critic]\nuse = "graph:broken.toml"\n', 3, "stands within itself", "others"
    ),
    "unknown key in a graph within": Broken(
        '[nodes.critic]\nuse = "graph:typo.toml"\n', 0,
        "typo.toml:2: unknown key 'nodes.critic.graph.nodez'", "mean 'nodes.critic.graph.nodes'",
    ),
    "extends an unknown graph": Broken("", 1, "unknown graph 'ofline'", "did you mean 'offline'"),
    "insert without an anchor": Broken(
        '[insert.x]\nuse = "broken_parts:note"\n', 2, "say after = NODE", "or before = NODE"
    ),
    "insert at an unknown node": Broken(
        '[insert.x]\nuse = "broken_parts:note"\nafter = "critc"\n', 2, "unknown node 'critc'",
        "did you mean 'critic'",
    ),
    "insert what is no node": Broken(
        '[insert.x]\nuse = "broken_parts:two"\nafter = "critic"\n', 3, "does not take the state",
        "a node is a function of it",
    ),
    "insert what runs programs": Broken(
        '[insert.x]\nuse = "subprocess:Popen"\nafter = "critic"\nargs = ["touch", "ran"]\n',
        3, "does not take the state", "a node is a function of it",
    ),
    "switched off with nothing behind": Broken(
        '[nodes.fixer]\nrole = "actor"\nuse = "none"\n'
        '[edges.fixer]\nrouter = "mode"\nto = { explore = "critic", otherwise = "critic" }\n'
        '[edges.actor]\nrouter = "mode"\nto = { explore = "fixer", otherwise = "critic" }\n',
        10, "edges.actor.to.explore: leads to a node that is switched off", "let it lead elsewhere",
    ),
    "name of nothing": Broken('name = ""\n', 2, "name = ''", "at least 1 character"),
    "price below nothing": Broken(
        '[nodes.oracle]\nuse = "useless"\nprice = -1\n', 4, "price = -1", "greater than or equal"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_graph_file_is_one_line_with_file_line_and_remedy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = BROKEN[name]
    base = "ofline" if "extends" in name else "offline"
    (tmp_path / "broken.toml").write_text(f'extends = "{base}"\n{broken.text}', encoding="utf-8")
    (tmp_path / "broken_parts.py").write_text(PARTS, encoding="utf-8")
    (tmp_path / "pair.toml").write_text('sequence = ["critic"]\nnodes.critic.use = "rules"\n')
    (tmp_path / "typo.toml").write_text('sequence = ["critic"]\nnodez.critic.use = "rules"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "broken_parts", None)
    monkeypatch.delitem(sys.modules, "broken_parts")
    monkeypatch.setattr("sys.argv", ["zork", "graph", "check", "broken.toml", "--trust"])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert len(said.splitlines()) == 1
    place = (
        ""
        if not broken.line
        else rf"zork: broken\.toml:{broken.line}( \(extends offline\.toml:\d+\))?: "
    )
    assert re.match(place, said), said
    assert broken.said in said
    assert broken.remedy in said
    assert not (tmp_path / "ran").exists()


def test_a_graph_without_a_sequence_is_told_what_to_extend(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[nodes.critic]\nuse = "rules"\n', encoding="utf-8")
    done = CliRunner().invoke(make_app(), ["graph", "check", str(own)])
    assert "extends = 'offline'" in str(done.exception)
