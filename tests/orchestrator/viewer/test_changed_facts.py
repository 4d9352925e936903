"""What a turn changed in the state."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator import play
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.changed_facts import ChangedFact, changed_facts
from orchestrator.viewer.runs import RunView


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> RunView:
    """Thirty turns."""
    played = play("hollow", seed=4, steps=30, out=tmp_path_factory.mktemp("runs"), fresh=True)
    found = RunView(RunDirectory(Path(played["run_dir"])))
    found.refresh()
    return found


def test_a_step_into_a_new_room_changes_place_and_map(view: RunView) -> None:
    seen = {view.rows[0].room}
    checked = 0
    for row in view.rows[1:]:
        before, _, after = row.room.partition(" → ")
        if after and after not in seen:
            told = view.frame(row.turn).changed_facts
            assert ChangedFact("beliefs", "location", before, after) in told
            assert ChangedFact("map", after, "", "known") in told
            ways = [one.what for one in told if one.after == f"leads to {after}"]
            assert [one.split()[0] for one in ways] == [before.split()[0]]
            checked += 1
        seen |= {before, after}
    assert checked > 2


def test_what_is_taken_is_carried_from_then_on(view: RunView) -> None:
    for row in view.rows[1:]:
        frame = view.frame(row.turn)
        before = view.frame(row.turn - 1).carried
        gone = {one.what for one in frame.changed_facts if one.after.partition(",")[0] == "carried"}
        assert {*frame.carried} - {*before} <= gone


def test_of_the_opening_and_of_a_turn_that_changed_nothing_nothing_is_told(view: RunView) -> None:
    assert view.frame(0).changed_facts == []
    state = view.state(7)
    assert state is not None
    assert changed_facts(state, state) == []
