"""Files that an editor began with a byte-order mark are read like all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.models.scripts import Script
from agents.pursuit import read_commands
from orchestrator.evaluation.rows import read_lines
from tests.command_line import zork

MARK = "\ufeff"


@pytest.mark.slow
def test_a_mark_at_the_beginning_is_no_part_of_a_file(tmp_path: Path) -> None:
    texts = {
        "graph.toml": 'extends = "offline"\n',
        "over.toml": 'after_end = "stop"\n',
        "plan.toml": 'games = ["hollow"]\ngraphs = ["random"]\nseeds = "1"\nsteps = 0\n',
        "script.json": '["look"]',
        "script.jsonl": '"look"\n"wait"\n',
        "rows.jsonl": '{"a": 1}\n',
        "walk.txt": "look\nwait\n",
        "memory.json": "{}",
        "actor.md": "{{ briefing.turn }}",
    }
    at = {name: tmp_path / name for name in texts}
    for name, text in texts.items():
        at[name].write_text(MARK + text, encoding="utf-8")
    checked = zork("graph", "check", str(at["graph.toml"]), "-c", str(at["over.toml"]))
    assert checked.returncode == 0, checked.stderr
    bench = zork("bench", str(at["plan.toml"]), "--workers", "1", "-o", str(tmp_path / "b.jsonl"))
    assert bench.returncode == 0, bench.stderr
    for name, count in (("script.json", 1), ("script.jsonl", 2)):
        assert len(Script.read(at[name]).rules) == count
    assert read_lines(at["rows.jsonl"]) == [{"a": 1}]
    assert read_commands(at["walk.txt"]) == ["look", "wait"]
    assert "can read" not in zork("memory", "import", str(at["memory.json"])).stderr
