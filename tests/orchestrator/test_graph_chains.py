"""Graphs that extend each other, and parts that would have to be awaited."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import zork


@pytest.mark.parametrize("circle", [("one",), ("one", "two"), ("one", "two", "three")])
def test_graphs_that_extend_each_other_are_told_once(
    circle: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, base in zip(circle, (*circle[1:], circle[0]), strict=True):
        Path(f"{name}.toml").write_text(f'extends = "../{tmp_path.name}/{base}.toml"\n', "utf-8")
    for command in ("check", "show", "draw"):
        said = zork("graph", command, "one.toml").stderr
        assert len(said.splitlines()) == 1
        assert said.count("one.toml") <= 4
        assert said.startswith("zork: one.toml:1: extends = ")
        assert "a graph extends itself" in said


def test_a_long_chain_is_no_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(20):
        Path(f"g{number}.toml").write_text(f'extends = "g{number + 1}.toml"\n', encoding="utf-8")
    said = zork("graph", "check", "g0.toml").stderr
    assert said == "zork: g0.toml:1: extends = 'g1.toml': more than 10 graphs extend each other\n"
