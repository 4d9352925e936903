"""The archive of promising points: shortest ways, promises, and where to explore from."""

from __future__ import annotations

from managers.memory import archive
from managers.memory.archive import ArchivePoint, Standpoint

Steps = tuple[tuple[str, str, int], ...]


def steps(*commands: str) -> Steps:
    return tuple((f"Room {number}", command, 0) for number, command in enumerate(commands))


def point(
    score: int, *commands: str, times: int = 0, total: int = 0, held: int = 0
) -> ArchivePoint:
    return ArchivePoint(Standpoint(score, "End", held), steps(*commands), times, total)


def test_plain_data_give_back_the_points_and_share_their_steps() -> None:
    points = [point(1, "a", "b"), point(2, "a", "b", "c", times=2, total=5), point(3, "x")]
    data = archive.archived(points)
    assert archive.points_of(data) == points
    assert len(data["nodes"]) == 4


def both(old: list[ArchivePoint], new: list[ArchivePoint]) -> list[ArchivePoint]:
    return archive.points_of(archive.both_archived(archive.archived(old), archive.archived(new)))


def test_of_two_ways_to_a_point_the_shorter_one_stays() -> None:
    long, short = point(5, "a", "b", "c", times=1, total=5), point(5, "a", times=1, total=3)
    for old, new in ((long, short), (short, long)):
        assert both([old], [new]) == [ArchivePoint(long.point, short.steps, 2, 8)]


def test_the_archive_is_bounded_and_keeps_the_best() -> None:
    points = [point(9, "best", held=-1)]
    more = [
        point(1, "way")._replace(point=Standpoint(1, f"Room {number}", 0))
        for number in range(2 * archive.MOST_POINTS)
    ]
    points = both(points, more)
    assert len(points) == archive.MOST_POINTS
    assert points[0].point.score == 9


def test_what_did_not_hold_its_promise_is_no_longer_the_best() -> None:
    risky = ArchivePoint(Standpoint(50, "End", 0), (("Room", "fight", 50),), 3, 15)
    sure = ArchivePoint(Standpoint(30, "End", 1), (("Room", "walk", 30),))
    assert archive.best_point([risky, sure]) == sure
    assert archive.best_point([point(0, "nothing")]) is None


def test_exploration_comes_round_to_the_neighbours() -> None:
    fresh, worn = point(10, "a"), point(10, "b", held=1, times=5, total=50)
    assert archive.promising([worn, fresh], 0.0) == fresh
    far, near = point(10, *"abcdefghijklmnopqrstuvw"), point(9, "b", held=1)
    assert archive.promising([near, far], 0.0) == far
    assert archive.promising([near, far], 1.0) == near
