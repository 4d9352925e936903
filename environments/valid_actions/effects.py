"""What a tried command did, told from the noise that every command makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

from environments.turn import Probe
from environments.valid_actions.nouns import Noun
from environments.zmachine import Objects

COMMON_CHANGE = 16
"""A change in the object tree that more commands cause than there are directions is noise."""
COMMON_VALUE = 3
"""A variable that more commands change belongs to the parser or to the passing of time."""
COMMON_REPLY = 2
"""A reply that more commands get is a refusal."""

_IMPLICIT_TAKING = re.compile(r"\((?:taken|first taking)", re.IGNORECASE)
_Key = tuple[bytes, tuple[int, ...]]
"""Changes of the object table and events of a probe."""
_TREE_BYTE = 3
_TREE_MARK = 1 << 40
_TOLD = 1 << 41
"""Marks an answer of its own."""
_KIND = 32
_MOVED = 0


class Trial(NamedTuple):
    """A command that was tried."""

    command: str
    nouns: tuple[Noun, ...]
    probe: Probe
    shape: str
    """The reply with the command's own nouns blotted out, to compare refusals."""

    @classmethod
    def of(cls, command: str, nouns: tuple[Noun, ...], probe: Probe) -> Trial:
        """The trial of a command with these nouns."""
        shape = probe.reply.lower()
        for noun in nouns:
            if noun.title:
                shape = shape.replace(noun.title, "#")
            shape = shape.replace(noun.text, "#")
        return cls(command, nouns, probe, shape)


class FirstWithEffect(NamedTuple):
    """The first command found with some effect."""

    trial: Trial
    effect: str
    """A digest of what changed."""


class EffectJudge:
    """Tells what commands did from the noise that every command makes."""

    def __init__(self, objects: Objects) -> None:
        self._entry = objects.entry_size
        self._attributes = objects.attribute_bytes

    def outcomes(
        self, trials: Sequence[Trial], clock: Collection[int], told: Collection[str] = ()
    ) -> Iterator[FirstWithEffect]:
        """The trials that had an effect, one for each effect, in their order.

        What is noise is judged by how many of these trials share it, so that the result depends
        on nothing else. `clock` holds the addresses of variables that show the passing of time:
        a command that the parser refuses takes no time. `told` are commands that got an answer of
        their own, which is what they do.
        """
        changes = self._without_noise(trials)
        values = Counter(value >> 8 for trial in trials for value in trial.probe.variables)
        shapes = Counter(trial.shape for trial in trials)
        common_value = max(COMMON_VALUE, len(trials) * 2 // 100)
        seen: set[str] = set()
        for trial in trials:
            probe = trial.probe
            marks = changes[_key(probe)]
            if not marks and trial.command in told:
                marks = [_TOLD | crc32(probe.reply.encode())]
            if not marks and shapes[trial.shape] <= COMMON_REPLY and _took_time(probe, clock):
                marks = [value for value in probe.variables if values[value >> 8] <= common_value]
            if not (marks or probe.points or probe.ended or probe.died) or _is_indirect(trial):
                continue
            effect = _digest([*marks, probe.points, probe.ended, probe.died])
            if effect not in seen:
                seen.add(effect)
                yield FirstWithEffect(trial, effect)

    def _without_noise(self, trials: Sequence[Trial]) -> dict[_Key, list[int]]:
        """What happened to the object tree but for what too many commands have in common.

        An attribute counts whichever object it is on.
        """
        times = Counter(_key(trial.probe) for trial in trials)
        changes = {key: self._changes(*key) for key in times}
        frequency: Counter[int] = Counter()
        for key, marks in changes.items():
            frequency.update(dict.fromkeys(map(_kind, marks), times[key]))
        common = max(COMMON_CHANGE, len(trials) * 6 // 100)
        return {
            key: [mark for mark in marks if frequency[_kind(mark)] <= common]
            for key, marks in changes.items()
        }

    def _changes(self, tree: bytes, events: tuple[int, ...]) -> list[int]:
        """What happened to the object tree, as numbers, each once, in order."""
        told = {_attribute_byte(event) for event in events if event >> _KIND != _MOVED}
        changes = dict.fromkeys(events)
        for at in range(0, len(tree), _TREE_BYTE):
            change = int.from_bytes(tree[at : at + _TREE_BYTE], "big")
            entry, place = divmod(change >> 8, self._entry)
            if place >= self._attributes or (entry + 1, place) not in told:
                changes[_TREE_MARK | change] = None
        return list(changes)


def _key(probe: Probe) -> _Key:
    return probe.tree, tuple(probe.events)


def _kind(mark: int) -> int:
    if mark & _TREE_MARK or mark >> _KIND == _MOVED:
        return mark
    return (mark >> _KIND) << _KIND | mark & 0xFFFF


def _attribute_byte(event: int) -> tuple[int, int]:
    """The object of an attribute change, and the byte of its attributes."""
    return event >> 16 & 0xFFFF, (event & 0xFFFF) // 8


def clock(waiting: Trial, refused: Iterable[Trial]) -> set[int]:
    """The variables that waiting changes and refused commands do not."""
    idle = {value >> 8 for trial in refused for value in trial.probe.variables}
    return {value >> 8 for value in waiting.probe.variables} - idle


def _took_time(probe: Probe, clock: Collection[int]) -> bool:
    return not clock or any(value >> 8 in clock for value in probe.variables)


def _is_indirect(trial: Trial) -> bool:
    """The story first took something up, which is a command of its own."""
    return len(trial.nouns) == 2 and bool(_IMPLICIT_TAKING.match(trial.probe.reply))


def _digest(marks: Iterable[int]) -> str:
    return blake2b(repr(list(marks)).encode("ascii"), digest_size=8).hexdigest()
