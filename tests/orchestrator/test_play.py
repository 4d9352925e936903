"""Whole episodes through the Python API."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from environments.game import GameError
from orchestrator import play
from orchestrator.batch import play_episodes, results_file
from orchestrator.errors import ConfigError, RoleError
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.setup import Setup
from orchestrator.state import Mark
from tests.playing import states_of


def transcript(result: dict[str, Any]) -> str:
    return Path(result["run_dir"], "transcript.txt").read_text(encoding="utf-8")


def test_an_episode_leaves_a_whole_run_directory(tmp_path: Path) -> None:
    result = play("hollow", seed=3, steps=30, out=tmp_path)
    run = Path(result["run_dir"])
    assert run.parent == tmp_path
    assert (result["steps"], result["end_reason"]) == (30, "steps")
    record = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    assert record["status"] == "ended"
    assert record["versions"]["jericho"]
    assert {**result} == record
    assert transcript(result).count("\n> ") == 30
    with sqlite3.connect(run / "checkpoints.sqlite") as checkpoints:
        assert checkpoints.execute("SELECT count(*) FROM checkpoints").fetchone() == (31,)
    checkpoints.close()


def test_paths_may_be_texts(tmp_path: Path) -> None:
    config = tmp_path / "none.toml"
    config.write_text('[nodes.critic]\nuse = "none"\n', encoding="utf-8")
    result = play("workshop", steps=1, configs=[str(config)], out=str(tmp_path / "runs"))
    assert Path(result["run_dir"]).parent == tmp_path / "runs"


def test_the_transcript_is_marked_as_the_state_says(tmp_path: Path) -> None:
    events: list[Event] = []
    result = play("morning", steps=12, out=tmp_path, watchers=(events.append,))
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    content = Path(result["run_dir"], "transcript.txt").read_bytes()
    mark = Mark(size=len(content), crc32=zlib.crc32(content))
    assert turns[-1].after["transcript"] == mark


def test_watchers_see_the_opening_every_turn_and_the_end(tmp_path: Path) -> None:
    events: list[Event] = []
    play("workshop", steps=5, out=tmp_path, watchers=(events.append,))
    assert [type(event) for event in events] == [EpisodeStarted, *[TurnPlayed] * 5, EpisodeEnded]
    turns = [event.after["turn"] for event in events if isinstance(event, TurnPlayed)]
    assert turns == [1, 2, 3, 4, 5]


def test_the_same_seed_gives_the_same_transcript_and_another_one_does_not(tmp_path: Path) -> None:
    first, again, other = (
        transcript(play("hollow", seed=seed, steps=12, out=tmp_path, fresh=True))
        for seed in (5, 5, 6)
    )
    assert first == again
    assert first != other


def test_the_agent_seed_alone_changes_play(tmp_path: Path) -> None:
    first, other = (
        transcript(
            play("hollow", graph="random", seed=5, agent_seed=agent_seed, steps=8, out=tmp_path)
        )
        for agent_seed in (1, 2)
    )
    assert first != other


def test_a_walkthrough_wins_embedded_stories(tmp_path: Path) -> None:
    for story, maximum in (("morning", 10), ("workshop", 10)):
        setting = f"nodes.actor.commands=game_files/{story}.walkthrough.txt"
        result = play(story, graph="walkthrough", seed=7, settings=[setting], out=tmp_path)
        assert (result["score"], result["end_reason"]) == (maximum, "won"), story


def test_what_one_batch_has_left_another_does_not_overwrite(tmp_path: Path) -> None:
    setup = Setup.resolve("workshop", graph="random", steps=1, out=tmp_path, fresh=True)
    batches = [results_file(play_episodes(setup, 2)) for _ in range(2)]
    assert sorted(tmp_path.glob("results*.json")) == sorted(set(batches))
    assert len(set(batches)) == 2


def test_several_episodes_take_new_seeds_and_leave_a_summary(tmp_path: Path) -> None:
    setup = Setup.resolve("workshop", graph="random", steps=5, seed=9, out=tmp_path)
    results = play_episodes(setup, 3)
    assert results[0]["seed"] == 9
    assert len({result["seed"] for result in results}) == 3
    saved = json.loads(results_file(results).read_text(encoding="utf-8"))
    assert saved["episodes"] == results
    assert saved["summary"]["mean_score"] == pytest.approx(
        sum(result["score"] for result in results) / 3, abs=0.01
    )
    assert saved["summary"]["goal"] == results[-1]["goal"]
    assert 0 <= saved["summary"]["recommendation_accuracy"] <= 1
    assert all(len(result["accomplished"]) <= result["steps"] for result in results)


OWN_PARTS = '''
class Objector:
    """Objects to everything until the bound is reached."""

    def judge(self, briefing):
        return {"accept": False, "reason": f"no to {briefing.proposal.action}", "confidence": 0.5}


class Confused:
    def judge(self, briefing):
        return {"acept": True}


class Hasty:
    """Says four commands at once, the third of which fails in a closed room."""

    def propose(self, briefing):
        return {"thinking": "all at once", "action": "inventory, look, then go north. wait"}


class Audit:
    def __init__(self, *, file):
        self.file = file

    def __call__(self, state):
        with open(self.file, "a", encoding="utf-8") as log:
            log.write(f"{self.line(state)}\\n")
        return {}

    def line(self, state):
        return state["proposal"].command


class Bell(Audit):
    def line(self, state):
        return state["turn"]


def meddler(state):
    return {"turn": 1000}


def forgetful(state):
    return None
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module outside the repository that imports nothing of ours."""
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(OWN_PARTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_a_critic_of_ones_own_is_asked_and_its_verdicts_are_traced(
    own: str, tmp_path: Path
) -> None:
    settings = [f"nodes.critic.use={own}:Objector", "edges.critic.at_most=2"]
    events: list[Event] = []
    result = play("workshop", settings=settings, steps=3, out=tmp_path, watchers=(events.append,))
    turns = [event.after for event in events if isinstance(event, TurnPlayed)]
    for state in turns:
        assert [judgement.attempt for judgement in state["judgements"]] == [1, 2, 3]
        assert {judgement.turn for judgement in state["judgements"]} == {state["turn"]}
        assert state["proposal"].attempt == 3
    trace = Path(result["run_dir"], "trace.jsonl").read_text(encoding="utf-8")
    assert f"no to {turns[0]['proposal'].command}" in trace


def test_a_line_of_commands_takes_a_turn_for_each_until_one_fails(own: str, tmp_path: Path) -> None:
    settings = [f"nodes.actor.use={own}:Hasty", "nodes.critic.use=none"]
    _, *turns = states_of("workshop", tmp_path, settings=settings, steps=5)
    played = [state["command"] for state in turns]
    assert played == ["inventory", "look", "go north", "inventory", "look"]
    assert turns[0]["proposal"].pending == ("look", "go north", "wait")


def test_an_inserted_node_runs_where_it_was_put(own: str, tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    config = tmp_path / "audit.toml"
    config.write_text(
        f'[insert.audit]\nuse = "{own}:Audit"\nbefore = "game"\nfile = "{log}"\n', encoding="utf-8"
    )
    events: list[Event] = []
    options: dict[str, Any] = {"out": tmp_path, "watchers": (events.append,), "trust": True}
    play("workshop", configs=[config], steps=4, **options)
    played = [e.after["proposal"].command for e in events if isinstance(e, TurnPlayed)]
    assert log.read_text(encoding="utf-8").splitlines() == played


@pytest.mark.parametrize("checkpoints", [True, False])
def test_a_node_inserted_before_the_first_one_begins_every_turn(
    own: str, tmp_path: Path, checkpoints: bool
) -> None:
    log = tmp_path / "bell.log"
    settings = [f"insert.bell.use={own}:Bell", "insert.bell.before=objective_manager"]
    settings.append(f"insert.bell.file={log}")
    play("workshop", settings=settings, steps=3, out=tmp_path, checkpoints=checkpoints)
    assert log.read_text(encoding="utf-8").split() == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (["nodes.critic.use={}:Confused"], RoleError, "accept: field required"),
        (["insert.x.use={}:meddler", "insert.x.after=actor"], RoleError, "wrote 'turn'"),
        (["insert.x.use={}:forgetful", "insert.x.after=actor"], RoleError, "returned None"),
        (["insert.x.use={}:meddler", "insert.x.after=actr"], ConfigError, "mean 'actor'?"),
        (["insert.x.use={}:meddler"], ConfigError, "after = NODE or before = NODE"),
        (
            ["insert.x.use={}:meddler", "insert.x.after=actor", 'insert.x.writes=["trun"]'],
            ConfigError,
            "unknown field 'trun'; did you mean 'turn'?",
        ),
    ],
)
def test_a_part_that_breaks_its_contract_is_named(
    own: str, tmp_path: Path, settings: list[str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        play("workshop", settings=[s.format(own) for s in settings], steps=2, out=tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("game", "options", "error", "message"),
    [
        ("holow", {}, GameError, "hollow"),
        ("hollow", {"seed": 0}, ConfigError, "seed 0: must be a whole number, 1 or more"),
        ("hollow", {"steps": -1}, ConfigError, "steps -1: must be a whole number, 0 or more"),
        ("hollow", {"graph": "walkthrough"}, ConfigError, "commands"),
        ("", {}, GameError, "no story ''"),
        ("hollow", {"seed": 2.0}, ConfigError, "seed 2.0: must be a whole number"),
        ("hollow", {"seed": "5"}, ConfigError, "seed '5': must be a whole number"),
        ("hollow", {"agent_seed": 1.5}, ConfigError, "agent seed 1.5: must be a whole number"),
        ("hollow", {"lives": 1.5}, ConfigError, "lives 1.5: must be a whole number"),
        ("hollow", {"episode": 0}, ConfigError, "episode 0: must be a whole number, 1 or more"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(
    tmp_path: Path, game: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        play(game, out=tmp_path / "runs", **options)
    assert message in str(caught.value)
    assert not (tmp_path / "runs").exists()
