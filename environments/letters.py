"""A story's letters: those of its own ZSCII table, as Unicode and as the bytes libfrotz speaks.

libfrotz passes Latin-1 in and out, and makes a question mark of every other letter. So a letter
that Latin-1 lacks gets a stand-in, a byte that the story does not use: while libfrotz works, the
story's own table names the stand-in, and what comes out is put right.
"""

from __future__ import annotations

from environments.zmachine import Buffer, Header, word

_LATIN = range(0xA0, 0x100)
"""The bytes beyond ASCII that libfrotz prints."""
_CAPITALS = frozenset(range(0xC0, 0xDF)) - {0xD7}
"""Those that libfrotz makes small when they are typed."""
_LIGATURES = "œŒ"
"""In the table of every story that has none of its own; libfrotz makes question marks of them."""
_UNREADABLE = "?"


class Letters:
    """The letters of one story; every string is Unicode, every byte is libfrotz's."""

    def __init__(self, memory: Buffer, header: Header) -> None:
        self._bytes: dict[str, int] = {}
        own = [letter for letter in header.letters if letter not in _LIGATURES or header.unicode]
        for letter in sorted(own, key=lambda one: (ord(one) not in _LATIN, one != one.lower())):
            self.byte_of(letter)
        self._entries: list[tuple[int, bytes, bytes]] = []
        """Of the story's own table: address of an entry, its letter, the stand-in."""
        for number, letter in enumerate(header.letters if header.unicode else ""):
            address = header.unicode + 1 + 2 * number
            if word(memory, address) not in _LATIN:
                pair = ord(letter).to_bytes(2, "big"), self.byte_of(letter).to_bytes(2, "big")
                self._entries.append((address, *pair))

    def put_in(self, memory: bytearray | memoryview) -> None:
        """Have the story's own table name the stand-ins."""
        for address, _, stand_in in self._entries:
            memory[address : address + 2] = stand_in

    def take_back(self, memory: memoryview) -> None:
        """Have the story's own table name its letters again."""
        for address, letter, _ in self._entries:
            memory[address : address + 2] = letter

    def byte_of(self, letter: str) -> int:
        """The byte that stands for a letter, from now on if there was none."""
        if letter.isascii():
            return ord(letter)
        if letter not in self._bytes:
            self._bytes[letter] = self._free(letter)
        return self._bytes[letter]

    def _free(self, letter: str) -> int:
        used = set(self._bytes.values())
        if ord(letter) in _LATIN and ord(letter) not in used:
            return ord(letter)
        capital = letter != letter.lower()
        free = (byte for byte in _LATIN if byte not in used)
        return min(free, key=lambda byte: (byte in _CAPITALS) != capital, default=ord(_UNREADABLE))

    def can_type(self, letter: str) -> bool:
        """Whether the story can read it."""
        return letter.isascii() or letter in self._bytes

    def typed(self, text: str) -> bytes:
        """The bytes of a text; a letter that libfrotz does not know is a question mark."""
        unknown = ord(_UNREADABLE)
        return bytes(
            self._bytes.get(letter, ord(letter) if ord(letter) < 0x100 else unknown)
            for letter in text
        )

    def printed(self, raw: bytes) -> str:
        """The text that libfrotz printed."""
        text = raw.decode("latin-1")
        if text.isascii():
            return text
        return text.translate({byte: letter for letter, byte in self._bytes.items()})
