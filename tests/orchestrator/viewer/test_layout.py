"""The layout of maps: every room has its place, and everything can be read."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.viewer.chart import COMPASS, OPPOSITE, Cell, Chart, Place, RoomWay
from orchestrator.viewer.layout import placed
from orchestrator.viewer.metrics import CHARACTERS, PIXELS, Metrics
from orchestrator.viewer.sketch import Sketch, sketch
from orchestrator.viewer.words import THING_COLUMNS, TITLE_COLUMNS, thing_lines, title_lines
from tests.orchestrator.viewer.conftest import STORIES, Charts

_AS_THE_COMPASS_SAYS = 0.6
"""So much of the walked ways must lead where their names say, in a world that bends."""


_ON_LINES = 0.05
"""So many names of ways at most stand where a line runs."""

_UNWRITTEN = 0.05
"""So many names of ways at most find no place; each is told with its line all the same."""


def faults(drawing: Sketch) -> list[str]:
    """Boxes and labels that overlap, and lines that pass through rooms they do not lead to."""
    found = [
        f"{one} and {other} overlap"
        for one, other in combinations(drawing.boxes, 2)
        if drawing.boxes[one].overlaps(drawing.boxes[other])
    ]
    solid = [*drawing.boxes.values(), *(label.box for label in drawing.labels)]
    for number, label in enumerate(drawing.labels, start=len(drawing.boxes)):
        if any(label.box.overlaps(other) for other in solid[:number]):
            found.append(f"the label {label.text} covers something")
    for line in drawing.lines:
        others = {id: box for id, box in drawing.boxes.items() if id not in (line.start, line.end)}
        found += [
            f"{line.told} passes through {id}"
            for id, box in others.items()
            if any(box.crosses(*ends) for ends in pairwise(line.points))
        ]
    return found


@pytest.mark.parametrize("metrics", [PIXELS, CHARACTERS], ids=["picture", "terminal"])
@pytest.mark.parametrize("story", STORIES)
def test_nothing_overlaps_and_no_room_moves_while_the_map_grows(
    story: str, metrics: Metrics, charts_of: Charts
) -> None:
    cells: dict[str, Cell] = {}
    for chart, room in charts_of(story).charts:
        grown = placed(chart, cells)
        assert {id: grown[id] for id in cells if id in grown} == cells
        cells = grown
        drawing = sketch(chart, cells, metrics)
        assert faults(drawing) == []
        assert drawing.here == chart.here
        assert drawing.here in drawing.boxes
        assert drawing.places[drawing.here].title.lower() in (room.lower() or "")
        names = len(drawing.labels) + len(drawing.unwritten)
        assert len(drawing.unwritten) <= max(2, _UNWRITTEN * names) or metrics is CHARACTERS


@pytest.mark.parametrize("story", STORIES)
def test_a_finished_map_is_as_the_compass_says(story: str, charts_of: Charts) -> None:
    chart, _ = charts_of(story).charts[-1]
    cells = placed(chart)
    assert faults(sketch(chart)) == []
    right = [
        _is_ahead(cells[way.start], cells[way.end], COMPASS[way.command])
        for way in chart.ways
        if way.walked and way.command in COMPASS and way.start != way.end
    ]
    assert sum(right) >= _AS_THE_COMPASS_SAYS * len(right)


def _is_ahead(start: Cell, end: Cell, step: Cell) -> bool:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return dx * step[0] + dy * step[1] > 0


@pytest.mark.parametrize("story", STORIES)
def test_no_way_is_drawn_as_walked_that_nobody_walked(story: str, charts_of: Charts) -> None:
    charts, moves = charts_of(story)
    for chart, _ in charts:
        for line in sketch(chart).lines:
            assert not line.walked or (line.start, line.end) in moves, line.told
            assert line.one_way or not line.walked or (line.end, line.start) in moves, line.told
            assert line.walked or not line.on_path


@pytest.mark.parametrize("story", STORIES)
def test_nearly_all_names_of_ways_stand_beside_the_lines(story: str, charts_of: Charts) -> None:
    drawing = sketch(charts_of(story).charts[-1][0])
    ends = [pair for line in drawing.lines for pair in pairwise(line.points)]
    on_lines = [one for one in drawing.labels if any(one.box.crosses(*pair) for pair in ends)]
    assert len(on_lines) <= _ON_LINES * len(drawing.labels)


@pytest.mark.parametrize("story", STORIES)
def test_texts_fit_their_boxes(story: str, charts_of: Charts) -> None:
    for place in charts_of(story).charts[-1][0].places:
        titles, things = title_lines(place), thing_lines(place)
        assert all(len(line) <= TITLE_COLUMNS for line in titles)
        assert all(len(line) <= THING_COLUMNS for line in things)
        assert place.id in titles[0]
        assert 15 * len(titles) + 13 * len(things) < PIXELS.height


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """Maps as no sane author would build them."""
    ids = [f"L{n}" for n in range(1, draw(st.integers(1, 14)) + 1)]
    commands = st.sampled_from([*OPPOSITE, "climb rope", "say xyzzy"])
    ways = draw(
        st.lists(
            st.builds(
                RoomWay,
                st.sampled_from(ids),
                st.sampled_from(ids),
                commands,
                st.booleans(),
                st.booleans(),
            ),
            max_size=30,
            unique_by=lambda way: (way.start, way.command),
        )
    )
    return Chart(tuple(Place(id, f"Room {id}") for id in ids), tuple(ways), (), ids[-1])


@settings(max_examples=60, deadline=None)
@given(charts())
def test_any_map_at_all_is_laid_out_without_overlaps(chart: Chart) -> None:
    cells = placed(chart)
    assert len(set(cells.values())) == len(chart.places)
    assert faults(sketch(chart)) == []
    assert placed(chart, cells) == cells


def test_opposite_ways_are_one_line_and_commands_join_it() -> None:
    ways = (
        RoomWay("L1", "L2", "north"),
        RoomWay("L2", "L1", "south", walked=False),
        RoomWay("L1", "L2", "enter hut"),
        RoomWay("L2", "L3", "east"),
    )
    drawing = sketch(Chart((Place("L1", "A"), Place("L2", "B"), Place("L3", "C")), ways))
    assert [(line.start, line.end) for line in drawing.lines] == [("L1", "L2"), ("L2", "L3")]
    assert {"n", "s?", "e", "enter hut"} == {label.text for label in drawing.labels}
    above, below = drawing.boxes["L2"], drawing.boxes["L1"]
    assert above.bottom < below.y


@pytest.mark.parametrize(
    ("ways", "line"),
    [
        ([("L1", "north", "L2", 1), ("L2", "south", "L1", 1)], ("L1", "L2", True, False)),
        ([("L1", "north", "L2", 1), ("L2", "south", "L1", 0)], ("L1", "L2", True, True)),
        ([("L1", "climb in", "L2", 1), ("L2", "out", "L1", 0)], ("L1", "L2", True, True)),
        ([("L1", "up", "L2", 0), ("L2", "down", "L1", 1)], ("L2", "L1", True, True)),
        ([("L1", "north", "L2", 1)], ("L1", "L2", True, True)),
        ([("L1", "north", "L2", 0)], ("L1", "L2", False, True)),
        ([("L1", "north", "L2", 0), ("L2", "south", "L1", 0)], ("L1", "L2", False, False)),
    ],
)
def test_a_way_is_drawn_as_walked_in_the_direction_in_which_it_was_walked(
    ways: list[tuple[str, str, str, int]], line: tuple[str, str, bool, bool]
) -> None:
    known = tuple(RoomWay(start, end, way, bool(seen)) for start, way, end, seen in ways)
    drawn = sketch(Chart((Place("L1", "A"), Place("L2", "B")), known)).lines
    assert [(one.start, one.end, one.walked, one.one_way) for one in drawn] == [line]
    guesses = sum(not seen for *_, seen in ways)
    assert drawn[0].told.count("perhaps") == guesses


def test_only_what_was_walked_is_on_the_path() -> None:
    places = (Place("L1", "A"), Place("L2", "B"))
    for walked in (True, False):
        ways = (RoomWay("L1", "L2", "north", walked=walked),)
        (there,) = sketch(Chart(places, ways, (), "L2", ("L1", "L2"))).lines
        (back,) = sketch(Chart(places, ways, (), "L1", ("L2", "L1"))).lines
        assert there.on_path is walked
        assert not back.on_path
