"""Which checkpoints of a run stay: all of them, every Nth turn, or the last N turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from orchestrator.errors import ConfigError


class Kept(NamedTuple):
    """A checkpoint in the store."""

    id: str
    turn: int


@dataclass(frozen=True)
class Keep:
    """`all`, `every:N` or `last:N`; the newest checkpoint always stays."""

    rule: str = "all"
    number: int = 1

    @classmethod
    def parse(cls, text: str) -> Keep:
        """Read the rule from the command line or a record.

        Raises:
            ConfigError: it is none of the three.
        """
        rule, _, number = text.partition(":")
        if text == "all":
            return cls()
        if rule in ("every", "last") and re.fullmatch("[1-9][0-9]*", number):
            return cls(rule, int(number))
        raise ConfigError(f"--keep {text!r}: expected all, every:10 or last:20")

    def __str__(self) -> str:
        return self.rule if self.rule == "all" else f"{self.rule}:{self.number}"

    def expired(self, kept: Sequence[Kept]) -> list[Kept]:
        """Those that may go, of checkpoints in the order of play."""
        if not kept or self.rule == "all":
            return []
        newest = kept[-1].turn
        if self.rule == "last":
            return [one for one in kept[:-1] if one.turn <= newest - self.number]
        return [one for one in kept[:-1] if one.turn % self.number]
