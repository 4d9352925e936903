import pytest

from managers.planning.objectives import (
    LIMIT,
    STALE_AFTER,
    Completion,
    NewObjective,
    ObjectiveManager,
)


def test_add_agent_objective():
    manager = ObjectiveManager((), turn=3)
    added = manager.add_agent_objective("fetch the lamp from L12")
    assert added is not None
    assert (added.id, added.source, added.created, added.status) == ("O1", "agent", 3, "active")
    assert manager.discovered_objectives == ["fetch the lamp from L12"]


@pytest.mark.parametrize(
    "again",
    ["Fetch the LAMP from l12", "fetch lamp from L12", "from L12, fetch the lamp"],
)
def test_add_agent_objective_deduplication(again):
    manager = ObjectiveManager((), turn=3)
    first = manager.add_agent_objective("fetch the lamp from L12")
    assert manager.add_agent_objective(again) == first
    assert len(manager.objectives) == 1


def test_other_places_are_other_objectives():
    manager = ObjectiveManager((), turn=3)
    manager.add_agent_objective("explore L1")
    manager.add_agent_objective("explore L2")
    assert len(manager.active) == 2


@pytest.mark.parametrize("text", ["", "   ", "to", "the of", "x" * 300])
def test_add_agent_objective_empty_string(text):
    manager = ObjectiveManager((), turn=1)
    assert manager.add_agent_objective(text) is None
    assert manager.objectives == ()


def test_same_objective_keeps_the_higher_priority():
    manager = ObjectiveManager((), turn=1)
    manager.add_agent_objective("open the gate")
    manager.add_agent_objective(NewObjective(text="open gate", priority=9))
    assert [one.priority for one in manager.objectives] == [9]


def test_review_completes_and_discovers():
    before = ObjectiveManager((), turn=1)
    before.add_agent_objective("open the gate")
    manager = ObjectiveManager(before.objectives, turn=5)
    manager.check_and_update_objectives(
        [NewObjective(text="explore L2")], [Completion(id="O1", evidence="it stands open")]
    )
    done = next(one for one in manager.objectives if one.id == "O1")
    assert (done.status, done.evidence, done.updated) == ("done", "it stands open", 5)
    assert manager.discovered_objectives == ["explore L2"]


def test_only_active_objectives_can_be_completed():
    manager = ObjectiveManager((), turn=1)
    manager.add_agent_objective("open the gate")
    for id, evidence in (("o1", "seen"), ("O1", "seen again"), ("O7", "never existed")):
        manager.complete(id, evidence)
    assert [(one.status, one.evidence) for one in manager.objectives] == [("done", "seen")]


def test_objectives_without_progress_go_stale_and_can_be_reopened():
    manager = ObjectiveManager((), turn=0)
    manager.add(NewObjective(text="open the gate"), "discovery")
    manager.add_agent_objective("find the way out")
    later = ObjectiveManager(manager.objectives, turn=STALE_AFTER + 1)
    later.set_aside_stale()
    assert [one.status for one in later.objectives] == ["active", "stale"]
    reopened = later.add_agent_objective("open the gate")
    assert reopened is not None
    assert (reopened.id, reopened.status) == ("O1", "active")


def test_discovery_does_not_reopen_what_is_done():
    manager = ObjectiveManager((), turn=0)
    manager.add(NewObjective(text="explore L2"), "discovery")
    manager.complete("O1", "all ways tried")
    manager.check_and_update_objectives([NewObjective(text="explore L2")])
    assert manager.active == ()


def test_the_list_is_bounded_and_drops_the_least_important():
    manager = ObjectiveManager((), turn=0)
    for number in range(LIMIT + 10):
        manager.add_agent_objective(NewObjective(text=f"explore L{number}", priority=1))
    manager.add_agent_objective(NewObjective(text="open the gate", priority=9))
    assert len(manager.objectives) == LIMIT
    assert manager.objectives[0].text == "open the gate"


def test_numbers_are_not_used_twice():
    manager = ObjectiveManager((), turn=0)
    manager.add_agent_objective("open the gate")
    again = ObjectiveManager(manager.objectives, turn=1)
    added = again.add_agent_objective("explore L4")
    assert added is not None
    assert added.id == "O2"


def test_what_happens_to_objectives_is_noted():
    manager = ObjectiveManager((), turn=1)
    manager.add_agent_objective("open the gate")
    manager.add_agent_objective("open gate")
    manager.add_agent_objective("to the")
    part = manager.add(NewObjective(text="oil the hinge", parent="O1"), "discovery")
    manager.add(NewObjective(text="oil the hinge"), "discovery")
    manager.complete("O1", "it is open")
    noted = [(change.event, change.id, change.source) for change in manager.changes]
    assert noted == [
        ("added", "O1", "agent"),
        ("merged", "O1", "agent"),
        ("rejected", "", "agent"),
        ("added", part.id, "discovery"),
        ("done", "O1", "agent"),
        ("dropped", part.id, "discovery"),
    ]
    later = ObjectiveManager(manager.objectives, turn=2)
    assert later.changes == []
    later.add_agent_objective("open the gate")
    assert [(change.event, change.turn) for change in later.changes] == [("reopened", 2)]


def test_issues_become_objectives_and_new_hope_reopens_them():
    manager = ObjectiveManager((), turn=0)
    manager.check_and_update_objectives(promoted=[NewObjective(text="open the gate", priority=6)])
    assert [one.source for one in manager.objectives] == ["issue"]
    later = ObjectiveManager(manager.objectives, turn=STALE_AFTER + 1)
    later.set_aside_stale()
    later.check_and_update_objectives(promoted=[NewObjective(text="open the gate", priority=6)])
    assert later.active == ()
    later.check_and_update_objectives(promoted=[NewObjective(text="open the gate", priority=7)])
    assert [(one.status, one.priority) for one in later.objectives] == [("active", 7)]


@pytest.mark.parametrize(
    ("one", "other", "objectives"),
    [
        ("carry the red box up to the tower", "carry the blue box up to the tower", 2),
        ("put lamp, rope and sword in the case", "put lamp, rope, egg and sword in the case", 2),
        ("turn the dial to 3", "turn the dial to 7", 2),
        ("open the grate with the key", "Open grate, with key", 1),
        ("find a way to open the locked grate", "open the grate", 1),
    ],
)
def test_objectives_that_differ_by_a_word_are_two(one: str, other: str, objectives: int) -> None:
    manager = ObjectiveManager((), 1)
    manager.add_agent_objective(one)
    manager.add_agent_objective(other)
    assert len(manager.active) == objectives


def test_an_id_is_given_once() -> None:
    kept = ObjectiveManager((), 1)
    for number in range(LIMIT):
        kept.add(NewObjective(text=f"explore cave {number}", priority=8), "discovery")
    given = []
    for wish in ("dance with the bear", "sing to the moon"):
        kept = ObjectiveManager(kept.objectives, 2)
        added = kept.add(NewObjective(text=wish, priority=3), "discovery")
        given.append(added.id if added else "")
    assert given == ["O25", "O26"]
    assert len(kept.objectives) == LIMIT
