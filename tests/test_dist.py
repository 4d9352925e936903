"""The wheel holds all that the program needs in a folder without a clone."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from orchestrator.evaluation.plan import protocols
from orchestrator.settings.sheets import shipped_graphs

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_wheel_plays_where_there_is_no_clone(tmp_path: Path) -> None:
    pytest.importorskip("build", reason="make .venv/.dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        assert "Requires-Python: >=3.11" in archive.read(metadata).decode()
        archive.extractall(tmp_path / "site")
    for name in shipped_graphs():
        assert f"orchestrator/graphs/{name}.toml" in names
    for name in protocols():
        assert f"orchestrator/evaluation/protocols/{name}.toml" in names
    for name in ("hollow.z5", "hollow.walkthrough.txt", "hollow.achievements.toml"):
        assert f"orchestrator/packages/game_files/{name}" in names
    assert {name.split("/")[0].partition("-")[0] for name in names} == {
        "orchestrator",
        "zork_orchestrator",
    }
    code = (
        "import sys; sys.path[:] = [p for p in sys.path if p != sys.argv[2]]"
        "; sys.path.insert(0, sys.argv[1]); import orchestrator; assert sys.argv[1] in "
        "orchestrator.__file__; print(orchestrator.play('morning', steps=3, trace=False).steps)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path / "site"), str(ROOT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "3\n"
