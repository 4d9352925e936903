"""Stories in other languages: their letters, their ends, their keys, and all that they say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.game import Access, Step
from environments.jericho_game import JerichoGame, open_game
from environments.letters import Letters
from environments.story import read_story
from environments.zmachine import Header
from tests.command_line import zork

STORIES = Path(__file__).with_name("stories")


@pytest.fixture(scope="module")
def keller() -> Iterator[JerichoGame]:
    with open_game(read_story(STORIES / "keller.z5"), {Access.WORDS}) as game:
        yield game


@pytest.fixture(scope="module")
def podval() -> Iterator[JerichoGame]:
    with open_game(read_story(STORIES / "podval.z5"), {Access.WORDS}) as game:
        yield game


def said(game: JerichoGame, *commands: str) -> Step:
    """The last of the replies to some commands."""
    step = game.start(1)
    for command in commands:
        step = game.play(step.snapshot, command)
    return step


@pytest.mark.parametrize(
    ("commands", "reply"),
    [
        (["nimm käfig"], "Du nimmst den Käfig."),
        (["NIMM KÄFIG"], "Du nimmst den Käfig."),
        (["nimm ka\u0308fig"], "Du nimmst den Käfig."),
        (["Straße"], "Eine Straße."),
        (["schlüssel"], "Ein langer Schlüssel."),
        (["café"], "Ein Cafe ohne Strich."),
        (["name", "Jürgen"], "Hallo, jürgen."),
        (["name", "„René“"], 'Hallo, "rene".'),
        (["taste", "ä"], "Taste 155."),
        (["taste", "down"], "Taste 130."),
        (["taste", "escape"], "Taste 27."),
        (["taste", "yes"], "Taste 121."),
        (["taste", ""], "Taste 13."),
    ],
)
def test_what_is_typed_arrives(keller: JerichoGame, commands: list[str], reply: str) -> None:
    assert said(keller, *commands).observation.text == reply


def test_letters_are_shown_and_read_as_words(keller: JerichoGame) -> None:
    opening = keller.start(1).observation
    assert opening.text.startswith("Ein Keller \u2014 \u201edunkel\u201c, sagt\u2019s.")
    assert opening.words is not None
    assert opening.words.nouns == ("käfig", "straße")
    assert (opening.room, opening.score, opening.moves) == ("Keller", 0, 1)


def test_letters_that_latin_1_lacks(podval: JerichoGame) -> None:
    opening = podval.start(1)
    assert opening.observation.text == "Подвал. Здесь лежит Ключ."
    assert opening.observation.words is not None
    assert opening.observation.words.nouns == ("ключ",)
    key = podval.play(opening.snapshot, "КЛЮЧ")
    assert key.observation.text == "Это Ключ, café.\n\u2192"
    end = podval.play(key.snapshot, "уйти").tally
    assert (end.ended, end.won) == (True, True)


@pytest.mark.parametrize(
    ("commands", "ended", "won", "died"),
    [
        (["siege"], True, True, False),
        (["stirb"], True, False, True),
        (["beenden"], True, False, False),
        (["banner"], False, False, False),
        (["frage"], False, False, False),
        (["frage", "schau"], False, False, False),
        (["frage", "ja"], False, False, False),
        (["taste"], False, False, False),
        (["name"], False, False, False),
    ],
)
def test_an_end_is_known_by_what_is_still_heard(
    keller: JerichoGame, commands: list[str], ended: bool, won: bool, died: bool
) -> None:
    tally = said(keller, *commands).tally
    assert (tally.ended, tally.won, tally.died) == (ended, won, died)


def test_a_reply_longer_than_the_emulators_buffer_is_whole(keller: JerichoGame) -> None:
    step = said(keller, "lies")
    assert len(step.observation.text) > 12_000
    assert all(f"Geschichte {number}." in step.observation.text for number in range(300))
    assert step.tally.won


def test_a_reply_without_end_costs_the_command(keller: JerichoGame) -> None:
    step = said(keller, "endlos")
    assert step.observation.fault
    assert keller.play(step.snapshot, "schau").observation.text == "Ein Keller mit Käfig."


@pytest.mark.parametrize("command", ["", "   ", "...", "\U0001f389", "日本", "\u2014 ?!"])
def test_a_command_without_a_letter_goes_back(keller: JerichoGame, command: str) -> None:
    opening = keller.start(1)
    step = keller.play(opening.snapshot, command)
    assert "no letter" in step.observation.fault
    assert "Nothing was typed" in step.observation.text
    assert step.snapshot == opening.snapshot


@pytest.mark.parametrize(
    ("name", "commands", "reason"),
    [("keller", ["nimm käfig", "lies"], "won"), ("podval", ["ключ", "уйти"], "won")],
)
def test_the_program_plays_them(
    tmp_path: Path, name: str, commands: list[str], reason: str
) -> None:
    story = tmp_path / f"{name}.dat"
    shutil.copy(STORIES / f"{name}.z5", story)
    (tmp_path / f"{name}.walkthrough.txt").write_text("\n".join(commands), encoding="utf-8")
    done = zork(
        *("play", "--game", str(story), "--graph", "walkthrough", "--steps", "9"),
        *("-s", f"nodes.actor.commands={tmp_path / name}.walkthrough.txt", "--fresh"),
        *("--json", "--out", str(tmp_path / "runs")),
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert (result["end_reason"], result["steps"]) == (reason, 2)


def test_the_agent_takes_what_has_letters_of_its_own(tmp_path: Path) -> None:
    done = zork(
        *("play", "--game", str(STORIES / "keller.z5"), "--steps", "4"),
        *("--fresh", "--out", str(tmp_path / "runs")),
    )
    assert done.returncode == 0, done.stderr
    assert "käfig" in done.stdout


def test_a_letter_that_a_story_lacks_is_typed_as_a_question_mark() -> None:
    data = read_story(STORIES / "keller.z5").data
    assert Letters(data, Header.read(data)).typed("šä1") == b"?\xe41"
