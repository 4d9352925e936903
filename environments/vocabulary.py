"""The story's dictionary: its words and what kinds of word they are (Standard, section 13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from environments.zmachine import Buffer, Header, Text, signed, word

_NOUN = 0x80
"""The flag that Inform's compiler sets on nouns and adjectives, and Infocom's on nouns."""
_VERB, _META = 0x41, 0x03
"""The flags of Inform's or Infocom's compiler for verbs; and Inform's for one about the session."""
_ADJECTIVE = 0x20
"""The flag of Infocom's compiler for adjectives; Inform's leaves it alone."""


@dataclass(frozen=True)
class Word:
    """A dictionary entry: its text, cut to the letters that count, and the compiler's flags."""

    text: str
    address: int
    flags: bytes

    @property
    def noun(self) -> bool:
        """Whether it can name an object."""
        return bool(self.flags and self.flags[0] & _NOUN)

    @property
    def adjective(self) -> bool:
        """Whether it can only stand before what names an object."""
        return bool(self.flags and self.flags[0] & _ADJECTIVE) and not self.noun

    @property
    def verb(self) -> bool:
        """Whether it can begin a command about the story's world."""
        return bool(self.flags and self.flags[0] & _VERB and not self.meta)

    @property
    def meta(self) -> bool:
        """Whether Inform's compiler marked it as a verb about the session."""
        return bool(self.flags and self.flags[0] & 0x43 == _META)


class Vocabulary:
    """All words that the story's parser knows."""

    def __init__(self, memory: Buffer) -> None:
        header = Header.read(memory)
        self.letters = 6 if header.version <= 3 else 9
        """How many letters of a word count."""
        self._by_address: dict[int, Word] = {}
        self._by_text: dict[str, Word] = {}
        self._text = Text(memory, header)
        self._rooms: dict[str, int] = {}
        self._read(memory, header)

    def _read(self, memory: Buffer, header: Header) -> None:
        start = header.dictionary + 1 + memory[header.dictionary]
        if start + 3 > len(memory):
            return
        size, count = memory[start], abs(signed(word(memory, start + 1)))
        encoded = 4 if header.version <= 3 else 6
        if size < encoded:
            return
        end = min(start + 3 + size * count, len(memory) - size + 1)
        for address in range(start + 3, end, size):
            flags = bytes(memory[address + encoded : address + size])
            entry = Word(self._text.decode_word(address, encoded // 2), address, flags)
            self._by_address[address] = entry
            self._by_text.setdefault(entry.text, entry)

    def cut(self, text: str) -> str:
        """What counts of a typed word: some letters take up more of an entry than others."""
        if text.isascii() and text.isalpha():
            return text[: self.letters]
        room = self.letters
        for number, letter in enumerate(text):
            room -= self._room_of(letter)
            if room < 0:
                return text[:number]
        return text

    def _room_of(self, letter: str) -> int:
        if letter not in self._rooms:
            self._rooms[letter] = self._text.room_of(letter)
        return self._rooms[letter]

    def __contains__(self, text: str) -> bool:
        return self.cut(text) in self._by_text

    def __iter__(self) -> Iterator[Word]:
        return iter(self._by_address.values())

    def get(self, text: str) -> Word | None:
        """The entry that a typed word matches."""
        return self._by_text.get(self.cut(text))

    def at(self, address: int) -> Word | None:
        """The entry at an address."""
        return self._by_address.get(address)
