"""What the game's replies suggest to do next: requests, foes, finds, homes of treasures.

Kept as plain data in the state field `dynamics`, next to the statistics.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from managers.leads import burden, cues, finds, others, requests
from managers.leads.finds import CARRIED
from managers.leads.requests import Request
from managers.leads.turn import Turn
from managers.text.cues import Cue

__all__ = ["Leads", "Request", "Turn", "updated"]


class Leads:
    """A view of the plain data; `updated` copies what it changes."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @cached_property
    def requests(self) -> list[Request]:
        return [Request(*entry) for entry in self.data.get("requests", [])]

    @cached_property
    def hostile(self) -> frozenset[str]:
        """The names of those who attacked or bar the way."""
        return frozenset(self.data.get("hostile", {}))

    @property
    def wounds(self) -> int:
        """How often one was hurt lately."""
        return len(self.data.get("wounds", ()))

    @cached_property
    def barring(self) -> frozenset[str]:
        """The names of those who bar the way."""
        return frozenset(self.data.get("barring", ()))

    @property
    def replies(self) -> list[str]:
        """What answers the question the game just asked."""
        return list(self.data.get("replies", []))

    @property
    def home(self) -> tuple[str, str] | None:
        """Where treasures score: the room, and the command with `{}` for the treasure."""
        home = self.data.get("home")
        return (home[0], home[1]) if home else None

    def is_absent(self, room: str, noun: str) -> bool:
        """The game said that it sees no such thing there, or that it is what one carries."""
        absent = self.data.get("absent", {})
        return noun in absent.get(room, ()) or noun in absent.get(CARRIED, ())

    def changed(self, room: str) -> int:
        """The last turn in which an action changed something that may matter in the room."""
        changed = self.data.get("changed", {})
        return int(max(changed.get(room, -1), changed.get(CARRIED, -1)))

    def changed_here(self, room: str) -> int:
        """The last turn in which an action changed something in the room itself."""
        return int(self.data.get("changed", {}).get(room, -1))

    @property
    def opened(self) -> dict[str, list[str]]:
        """Room to the directions that an action there seems to have opened."""
        return dict(self.data.get("opened", {}))

    @cached_property
    def treasures(self) -> frozenset[str]:
        """The nouns of what scored when it was taken."""
        return frozenset(self.data.get("treasures", ()))

    @cached_property
    def deposited(self) -> frozenset[str]:
        """The nouns of the treasures that are where they belong."""
        return frozenset(self.data.get("deposited", ()))

    @property
    def offers(self) -> tuple[tuple[str, str], ...]:
        """Carried things that somebody takes an interest in: noun and somebody."""
        return tuple((thing, who) for thing, who in self.data.get("offers", ()))

    @property
    def stuck(self) -> frozenset[str]:
        """The nouns of what does not open by hand."""
        return frozenset(self.data.get("stuck", ()))

    @property
    def spent(self) -> frozenset[str]:
        """The nouns of lights that would not shine."""
        return frozenset(self.data.get("spent", ()))

    @property
    def failing(self) -> frozenset[str]:
        """The nouns of lights that are about to go out, or have."""
        return frozenset(self.data.get("failing", ()))

    @cached_property
    def rising(self) -> frozenset[str]:
        """The rooms that fill with what one could drown in."""
        return frozenset(self.data.get("rising", ()))

    @property
    def placed(self) -> frozenset[str]:
        """The nouns of what was tied or put somewhere to some effect."""
        return frozenset(self.data.get("placed", ()))

    @property
    def discarded(self) -> frozenset[str]:
        """The nouns of what was dropped to carry something better."""
        return frozenset(self.data.get("discarded", ()))

    def revealed(self, room: str) -> tuple[str, ...]:
        """Names of what an action in the room has brought to light."""
        return tuple(self.data.get("revealed", {}).get(room, ()))

    @cached_property
    def hints(self) -> frozenset[str]:
        """Nouns the game has spoken of in speech or writing."""
        return frozenset(self.data.get("hints", ()))

    @property
    def cues(self) -> list[tuple[Cue, str]]:
        """What the text has spoken of doing, with the noun of what it was about."""
        return [(Cue(*entry), about) for *entry, about in self.data.get("cues", ())]

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """Nouns that mean more than one thing to the game."""
        return frozenset(self.data.get("ambiguous", ()))

    @property
    def left_behind(self) -> tuple[tuple[str, str], ...]:
        """Room and noun of useful things that were too much to take, and need not be now."""
        return tuple((room, noun) for room, noun, _, ready in self.data.get("left", ()) if ready)

    @property
    def narrow(self) -> tuple[tuple[str, str], ...]:
        """Room and direction of ways that are shut to somebody who carries much."""
        return tuple((room, way) for room, way in self.data.get("narrow", ()))

    @property
    def overloaded(self) -> bool:
        return bool(self.data.get("overloaded"))


def updated(data: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """The leads after one more turn."""
    return {
        "requests": requests.requests(data.get("requests", []), turn),
        "hostile": others.hostile(data.get("hostile", {}), turn),
        "wounds": others.wounds(data.get("wounds", []), turn),
        "barring": others.barring(data.get("barring", []), turn),
        "replies": requests.replies(turn),
        "home": burden.home(turn) or data.get("home"),
        "overloaded": burden.overloaded(data, turn),
        "left": burden.left_behind(data.get("left", []), turn),
        "narrow": burden.narrow(data.get("narrow", []), turn),
        "absent": finds.absent(data.get("absent", {}), turn),
        "changed": finds.changed(data.get("changed", {}), turn),
        "opened": finds.opened(data.get("opened", {}), turn),
        "treasures": burden.treasures(data.get("treasures", []), data.get("home"), turn),
        "offers": others.offers(data.get("offers", []), turn),
        "stuck": finds.stuck(data.get("stuck", []), turn),
        "spent": finds.spent(data.get("spent", []), turn),
        "failing": finds.failing(data.get("failing", []), turn),
        "rising": finds.rising(data.get("rising", []), turn),
        "placed": burden.placed(data.get("placed", []), turn),
        "discarded": burden.discarded(data, turn),
        "revealed": finds.revealed(data.get("revealed", {}), turn),
        "hints": finds.hints(data.get("hints", []), turn),
        "cues": cues.cues(data.get("cues", []), turn),
        "ambiguous": requests.ambiguous(data.get("ambiguous", []), turn),
        "deposited": burden.deposited(data.get("deposited", []), turn),
    }
