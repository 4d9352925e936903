"""Configs, plans and runs of somebody else's run nothing until the user says so."""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.cli import main
from orchestrator.errors import ConfigError
from orchestrator.evaluation.grid import resolve_all, run_grid
from orchestrator.evaluation.plan import EvaluationPlan, read_plan
from orchestrator.evaluation.reproduce import reproduce
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.saved.archive import export_run, import_run
from orchestrator.saved.runs import RunDirectory
from tests.orchestrator.evaluation.inline import InlineEngine
from tests.playing import unpack

LISTENING = """
from pathlib import Path
Path({proof!r}).touch()
class Audit:
    def __call__(self, state):
        return {{}}
class Poet:
    def __init__(self):
        Path({made!r}).touch()
class Teller:
    def reset(self, seed):
        return "A room."
    def step(self, command):
        return "Nothing happens.", 0, False
def answer(question):
    return "look"
"""


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """It appears as soon as the code of the folder `foreign` runs."""
    return tmp_path / "it-ran"


@pytest.fixture
def foreign(tmp_path: Path, proof: Path) -> Path:
    """A folder that somebody sent: a module beside where its config will lie."""
    folder = tmp_path / "foreign"
    folder.mkdir()
    code = LISTENING.format(proof=str(proof), made=f"{proof}-made")
    (folder / "listening.py").write_text(code, encoding="utf-8")
    (folder / "langchain_lurking.py").write_text(code, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def unknown_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test imports the module anew, if at all."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("listening", "langchain_lurking"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def config(folder: Path, text: str) -> str:
    path = folder / "gift.toml"
    path.write_text(f'extends = "offline"\n{text}', encoding="utf-8")
    return str(path)


def zork(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["zork", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_a_config_file_that_names_a_program_does_not_start_it(
    foreign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "started"
    gift = config(
        foreign,
        f'[insert.x]\nuse = "subprocess:Popen"\nafter = "critic"\nargs = ["touch", "{mark}"]\n',
    )
    for command in ("check", "draw"):
        assert zork(monkeypatch, "graph", command, gift) == 2
        assert zork(monkeypatch, "graph", command, gift, "--trust") == 2
    assert not mark.exists(), "it cannot be called with a state, so that it is not even made"


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ('[insert.x]\nuse = "listening:Audit"\nafter = "critic"\n', "insert.x.use"),
        ('[nodes.critic]\nuse = "listening:Poet"\n', "nodes.critic.use"),
        ('[models.default]\nmodel = "embedded:function:listening:answer"\n', "models.default.mod"),
        ('[models.default]\nmodel = "lurking:x"\n[nodes.actor]\nuse = "llm"\n', "langchain_lurki"),
        ('[models.default]\nbase_url = "http://192.0.2.1/"\n', "http://192.0.2.1"),
        ("[models.default.options]\nclient_kwargs = {}\n", "models.default.options"),
    ],
)
def test_what_a_file_would_load_is_listed_and_not_loaded(
    foreign: Path,
    proof: Path,
    text: str,
    listed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert zork(monkeypatch, "graph", "check", config(foreign, text)) == 2
    told = capsys.readouterr().err
    assert listed in told
    assert "--trust" in told
    assert told.count("\n") == 1
    assert not proof.exists()


def test_trust_is_remembered_until_something_else_is_named(
    foreign: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = '[insert.x]\nuse = "listening:Audit"\nafter = "critic"\n'
    gift = config(foreign, audit)
    assert zork(monkeypatch, "graph", "check", gift) == 2
    assert zork(monkeypatch, "graph", "check", gift, "--trust") == 0
    assert proof.exists()
    assert zork(monkeypatch, "graph", "check", gift) == 0
    more = audit + "loud = true\n"
    assert zork(monkeypatch, "graph", "check", config(foreign, more)) == 2, "with other options"
    assert zork(monkeypatch, "graph", "check", gift, "-s", "insert.x.use=listening:Poet") == 2, (
        "what stands on the command line is trusted, but does not fit"
    )


def test_a_class_is_not_made_before_it_is_seen_to_fit(foreign: Path, proof: Path) -> None:
    gift = config(foreign, '[nodes.critic]\nuse = "listening:Poet"\n')
    with pytest.raises(ConfigError, match="does not fit"):
        play(graph=gift, trust=True, steps=1, out=proof.parent / "runs")
    gift = config(foreign, '[insert.x]\nuse = "listening:Poet"\nafter = "critic"\n')
    with pytest.raises(ConfigError, match="does not take the state"):
        play(graph=gift, trust=True, steps=1, out=proof.parent / "runs")
    assert not Path(f"{proof}-made").exists()


AUDITED = ["insert.x.use=listening:Audit", "insert.x.after=critic"]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (f'games = "workshop"\nsettings = {AUDITED}\n', "insert.x.use = listening:Audit"),
        (
            'games = "workshop"\n'
            f'graphs = [{{ name = "a", graph = "offline", set = {AUDITED} }}]\n',
            "insert.x.use = listening:Audit",
        ),
        ('games = ["workshop", "listening:Teller"]\n', "nodes.game.use = listening:Teller"),
        (
            'games = "workshop"\ngraphs = "solo"\nmodels = "embedded:function:listening:answer"\n',
            "models.default.model = listening:answer",
        ),
    ],
)
def test_a_plan_that_names_code_is_asked_about_like_a_graph(
    foreign: Path,
    proof: Path,
    text: str,
    listed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(foreign)
    Path("plan.toml").write_text(text, encoding="utf-8")
    assert zork(monkeypatch, "bench", "plan.toml", "-o", "rows.jsonl") == 2
    told = capsys.readouterr().err
    assert "plan 'plan.toml'" in told
    assert listed in told
    assert "--trust" in told
    assert told.count("\n") == 1
    assert not proof.exists()
    cells = read_plan(Path("plan.toml")).cells()
    resolve_all(cells, source="plan 'plan.toml'", trust=True)
    assert proof.exists()
    resolve_all(cells, source="plan 'plan.toml'")


@pytest.mark.slow
def test_what_is_typed_for_a_bench_is_trusted(
    foreign: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(foreign)
    settings = [part for setting in AUDITED for part in ("-s", setting)]
    out = ("--games", "workshop", "--seeds", "1", "-o", "rows.jsonl")
    assert zork(monkeypatch, "bench", *out, "--steps", "0", "--graphs", "offline", *settings) == 0
    assert proof.exists()


def test_a_row_that_names_code_is_asked_about(
    foreign: Path, proof: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = EvaluationPlan(games=("workshop",), graphs=("idle",), steps=(0,))
    (row,) = run_grid(plan.cells(), tmp_path / "r.jsonl", 1, engine=InlineEngine).rows
    row["cell"]["settings"] = AUDITED
    monkeypatch.chdir(foreign)
    with pytest.raises(ConfigError, match=r"the row, .*listening:Audit.*--trust"):
        reproduce(row, tmp_path)
    assert not proof.exists()


def edited(archive: Path, changes: dict[str, Any], folder: Path) -> Path:
    """The exported run with another record."""
    folder.mkdir()
    unpack(archive, folder)
    (run,) = folder.iterdir()
    record = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    record["config"] |= changes
    record["folders"] = [str(folder.parent / "foreign")]
    (run / "episode.json").write_text(json.dumps(record), encoding="utf-8")
    hostile = folder.with_suffix(".tar.gz")
    with tarfile.open(hostile, "w:gz") as tar:
        for path in run.iterdir():
            tar.add(path, f"{run.name}/{path.name}")
    shutil.rmtree(folder)
    return hostile


@pytest.mark.parametrize(
    "changes",
    [
        {"insert": {"x": {"use": "listening:Audit", "after": "critic"}}},
        {"models": {"default": {"model": "embedded:function:listening:answer"}}},
    ],
)
def test_an_imported_run_loads_nothing_by_itself(
    half: Path, foreign: Path, proof: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    archive = tmp_path / "run.tar.gz"
    export_run(RunDirectory(half), archive)
    run = import_run(edited(archive, changes, tmp_path / "edited"), tmp_path / "runs")
    for go_on in (
        lambda: resume(run.path, steps=1),
        lambda: fork(run.path, steps=1, out=tmp_path / "runs"),
        lambda: fork(run.path, graph="offline", steps=1, out=tmp_path / "runs"),
    ):
        with pytest.raises(ConfigError, match=r"listening:.*--trust"):
            go_on()
    assert not proof.exists()


def test_ones_own_runs_go_on_without_a_word(foreign: Path, proof: Path, tmp_path: Path) -> None:
    audit = '[insert.x]\nuse = "listening:Audit"\nafter = "critic"\n'
    mine = config(foreign, audit)
    options: dict[str, Any] = {"steps": 2, "out": tmp_path / "runs", "fresh": True}
    result = play("workshop", graph=mine, trust=True, **options)
    assert resume(result["run_dir"], steps=1)["steps"] == 3
    assert fork(result["run_dir"], out=tmp_path / "runs", steps=1)["steps"] == 4


def test_a_model_that_is_typed_for_a_run_that_goes_on_is_trusted(
    foreign: Path, proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answers.json").write_text('{"rules": [{"answer": "wait"}]}', encoding="utf-8")
    asks = [f"models.default.model=embedded:answers:{tmp_path / 'answers.json'}"]
    options: dict[str, Any] = {"steps": 1, "out": tmp_path / "runs", "fresh": True}
    run = play("workshop", graph="transcript", settings=asks, **options)["run_dir"]
    monkeypatch.chdir(foreign)
    monkeypatch.syspath_prepend(str(foreign))
    another = ["models.default.model=embedded:function:listening:answer"]
    assert resume(run, steps=1, settings=another)["steps"] == 2
    assert proof.exists()


def test_graphs_whose_modules_have_one_name_play_with_their_own(tmp_path: Path) -> None:
    said = []
    for name in ("wait", "look", "wait"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        answer = {"thinking": "", "action": name}
        code = f"class Says:\n    def propose(self, _):\n        return {answer}\n"
        (folder / "of_one_name.py").write_text(code, encoding="utf-8")
        graph = config(folder, '[nodes.actor]\nuse = "of_one_name:Says"\n')
        result = play("workshop", graph=graph, trust=True, steps=1, out=tmp_path, fresh=True)
        said.append((result.run_dir / "transcript.txt").read_text(encoding="utf-8").split("> ")[1])
    assert [one.split("\n")[0] for one in said] == ["wait", "look", "wait"]
