"""The embedded stories: rebuilt from their sources, won by their walkthroughs, random by seed."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tomllib
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from environments.catalog import Entry, find_story, list_stories
from environments.game import Step
from environments.jericho_game import JerichoGame, open_game

GAME_FILES = Path(__file__).parent.parent.parent / "game_files"
LIBRARY = Path("/usr/share/inform6/library")
COMPILER = "Inform 6.41 "
LIBRARY_RELEASE = '"6.12.6"'
STORIES = [
    at.entry for at in list_stories() if at.entry and at.path and at.path.parent == GAME_FILES
]

every_story = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
every_graph = pytest.mark.parametrize(
    "path", sorted(GAME_FILES.glob("*.puzzles.toml")), ids=lambda path: path.name
)


def replay(game: JerichoGame, seed: int, commands: list[str]) -> list[Step]:
    steps = [game.start(seed)]
    for command in commands:
        steps.append(game.play(steps[-1].snapshot, command))
    return steps


def walkthrough(story: Entry) -> list[str]:
    assert story.walkthrough
    return story.walkthrough.read_text(encoding="utf-8").splitlines()


def compile_story(source: Path, target: Path) -> str:
    """Compile and return what the compiler says."""
    compiler = shutil.which("inform6")
    if not compiler:
        pytest.skip("inform6 is not installed (Debian packages inform6-compiler, inform6-library)")
    version = LIBRARY / "version.h"
    if not version.is_file() or LIBRARY_RELEASE not in version.read_text(encoding="latin-1"):
        pytest.skip(f"the Inform library {LIBRARY_RELEASE} is not in {LIBRARY}")
    command = [compiler, "-v5", f"+include_path={LIBRARY}", source.name, str(target)]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, check=False)
    if not done.stdout.startswith(COMPILER):
        pytest.skip(f"another compiler than {COMPILER}makes other bytes: {done.stdout[:40]}")
    return done.stdout + done.stderr


@every_story
def test_compiled_story_is_its_source(story: Entry, tmp_path: Path) -> None:
    target = tmp_path / story.file
    said = compile_story((GAME_FILES / story.file).with_suffix(".inf"), target)
    assert len(said.splitlines()) == 1, said
    assert target.read_bytes() == (GAME_FILES / story.file).read_bytes()


def test_every_source_is_in_the_catalog() -> None:
    assert {Path(story.file).stem for story in STORIES} == {
        path.stem for path in GAME_FILES.glob("*.inf")
    }


@every_story
def test_catalog_has_the_files_hash(story: Entry) -> None:
    data = (GAME_FILES / story.file).read_bytes()
    assert hashlib.sha256(data).hexdigest() == story.sha256


@every_story
def test_walkthrough_reaches_the_maximum_and_wins(story: Entry) -> None:
    assert story.walkthrough_seed
    with open_game(find_story(story.id)) as game:
        steps = replay(game, story.walkthrough_seed, walkthrough(story))
    assert [step.tally.won for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].tally.ended
    assert steps[-1].tally.score == story.max_score
    assert f"{story.max_score} out of a possible {story.max_score}" in steps[-1].observation.text


@every_story
def test_the_status_line_shows_every_score(story: Entry) -> None:
    assert story.walkthrough_seed
    with open_game(find_story(story.id)) as game:
        steps = replay(game, story.walkthrough_seed, walkthrough(story))
    assert [step.observation.score for step in steps] == [step.tally.score for step in steps]
    gains = [b.tally.score - a.tally.score for a, b in pairwise(steps)]
    told = ["score has just gone up" in step.observation.text for step in steps[1:]]
    assert told == [gain > 0 for gain in gains]


@every_story
def test_a_seed_decides_what_happens(story: Entry) -> None:
    waiting = ["wait"] * 25
    with open_game(find_story(story.id)) as game:
        first, again, other = (
            [step.observation.text for step in replay(game, seed, waiting)] for seed in (1, 1, 2)
        )
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    "last_words", [["jump"], ["north", "east", "swim", "swim"]], ids=["shaft", "water"]
)
def test_death_ends_the_treasure_hunt(last_words: list[str]) -> None:
    story = next(story for story in STORIES if story.id == "hollow")
    commands = walkthrough(story)
    commands = commands[: commands.index("tie rope to ring")]
    with open_game(find_story(story.id)) as game:
        steps = replay(game, story.walkthrough_seed or 1, commands + last_words)
    assert [step.tally.died for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].tally.ended
    assert not steps[-1].tally.won


def test_the_ceremony_does_not_wait() -> None:
    with open_game(find_story("morning")) as game:
        steps = replay(game, 1, ["wait"] * 130)
    assert steps[-1].tally.ended
    assert not steps[-1].tally.won
    assert not any(step.tally.ended for step in steps[:-1])


@every_graph
def test_puzzle_graph_speaks_of_what_is_there_and_has_no_cycle(path: Path) -> None:
    id = path.name.removesuffix(".puzzles.toml")
    sources = [path.with_name(f"{id}.inf"), *sorted((GAME_FILES / id).glob("*.inf"))]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    named = set(re.findall(r'^(?:Object|[A-Z]\w+)\s+\w*\s*"([^"]+)"', text, re.MULTILINE))
    edges = tomllib.loads(path.read_text(encoding="utf-8"))["edge"]
    assert {edge["needs"] for edge in edges} <= named
    assert {edge["goal"] for edge in edges} <= named | {"escape"}
    assert nx.is_directed_acyclic_graph(nx.DiGraph((e["needs"], e["goal"]) for e in edges))
