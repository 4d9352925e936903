"""A game in its worker process: pure, exact, and alive after everything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from environments.game import Access, AccessError, GameError, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story, read_story

StoryPath = Callable[[str], Path]
ROUTE = ["north", "east", "open window", "west", "south", "open mailbox", "read leaflet"] * 12


@pytest.fixture
def story(story_path: StoryPath) -> Story:
    return read_story(story_path("zork1.z5"))


@pytest.fixture
def zork(story: Story) -> Iterator[JerichoGame]:
    with open_game(story) as game:
        yield game


def test_a_game_is_played_where_the_standard_streams_are_closed() -> None:
    code = (
        "import sys; from environments.jericho_game import open_game; "
        "from environments.catalog import find_story\n"
        "with open_game(find_story('morning')) as game: text = game.start(1).observation.text\n"
        "sys.exit(0 if text else 3)"
    )
    closed = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    assert subprocess.run([*closed, sys.executable, "-c", code], check=False).returncode == 0


def parent(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("PPid:")[2].split()[0])


def replay(game: JerichoGame, commands: list[str]) -> list[Step]:
    steps = [game.start(12)]
    for command in commands:
        steps.append(game.play(steps[-1].snapshot, command))
    return steps


def test_status_line_is_read_and_removed(zork: JerichoGame) -> None:
    opening = zork.start(12)
    north = zork.play(opening.snapshot, "north").observation
    assert (north.room, north.score, north.moves) == ("North of House", 0, 1)
    assert north.text.startswith("North of House\nYou are facing")
    assert not north.text.endswith(">")


def test_playing_is_a_function_of_snapshot_and_command(zork: JerichoGame) -> None:
    opening = zork.start(12)
    first = zork.play(opening.snapshot, "open mailbox")
    zork.play(first.snapshot, "take leaflet")
    assert zork.play(opening.snapshot, "open mailbox") == first


def test_a_closed_game_says_so(story: Story) -> None:
    with open_game(story) as game:
        opening = game.start(1)
    with pytest.raises(GameError, match="is closed"):
        game.play(opening.snapshot, "look")


def test_a_seed_is_explicit(zork: JerichoGame) -> None:
    with pytest.raises(GameError, match="seed -1"):
        zork.start(-1)


def test_a_killed_worker_is_not_noticed(zork: JerichoGame) -> None:
    opening = zork.start(12)
    expected = zork.play(opening.snapshot, "open mailbox")
    os.kill(zork.pid, signal.SIGKILL)
    assert zork.play(opening.snapshot, "open mailbox") == expected
    assert zork.faults == 0


def test_a_killed_nursery_is_not_noticed(zork: JerichoGame, story: Story) -> None:
    expected = zork.start(12)
    os.kill(parent(zork.pid), signal.SIGKILL)
    with open_game(story) as other:
        assert other.start(12) == zork.start(12) == expected
        assert parent(other.pid) != parent(zork.pid)
    os.kill(zork.pid, signal.SIGKILL)
    assert zork.start(12) == expected


def test_play_continues_identically_under_a_killer(story: Story) -> None:
    with open_game(story, {Access.TREE}) as game:
        expected = replay(game, ROUTE)
        stop = threading.Event()
        killed: list[int] = []

        def kill() -> None:
            while not stop.wait(0.5):
                with suppress(ProcessLookupError):
                    os.kill(game.pid, signal.SIGKILL)
                    killed.append(game.pid)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            while len(killed) < 4:
                assert replay(game, ROUTE) == expected
        finally:
            stop.set()
            killer.join()


def test_games_side_by_side_do_not_disturb_each_other(story: Story) -> None:
    def play(_: int) -> list[Step]:
        with open_game(story) as game:
            return replay(game, ROUTE)

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(play, range(4))
    assert all(other == first for other in others)


def test_nothing_is_left_behind(story: Story) -> None:
    def traces() -> tuple[int, int]:
        folders = len(list(Path(tempfile.gettempdir()).glob(f"zork-{os.getpid()}-*")))
        return len(list(Path("/proc/self/fd").iterdir())), folders

    with open_game(story) as game:
        game.start(1)
    before, pids = traces(), []
    for _ in range(4):
        game = open_game(story)
        pids.append(game.pid)
        game.close()
        game.close()
    assert traces() == before
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_worker_does_not_outlive_its_parent(story: Story) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from environments.jericho_game import open_game\n"
        "from environments.story import read_story\n"
        "game = open_game(read_story(Path(sys.argv[1])))\n"
        "print(game.pid, os.getpid(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.run(
        [sys.executable, "-c", script, str(story.path)], stdout=subprocess.PIPE, check=False
    )
    worker, owner = parent.stdout.decode().split()
    deadline = time.monotonic() + 30
    while left := [
        *Path("/proc").glob(worker),
        *Path(tempfile.gettempdir()).glob(f"zork-{owner}-*"),
    ]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


@pytest.mark.slow
def test_a_copy_of_the_process_plays_without_disturbing_it(story: Story) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from environments.jericho_game import open_game\n"
        "from environments.story import read_story\n"
        "story = read_story(Path(sys.argv[1]))\n"
        "game = open_game(story)\n"
        "copy = os.fork()\n"
        "own = game if copy else open_game(story)\n"
        "assert own.start(1).observation.room == 'West of House'\n"
        "assert b'SECRET' not in Path(f'/proc/{own.pid}/environ').read_bytes()\n"
        "if copy:\n"
        "    assert os.waitpid(copy, 0)[1] == 0\n"
        "    assert own.start(1).observation.room == 'West of House'\n"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(story.path)],
        env=os.environ | {"SECRET": "x"},
        timeout=60,
        check=True,
    )


@pytest.mark.parametrize(
    ("access", "questions"),
    [
        (
            Access.ACTIONS,
            (
                lambda game, blob: game.probe(blob, ["look"]),
                lambda game, blob: game.surroundings(blob),
                lambda game, blob: game.memory(blob),
            ),
        ),
        (Access.TREE, (lambda game, blob: game.facts(blob),)),
    ],
)
def test_what_was_not_declared_is_refused(
    story: Story, access: Access, questions: tuple[Callable[[JerichoGame, bytes], object], ...]
) -> None:
    with open_game(story, set(Access) - {access}) as game:
        opening = game.start(1)
        assert bool(opening.observation.facts) == (access != Access.TREE)
        for ask in questions:
            with pytest.raises(AccessError, match=f"needs access '{access}'.*declares"):
                ask(game, opening.snapshot)
    with open_game(story, {access}) as game:
        opening = game.start(1)
        assert all(ask(game, opening.snapshot) for ask in questions)
        assert bool(opening.observation.facts) == (access == Access.TREE)


@pytest.mark.parametrize("name", ["zork1.z5", "library.z5", "905.z5"])
def test_the_record_does_not_depend_on_access(story_path: StoryPath, name: str) -> None:
    story = read_story(story_path(name))
    with open_game(story) as poor, open_game(story, set(Access)) as rich:
        few, many = replay(poor, ["", *ROUTE]), replay(rich, ["", *ROUTE])
    assert [step.tally for step in few] == [step.tally for step in many]


def test_the_dictionary_tells_adjectives_from_nouns(story_path: StoryPath) -> None:
    with open_game(read_story(story_path("zork1.z5")), {Access.WORDS}) as game:
        words = game.start(1).observation.words
        assert words is not None
        assert "mailbox" in words.nouns
        assert "small" in words.adjectives
        assert not set(words.nouns) & set(words.adjectives)


def test_no_verb_of_a_story_is_one_that_its_parser_would_cut_in_two(
    story_path: StoryPath,
) -> None:
    with open_game(read_story(story_path("balances.z5")), {Access.WORDS}) as game:
        words = game.start(1).observation.words
        assert words is not None
        assert "c,cast" in words.known
        assert all("," not in command for command in words.commands)


def test_text_access_shows_what_the_screen_shows(story_path: StoryPath) -> None:
    with open_game(read_story(story_path("library.z5"))) as game:
        step = game.start(1)
        assert step.observation.awaiting == "key"
        assert "Oliver Wendell Holmes" in step.observation.text
        while step.observation.awaiting == "key":
            step = game.play(step.snapshot, "")
        assert step.observation.room == "Lobby"
        assert step.observation.score is None
        assert step.tally.max_score == 30


def test_a_story_that_never_tells_a_score_is_played_as_long_as_one_likes(
    story_path: StoryPath,
) -> None:
    with open_game(read_story(story_path("905.z5"))) as game:
        step = game.start(1)
        for _ in range(300):
            step = game.play(step.snapshot, "wait")
            assert not step.observation.fault
