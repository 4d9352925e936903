"""The game's words so far, and how much of them fits into a model's memory."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from managers.language.actions import parse
from managers.language.layout import sentences, take_scores

HistoryData = list[list[str | int | None]]
"""One row a turn, from the opening on: turn, command, reply, score, room."""

UNDO = "undo"
BEGINS_ANEW = "[The story begins anew.]"
"""The first line of our own reply when a story that has ended is started again."""
CHARS_PER_TOKEN = 4
_TOKENS_A_TURN = 8
"""Besides those of its words."""
_LONG_PARAGRAPH = 60
_OPENING = 3
"""So many turns tell what the story is about: a title or a key to press may come first."""
_LOOKING_UP = frozenset({"consult", "look up", "read about"})
_SHARE = 3
"""One part in so many is for what stands in for the turns that are left out."""
_LASTING = frozenset({"ask", "talk", "give", "take", "open", "unlock"})
"""Kinds of commands of which one wants to know later what came of them."""
_PARAGRAPH = re.compile(r"\n\s*\n")


class Exchange(NamedTuple):
    """A command and what the game said to it."""

    turn: int
    command: str
    """Empty at the opening."""
    reply: str
    score: int | None = None
    """Where a status line shows it."""
    room: str = ""
    """Where the command was played: `L3`."""

    @property
    def takes_back(self) -> bool:
        """An end was taken back by it; the game itself refuses an `undo` that somebody types."""
        return self.command == UNDO and not self.reply.startswith('["')

    @property
    def begins_anew(self) -> bool:
        """The story began once more, after an end."""
        return self.reply.startswith(BEGINS_ANEW)

    @property
    def tokens(self) -> int:
        """About what a model reads of it."""
        return (len(self.command) + len(self.reply)) // CHARS_PER_TOKEN + _TOKENS_A_TURN


class Gain(NamedTuple):
    """Points that a command brought, or cost."""

    turn: int
    command: str
    """Empty for points that were there from the start."""
    points: int
    room: str = ""
    arrived: bool = False
    """It led to a place where nobody had been."""


class Window(NamedTuple):
    """What of a history a model is shown."""

    kept: tuple[Exchange, ...]
    """Of the turns that are left out: what described a room first, and what was read."""
    recent: tuple[Exchange, ...]


class History:
    """A view of all turns."""

    def __init__(self, data: HistoryData | None = None) -> None:
        self.data: HistoryData = data or []

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All turns, the opening first."""
        return tuple(Exchange(*row) for row in self.data)  # type: ignore[arg-type]

    @property
    def last(self) -> Exchange:
        """The turn that was played last."""
        return Exchange(*self.data[-1]) if self.data else Exchange(0, "", "")  # type: ignore[arg-type]

    @property
    def points(self) -> int | None:
        """The score as the game has told it; None where it tells none."""
        if self.last.score is not None:
            return self.last.score
        return sum(one.points for one in self.gains) if self.gains else None

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """Every change of the score since the story began, with the command that made it."""
        opening = self.exchanges[0] if self.exchanges else Exchange(0, "", "")
        points = opening.score or take_scores(opening.reply)[1]
        found = [Gain(opening.turn, "", points)] if points else []
        rooms = [*(one.room for one in self.exchanges), ""]
        for at, (before, one) in enumerate(pairwise(self.exchanges), 1):
            if one.begins_anew:
                found.clear()
                continue
            shown = before.score is not None and one.score is not None
            points = one.score - before.score if shown else take_scores(one.reply)[1]  # type: ignore[operator]
            if one.takes_back and not shown:
                found = [gain for gain in found if gain.turn != before.turn]
            if not points:
                continue
            lost = list(accumulate(gain.points for gain in reversed(found)))
            if one.takes_back and -points in lost:
                del found[-1 - lost.index(-points) :]
            else:
                arrived = rooms[at + 1] not in ("", *rooms[: at + 1])
                found.append(Gain(one.turn, one.command, points, one.room, arrived))
        return tuple(found)

    @cached_property
    def life(self) -> tuple[Exchange, ...]:
        """The turns since the story began, for the last time if it has begun anew."""
        starts = (at for at, one in enumerate(self.exchanges) if one.begins_anew)
        return self.exchanges[max(starts, default=0) :]

    def ends(self, room: str) -> list[Exchange]:
        """The commands that ended the story in a room, each with what came of it last."""
        said = pairwise(self.exchanges)
        ended = (one for one, after in said if after.takes_back and not one.takes_back)
        return list({one.command: one for one in ended if one.room == room}.values())

    def news(self, last: int = 1) -> int:
        """How many characters of the last replies had not been said before, word for word."""
        recent = self.exchanges[-last:] if last else ()
        new = {part for one in recent for part in sentences(one.reply)}
        for one in self.exchanges[:-last] if new else ():
            if any(part in one.reply for part in new):
                new.difference_update(sentences(one.reply))
        return sum(map(len, new))

    def window(self, tokens: int) -> Window:
        """What fits into so many tokens.

        When they are used up the older half goes at once, so that what a model reads next mostly
        begins with what it has read.
        """
        start, filled, room = 0, 0, tokens
        for number, one in enumerate(self.exchanges):
            filled += one.tokens
            if filled <= room:
                continue
            room = tokens - tokens // _SHARE
            while start < number and filled > room // 2:
                filled -= self.exchanges[start].tokens
                start += 1
        return Window(self._standing_in(start, tokens // _SHARE), self.exchanges[start:])

    def _standing_in(self, end: int, tokens: int) -> tuple[Exchange, ...]:
        """Of the turns before one those that brought points or said something long and new.

        Where not all fit, the opening comes first, then what was read, then what was said, taken,
        opened, brought points or ended the story, then first visits of rooms in which more was
        done than to leave them, then those of other rooms; of each the latest first.
        """
        busy = Counter(one.room for one in self.exchanges)
        gains, said, seen = {one.turn for one in self.gains}, set[str](), {""}
        telling = []
        for one, after in zip(self.exchanges[:end], self.exchanges[1:], strict=False):
            parts = dict.fromkeys(part.strip("\n") for part in _PARAGRAPH.split(one.reply))
            new = [part for part in parts if part not in said]
            gained, undone = one.turn in gains, after.takes_back
            if gained or any(len(part) >= _LONG_PARAGRAPH for part in new):
                action = parse(one.command)
                looked_up = action.head in _LOOKING_UP and bool(action.object)
                read = looked_up or action.kind == "read"
                lasting = read + (read or gained or undone or action.kind in _LASTING)
                visit = after.room not in seen and 1 + (busy[after.room] > 1)
                reply = "\n\n".join([*(parts if gained else new), *[after.reply] * undone])
                telling.append((one.turn < _OPENING, lasting, visit, one._replace(reply=reply)))
            said.update(parts)
            seen.add(after.room)
        kept = []
        for *_, one in sorted(telling, reverse=True):
            if one.tokens <= tokens:
                kept.append(one)
                tokens -= one.tokens
        return tuple(sorted(kept))
