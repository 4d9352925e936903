"""Traces and results as Parquet files."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.parquet import write_parquet
from orchestrator.traces.reader import read_trace
from tests import command_line

HERE = importlib.util.find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(
    not HERE, reason="pyarrow is not installed (make install EXTRAS=parquet)"
)


def zork(*arguments: str | Path) -> str:
    result = CliRunner().invoke(make_app(), list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
@needs_pyarrow
def test_a_trace_as_a_table(tmp_path: Path) -> None:
    from pyarrow import parquet, types

    result = play("morning", steps=5, out=tmp_path, fresh=True)
    target = tmp_path / "runs.parquet"
    zork("trace", "export", result["run_id"], "-f", "parquet", "-o", target, "--out", tmp_path)
    table = parquet.read_table(target)
    runs = list(read_trace(Path(result["run_dir"], "trace.jsonl")).walk())
    assert table.column("id").to_pylist() == [run.record["id"] for run in runs]
    assert table.column("seconds").to_pylist() == [run.seconds for run in runs]
    assert table.column("start_time").to_pylist()[0] == runs[0].started
    assert json.loads(table.column("outputs").to_pylist()[-1]) == runs[-1].outputs
    kinds = {name: table.schema.field(name).type for name in ("turn", "error", "end_time")}
    assert types.is_integer(kinds["turn"])
    assert types.is_string(kinds["error"])
    assert types.is_timestamp(kinds["end_time"])


@pytest.mark.slow
@needs_pyarrow
def test_the_rows_of_a_grid_as_a_table(tmp_path: Path) -> None:
    from pyarrow import parquet

    target, lines = tmp_path / "rows.parquet", tmp_path / "rows.jsonl"
    grid = ("--games", "workshop", "--graphs", "random", "--seeds", "1-2", "--steps", "3")
    zork("bench", *grid, "--workers", "1", "--output", lines, "--parquet", target)
    rows = parquet.read_table(target).to_pylist()
    written = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert [row["seed"] for row in rows] == [1, 2]
    assert [row["score"] for row in rows] == [row["score"] for row in written]
    assert [json.loads(row["versions"]) for row in rows] == [row["versions"] for row in written]
    with pytest.raises(RunError, match="cannot be written"):
        write_parquet(tmp_path / "nowhere" / "rows.parquet", rows)


def test_without_pyarrow_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is installed or not."""
    play("workshop", steps=1, out=tmp_path, fresh=True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.chdir(tmp_path)
    for command in (
        ["trace", "export", "-f", "parquet", "-o", "runs.parquet", "--out", "."],
        ["bench", "--parquet", "rows.parquet", "--output", "rows.jsonl"],
    ):
        done = command_line.zork(*command)
        assert done.returncode == 2
        assert done.stderr.startswith("zork: Parquet needs pyarrow")
        assert "make install EXTRAS=parquet" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("r*s.*"))
