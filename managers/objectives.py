"""The objectives: what the agent is after, in which order, and how far it got."""

from __future__ import annotations

from typing import Literal

from environments.game import Value


class Objective(Value):
    """Something worth several turns."""

    id: str
    """`O<n>`, stable through the episode."""
    text: str
    source: Literal["agent", "discovery", "issue", "chain"]
    priority: int = 5
    """1 (some day) to 10 (now)."""
    parent: str | None = None
    status: Literal["active", "done", "stale", "dropped"] = "active"
    evidence: str = ""
    """Why it has its status."""
    created: int = 0
    updated: int = 0
