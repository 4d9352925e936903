"""What the planner builds on; each can be switched off, to see what it is worth."""

from __future__ import annotations

from environments.game import Value


class Faculties(Value):
    """What the graph config says; those that have proved themselves are on without it."""

    objectives: bool = True
    """Serving an objective adds to the worth of an action."""
    chaining: bool = True
    """Plans are made backwards from goals over what is in their way."""
    failures: bool = True
    """What failed is remembered with the state it failed in."""
    statistics: bool = True
    """Chances and worth of action classes, verbs and nouns are learned while playing."""
    affordances: bool = True
    """A verb is tried on nouns of the classes it suits; without it, on all nouns."""
    routes: bool = True
    """What could be done elsewhere is weighed too, with the way there over the map."""
    cues: bool = True
    """What the text speaks of doing is tried."""
    modes: bool = False
    """The play mode leans the value; off, because it has not been shown to raise the score."""
    without: tuple[str, ...] = ()
    """Terms of the value that are left out (see `managers.policy.value.TERMS`)."""


ALL = Faculties()
