"""Graph files made by chance: what check says of one, show, draw and play say too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from testing.fake_ollama import FakeOllama
from tests.command_line import Done, zork

ROLES = ("objective_manager", "mode", "planner", "oracle", "actor", "critic", "game", "extractor",
         "learner", "judge", "vote", "approval")  # fmt: skip
OWN = ("bold", "calm", "nowhere", "END", "")
NAMES = st.sampled_from((*ROLES, *ROLES, *OWN))
USES = st.sampled_from(
    ("rules", "random", "none", "bayesian", "useless", "best", "majority", "llm", "nowhere:Part",
     "graph:inner.toml", "graph:nowhere.toml", "")
)  # fmt: skip
BRANCH = NAMES | st.lists(NAMES, min_size=1, max_size=2)
STEP = st.one_of(NAMES, NAMES, NAMES, st.lists(BRANCH, max_size=3))
WHOLE = ["objective_manager", "planner", "actor", "critic", "game", "extractor", "learner"]


@st.composite
def altered(draw: st.DrawFn) -> list[Any]:
    """The usual sequence with a few steps put in, left out or moved."""
    sequence: list[Any] = list(WHOLE)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(sequence)))
        if draw(st.booleans()):
            sequence.insert(at, draw(STEP))
        else:
            del sequence[at : at + 1]
    return sequence


SEQUENCE = altered() | st.lists(STEP, max_size=5)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "use": USES,
        "role": st.sampled_from(ROLES),
        "enabled": st.booleans(),
        "into": st.sampled_from(("proposals", "opinions", "world")),
        "each": st.sampled_from(("issues", "objectives", "world")),
        "at_most": st.integers(0, 3),
        "mood": st.integers(),
    },
)
LABELS = st.sampled_from(("object", "play", "due", "otherwise", "END"))
ROUTED = st.fixed_dictionaries(
    {},
    optional={
        "router": st.sampled_from(("verdict", "every", "decision", "nothing")),
        "to": st.dictionaries(LABELS, NAMES, max_size=3),
        "at_most": st.integers(0, 3),
        "turns": st.integers(0, 3),
    },
)
INSERT = st.fixed_dictionaries(
    {"use": USES}, optional={"after": NAMES, "before": NAMES, "writes": st.lists(NAMES, max_size=1)}
)
GRAPH = st.fixed_dictionaries(
    {},
    optional={
        "extends": st.sampled_from(("offline", "offline", "random", "council", "mine.toml", "x")),
        "sequence": SEQUENCE,
        "opening": SEQUENCE,
        "nodes": st.dictionaries(NAMES, OPTIONS, max_size=2),
        "edges": st.dictionaries(NAMES, NAMES | ROUTED, max_size=2),
        "insert": st.dictionaries(NAMES, INSERT, max_size=1),
        "approve": st.booleans(),
        "access": st.lists(st.sampled_from(("text", "tree", "all")), max_size=2),
    },
)


def one_line(done: Done, name: str) -> bool:
    """Whether it was accepted; what is refused is told in one line that names the file."""
    assert done.returncode in (0, 2), done
    if done.returncode:
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert name in done.stderr
    return not done.returncode


def agree(graph: dict[str, Any], folder: Path, *, plays: bool) -> None:
    mine, shown = folder / "mine.toml", folder / "shown.toml"
    mine.write_text(tomli_w.dumps(graph), encoding="utf-8")
    checked = zork("graph", "check", str(mine))
    fits = one_line(checked, "mine")
    assert one_line(zork("graph", "draw", str(mine)), "mine") is fits
    assert one_line(zork("graph", "draw", str(mine), "-o", f"{mine}.svg"), "mine") is fits
    told = zork("graph", "show", str(mine))
    assert one_line(told, "mine") is fits
    if fits:
        shown.write_text(told.stdout, encoding="utf-8")
        assert zork("graph", "check", str(shown)).stdout == checked.stdout
    if plays or not fits:
        asked = ("play", "--graph", str(mine), "--steps", "1", "--fresh", "--quiet", "--out")
        is_part = "to stand for a node" in checked.stdout
        assert one_line(zork(*asked, str(folder)), "mine") is (fits and not is_part)


def config(examples: int) -> Any:
    silent = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(
        max_examples=examples, deadline=None, derandomize=True, suppress_health_check=silent,
        database=None,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    inner = 'sequence = ["critic"]\nnodes.critic.use = "rules"\n'
    (tmp_path / "inner.toml").write_text(inner, encoding="utf-8")
    return tmp_path


def test_a_part_whose_base_names_what_it_leaves_out_is_checked(folder: Path) -> None:
    edge = {"critic": {"to": {"play": "END"}}}
    for sequence in (["planner", "actor"], ["mode"], ["actor", ["critic", "mode"]]):
        graph = {"extends": "offline", "sequence": sequence, "edges": edge}
        agree(graph, folder, plays=False)


@pytest.mark.slow
@config(150)
@given(graph=GRAPH)
def test_check_draw_show_and_play_agree(
    graph: dict[str, Any], folder: Path, fake: FakeOllama
) -> None:
    agree(graph, folder, plays=True)


@pytest.mark.slow
@config(15)
@given(graph=GRAPH)
def test_check_draw_and_show_agree(graph: dict[str, Any], folder: Path) -> None:
    agree(graph, folder, plays=False)
