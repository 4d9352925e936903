"""A run in few words: its title, how it ended, its highlights, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.briefing import Briefing
from managers.language.history import BEGINS_ANEW, UNDO
from orchestrator import play
from orchestrator.fork import fork
from orchestrator.recap import STUCK, Recap, banner_name, highlights
from orchestrator.saved.runs import RunDirectory
from orchestrator.turns.ends import RESTART, TAKEN_BACK
from orchestrator.viewer.frames import TurnRow
from orchestrator.viewer.runs import RunView, head
from testing.fake_ollama import FakeOllama

WALKTHROUGH = Path(__file__).parents[2] / "game_files" / "morning.walkthrough.txt"


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A short story that is won; only to be read."""
    return play(
        "morning",
        graph="walkthrough",
        settings=[f"nodes.actor.commands={WALKTHROUGH}"],
        steps=60,
        out=tmp_path_factory.mktemp("runs"),
        fresh=True,
    )


def recap_of(result: Any) -> Recap:
    view = RunView(RunDirectory(Path(result["run_dir"])))
    view.refresh()
    return view.recap()


def rows(*changes: dict[str, Any]) -> list[TurnRow]:
    """An overview in which every turn is as the one before it, but for what changed."""
    row = TurnRow(0, "", "L1 Hall", "", "", 0, 0, 0, 0, "", 1, 0, 0, 0, 0.1, "")
    found = [row]
    for turn, change in enumerate(changes, start=1):
        gained = change.get("score", row.score) - row.score
        plain = {"turn": turn, "objections": (), "text": "", "gained": gained}
        row = row._replace(**{**plain, **change})
        found.append(row)
    return found


def told(*changes: dict[str, Any], ended: str = "") -> list[tuple[int, str, str]]:
    return [(one.turn, one.kind, one.text) for one in highlights(rows(*changes), ended)]


def test_a_story_that_is_won_says_so(won: Any) -> None:
    found = recap_of(won)
    assert found.name == "Best Man"
    assert found.title == "Best Man, walkthrough, seed 1: 10 of 10, won"
    assert found.end == f"won; {won['steps']} of 60 commands played; 10 of 10 points"
    assert found.highlights[-1].kind == "end"
    gains = [one for one in found.highlights if one.kind == "points"]
    assert sum(int(one.text.split()[0]) for one in gains) == 10


def test_a_run_that_has_ended_is_looked_at_and_one_that_broke_off_is_played_on(
    half: Path,
) -> None:
    run = RunDirectory(half)
    assert [one.command for one in recap_of({"run_dir": half}).then] == [f"zork view {half}"]
    run.write_episode({**run.record().header(), "status": "running"})
    view = RunView(run)
    view.refresh()
    first, last = view.recap().then
    assert first.command == f"zork resume {half}"
    assert last.command == f"zork view {half}"
    title = "Wreckers' Hollow, offline, seed 5: "
    assert view.recap().title.startswith(title)
    assert view.recap().title.endswith(", the program was killed")
    assert view.recap().end.startswith("the program was killed; 12 of 12 commands played; ")
    assert head(run)["title"] == f"{title}the program was killed"
    run.write_episode({**run.record().header(), "status": "running", "steps": 4, "score": 0})
    assert view.recap().end.startswith("the program was killed; 12 of 12 commands played; ")


def test_a_fork_tells_what_its_first_turn_won(won: Any, tmp_path: Path) -> None:
    first = next(one for one in recap_of(won).highlights if one.kind == "points")
    forked = fork(won["run_dir"], first.turn - 1, out=tmp_path, steps=1)
    assert first in recap_of(forked).highlights


def test_points_deaths_and_ways_back_are_told() -> None:
    assert told(
        {"command": "take egg", "score": 5, "best": 5},
        {"command": "jump", "score": 4, "deaths": 1},
        {"command": UNDO, "score": 5, "text": TAKEN_BACK.format("jump")},
        {"command": RESTART, "score": 0, "text": f"{BEGINS_ANEW}\n\nHall"},
        {"command": "wave", "faults": 1},
        ended="stopped",
    ) == [
        (1, "points", "+5 points by `take egg` (5 in all)"),
        (2, "loss", "-1 point by `jump` (4 in all)"),
        (2, "death", "died of `jump`"),
        (3, "points", "+1 point by `undo` (5 in all)"),
        (3, "way back", "`jump` is taken back"),
        (4, "loss", "-5 points by `restart` (0 in all)"),
        (4, "way back", "the story began anew"),
        (5, "fault", "`wave` could not be played"),
        (5, "end", "stopped"),
    ]


def test_a_long_stretch_without_anything_new_is_told_from_where_it_began() -> None:
    walked = [{"room": f"L{n} Cave → L{n + 1} Cave"} for n in range(1, 12)]
    assert told(*walked, *[{}] * STUCK, {"score": 1, "best": 1}) == [
        (9, "rooms", "10 rooms seen, the last L10 Cave"),
        (12, "stuck", f"{STUCK} turns without a point or a new room"),
        (37, "points", "+1 point by `` (1 in all)"),
    ]
    assert told(*[{}] * (STUCK - 1)) == []


def test_a_turn_that_broke_off_is_told_unless_a_person_stopped_it() -> None:
    for left in ("KeyboardInterrupt()", "PlayerLeft('the person left')", "TakeBack('back')"):
        assert told({"error": left}, ended="stopped") == [(1, "end", "stopped")]
    assert told({"error": "ValueError('no')"}) == [(1, "fault", "broke off: ValueError('no')")]


class BreakingCritic:
    """Breaks down in the third turn."""

    def judge(self, briefing: Briefing) -> dict[str, Any]:
        if briefing.turn == 3:
            raise ValueError("the real cause")
        return {"accept": True}


def test_a_turn_that_broke_off_is_not_played_and_tells_its_cause(tmp_path: Path) -> None:
    settings = [f"nodes.critic.use={__name__}:BreakingCritic"]
    with pytest.raises(ValueError, match="the real cause"):
        play("morning", settings=settings, steps=9, out=tmp_path, trust=True, fresh=True)
    (run,) = tmp_path.iterdir()
    found = recap_of({"run_dir": run})
    assert found.end.startswith("broken off by an error; 2 of 9 commands played; ")
    (fault,) = (one for one in found.highlights if one.kind == "fault")
    assert (fault.turn, fault.text) == (3, "broke off: ValueError('the real cause')")


def test_the_turn_in_which_somebody_leaves_is_not_played(tmp_path: Path) -> None:
    walk = tmp_path / "walk.txt"
    walk.write_text("look\nwait\n", encoding="utf-8")
    told = {"graph": "walkthrough", "settings": [f"nodes.actor.commands={walk}"], "fresh": True}
    found = recap_of(play("morning", steps=9, out=tmp_path, **told))
    assert found.end.startswith("the player left; 2 of 9 commands played; ")
    assert "fault" not in {one.kind for one in found.highlights}


def test_what_comes_often_is_told_once() -> None:
    objected = {"objections": ("the critic objected to `jump`: it is high",)}
    assert told(objected, {}, objected, objected, *[{}] * 18, objected) == [
        (1, "objection", f"{objected['objections'][0]} (and 2 more by turn 4)"),
        (23, "objection", objected["objections"][0]),
    ]


def test_objections_are_told_with_their_reasons(tmp_path: Path) -> None:
    settings = ["nodes.critic.use=tests.orchestrator.trace_roles:PickyCritic"]
    result = play("morning", settings=settings, steps=2, out=tmp_path, trust=True, fresh=True)
    objections = [one for one in recap_of(result).highlights if one.kind == "objection"]
    assert [one.turn for one in objections] == [1]
    assert objections[0].text.startswith("the critic objected to `")
    assert objections[0].text.endswith(": attempt 1 (and 1 more by turn 2)")


def test_answers_that_would_not_do_are_told(fake: FakeOllama, tmp_path: Path) -> None:
    fake.plan = lambda count: "wrong_schema" if count == 1 else ""
    result = play("morning", graph="llm", steps=2, out=tmp_path, fresh=True)
    (answer,) = (one for one in recap_of(result).highlights if one.kind == "answer")
    assert "'s model was asked again: " in answer.text


@pytest.mark.parametrize(
    ("opening", "name"),
    [
        ("ZORK I: The Great Cave\nCopyright\nRevision 88 / Serial number 840726\n\nWest", "Zork I"),
        ("It rains.\n\nTHE MOON II\nA tale\nRelease 1 / Serial number 0", "The Moon II"),
        ('Lost Pig\nA Tale\n\nType "help".\nRelease 2 / Serial number 1', "Lost Pig"),
        ("And so you sink...\nBy A. B.\nRelease 16 / Serial number 970828", ""),
        ("You are in a hall.", ""),
    ],
)
def test_a_story_is_called_as_its_banner_says(opening: str, name: str) -> None:
    assert banner_name(opening) == name


def test_the_best_highlights_stay_in_the_order_of_the_turns(won: Any) -> None:
    found = recap_of(won)
    turns = [one.turn for one in found.best(4)]
    assert (len(turns), turns) == (4, sorted(turns))
    assert found.best(4)[-1].kind == "end"
    assert found.best(99) == list(found.highlights)
