"""What goes wrong is told in one line that names the place and what would work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.models.config import ModelConfig
from agents.models.factory import make_model
from agents.models.faults import ModelError
from orchestrator import play
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.grid import run_grid
from orchestrator.traces.reader import read_trace
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine


@pytest.mark.parametrize(
    ("model", "told", "silent"),
    [
        ("olama:x", "did you mean 'ollama:x'?", "pip install"),
        ("opnai:gpt", "did you mean 'openai:gpt'?", "pip install"),
        ("zzz:x", "no provider 'zzz' (known: ollama", "pip install"),
        ("cohere:x", "pip install langchain-cohere", "did you mean"),
    ],
)
def test_a_provider_is_not_made_up(model: str, told: str, silent: str) -> None:
    with pytest.raises(ModelError) as caught:
        make_model(ModelConfig(model=model))
    assert told in str(caught.value)
    assert silent not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('extends = "offline"\n\nacess = 3\n', "mine.toml:3: unknown key"),
        ('extends = "offline"\nmodels.default.modle = "x:y"\n', "mine.toml:2: unknown key"),
        (
            'extends = "offline"\n[insert.x]\nafter = "critic"\n',
            "mine.toml:2: key 'insert.x.use' is missing",
        ),
        (
            'description = "mine"\n',
            "mine.toml:1: says no sequence; write one",
        ),
        ("x = " + "[" * 5000 + "]" * 5000, "nested too deep"),
        ("#" * (1 << 21), "no more than 262,144 are read"),
    ],
)
def test_a_wrong_key_is_named_with_its_file_and_line(text: str, told: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(str(mine))
    assert told in str(caught.value)
    assert str(mine) in str(caught.value) or "missing" in told


def test_a_part_that_needs_an_option_names_it() -> None:
    done = zork("play", "--graph", "walkthrough", "--steps", "1")
    assert done.returncode == 2
    assert "-s nodes.actor.commands=" in done.stderr


def test_a_mistake_in_a_part_of_ones_own_names_node_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "hasty.py").write_text(
        "class Critic:\n    def judge(self, briefing):\n        return briefing.proposl\n",
        encoding="utf-8",
    )
    done = zork(
        *("play", "--steps", "2", "--out", str(tmp_path / "runs")),
        *("-s", "nodes.critic.use=hasty:Critic"),
    )
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len([line for line in lines if line.startswith("zork: ")]) == 1
    assert "Traceback" not in done.stderr
    for told in ("critic", f"{tmp_path / 'hasty.py'} line 3", "AttributeError", "zork resume"):
        assert told in done.stderr


@pytest.mark.parametrize("steps", ["a", 2.5, None])
def test_steps_are_a_number(steps: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="steps"):
        play(steps=steps, out=tmp_path)


@pytest.mark.slow
def test_without_a_temporary_folder_the_emulator_says_so(tmp_path: Path) -> None:
    """Nothing can be made in any of the folders that Python tries."""
    nowhere = "import tempfile; tempfile._candidate_tempdir_list = lambda: ['/proc']; "
    play = ["play", "--steps", "1", "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-c", f"{nowhere}from orchestrator.cli import main; main()", *play],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "set TMPDIR to another one" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("graph", "draw", "offline", "--output", "{missing}/graph.svg"),
        ("world", "show", "{run}", "--puzzles", "{missing}/needs.svg"),
        ("world", "show", "{run}", "--map", "{missing}/map.svg"),
        ("runs", "export", "{run}", "{missing}/run.tar.gz"),
        ("trace", "export", "{run}", "--output", "{missing}/trace.csv"),
        ("memory", "export", "{missing}/memory.json"),
    ],
)
def test_a_folder_that_is_not_there_is_named(
    arguments: tuple[str, ...], half: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing"
    done = zork(*(one.format(run=half, missing=missing) for one in arguments))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_trace_is_read_by_its_path_as_text(half: Path, tmp_path: Path) -> None:
    assert read_trace(str(half / "trace.jsonl")).roots
    with pytest.raises(RunError, match="no trace there"):
        read_trace(str(tmp_path / "nothing"))


def told_in_one_line(*arguments: str) -> str:
    done = zork(*arguments)
    assert done.returncode == 2
    assert "a fault of this program" not in done.stderr
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("zork: ")]
    return line


def test_a_role_that_a_run_has_not_is_told(tmp_path: Path) -> None:
    run = play("hollow", graph="random", steps=2, out=tmp_path)["run_dir"]
    line = told_in_one_line("prompt", "show", "oracle", "--run", run, "--turn", "1")
    assert "no node 'oracle'" in line


def test_a_port_that_is_none_is_told(tmp_path: Path) -> None:
    assert "--port" in told_in_one_line("view", "--runs", str(tmp_path), "--port", "99999")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("view", "--live", "RUN"), "leave out"),
        (("compare", "FILE", "FILE", "--by", "model", "--unpaired"), "leave out --by"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    command: tuple[str, ...], told: str, half: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    run_grid([Cell("workshop", "random", 1, 0)], rows, 1, engine=InlineEngine)
    places = {"RUN": str(half), "FILE": str(rows)}
    assert told in told_in_one_line(*(places.get(one, one) for one in command))


def test_a_seed_that_no_emulator_takes_is_told_at_the_start() -> None:
    assert "--seed" in told_in_one_line("mcp", "--seed", str(2**31))


@pytest.mark.parametrize("row", ["{}", '{"cell": {}}', '{"cell": {"settings": [], "access": []}}'])
def test_a_row_that_is_none_is_told(row: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{row}\n", encoding="utf-8")
    told_in_one_line("reproduce", f"{file}#1")
    told_in_one_line("reproduce", f"{file}#\N{SUPERSCRIPT TWO}")


def test_a_recording_of_another_form_is_told(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    runs = [{"inputs": {}}, {}, {"inputs": {"messages": [[{}]]}}]
    answer = {"generations": [[{"message": {"kwargs": {"content": "look"}}}]]}
    lines = [
        json.dumps({"post": {"id": str(at), "run_type": "llm", "outputs": answer, **run}})
        for at, run in enumerate(runs)
    ]
    trace.write_text("\n".join(lines), encoding="utf-8")
    line = told_in_one_line(
        *("play", "--graph", "llm", "--steps", "1", "--out", str(tmp_path / "runs")),
        *("--model", f"embedded:recording:{trace}"),
    )
    assert "holds no model answers" in line


def test_a_function_in_a_broken_module_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torn_model.py").write_text("def answer(:\n", encoding="utf-8")
    line = told_in_one_line(
        *("play", "--graph", "llm", "--steps", "1", "--out", "runs", "--trust"),
        *("--model", "embedded:function:torn_model:answer"),
    )
    assert "SyntaxError" in line


def test_what_a_part_cannot_be_made_with_is_told_without_its_model(tmp_path: Path) -> None:
    line = told_in_one_line(
        *("play", "--graph", "llm", "--steps", "1", "--out", str(tmp_path)),
        *(
            "--trust",
            "--model",
            "embedded:function:testing.choosers:first",
            "-s",
            "nodes.actor.prompt=acter",
        ),
    )
    assert "acter" in line
    assert "object at" not in line


def test_a_total_of_commands_ends_the_last_episode(tmp_path: Path) -> None:
    done = zork(
        *("play", "--game", "hollow", "--steps", "3", "--total-steps", "4", "--json", "--fresh"),
        *("--out", str(tmp_path)),
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["steps"] for row in rows if "run_dir" in row] == [3, 1]


def test_what_compare_takes_is_told() -> None:
    assert (
        "give two results files and leave out --by"
        in zork("compare", "b.jsonl", "--unpaired").stderr
    )


@pytest.mark.parametrize("command", ["play --steps 1", "memory show", "graph show offline"])
def test_a_folder_that_is_gone_is_told_as_such(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = zork(*command.split())
    assert done.returncode == 2
    assert done.stderr.startswith("zork: the folder where this was started is gone: ")
