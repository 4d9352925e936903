"""Runs whose trace or record somebody has altered: every command tells it in a line, or goes on."""

from __future__ import annotations

import json
import random
import shutil
import tarfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="make install EXTRAS=view")

from starlette.applications import Starlette
from starlette.testclient import TestClient

from orchestrator import play
from orchestrator.fork import fork
from orchestrator.viewer.server import Viewer
from testing.fake_ollama import FakeOllama
from tests.command_line import zork
from tests.orchestrator.altered import alter

FEW, MANY = range(12), range(12, 1500)
ROUNDS = 6
"""A run is shown a sixth of the commands, and the page."""
COMMANDS = (
    *("runs list", "runs list --json", "runs show RUN", "trace list", "trace show RUN"),
    *("trace show RUN --turn 2", "trace show RUN --errors", "trace show RUN --node actor"),
    *("trace show RUN --follow", "trace diff RUN OTHER", "trace stats RUN OTHER"),
    *("trace export RUN -f csv", "trace export RUN -f jsonl", "trace export RUN -f otlp"),
    *("view RUN --export FOLDER/run.html", "world show RUN --map FOLDER/map.txt"),
    *("prompt show actor --run RUN --turn 2", "prompt show critic --run RUN --turn 4"),
    *("replay RUN", "runs export RUN FOLDER/run.tar.gz", "trace draw RUN -o FOLDER/score.svg"),
    *("fork RUN --turn 2 --steps 1 --quiet", "resume RUN --steps 1 --quiet", "runs rm RUN --yes"),
)
LONGEST = 1500
"""Of what is said about one mistake."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with models, a fork of it, and one with several who propose."""
    out = tmp_path_factory.mktemp("recorded")
    with FakeOllama(seed=1) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", server.base_url)
        asked = play("hollow", graph="oracle", seed=2, steps=4, out=out, fresh=True)
        fork(asked["run_dir"], 2, steps=2, out=out)
        play("hollow", graph="llm", seed=2, steps=3, out=out, fresh=True)
        play("morning", graph="council", seed=2, steps=2, out=out, fresh=True)
    return out


@pytest.mark.parametrize(
    "seeds",
    [FEW, pytest.param(MANY, marks=[pytest.mark.slow, pytest.mark.timeout(0)])],
    ids=["few", "many"],
)
def test_no_altered_run_ends_in_a_traceback(recorded: Path, tmp_path: Path, seeds: range) -> None:
    troubles = []
    for seed in seeds:
        found = troubles_of(recorded, tmp_path / "runs", seed, COMMANDS[seed % ROUNDS :: ROUNDS])
        troubles += [f"seed {seed}, {told}: {trouble}" for told, trouble in found]
    assert troubles == []


def record_of(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    return found


def names_in(recorded: Path) -> list[str]:
    """The runs by what was played, whenever that was."""
    return sorted((path.name for path in recorded.iterdir()), key=lambda name: (name[16:], name))


def troubles_of(
    recorded: Path, out: Path, seed: int, commands: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What goes wrong with one altered run: what was altered, and what came of it."""
    dice = random.Random(seed)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(recorded, out)
    name, other = dice.choice(names_in(recorded)), dice.choice(names_in(recorded))
    told = alter(out / name, dice)
    shown = [lambda: looked_at(out, name)]
    for command in commands:
        words = command.replace("RUN", name).replace("OTHER", other).replace("FOLDER", str(out))
        shown.append(lambda words=words: ran(*words.split(), "--out", str(out)))
    for act in shown:
        try:
            trouble = act()
        except Exception as error:  # noqa: BLE001 - whatever it is, a user would see it
            trouble = repr(error)[:300]
        if trouble:
            yield told, trouble


def ran(*words: str) -> str:
    """What is wrong with how a command ended."""
    done = zork(*words)
    if done.returncode in (0, 1) or (done.returncode == 2 and len(done.stderr) < LONGEST):
        return ""
    return f"{' '.join(words[:2])}: status {done.returncode}, {done.stderr[:200]}"


def looked_at(out: Path, name: str) -> str:
    """What is wrong with the page of a run."""
    viewer = Viewer(out)
    with TestClient(Starlette(routes=viewer.routes())) as client:
        json.loads(client.get("/api/runs").content)
        found = client.get(f"/api/runs/{name}")
        rows = json.loads(found.content)["rows"] if found.status_code == 200 else []
        asked = [f"turns/{row[0]}{more}" for row, more in product(rows, ("", "/puzzles"))]
        answers = [client.get(f"/api/runs/{name}/{one}") for one in asked]
    viewer.close()
    wrong = [one.text[:200] for one in answers if one.status_code != 200]
    for answer in answers:
        json.loads(answer.content, parse_constant=wrong.append)
    return "; ".join(wrong)


@pytest.mark.parametrize(
    ("node", "field", "value"),
    [
        ("actor", "outputs.proposal.response", 1e308),
        ("planner", "outputs.options.0", {"command": [], "probability": "x", "value": None}),
        ("learner", "outputs.reliability", {"records": {"recommendation": {"judged": 1}}}),
        ("learner", "outputs.beliefs.observation_history", [float("nan")]),
        ("critic", "outputs.judgements.0.by", "\ud800"),
        ("objective_manager", "outputs.objectives", [{"id": ""}, 5]),
        ("extractor", "outputs.extraction", [1]),
        ("game", "outputs.score", {"last": {"score": 10**400}}),
        ("game", "outputs.observation.text", {"a": 1}),
        ("turn", "end_time", "9999-12-31T23:59:59"),
    ],
)
def test_fields_of_another_type_count_as_not_told(
    recorded: Path, tmp_path: Path, node: str, field: str, value: object
) -> None:
    name = names_in(recorded)[1]
    out = Path(shutil.copytree(recorded, tmp_path / "runs"))
    _set(out / name / "trace.jsonl", node, field.split("."), value)
    assert looked_at(out, name) == ""
    for words in ("trace show RUN --turn 2", "trace stats RUN", "trace export RUN -f otlp"):
        done = zork(*words.replace("RUN", name).split(), "--out", str(out))
        assert done.returncode == 0, done.stderr


def _set(trace: Path, node: str, way: list[str], value: object) -> None:
    """Put a value into what a node wrote in turn 2."""
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    posts = [line["post"] for line in lines if "post" in line]
    (run, *_) = (
        post["id"]
        for post in posts
        if post["name"] == node and post["extra"]["metadata"]["turn"] == 2
    )
    holder = next(line["patch"] for line in lines if line.get("patch", {}).get("id") == run)
    for key in way[:-1]:
        holder = holder[int(key) if isinstance(holder, list) else key]
    holder[int(way[-1]) if isinstance(holder, list) else way[-1]] = value
    trace.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"end_reason": None},
        {"score": "<b>", "steps": [], "max_score": {}, "prompt_tokens": "many"},
        {"end_reason": 5, "best_score": 1e400},
    ],
)
def test_a_run_that_tells_less_does_not_break_the_lists(
    recorded: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    """It comes as an archive, as somebody would send it."""
    out = Path(shutil.copytree(recorded, tmp_path / "runs"))
    sent = Path(shutil.copytree(sorted(recorded.iterdir())[0], tmp_path / "sent"))
    record = json.loads((sent / "episode.json").read_text(encoding="utf-8")) | {"run_id": "sent"}
    record = {key: value for key, value in (record | change).items() if value is not None}
    (sent / "episode.json").write_text(json.dumps(record), encoding="utf-8")
    with tarfile.open(tmp_path / "sent.tar.gz", "w:gz") as tar:
        for name in ("episode.json", "trace.jsonl", "checkpoints.sqlite", "transcript.txt"):
            tar.add(sent / name, f"sent/{name}")
    assert zork("runs", "import", str(tmp_path / "sent.tar.gz"), "--out", str(out)).returncode == 0
    for words in (("runs", "list"), ("trace", "list"), ("runs", "show", "sent")):
        done = zork(*words, "--out", str(out))
        assert (done.returncode, done.stderr) == (0, "")
        assert "sent" in done.stdout
    with TestClient(Starlette(routes=Viewer(out).routes())) as client:
        heads = {one["id"]: one for one in client.get("/api/runs").json()}
    assert len(heads) == 5
    assert heads["sent"]["status"] in ("ended", "steps")


def test_a_trace_that_is_spelled_otherwise_is_the_same_to_all(
    recorded: Path, tmp_path: Path
) -> None:
    """With blanks between its words, and a field of another order."""
    oracles = (path for path in recorded.iterdir() if "-oracle-" in path.name)
    name = next(path.name for path in oracles if not record_of(path)["parent"])
    out = Path(shutil.copytree(recorded, tmp_path / "runs"))
    trace = out / name / "trace.jsonl"
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    spelled = [
        json.dumps({kind: dict(reversed(record.items()))})
        for line in lines
        for kind, record in line.items()
    ]
    trace.write_text("\n".join(spelled) + "\n", encoding="utf-8")
    answers = []
    for folder in (recorded, out):
        with TestClient(Starlette(routes=Viewer(folder).routes())) as client:
            answers.append(client.get(f"/api/runs/{name}").json()["rows"])
    assert answers[0] == answers[1]
    assert len(answers[0]) == 5
