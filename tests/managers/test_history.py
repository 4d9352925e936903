"""The game's words so far: what fits, what stands in for the rest, what is new, what scored."""

from __future__ import annotations

from itertools import pairwise

import pytest

from managers.language.history import BEGINS_ANEW, Exchange, Gain, History

LETTER = "Dear friend, come to the mill at midnight and bring the deed. Yours, E. Walther."


def played(
    *exchanges: tuple[str, str] | tuple[str, str, int] | tuple[str, str, int, str],
) -> History:
    data = [Exchange(turn, *one) for turn, one in enumerate(exchanges)]
    return History([[*one] for one in data])


def walk(rooms: int) -> History:
    """A room a turn, each with something to tell."""
    told = (
        f"Room {n}\nThis is the room that is number {n} of a long row of rooms."
        for n in range(rooms)
    )
    return played(("", next(told)), *(("north", text) for text in told))


def test_all_of_it_is_shown_while_it_fits() -> None:
    history = walk(5)
    assert history.window(1000) == ((), history.exchanges)


def test_the_older_half_goes_at_once_and_what_follows_is_only_added() -> None:
    starts = [walk(turns).window(300).recent[0].turn for turns in range(1, 60)]
    moves = [b - a for a, b in pairwise(starts)]
    assert set(starts[:10]) == {0}
    assert all(move == 0 or move >= 3 for move in moves)
    assert 0 < sum(map(bool, moves)) < 15


@pytest.mark.parametrize("tokens", [0, 100, 300, 2000])
def test_it_never_takes_more_than_it_may(tokens: int) -> None:
    for turns in range(1, 60):
        kept, recent = walk(turns).window(tokens)
        assert sum(one.tokens for one in (*kept, *recent[:-1])) <= tokens
        assert recent[-1].turn == turns - 1


def test_what_was_read_stands_in_before_what_was_described() -> None:
    history = walk(30)
    data = [*history.data[:2], [1, "read letter", LETTER, None], *history.data[2:]]
    kept, recent = History(data).window(300)
    assert ("read letter", LETTER) in [(one.command, one.reply) for one in kept]
    assert recent[0].turn > 1


def test_only_what_tells_something_new_stands_in() -> None:
    room = "Hall\nA hall with a lot of pillars, more than one could count on a long day."
    turns = [("", room), ("take lamp", "Taken."), ("look", room), *[("wait", "Time passes.")] * 40]
    kept, _ = played(*turns).window(150)
    assert [one.turn for one in kept] == [0]


def test_what_stands_in_says_nothing_twice_but_what_brought_points() -> None:
    hall = "Hall\nA hall with a lot of pillars, more than one could count on a long day."
    rat = "A rat that has come out of its hole looks at you, and at the cheese in your hand."
    turns = [("", "Title", 0), ("", "Night", 0), ("", "Rain", 0), ("take egg", "Taken.", 0)]
    turns += [("look", hall, 0), ("look", f"{hall}\n\n{rat}", 0), ("take cup", "Taken.", 5)]
    kept, _ = played(*turns, *[("wait", "Time passes.", 5)] * 60).window(300)
    assert [one.reply for one in kept] == [hall, rat, "Taken."]


@pytest.mark.parametrize(
    "reads", ["read order", "look up king in annals", "consult annals about king"]
)
def test_what_was_read_stands_in_before_what_was_taken(reads: str) -> None:
    order = "By order of the king: bring back the power, and open the gates of the city again."
    heavy = "You heave it out of the mud and on your shoulders, and regret it within a minute."
    turns = [("", "Hall"), ("", "Hall"), ("", "Hall"), (reads, order), ("take anvil", heavy)]
    kept, _ = played(*turns, *[("wait", "Time passes.")] * 40).window(120)
    assert [one.command for one in kept] == [reads]


def test_news_are_what_has_not_been_said_before() -> None:
    hall, taken = "Hall\nA hall. It is cold.", "Taken."
    assert played(("", hall)).news() == len("HallA hall.It is cold.")
    assert played(("", hall), ("take lamp", taken)).news() == len(taken)
    assert played(("", hall), ("take lamp", taken), ("look", f"{hall} A rat!")).news() == 6


def test_every_gain_is_known_with_its_command() -> None:
    shown = played(("", "Hall", 0), ("take egg", "Taken.", 5), ("wait", "Hm.", 5), ("die", "!", -5))
    assert shown.gains == (Gain(1, "take egg", 5), Gain(3, "die", -10))
    assert shown.points == -5


def test_a_score_that_only_the_text_tells_is_known() -> None:
    told = "Taken.\n\n[Your score has just gone up by five points.]"
    history = played(("", "Hall"), ("take egg", told))
    assert (history.gains, history.points) == ((Gain(1, "take egg", 5),), 5)
    assert played(("", "Hall")).points is None


def test_points_for_coming_to_a_new_place_are_known_as_such() -> None:
    turns = [("", "Hall", 0, "L1"), ("east", "Yard", 1, "L1"), ("west", "Hall", 1, "L2")]
    turns += [("take cup", "Taken.", 2, "L1"), ("north", "Mill", 3, "L1"), ("wait", "Hm.", 3, "L3")]
    gains = played(*turns).gains
    assert [(one.command, one.arrived) for one in gains] == [
        ("east", True),
        ("take cup", False),
        ("north", True),
    ]


def test_points_that_were_taken_back_were_not_won() -> None:
    told = [
        ("", "Yard", 0),
        ("take cup", "Taken.", 5),
        ("take hat", "Taken.", 8),
        ("jump", "Dead.", 8),
    ]
    history = played(*told, ("undo", "[The last 2 commands are taken back.]", 5))
    assert [one.command for one in history.gains] == ["take cup"]


def test_points_that_only_the_text_told_are_taken_back_with_their_command() -> None:
    scored = "[Your score has just gone up by five points.]"
    told = [("", "Yard"), ("take cup", scored), ("eat pie", f"{scored}\n\n*** You have died ***")]
    history = played(*told, ("undo", "[`eat pie` is taken back.]"))
    assert ([one.command for one in history.gains], history.points) == (["take cup"], 5)


def test_an_undo_that_the_game_refuses_took_nothing_back() -> None:
    refused = played(("", "Yard"), ("undo", '["undo" is not part of the story.]')).last
    assert not refused.takes_back
    assert refused._replace(reply="[`jump` is taken back.]").takes_back


def test_a_story_that_begins_anew_has_brought_no_points_yet() -> None:
    rows: list[list[str | int | None]] = [
        [0, "", "A hall.", None, ""],
        [1, "take cup", "Taken. [Your score has just gone up by two points.]", None, "L1"],
        [2, "restart", f"{BEGINS_ANEW}\n\nA hall.", None, "L1"],
        [3, "take axe", "Taken. [Your score has just gone up by three points.]", None, "L1"],
    ]
    history = History(rows)
    assert history.points == 3
    assert [one.command for one in history.life] == ["restart", "take axe"]
