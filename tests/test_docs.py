"""What the pages show as whole files are whole files: they are written down, checked and played."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from orchestrator import play
from tests.command_line import zork

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("roles.md", "graphs.md", "recipes.md", "skills.md", "environments.md")
BLOCK = re.compile(r"```(?:python|toml)\n# ([a-z_]+\.(?:py|toml))\b.*?\n(.*?)```", re.S)
FILES = {
    name: text
    for page in PAGES
    for name, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
}
"""Name -> content, of those whose first line names them."""
PARTS = {"critics.toml"}
"""Graphs that stand for a node of another one."""
GRAPHS = sorted(name for name in FILES if name.endswith(".toml") and name not in PARTS)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the files are in; modules of them are forgotten afterwards."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        if name.endswith(".py"):
            monkeypatch.setitem(sys.modules, name.removesuffix(".py"), None)
            monkeypatch.delitem(sys.modules, name.removesuffix(".py"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_pages_show_all_of_them() -> None:
    assert set(GRAPHS) == {
        *("two_actors.toml", "two_critics.toml", "advocates.toml", "reflecting.toml"),
        *("no_objectives.toml", "three_times.toml", "chapters.toml", "walking.toml"),
        *("troubled.toml", "mine.toml", "singing.toml"),
    }


@pytest.mark.parametrize("name", GRAPHS)
def test_every_graph_file_of_the_pages_is_played(name: str, written: Path) -> None:
    steps = 11 if "turns = 10" in FILES[name] else 3
    options = {"trust": True, "trace": False, "out": written / "runs"}
    result = play(graph=name, steps=steps, fresh=True, **options)
    assert result["steps"] == steps


def test_a_judge_of_ones_own_and_a_part_of_a_graph_are_as_the_pages_say(written: Path) -> None:
    options = {"trust": True, "trace": False, "out": written / "runs"}
    settings = ["nodes.judge.use=shy:ShyJudge"]
    result = play(graph="two_actors.toml", settings=settings, steps=3, fresh=True, **options)
    assert result["steps"] == 3
    checked = zork("graph", "check", "critics.toml", "--trust")
    assert "fits, to stand for a node" in checked.stdout


def test_the_skill_of_the_page_sings_once_in_every_room(written: Path) -> None:
    options = {"trust": True, "trace": False, "out": written / "runs"}
    result = play(graph="singing.toml", steps=11, seed=7, fresh=True, **options)
    said = (result.run_dir / "transcript.txt").read_text(encoding="utf-8")
    assert said.count("> sing\n") == len({"Cliff Path", "Shingle Cove", "Boathouse"})


RUN = re.compile(r"```python\n((?:from|import) .*?)```", re.S)


@pytest.mark.parametrize(
    ("page", "seen"), [("start.md", "runs/"), ("traces.md", "20 "), ("harnesses.md", "")]
)
def test_what_the_pages_show_of_python_runs(
    page: str, seen: str, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    block = RUN.findall((DOCS / page).read_text(encoding="utf-8"))[0]
    if "gymnasium" in block:
        pytest.importorskip("gymnasium")
    names: dict[str, object] = {}
    exec(block, names)
    if env := names.get("env"):
        env.close()
    assert seen in capsys.readouterr().out
