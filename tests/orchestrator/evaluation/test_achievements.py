"""What can be achieved in a story is listed beside it, and a bench tells what of it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from environments.catalog import find_story
from orchestrator.errors import ConfigError
from orchestrator.evaluation.achievements import achievements_of
from orchestrator.evaluation.cells import Cell, resolved
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.tables import achieving


def played(cell: Cell, out: Path) -> dict[str, Any]:
    return play_task(resolved(cell), out)


@pytest.mark.parametrize(
    "story", ["workshop", "morning", pytest.param("hollow", marks=pytest.mark.slow)]
)
def test_a_walkthrough_achieves_all_there_is(story: str, tmp_path: Path) -> None:
    listed = [one.name for one in achievements_of(find_story(story))]
    assert len(listed) == len(set(listed)) >= 5
    row = played(Cell(story, "walkthrough", 7, 200), tmp_path)
    assert sorted(row["achieved"]) == sorted(listed)
    assert row["achievements"] == len(listed)


def test_an_agent_with_a_map_achieves_by_the_same_names(tmp_path: Path) -> None:
    row = played(Cell("morning", "offline", 1, 12), tmp_path)
    assert 0 < len(row["achieved"]) < row["achievements"]
    ((story, graph, reached, of, often),) = achieving([row])
    assert (story, graph, of) == ("morning", row["graph"], row["achievements"])
    assert reached.mean == len(row["achieved"])
    assert set(often.values()) == {1}


def test_what_a_killed_process_left_of_the_notes_breaks_nothing_off(tmp_path: Path) -> None:
    task = resolved(Cell("workshop", "walkthrough", 7, 3))
    (tmp_path / task.folder).mkdir(parents=True)
    (tmp_path / task.folder / "achieved.json").touch()
    assert play_task(task, tmp_path)["achieved"]


def test_a_file_that_will_not_do_is_one_line(tmp_path: Path) -> None:
    story = tmp_path / "mine.z5"
    story.write_bytes(find_story("workshop").path.read_bytes())
    assert achievements_of(find_story(str(story))) == ()
    beside = tmp_path / "mine.achievements.toml"
    beside.write_text('[[achievement]]\nname = "x"\nroom = "Attic"\ngain = 0\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"mine.achievements.toml.*achievement.0.gain"):
        achievements_of(find_story(str(story)))
