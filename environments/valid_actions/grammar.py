"""The story's grammar: which commands its parser understands, read from its own tables.

Inform's tables are those of the Inform Technical Manual (grammar versions 1 and 2), Infocom's
those that ZIL's compiler wrote. A story with other tables gets a general grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from environments.sanitiser import META
from environments.valid_actions.verbs import FAMILIAR, GENERAL_GRAMMAR, PREPOSITIONS, SESSION, Order
from environments.vocabulary import Vocabulary, Word
from environments.zmachine import Buffer, Header, word


@dataclass(frozen=True)
class Slot:
    """A place for a noun."""

    held: bool = False
    """Only what the protagonist carries will do."""
    many: bool = False
    """The word "all" will do."""
    creature: bool = False
    """Only somebody will do."""
    inside: bool = False
    """Only what lies in the other noun will do."""
    topic: bool = False
    """What is spoken of, or looked up: any words will do."""


Part = str | Slot


@dataclass(frozen=True)
class GrammarLine:
    """One line of grammar: a verb's synonyms, what follows them, and the action meant."""

    action: int
    verbs: tuple[str, ...]
    parts: tuple[Part, ...]
    position: int
    """Its place among the verb's lines: the parser tries them in order."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The places for nouns."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def speaks(self) -> bool:
        """Whether one of its places is for what is spoken of."""
        return any(slot.topic for slot in self.slots)


def read_grammar(memory: Buffer, vocabulary: Vocabulary) -> list[GrammarLine]:
    """The lines about the story's world whose places all take nouns or topics."""
    for dialect in (_Inform2, _Inform1, _Infocom):
        try:
            return list(dialect(memory, vocabulary).lines())
        except (_Unreadable, IndexError):
            continue
    return [line for line in _general() if line.verbs[0] in vocabulary]


def _general() -> Iterator[GrammarLine]:
    marks = {"NOUN": Slot(), "HELD": Slot(held=True, many=True), "SOMEONE": Slot(creature=True)}
    for action, text in enumerate(GENERAL_GRAMMAR):
        verb, *rest = text.split()
        yield GrammarLine(action, (verb,), tuple(marks.get(part, part) for part in rest), 0)


class _Unreadable(Exception):
    """The tables are not in this dialect."""


class _Refused(Exception):
    """A place that takes neither noun nor topic: a number, a single word."""


_FLAGS = 3
"""Bytes that both compilers write behind each word."""


class _Dialect:
    """What the compilers share: an array of pointers, each to the block of one verb's lines."""

    padding = 0
    """Most bytes between the end of a block and the next."""

    def __init__(self, memory: Buffer, vocabulary: Vocabulary) -> None:
        self.memory = memory
        self.vocabulary = vocabulary
        self.pointers = Header.read(memory).static
        self._order = Order(PREPOSITIONS, vocabulary.letters)
        self._familiar = {text[: vocabulary.letters] for text in FAMILIAR}
        self._session = {text[: vocabulary.letters] for text in (*SESSION, *META)}
        self.verbs: dict[int, list[Word]] = {}
        self.prepositions: dict[int, list[str]] = {}
        for entry in vocabulary:
            if len(entry.flags) < _FLAGS:
                raise _Unreadable
            if not entry.text.strip():
                continue
            if (verb := self.verb(entry)) is not None:
                self.verbs.setdefault(255 - verb, []).append(entry)
            if (preposition := self.preposition(entry)) is not None:
                self.prepositions.setdefault(preposition, []).append(entry.text)

    def lines(self) -> Iterator[GrammarLine]:
        """All lines about the story's world.

        Raises:
            _Unreadable: The blocks do not lie one behind the other, one for each verb.
        """
        blocks = {word(self.memory, self.pointers + 2 * n): n for n in self.verbs}
        ends = {self._end(address) for address in blocks}
        gaps = {end + gap for end in ends for gap in range(self.padding + 1)}
        if len(blocks) < len(self.verbs) or len(gaps & blocks.keys()) < 0.9 * len(blocks) - 1:
            raise _Unreadable
        for address, number in sorted(blocks.items()):
            if not self._is_of_session(self.verbs[number]):
                yield from self._block(address, tuple(entry.text for entry in self.verbs[number]))

    def _is_of_session(self, entries: list[Word]) -> bool:
        """Whether a verb is about the session; "undo" may also mean to open."""
        words = {entry.text for entry in entries}
        if any(self.meta(entry) for entry in entries):
            return True
        return bool(words & self._session) and not words & self._familiar

    def _end(self, address: int) -> int:
        end = address + 1
        for _ in range(self.memory[address]):
            end = self.after(end)
        return end

    def _block(self, address: int, verbs: tuple[str, ...]) -> Iterator[GrammarLine]:
        at = address + 1
        for position in range(self.memory[address]):
            try:
                action, parts = self.line(at)
                yield GrammarLine(action, verbs, tuple(parts), position)
            except _Refused:
                pass
            at = self.after(at)

    def usual(self, words: list[str] | None) -> str:
        """The usual one of some prepositions that mean the same."""
        if not words:
            raise _Refused
        return self._order.whole(min(words, key=self._order.rank))

    def verb(self, entry: Word) -> int | None:
        """The verb's number, counted down from 255."""
        raise NotImplementedError

    def preposition(self, entry: Word) -> int | None:
        """The preposition's number."""
        raise NotImplementedError

    def meta(self, entry: Word) -> bool:
        """Whether the compiler marked the verb as one about the session."""
        return False

    def after(self, address: int) -> int:
        """The address behind the line at `address`."""
        return address + 8

    def line(self, address: int) -> tuple[int, list[Part]]:
        """Action and parts of the line at `address`."""
        raise NotImplementedError


class _Infocom(_Dialect):
    """Lines of eight bytes: nouns, two prepositions, two attributes, two places, action."""

    padding = 1

    def verb(self, entry: Word) -> int | None:
        return self._value(entry, 0x40, first=1)

    def preposition(self, entry: Word) -> int | None:
        return self._value(entry, 0x08, first=0)

    def _value(self, entry: Word, kind: int, first: int) -> int | None:
        """A word's number as a word of this kind; the low flags say which kind's comes first."""
        if not entry.flags[0] & kind:
            return None
        return entry.flags[1 if entry.flags[0] & 3 == first else 2]

    def line(self, address: int) -> tuple[int, list[Part]]:
        nouns, before, between, _, _, first, second, action = self.memory[address : address + 8]
        parts: list[Part] = []
        for number, preposition, place in ((1, before, first), (2, between, second)):
            if preposition:
                parts.append(self.usual(self.prepositions.get(preposition)))
            if nouns & 3 >= number:
                parts.append(Slot(held=bool(place & 0x02), many=bool(place & 0x04)))
        return action, parts


_INFORM_SLOTS = (
    Slot(),
    Slot(held=True),
    Slot(many=True),
    Slot(held=True, many=True),
    Slot(held=True, many=True),
    Slot(many=True, inside=True),
    Slot(creature=True),
)


_TOPIC = 9


def _inform_slot(token: int) -> Slot:
    if token == _TOPIC:
        return Slot(topic=True)
    if token >= len(_INFORM_SLOTS):
        raise _Refused
    return _INFORM_SLOTS[token]


_ABOUT = "about"
_ROUTINES = 48, 80
"""The tokens that have a routine of the story read what follows, behind "about" a topic."""


class _Inform(_Dialect):
    """What the two versions of Inform's grammar share."""

    def verb(self, entry: Word) -> int | None:
        return entry.flags[1] if entry.flags[0] & 0x01 else None

    def preposition(self, entry: Word) -> int | None:
        return entry.flags[2] if entry.flags[0] & 0x08 else None

    def meta(self, entry: Word) -> bool:
        return bool(entry.flags[0] & 0x02)


class _Inform1(_Inform):
    """Lines of eight bytes: nouns, six tokens, action."""

    def line(self, address: int) -> tuple[int, list[Part]]:
        nouns, *tokens, action = self.memory[address : address + 8]
        parts: list[Part] = []
        for token in tokens:
            if token >= 180:
                parts.append(self.usual(self.prepositions.get(token)))
            elif _ROUTINES[0] <= token < _ROUTINES[1] and parts and parts[-1] == _ABOUT:
                parts.append(Slot(topic=True))
                nouns = max(0, nouns - 1)
            elif nouns:
                parts.append(self._slot(token))
                nouns -= 1
            else:
                break
        return action, parts

    def _slot(self, token: int) -> Slot:
        if 16 <= token < 48 or 80 <= token < 180:
            return Slot()
        return _inform_slot(token)


class _Inform2(_Inform):
    """Lines of an action word, tokens of three bytes and an end mark."""

    def after(self, address: int) -> int:
        return self._end_mark(address) + 1

    def _end_mark(self, address: int) -> int:
        for at in range(address + 2, address + 100, 3):
            if self.memory[at] == 15:
                return at
        raise _Unreadable

    def line(self, address: int) -> tuple[int, list[Part]]:
        parts: list[Part] = []
        tokens = range(address + 2, self._end_mark(address), 3)
        for at in tokens:
            if not self.memory[at] & 0x10:
                parts.append(self._part(self.memory[at] & 15, at, parts[-1:]))
        return word(self.memory, address) & 0x3FF, parts

    def _part(self, kind: int, at: int, before: list[Part]) -> Part:
        data = word(self.memory, at + 1)
        match kind:
            case 1:
                return _inform_slot(data)
            case 2:
                return self.usual(self._alternatives(at))
            case 3 | 4 | 5:
                return Slot()
            case 6 if before == [_ABOUT]:
                return Slot(topic=True)
        raise _Refused

    def _alternatives(self, at: int) -> list[str]:
        """The prepositions that may stand at this place."""
        addresses = [word(self.memory, at + 1)]
        while self.memory[at] & 0x20:
            at += 3
            addresses.append(word(self.memory, at + 1))
        return [entry.text for a in addresses if (entry := self.vocabulary.at(a))]
