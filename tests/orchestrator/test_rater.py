"""The graph `likely`: a model rates commands, once each in a room; what it is worth is learned."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from managers.belief.ratings import Ratings, Worth
from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.state import State
from testing import choosers, raters

STEPS = 30


HUMMING = '''
class Halls:
    """A row of halls, in each of which something may be heard once."""

    def reset(self, *, seed=None):
        self.at, self.heard = 1, set()
        return self.seen(), {"room": f"Hall {self.at}"}

    def seen(self):
        way = " You can go north." if self.at < 5 else ""
        return f"Hall {self.at}\\nA bare hall.{way}"

    def step(self, command):
        points, text = 0, "Nothing happens."
        if command == "north" and self.at < 5:
            self.at += 1
            text = self.seen()
        elif command == "south" and self.at > 1:
            self.at -= 1
            text = self.seen()
        elif command == "listen" and self.at not in self.heard:
            self.heard.add(self.at)
            points, text = POINTS, "You hear a hum." if POINTS else "You hear nothing."
        return text, points, False, False, {"room": f"Hall {self.at}"}
'''


def played(
    model: str, out: Path, game: str = "hollow", **more: Any
) -> tuple[dict[str, Any], list[State]]:
    states: list[State] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            states.append(event.after)

    result = play(
        game, model=f"embedded:function:{model}", seed=4, out=out, fresh=True,
        trust=True, watchers=(note,), **{"graph": "likely", "steps": STEPS, **more},
    )  # fmt: skip
    return result, states


def transcript(result: dict[str, Any]) -> bytes:
    return Path(result["run_dir"], "transcript.txt").read_bytes()


@pytest.mark.slow
def test_a_uniform_model_changes_nothing(tmp_path: Path) -> None:
    plain = play("hollow", steps=STEPS, seed=4, out=tmp_path / "plain", fresh=True)
    rated, states = played(f"{raters.__name__}:uniform", tmp_path / "rated")
    assert transcript(rated) == transcript(plain)
    assert states[-1]["ratings"].rooms


@pytest.mark.slow
def test_a_command_is_asked_about_once_in_a_room_until_something_changes(tmp_path: Path) -> None:
    result, states = played(f"{raters.__name__}:random", tmp_path)
    known = [Ratings(), *(one["ratings"] for one in states)]
    asked = sum(before != after for before, after in pairwise(known))
    assert 0 < asked < STEPS
    assert result["roles"]["rater"]["questions"] <= asked
    for before, after in pairwise(known):
        for room, rows in before.rooms.items():
            assert rows.items() <= after.rooms[room].items(), "what was rated stays so"
    assert sum(len(rows) for rows in known[-1].rooms.values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("model", ["idle", "broken"])
def test_a_hostile_model_is_soon_not_heard_and_ends_nothing(model: str, tmp_path: Path) -> None:
    result, states = played(f"{raters.__name__}:{model}", tmp_path, steps=80)
    assert (result["end_reason"], result["steps"]) == ("steps", 80)
    last = states[-1]["reliability"].ratings
    assert all(one.weight < 0.2 for one in last.values())
    commands = {one["command"] for one in states}
    assert not {"quit", "{}", "", "\x00"} & commands
    assert result["best_score"] > 0


def test_its_own_ideas_are_options_where_they_are_new(tmp_path: Path) -> None:
    asked = ["nodes.rater.propose=3"]
    _, states = played(f"{raters.__name__}:idle", tmp_path, steps=6, settings=asked)
    ideas = states[-1]["ratings"].ideas
    assert all("listen" in some and "quit" not in some for some in ideas.values())
    assert len(ideas) >= 2
    _, states = played(f"{raters.__name__}:idle", tmp_path, steps=6)
    assert not states[-1]["ratings"].ideas


@pytest.mark.parametrize(("points", "better"), [(1, True), (0, False)])
def test_ideas_are_worth_what_earlier_ones_have_proved(
    points: int, better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"humming{points}"  # A process imports a module once.
    (tmp_path / f"{module}.py").write_text(f"POINTS = {points}\n{HUMMING}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, states = played(
        f"{raters.__name__}:idle", tmp_path, f"{module}:Halls", settings=["nodes.rater.propose=3"]
    )
    worth = states[-1]["reliability"].ratings["idea"]
    assert worth.tried == [one["command"] for one in states].count("listen") > 1
    assert (worth.of_idea > Worth().of_idea) is better


@pytest.mark.slow
def test_a_run_with_ratings_goes_on_and_forks_the_same(tmp_path: Path) -> None:
    model = f"{raters.__name__}:random"
    whole, _ = played(model, tmp_path / "whole")
    half, _ = played(model, tmp_path / "half", steps=12)
    resume(half["run_dir"], steps=STEPS - 12, trust=True)
    assert transcript(half) == transcript(whole)
    branch = fork(whole["run_dir"], turn=10, steps=STEPS - 10, out=tmp_path / "f", trust=True)
    assert transcript(branch) == transcript(whole)


def test_ratings_are_a_value_of_the_state() -> None:
    said = Ratings().with_("L1", {"north": -1.0}, ["sing"])
    assert Ratings.model_validate_json(said.model_dump_json()) == said


def test_in_the_graph_oracle_a_small_model_is_not_asked_to_write(tmp_path: Path) -> None:
    """What it holds likeliest is what the oracle recommends, as sure as that is likely."""
    model, short = f"{raters.__name__}:random", ["models.default.style=short"]
    result, states = played(model, tmp_path, graph="oracle", settings=short)
    assert set(result["roles"]) == {"rater"}
    told = [one["advice"] for one in states if "advice" in one]
    sure = [one.understanding for one in told if one.understanding.recommended_action]
    assert sure
    for one in sure:
        assert one.recommended_action not in one.alternative_actions
        assert 0 < one.confidence <= 1
    assert states[-1]["reliability"].records


def test_in_the_graph_oracle_one_that_tells_no_likelihoods_is_no_rater(tmp_path: Path) -> None:
    model = f"{choosers.__name__}:first"
    result, states = played(model, tmp_path, graph="oracle", steps=6)
    assert "rater" not in result["roles"]
    assert not states[-1].get("ratings", Ratings()).rooms
