"""How far somebody has come in a walkthrough, who may stray from it and have other luck."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from agents.briefing import Briefing, RecentTurn
from environments.plain_files import read_whole
from managers.language.actions import parse, same_action
from managers.language.lexicon import head_of

_NOTE = re.compile(r"line (\d+) of \d+, to be played in (L\d+|here), trouble (\d+)")
_PATIENCE = 14
"""From how much trouble on a line is given up; any delay is 1."""
_FAILURE = 7
_AHEAD = 4
"""How many lines further one of them may have been played instead."""
_TOO_EARLY = 4
"""The trouble of a failure where the walkthrough itself had to wait before the line."""
WAIT = "wait"


def read_commands(path: str | Path) -> list[str]:
    """The commands of a walkthrough, whatever bytes it holds; empty lines do not count.

    Raises:
        FileNotFoundError: there is no such file.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise FileNotFoundError(
            f"walkthrough {str(file)!r} is no file; give commands=FILE, one command a line"
        )
    lines = read_whole(file, links=True).removeprefix(codecs.BOM_UTF8).splitlines()
    return [line.decode("utf-8", "replace") for line in lines if line.strip()]


class PursuitStand(NamedTuple):
    """How far somebody has come in a walkthrough."""

    line: int
    """Counted from 1."""
    room: str
    """`L<n>` where that line is to be played; empty where one happens to be."""
    trouble: int = 0

    def note(self, lines: int) -> str:
        """The stand in words that `noted` reads again."""
        place = self.room or "here"
        return f"line {self.line} of {lines}, to be played in {place}, trouble {self.trouble}"


def noted(briefing: Briefing) -> PursuitStand:
    """The stand that the oracle's last answer tells; the beginning before its first one."""
    said = briefing.advice.understanding.action_reasoning if briefing.advice else None
    note = _NOTE.match(said or "")
    if not note:
        return PursuitStand(1, next((room.id for room in briefing.map.rooms()), ""))
    return PursuitStand(int(note[1]), "" if note[2] == "here" else note[2], int(note[3]))


class Pursuit:
    """A walkthrough, and what came of its lines since the last answer."""

    def __init__(self, commands: Sequence[str]) -> None:
        self.commands = list(commands)

    def ended(self, stand: PursuitStand) -> bool:
        return stand.line > len(self.commands)

    def line(self, stand: PursuitStand) -> str:
        """The command that comes next; there must be one."""
        return self.commands[stand.line - 1]

    def stand(self, briefing: Briefing) -> PursuitStand:
        """Where the walkthrough stands now, by the last answer and what came of it."""
        stand = noted(briefing)
        for played in _since_answer(briefing):
            if not self.ended(stand):
                stand = self._after(stand, played, briefing)
        while not self.ended(stand) and self._needless(stand, briefing):
            stand = PursuitStand(stand.line + 1, stand.room)
        return stand

    def advice(self, stand: PursuitStand, briefing: Briefing) -> str:
        """The line; a pause where what it is about is not there, its tool where that was lost."""
        line, tool = self.line(stand), parse(self.line(stand)).second
        if tool and _refusal(line, briefing) == "not_held" and _strikes(line):
            return f"take {tool}"
        waiting = stand.trouble and self._waits_for(stand) and not _at_hand(line, briefing)
        return WAIT if waiting else line

    def ahead(self, stand: PursuitStand, briefing: Briefing) -> PursuitStand:
        """Behind that of the next lines by whose command the line's room was left, if any."""
        for played in reversed(list(_played(briefing))):
            if played.before == stand.room and played.after != stand.room:
                for number, line in enumerate(self.commands[stand.line :][:_AHEAD], stand.line + 1):
                    if same_action(played.turn.command, line):
                        return PursuitStand(number + 1, _place(played.after, briefing))
                break
        return stand

    def _after(self, stand: PursuitStand, played: _Played, briefing: Briefing) -> PursuitStand:
        line, turn = self.line(stand), played.turn
        latest = turn is briefing.recent[-1]
        if latest and briefing.extraction and briefing.extraction.died:
            return stand
        there = stand.room in ("", played.before)
        if not there or not same_action(turn.command, line):
            asked = briefing.advice is not None and turn.turn == briefing.advice.turn
            return self._delayed(stand, 1) if asked and there else stand
        if latest and _foe_stands(line, briefing):
            return self._delayed(stand, 1)
        if turn.result == "failure":
            return self._failed(stand, briefing if latest else None)
        return PursuitStand(stand.line + 1, _place(played.after, briefing))

    def _failed(self, stand: PursuitStand, briefing: Briefing | None) -> PursuitStand:
        """What has worked before, or cannot be done any more, is left behind."""
        line, last = self.line(stand), stand.line - 1
        reason = _refusal(line, briefing) if briefing else ""
        over = _strikes(line) and stand.trouble and reason != "not_held"
        if over or reason == "already" or (reason == "not_held" and not _strikes(line)):
            return PursuitStand(stand.line + 1, stand.room)
        if last and briefing and _foe_stands(self.commands[last - 1], briefing):
            return PursuitStand(last, stand.room, stand.trouble + 1)
        if last and same_action(self.commands[last - 1], line):
            return self._skipped(stand)
        return self._delayed(stand, _TOO_EARLY if self._waits_for(stand) else _FAILURE)

    def _waits_for(self, stand: PursuitStand) -> bool:
        """The walkthrough waited before this line."""
        return stand.line > 1 and parse(self.commands[stand.line - 2]).verb == WAIT

    def _skipped(self, stand: PursuitStand) -> PursuitStand:
        """Past this line and those that repeat it."""
        number = stand.line
        while number < len(self.commands) and same_action(self.commands[number], self.line(stand)):
            number += 1
        return PursuitStand(number + 1, stand.room)

    def _delayed(self, stand: PursuitStand, trouble: int) -> PursuitStand:
        trouble += stand.trouble
        return stand._replace(trouble=trouble) if trouble < _PATIENCE else self._skipped(stand)

    def _needless(self, stand: PursuitStand, briefing: Briefing) -> bool:
        """It takes what is carried already, or waits for what is there already."""
        parts = parse(self.line(stand))
        if parts.verb == "take" and parts.object:
            return head_of(parts.object) in _carried(briefing)
        if parts.verb != WAIT:
            return False
        awaited = self.line(self._skipped(stand)) if not self.ended(self._skipped(stand)) else ""
        return bool(parse(awaited).object) and _at_hand(awaited, briefing)


class _Played(NamedTuple):
    """A turn since the last answer."""

    turn: RecentTurn
    before: str
    """`L<n>` where it began."""
    after: str
    """And where it ended."""


def _played(briefing: Briefing) -> Iterator[_Played]:
    rooms = [turn.room.partition(" ")[0] for turn in briefing.recent]
    ends = [*rooms[1:], briefing.map.here]
    for turn, before, after in zip(briefing.recent, rooms, ends, strict=False):
        yield _Played(turn, before, after)


def _since_answer(briefing: Briefing) -> Iterator[_Played]:
    asked = briefing.advice.turn if briefing.advice else briefing.turn
    return (played for played in _played(briefing) if played.turn.turn >= asked)


def _refusal(line: str, briefing: Briefing) -> str:
    """Why the line was refused just now; empty if it was not."""
    read = briefing.extraction
    refused = read and read.action_result.result == "failure"
    return (
        read.action_result.reason
        if read and refused and same_action(line, briefing.command)
        else ""
    )


def _place(room: str, briefing: Briefing) -> str:
    """Where the next line is to be played; rooms that look alike are no place to come back to."""
    alike = any(one.id == room and one.maze for one in briefing.map.rooms())
    return "" if alike else room


def _seen(briefing: Briefing) -> set[str]:
    return {head_of(name) for name in briefing.situation.things}


def _strikes(line: str) -> bool:
    return parse(line).verb == "attack"


def _carried(briefing: Briefing) -> set[str]:
    return {head_of(name) for name in briefing.situation.inventory}


def _at_hand(line: str, briefing: Briefing) -> bool:
    """All that a command names is here or carried."""
    parts = parse(line)
    present = _seen(briefing) | _carried(briefing)
    return all(head_of(name) in present for name in (parts.object, parts.second) if name)


def _foe_stands(line: str, briefing: Briefing) -> bool:
    """It attacks somebody who is still there."""
    return _strikes(line) and head_of(parse(line).object) in _seen(briefing)
