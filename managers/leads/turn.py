"""One turn as far as leads are concerned."""

from __future__ import annotations

from typing import NamedTuple

from managers.extraction import TurnExtraction


class Turn(NamedTuple):
    """One turn as far as leads are concerned."""

    turn: int
    room: str
    command: str
    text: str
    extraction: TurnExtraction
    scored: int
    others: tuple[str, ...]
    """What is here and could act: persons and creatures first."""
    able: tuple[str, ...]
    """Those among them that are persons or creatures."""
    held: tuple[str, ...]
    """The nouns of what was carried before."""
    taken: tuple[str, ...]
    """The nouns of what is carried now and was not before."""
    precious: tuple[str, ...] = ()
    """The nouns of what is here or carried and may be a treasure."""
