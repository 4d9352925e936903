"""What a memory of one story teaches about others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.knowledge import Knowledge
from managers.learning.reflection import Outlook
from managers.memory.counts import TABLES
from managers.memory.distilling import distil


def general(memory: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a memory that may hold in any story; empty for an empty one.

    That is how often classes of actions, verbs, and verbs with nouns worked; rooms, words and
    trajectories are a story's own.
    """
    if not memory:
        return {}
    blank = distil(Knowledge.new(), Outlook.new(), {}, "")
    return {**blank, "runs": memory["runs"], **{name: memory[name] for name in TABLES}}
