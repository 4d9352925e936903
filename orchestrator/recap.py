"""A run told in few words: a title, how it ended, its highlights, and what may be done next.

Console, pages and reports tell it in these words; lists show the bare reason of its end.
"""

from __future__ import annotations

import re
import string
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from agents.actor import PlayerLeft, TakeBack
from environments.plain_files import open_plain
from managers.language.history import BEGINS_ANEW, UNDO
from orchestrator.errors import RunError
from orchestrator.saved.record import Record, ToldResult
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.settings.called import called
from orchestrator.turns.current import arrival
from orchestrator.turns.ends import ALL_TAKEN_BACK, RESTART, TAKEN_BACK
from orchestrator.viewer.frames import TurnRow
from orchestrator.viewer.words import plain

Kind = Literal[
    "end",  # how the run ended
    "death",
    "way back",  # an end of the story was taken back, or the story begun anew
    "fault",  # of the emulator or of this program
    "loss",  # of points
    "points",
    "stuck",  # many turns without anything new
    "answer",  # of a model, that would not do
    "rooms",  # so many have been seen
    "objection",  # to a command
]
"""What a highlight tells of; the first ones tell most."""
KINDS: tuple[Kind, ...] = get_args(Kind)

ENDS = {
    "steps": "all commands played",
    "won": "won",
    "story_ended": "the story ended",
    "died": "out of lives",
    "explored": "explored as far as it was meant to",
    "budget": "the budget is spent",
    "paused": "paused, as a model could not be asked",
    "stopped": "stopped",
    "player_left": "the player left",
    "taken_back": "turns were taken back",
    "error": "broken off by an error",
    "killed": "the program was killed",
    "playing": "still being played",
    "damaged": "damaged",
}
"""How a run ended, in words."""
_SAID = ("won", "killed", "playing")
"""What a title says of it."""
UNFINISHED = ("paused", "stopped", "player_left", "killed", "error")
"""What can be gone on with where it was."""

STUCK = 25
"""So many turns without a point or a new room are told."""
MANY_ROOMS = 10
"""Every so many rooms are told."""
NEAR = 15
"""Highlights of one kind that are so many turns apart at most are told as one."""
_TOGETHER = ("objection", "answer", "fault")
_LEAVING = tuple(kind.__name__ for kind in (KeyboardInterrupt, PlayerLeft, TakeBack))
"""What breaks a turn off because a person wants it."""
_WENT_BACK = re.compile(
    "|".join(re.escape(one).replace(r"\{\}", ".*") for one in (TAKEN_BACK, ALL_TAKEN_BACK))
)
_PLAIN = re.compile(r"\w[\w.-]*")
"""An id that no shell and no command takes for anything else."""
_SERIAL = re.compile(r"^.*\bserial number\b.*$", re.IGNORECASE | re.MULTILINE)
_ROMAN = re.compile(r"[ivx]+", re.IGNORECASE)
_LONGEST_NAME, _LONGEST = 50, 160
"""Letters of a story's name, and of what a highlight says."""
_BLOCKS = 3
"""Above the line with the serial number the title is looked for in so many paragraphs."""
_OPENING = 16 << 10
"""Bytes of a transcript in which the story's banner is looked for."""


@dataclass(frozen=True)
class Highlight:
    """Something worth telling of a run."""

    turn: int
    kind: Kind
    text: str


@dataclass(frozen=True)
class NextCommand:
    """What to type next, and what for."""

    command: str
    purpose: str


@dataclass(frozen=True)
class Recap:
    """A run in few words."""

    name: str
    """The story's, as its banner says it."""
    title: str
    """Zork I, offline, seed 7: 45 of 350, died once."""
    end: str
    """100 of 400 commands played; 45 of 350 points; died once."""
    highlights: tuple[Highlight, ...]
    """In the order of the turns."""
    then: tuple[NextCommand, ...]

    def best(self, most: int) -> list[Highlight]:
        """The highlights that tell most, in the order of the turns."""
        ranked = sorted(self.highlights, key=lambda one: KINDS.index(one.kind))
        return [one for one in self.highlights if one in ranked[:most]]


def recap(run: RunDirectory, rows: Sequence[TurnRow] = (), status: str = "") -> Recap:
    """A run in few words; highlights are found in the overview of its turns.

    `status` is what has become of it, where that is known better than from outside.

    Raises:
        RunError: its record cannot be read.
    """
    record = run.record()
    status = status or run.status(record)
    name, came = story_name(run, record), _came(record.outcome, rows)
    return Recap(
        name,
        _title(name, record, came, status),
        ending(came, record.max_steps, status),
        tuple(highlights(rows, "" if status in ("playing", "steps") else ENDS.get(status, ""))),
        tuple(_then(run, record, status)),
    )


def title_of(run: RunDirectory, record: Record, status: str) -> str:
    """What people call it: `Zork I, offline, seed 7: 45 of 350, died once`."""
    return _title(story_name(run, record), record, record.outcome, status)


def ending(came: ToldResult, limit: int | None, status: str) -> str:
    """How it ended: `100 of 400 commands played; 50 of 100 points; died once`."""
    of = f" of {limit:,}" if limit is not None else ""
    played = "" if came.steps is None else f"{came.steps:,}{of} commands played"
    best = came.best_score
    more = f", at best {best}" if best is not None and best > (came.score or 0) else ""
    points = f"{_score(came)} points{more}" if came.score is not None else ""
    cause = "" if status == "steps" else ENDS.get(status, "")
    return "; ".join(filter(None, [cause, played, points, *_lives(came)]))


def story_name(run: RunDirectory, record: Record) -> str:
    """The story's name as its banner says it, else its file's."""
    try:
        with open_plain(run.transcript) as file:
            opening = file.read(_OPENING).decode(errors="replace")
    except OSError:
        opening = ""
    return banner_name(opening.partition("\n> ")[0]) or plain(record.story)


def banner_name(opening: str) -> str:
    """The name in a story's banner, which ends in its serial number; empty where it has none."""
    found = _SERIAL.search(opening)
    if found is None:
        return ""
    above = re.split(r"\n[ \t]*\n", opening[: found.end()])[-_BLOCKS:]
    firsts = [block.strip().partition("\n")[0].strip() for block in reversed(above)]
    return plain(next((_as_said(one) for one in firsts if _is_name(one)), ""))


def highlights(rows: Sequence[TurnRow], ended: str = "") -> list[Highlight]:
    """What is worth telling, in the order of the turns."""
    found = [one for pair in pairwise(rows) for one in _happened(*pair)]
    found += [one for row in rows for one in (*_gained(row), *_went_amiss(row))]
    found += [*_rooms(rows), *_stuck(rows)]
    if rows and ended:
        found.append(Highlight(rows[-1].turn, "end", ended))
    return _joined(sorted(found, key=lambda one: (one.turn, -KINDS.index(one.kind))))


def _title(name: str, record: Record, came: ToldResult, status: str) -> str:
    graph = plain(record.graph).partition("+")[0]
    run, state = f"{name}, {graph}, seed {record.seed}", ENDS[status] if status in _SAID else ""
    outcome = ", ".join(filter(None, [_score(came), *_lives(came)[:1], state]))
    return f"{run}: {outcome}" if outcome else run


def _came(outcome: ToldResult, rows: Sequence[TurnRow]) -> ToldResult:
    """What came of it, as its turns tell where they go further than what was written last."""
    played = [row for row in rows if row.seconds is not None and not row.error]
    if not played or (outcome.steps or 0) >= played[-1].turn:
        return outcome
    last = played[-1]
    told = {"steps": last.turn, "score": last.score, "best_score": last.best}
    return outcome.model_copy(update={**told, "deaths": last.deaths})


def _score(came: ToldResult) -> str:
    """45 of 350."""
    if came.score is None:
        return ""
    return f"{came.score} of {came.max_score}" if came.max_score else f"{came.score}"


def _lives(came: ToldResult) -> list[str]:
    """Deaths, and what was done about ends of the story; nothing of what did not happen."""
    told = (
        ("died", came.deaths),
        ("took its end back", came.undone),
        ("began anew", came.restarts),
    )
    return [f"{what} {_times(often)}" for what, often in told if often]


def _times(often: int) -> str:
    return {1: "once", 2: "twice"}.get(often, f"{often:,} times")


def _then(run: RunDirectory, record: Record, status: str) -> Iterator[NextCommand]:
    if status in UNFINISHED and record.checkpoints:
        yield NextCommand(run.way_on, "play it on")
    yield NextCommand(f"{called()} view {_called(run)}", "look at it in a browser")


def _called(run: RunDirectory) -> str:
    """What to call it by: `last`, its id, or its directory.

    That is where it does not lie where runs do, or has another name than they are given.
    """
    if run.path.parent.resolve() != RUNS.resolve() or not _PLAIN.fullmatch(run.path.name):
        return run.typed
    try:
        latest = RunDirectory.find("last")
    except (RunError, OSError):
        return run.path.name
    return "last" if latest.path.name == run.path.name else run.path.name


def _is_name(line: str) -> bool:
    """A title is short, and no sentence, hint for beginners or line with the release."""
    plain = not line.endswith(".") and '"' not in line and not _SERIAL.match(line)
    return plain and 0 < len(line) <= _LONGEST_NAME


def _as_said(line: str) -> str:
    """Without its subtitle, and not in capitals."""
    name = line.partition(": ")[0]
    if not name.isupper():
        return _mixed(name)
    return _mixed(string.capwords(name))


def _mixed(name: str) -> str:
    """Zork I, of ZORK I or Zork i."""
    words = name.split()
    return " ".join(
        word.upper() if at and _ROMAN.fullmatch(word) else _word(word)
        for at, word in enumerate(words)
    )


def _word(word: str) -> str:
    return string.capwords(word) if len(word) > 1 and word.isupper() else word


def _happened(before: TurnRow, row: TurnRow) -> Iterator[Highlight]:
    """What the game did in a turn."""
    if row.deaths > before.deaths:
        yield Highlight(row.turn, "death", f"died of `{row.command}`")
    if row.faults > before.faults:
        yield Highlight(row.turn, "fault", f"`{row.command}` could not be played")
    if row.command in (UNDO, RESTART) and row.text.startswith(BEGINS_ANEW):
        yield Highlight(row.turn, "way back", "the story began anew")
    elif row.command == UNDO and (back := _WENT_BACK.match(row.text)):
        yield Highlight(row.turn, "way back", back[0].strip("[]").partition(":")[0])


def _went_amiss(row: TurnRow) -> Iterator[Highlight]:
    """What was objected to, answered badly, or broke off."""
    yield from (Highlight(row.turn, "objection", told) for told in row.objections)
    yield from (Highlight(row.turn, "answer", told) for told in row.misanswers)
    if row.error and not row.error.startswith(_LEAVING):
        yield Highlight(row.turn, "fault", f"broke off: {row.error}")


def _gained(row: TurnRow) -> Iterator[Highlight]:
    if row.gained and row.turn:
        what = "points" if abs(row.gained) > 1 else "point"
        told = f"{row.gained:+d} {what} by `{row.command}` ({row.score} in all)"
        yield Highlight(row.turn, "points" if row.gained > 0 else "loss", told)


def _rooms(rows: Iterable[TurnRow]) -> Iterator[Highlight]:
    """Every so many rooms."""
    seen: set[str] = set()
    for row in rows:
        room = arrival(row.room)
        if room and room not in seen:
            seen.add(room)
            if len(seen) % MANY_ROOMS == 0:
                yield Highlight(row.turn, "rooms", f"{len(seen)} rooms seen, the last {room}")


def _stuck(rows: Sequence[TurnRow]) -> Iterator[Highlight]:
    """Long stretches in which nothing was won and no room was new."""
    seen: set[str] = set()
    since = last = rows[0].turn if rows else 0
    best = rows[0].best if rows else 0
    for row in rows:
        room = arrival(row.room)
        if row.best > best or (room and room not in seen):
            yield from _stretch(since, row.turn - 1)
            since, best = row.turn, max(best, row.best)
            seen.add(room)
        last = row.turn
    yield from _stretch(since, last)


def _stretch(since: int, until: int) -> Iterator[Highlight]:
    if until - since >= STUCK:
        text = f"{until - since} turns without a point or a new room"
        yield Highlight(since + 1, "stuck", text)


def _joined(found: Iterable[Highlight]) -> list[Highlight]:
    """Several of one kind in a row of turns are told by the first of them and their number."""
    told: list[tuple[Highlight, list[int]]] = []
    latest: dict[Kind, list[int]] = {}
    for one in found:
        turns = latest.get(one.kind)
        if one.kind in _TOGETHER and turns and one.turn - turns[-1] <= NEAR:
            turns.append(one.turn)
        else:
            latest[one.kind] = [one.turn]
            told.append((one, latest[one.kind]))
    return [_cut(one, len(turns) - 1, turns[-1]) for one, turns in told]


def _cut(one: Highlight, more: int, until: int) -> Highlight:
    """In one short line, with how many more there were."""
    text = textwrap.shorten(plain(one.text), _LONGEST, placeholder="…")
    return replace(one, text=f"{text} (and {more} more by turn {until})" if more else text)
