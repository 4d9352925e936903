"""README and docs say what is."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from managers.core.option import Option
from orchestrator.config import load_config
from orchestrator.graph.build import compile_graph
from orchestrator.state import State
from tests.command_line import zork

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def named(heading: str) -> set[str]:
    """What the first column of the table under a heading of docs/state.md names."""
    text = (ROOT / "docs" / "state.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {name for row in rows for name in re.findall("`([a-z]+|[a-z_]+)`", row)}


def test_every_field_of_the_state_is_told_to_those_who_write_nodes() -> None:
    assert named("What a node finds in the state") == set(State.__annotations__)


def test_every_attribute_of_an_option_is_told() -> None:
    assert named("An option") == {*Option.model_fields, "goal"}


def test_the_picture_in_the_readme_is_the_graph_that_is_played() -> None:
    drawn = compile_graph(load_config("offline")).get_graph().draw_mermaid()
    assert f"```mermaid\n{drawn.strip()}\n```" in README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.S)


def test_the_readmes_critic_is_played_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (critic,) = (text for text in blocks("python") if text.startswith("# careful.py"))
    (tmp_path / "careful.py").write_text(critic, encoding="utf-8")
    (command,) = (text for text in blocks("sh") if "careful:CarefulCritic" in text)
    monkeypatch.chdir(tmp_path)
    played = zork(*command.split()[1:], "--steps", "3", "--fresh", "--quiet")
    assert (played.returncode, played.stderr) == (0, "")


def test_the_readmes_words_on_python_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shown,) = (text for text in blocks("python") if "play(" in text)
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()) as printed:
        exec(shown, {})
    assert "runs/" in printed.getvalue()
