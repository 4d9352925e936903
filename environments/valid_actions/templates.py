"""Command templates: the most natural way to say each action of a story's grammar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from environments.valid_actions.grammar import GrammarLine, Part, Slot
from environments.valid_actions.verbs import FAMILIAR, FAMILIAR_PAIRS, PREPOSITIONS, Order

_OUT_OF = ("from", "off", "out")
_ASKING, _ASKED = ("ask", "tell"), ("about", "for")
"""Verbs and prepositions of which the second noun may be anything, wherever it is."""


_NOUN_AND_TOPIC = 2


class Template(NamedTuple):
    """A verb and what follows it."""

    verb: str
    parts: tuple[Part, ...]
    rank: int
    """Its verb's place in the list of familiar verbs."""
    slots: tuple[Slot, ...]
    """The places for nouns."""
    words: tuple[str, ...]
    """The words between and before the nouns."""
    pattern: str
    """The command, with `%s` for each noun."""

    @property
    def link(self) -> str:
        """The preposition before the last noun."""
        return self.words[-1] if self.words else ""

    @property
    def takes_out(self) -> bool:
        """The first noun must lie in the second."""
        first = self.slots[0]
        return first.inside or (not first.held and self.link in _OUT_OF)

    @property
    def tool_last(self) -> bool:
        """What is used comes behind what it is used on ("unlock door with key")."""
        first, second = self.slots
        return self.link == "with" or (first.creature and second.held)

    @property
    def asks_somebody(self) -> bool:
        """It is said to somebody, and not looked up in something."""
        return self.verb in _ASKING or any(slot.creature for slot in self.slots)

    @property
    def topic_first(self) -> bool:
        """What is looked up comes before that in which it is."""
        return self.slots[0].topic

    def fill(self, *nouns: str) -> str:
        """The command with these nouns."""
        return self.pattern % nouns


class Phrasing:
    """Chooses how to say things: one template for each action and number of nouns."""

    def __init__(self, letters: int) -> None:
        self._verbs = Order(FAMILIAR, letters)
        self._pairs = Order(FAMILIAR_PAIRS, letters)
        self._prepositions = Order(PREPOSITIONS, letters)

    def templates(self, lines: Iterable[GrammarLine]) -> list[Template]:
        """The templates of a grammar whose places take nouns, the most familiar first."""
        return self._best(line for line in lines if not line.speaks)

    def speeches(self, lines: Iterable[GrammarLine]) -> list[Template]:
        """Those with a place for a noun and one for what is spoken of, or looked up."""
        double = (line for line in lines if len(line.slots) == _NOUN_AND_TOPIC)
        found = self._best(line for line in double if line.speaks or self._asks(line))
        return sorted(found, key=lambda template: template.link != _ASKED[0])

    def _asks(self, line: GrammarLine) -> bool:
        template = self._template(line)
        return template.verb in _ASKING and template.link in _ASKED

    def _best(self, lines: Iterable[GrammarLine]) -> list[Template]:
        best: dict[tuple[int, int], tuple[tuple[int, ...], Template]] = {}
        for line in lines:
            template = self._template(line)
            if _is_usable(template):
                unusual = sum(map(self._prepositions.rank, template.words))
                cost = (template.rank, len(template.parts), unusual, line.position)
                key = (line.action, len(template.slots))
                if key not in best or cost < best[key][0]:
                    best[key] = (cost, template)
        return sorted((template for _, template in best.values()), key=lambda t: t.rank)

    def _template(self, line: GrammarLine) -> Template:
        words = tuple(part for part in line.parts if isinstance(part, str))
        order = self._pairs if len(line.slots) == 2 else self._verbs
        phrases = {
            " ".join((verb, *words)) if order is self._pairs else verb: verb for verb in line.verbs
        }
        phrase = min(phrases, key=order.rank)
        verb = order.whole(phrase).split()[0]
        said = (part.replace("%", "%%") if isinstance(part, str) else "%s" for part in line.parts)
        pattern = " ".join((verb.replace("%", "%%"), *said))
        return Template(verb, line.parts, order.rank(phrase), line.slots, words, pattern)


def _is_usable(template: Template) -> bool:
    """Two nouns need a preposition between them; long set phrases are options of the program."""
    if len(template.slots) == 2:
        return bool(template.link)
    return len(template.slots) < 2 and len(template.words) <= 2
