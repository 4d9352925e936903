"""The Python API: explicit options, a typed result, parts given as objects."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from orchestrator import Result, play, to_pandas
from orchestrator.errors import ConfigError, RoleError, RunError
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.rerun import rerun
from orchestrator.resume import resume

TWO = str(Path(__file__).parents[2] / "examples" / "graphs" / "two_actors.toml")


class Objector:
    """Objects to every `north`."""

    def __init__(self, word: str = "north") -> None:
        self.word, self.heard = word, 0

    def judge(self, briefing: Any) -> dict[str, Any]:
        self.heard += 1
        accept = briefing.proposal.action != self.word
        return {"accept": accept, "reason": "no", "confidence": 0.9}


def test_a_result_is_typed_and_reads_like_its_file(tmp_path: Path) -> None:
    result = play("workshop", seed=3, steps=5, out=tmp_path, fresh=True)
    assert isinstance(result, Result)
    recorded = json.loads((result.run_dir / "episode.json").read_text(encoding="utf-8"))
    assert {**result} == recorded
    assert result["score"] == result.score == recorded["score"]
    assert {name in result for name in ("score", "config")} == {True}
    assert "nothing" not in result
    assert (result.steps, result.seed, result.access, result.won) == (5, 3, ("text",), False)
    assert result.started.tzinfo is not None


def test_parts_may_be_given_as_objects(tmp_path: Path) -> None:
    critic = Objector("south")
    result = play("workshop", steps=4, out=tmp_path, fresh=True, critic=critic)
    assert critic.heard >= 4
    assert result.graph.startswith("offline+")
    assert result["config"]["nodes"]["critic"]["use"].endswith("test_api:Objector")
    resumed = resume(result.run_dir, steps=2, trust=True)
    assert resumed["steps"] == 6


def test_a_part_needs_no_name_in_a_module(tmp_path: Path) -> None:
    class Mild:
        def judge(self, briefing: Any) -> dict[str, Any]:
            return {"accept": True}

    def propose(briefing: Any) -> dict[str, Any]:
        return {"thinking": "", "action": "wait"}

    result = play(
        "morning", critic=Mild(), actor=SimpleNamespace(propose=propose), out=tmp_path, steps=2
    )
    assert (result.run_dir / "transcript.txt").read_text(encoding="utf-8").count("> wait") == 2


def test_a_part_that_no_node_of_the_graph_plays_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"critic=.*no node of the graph 'random.*actor, extract"):
        play("morning", graph="random", critic=Objector(), out=tmp_path)
    with pytest.raises(ConfigError, match=r"judge=.*no node of the graph 'offline"):
        play("morning", judge=First(), out=tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_no_part_is_refused_before_play(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"is a class; give what it makes, Objector\(\)"):
        play("workshop", out=tmp_path, critic=Objector)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"has no method judge\(briefing\)"):
        play("workshop", out=tmp_path, critic=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword"):
        play("workshop", out=tmp_path, sedd=3)  # type: ignore[call-arg]
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_results_are_a_table(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="make install EXTRAS=pandas")
    results = [play("workshop", seed=s, steps=2, out=tmp_path) for s in (1, 2)]
    table = to_pandas(results)
    assert isinstance(table, pandas.DataFrame)
    assert list(table["seed"]) == [1, 2]
    assert list(results[0].to_pandas()["steps"]) == [2]


def test_without_pandas_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match="a DataFrame needs pandas: make install EXTRAS=pandas"):
        to_pandas([])


def test_the_same_call_plays_the_same_game_and_says_that_it_is_fresh(tmp_path: Path) -> None:
    results = [play("morning", seed=4, steps=12, out=tmp_path) for _ in range(3)]
    transcripts = {Path(one.run_dir, "transcript.txt").read_bytes() for one in results}
    assert len(transcripts) == 1
    assert [one.remembered for one in results] == [None] * 3


def test_paths_may_be_texts_and_one_thing_needs_no_list(tmp_path: Path) -> None:
    mild, out, store = tmp_path / "mild.toml", str(tmp_path / "runs"), str(tmp_path / "m.sqlite")
    mild.write_text('name = "mild"\nextends = "offline"\n', encoding="utf-8")
    first = play("morning", graph=mild, configs=mild, settings="after_end=stop", steps=1, out=out)
    assert first.graph.startswith("mild+")
    assert play("morning", store=store, steps=1, out=out).remembered == 0
    for one in (resume(first.run_id, steps=1, out=out), rerun(first.run_id, out=out)):
        assert one["steps"] == 2
    branch = fork(first.run_id, 1, graph=mild, configs=str(mild), steps=0, out=out)
    assert (branch["steps"], replay(branch["run_id"], out=out).divergence) == (1, None)


def test_numbers_may_be_those_of_numpy(tmp_path: Path) -> None:
    one, two = np.int64(1), np.int64(2)
    result = play("morning", seed=two, agent_seed=one, lives=one, steps=two, out=tmp_path)
    assert (result.seed, result.steps) == (2, 2)
    branch = fork(result.run_dir, one, steps=one, out=tmp_path)
    assert branch["steps"] == 2
    for odd in (-1, "1", 1.0):
        with pytest.raises(ConfigError, match=f"steps {odd!r}: must be a whole number, 0 or more"):
            resume(result.run_dir, steps=odd)  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=f"turn {odd!r}: must be a whole number, 0 or more"):
            fork(result.run_dir, odd, out=tmp_path)  # type: ignore[arg-type]


def test_an_empty_name_is_no_run(tmp_path: Path) -> None:
    play("morning", steps=1, out=tmp_path)
    with pytest.raises(RunError, match="no run ''"):
        resume("", steps=1, out=tmp_path)


def test_memory_is_used_where_it_is_asked_for(tmp_path: Path) -> None:
    store = tmp_path / "memory.sqlite"
    told = {"steps": 2, "out": tmp_path}
    assert [play("morning", store=store, **told).remembered for _ in range(2)] == [0, 1]
    assert [play("morning", fresh=False, **told).remembered for _ in range(2)] == [0, 1]
    assert play("morning", store=store, fresh=True, **told).remembered is None


def test_progress_is_told_where_somebody_may_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play("morning", steps=2, out=tmp_path)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    play("morning", steps=2, out=tmp_path)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "morning s1, fresh" in shown.err
    assert "2 of 2 commands played" in without_colours(shown.err)
    play("morning", steps=2, out=tmp_path, progress=False)
    assert capsys.readouterr() == ("", "")


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_notebook_has_one_line_that_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, line: dict[str, str], raw: bool) -> None:
            shown.append(line["text/plain"])

    def display(line: dict[str, str], raw: bool, display_id: bool) -> Handle:
        shown.append(line["text/plain"])
        return Handle()

    shell = SimpleNamespace(kernel="a kernel")
    ipython = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    result = play("morning", steps=2, out=tmp_path, seed=3)
    title = "morning, graph offline, seed 3, fresh"
    assert shown[0] == f"{title}: turn 0 of at most 2"
    assert shown[1].startswith(f"{title}: turn 1, score ")
    assert shown[-1] == f"{title}: steps after 2 turns, score {result.score}, {result.run_dir}"


class First:
    """Takes what was proposed first."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, briefing: Any, proposals: Any) -> dict[str, Any]:
        self.asked += 1
        return {"number": 0, "reason": "it came first"}


def test_a_judge_may_be_given(tmp_path: Path) -> None:
    judge = First()
    play("morning", graph=TWO, judge=judge, steps=3, out=tmp_path, trust=True)
    assert judge.asked >= 3
    with pytest.raises(TypeError, match=r"has no method choose\(briefing\)"):
        play("morning", graph=TWO, judge=object(), out=tmp_path)  # type: ignore[arg-type]


def test_who_is_asked_may_answer_with_fields_and_is_told_of_a_wrong_answer(tmp_path: Path) -> None:
    def call(answer: Any) -> Any:
        given: dict[str, Any] = {"approver": lambda question: answer, "out": tmp_path}
        return play("hollow", settings="approve=true", steps=1, **given)

    assert call({"do": "edit", "text": "wait"}).steps == 1
    for wrong in (None, "accept", {"do": "accpet"}):
        with pytest.raises(RoleError, match=r"the approver answered .*, no Approval: "):
            call(wrong)
