"""The archive of promising points: shortest ways, promises, and where to explore from."""

from __future__ import annotations

from managers.memory import archive
from managers.memory.archive import ArchiveCell, Standpoint

Steps = tuple[tuple[str, str, int], ...]


def steps(*commands: str) -> Steps:
    return tuple((f"Room {number}", command, 0) for number, command in enumerate(commands))


def cell(score: int, *commands: str, times: int = 0, total: int = 0, held: int = 0) -> ArchiveCell:
    return ArchiveCell(Standpoint(score, "End", held), steps(*commands), times, total)


def test_plain_data_give_back_the_cells_and_share_their_steps() -> None:
    cells = [cell(1, "a", "b"), cell(2, "a", "b", "c", times=2, total=5), cell(3, "x")]
    data = archive.packed(cells)
    assert archive.unpacked(data) == cells
    assert len(data["nodes"]) == 4


def test_of_two_ways_to_a_point_the_shorter_one_stays() -> None:
    long, short = cell(5, "a", "b", "c", times=1, total=5), cell(5, "a", times=1, total=3)
    for old, new in ((long, short), (short, long)):
        (both,) = archive.joined([old], [new])
        assert both == ArchiveCell(long.point, short.steps, 2, 8)


def test_a_death_on_the_way_counts_against_every_point_beyond_it() -> None:
    cells = [cell(4, "a"), cell(6, "a", "b", "c"), cell(7, "a", "b", "c", "d"), cell(8, "x", "b")]
    way = cells[2]._replace(steps=steps("a", "b"), times=1, total=2)
    sent = cells[2]._replace(times=1, total=2)
    after = archive.joined(archive.risked(cells, way), [sent])
    assert {one.steps[-1][1]: one.times for one in after} == {"a": 0, "c": 1, "d": 1, "b": 0}


def test_the_archive_is_bounded_and_keeps_the_best() -> None:
    cells = [cell(9, "best", held=-1)]
    for number in range(2 * archive.MOST_CELLS):
        point = Standpoint(1, f"Room {number}", 0)
        cells = archive.joined(cells, [cell(1, "way")._replace(point=point)])
    assert len(cells) == archive.MOST_CELLS
    assert cells[0].point.score == 9


def test_what_did_not_hold_its_promise_is_no_longer_the_best() -> None:
    risky = ArchiveCell(Standpoint(50, "End", 0), (("Room", "fight", 50),), 3, 15)
    sure = ArchiveCell(Standpoint(30, "End", 1), (("Room", "walk", 30),))
    assert archive.best([risky, sure]) == sure
    assert archive.best([cell(0, "nothing"), cell(9, "later")]) is None


def test_exploration_comes_round_to_the_neighbours() -> None:
    fresh, worn = cell(10, "a"), cell(10, "b", held=1)._replace(visits=5)
    assert archive.promising([worn, fresh], 0.0) == fresh
    far, near = cell(10, *"abcdefghijklmnopqrstuvw"), cell(9, "b", held=1)
    assert archive.promising([near, far], 0.0) == far
    assert archive.promising([near, far], 1.0) == near
