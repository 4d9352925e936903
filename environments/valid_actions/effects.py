"""What a tried command did, told from the noise that every command makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from environments.turn import Probe
from environments.valid_actions.nouns import Noun

COMMON_CHANGE = 16
"""A change in the object tree that more commands cause than there are directions is noise."""
COMMON_VALUE = 3
"""A variable that more commands change belongs to the parser or to the passing of time."""
COMMON_REPLY = 2
"""A reply that more commands get is a refusal."""

_IMPLICIT_TAKING = re.compile(r"\((?:taken|first taking)", re.IGNORECASE)
_TREE_BYTE = 3
_TREE_MARK = 1 << 40


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

    @property
    def acted(self) -> bool:
        """Whether the object tree changed."""
        return bool(self.probe.tree)


class Outcome(NamedTuple):
    """The first command found with some effect."""

    trial: Trial
    effect: str
    """A digest of what changed."""


def outcomes(trials: Sequence[Trial], clock: Collection[int] = ()) -> Iterator[Outcome]:
    """The trials that had an effect, one for each effect, in their order.

    What is noise is judged by how many of these trials share it, so that the result depends on
    nothing else. `clock` holds the addresses of variables that show the passing of time: a
    command that the parser refuses takes no time.
    """
    changes = [(trial.probe.tree, tuple(trial.probe.events)) for trial in trials]
    marks_of = {change: _tree_marks(*change) for change in changes}
    tree: Counter[int] = Counter()
    for change, times in Counter(changes).items():
        tree.update(dict.fromkeys(marks_of[change], times))
    values = Counter(value >> 8 for trial in trials for value in trial.probe.variables)
    shapes = Counter(trial.shape for trial in trials)
    common = max(COMMON_CHANGE, len(trials) * 6 // 100)
    common_value = max(COMMON_VALUE, len(trials) * 2 // 100)
    seen: set[str] = set()
    for trial, change in zip(trials, changes, strict=True):
        probe = trial.probe
        marks = [mark for mark in marks_of[change] if tree[mark] <= common]
        if not marks and shapes[trial.shape] <= COMMON_REPLY and _took_time(probe, clock):
            marks = [value for value in probe.variables if values[value >> 8] <= common_value]
        if not (marks or probe.points or probe.ended or probe.died) or _is_indirect(trial):
            continue
        effect = _digest([*marks, probe.points, probe.ended, probe.died])
        if effect not in seen:
            seen.add(effect)
            yield Outcome(trial, effect)


def _tree_marks(tree: bytes, events: tuple[int, ...]) -> list[int]:
    """What happened to the object tree, as numbers, each once, in order."""
    pairs = (tree[at : at + _TREE_BYTE] for at in range(0, len(tree), _TREE_BYTE))
    changed = [_TREE_MARK | int.from_bytes(pair, "big") for pair in pairs]
    return list(dict.fromkeys([*changed, *events]))


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
