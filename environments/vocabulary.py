"""The story's dictionary: its words and what kinds of word they are (Standard, section 13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from environments.zmachine import Buffer, Header, Text, signed, word

_NOUN = 0x80
"""The flag that Inform's compiler sets on nouns and adjectives, and Infocom's on nouns."""
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


class Vocabulary:
    """All words that the story's parser knows."""

    def __init__(self, memory: Buffer) -> None:
        header = Header.read(memory)
        self.letters = 6 if header.version <= 3 else 9
        """How many letters of a word count."""
        self._by_address: dict[int, Word] = {}
        self._by_text: dict[str, Word] = {}
        self._read(memory, header)

    def _read(self, memory: Buffer, header: Header) -> None:
        start = header.dictionary + 1 + memory[header.dictionary]
        size, count = memory[start], abs(signed(word(memory, start + 1)))
        encoded = 4 if header.version <= 3 else 6
        if size < encoded:  # Entries would overlap; a story without a dictionary says 0.
            return
        text = Text(memory, header)
        end = min(start + 3 + size * count, len(memory) - size + 1)
        for address in range(start + 3, end, size):
            flags = bytes(memory[address + encoded : address + size])
            entry = Word(text.plain(address, encoded // 2), address, flags)
            self._by_address[address] = entry
            self._by_text.setdefault(entry.text, entry)

    def __contains__(self, text: str) -> bool:
        return text[: self.letters] in self._by_text

    def __iter__(self) -> Iterator[Word]:
        return iter(self._by_address.values())

    def get(self, text: str) -> Word | None:
        """The entry that a typed word matches."""
        return self._by_text.get(text[: self.letters])

    def at(self, address: int) -> Word | None:
        """The entry at an address."""
        return self._by_address.get(address)
