"""Readers of Z-machine memory: header, text, objects (Z-Machine Standard 1.1, versions 3-8).

Everything works on any buffer of bytes: a story file, or the live memory of an emulator.
Section numbers in the docstrings are those of the Standard.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

UNREADABLE = (LookupError, ValueError, ArithmeticError, MemoryError, struct.error)
"""What comes of reading a memory that makes no sense."""
Buffer = Sequence[int]
"""Bytes by address: `bytes`, `bytearray` or a `memoryview` of unsigned bytes."""

_A0 = "abcdefghijklmnopqrstuvwxyz"
_A1 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_A2 = " \n0123456789.,!?_#'\"/\\-:()"
_FIRST_LETTER = 155
_LONGEST_ABBREVIATION = 64
"""Words of memory; a longer one is none."""
_LONGEST_NAME = 765
"""Letters that an object's name can have."""
_EXTRA = "äöüÄÖÜß»«ëïÿËÏáéíóúýÁÉÍÓÚÝàèìòùÀÈÌÒÙâêîôûÂÊÎÔÛåÅøØãñõÃÑÕæÆçÇþðÞÐ£œŒ¡¿"


def word(memory: Buffer, address: int) -> int:
    """The big-endian 16-bit word at `address` (section 2.1)."""
    return (memory[address] << 8) | memory[address + 1]


@dataclass(frozen=True)
class Header:
    """The fields of the 64-byte header that we use (section 11)."""

    version: int
    dictionary: int
    objects: int
    variables: int
    """Address of global variable 0."""
    static: int
    """Where static memory begins: everything below can change in play."""
    abbreviations: int
    alphabet: int
    unicode: int
    """Address of the story's own table of letters; 0 where it has none."""
    letters: str
    """The letters of the ZSCII codes from 155 on, by that table or the usual one."""
    time_game: bool
    """Version 3: the status line shows a clock in place of score and moves."""

    @classmethod
    def read(cls, memory: Buffer) -> Header:
        """Read the header of a story of at least 64 bytes."""
        version = memory[0]
        table = _unicode_table(memory) if version >= 5 else 0
        return cls(
            version=version,
            dictionary=word(memory, 0x08),
            objects=word(memory, 0x0A),
            variables=word(memory, 0x0C),
            static=word(memory, 0x0E),
            abbreviations=word(memory, 0x18),
            alphabet=word(memory, 0x34) if version >= 5 else 0,
            unicode=table,
            letters=_letters(memory, table) if table else _EXTRA,
            time_game=version == 3 and bool(memory[1] & 2),
        )


_UNICODE_WORD = 3
"""Which word of the header's extension is the address of the table of letters."""
_MOST_LETTERS = 97


def _unicode_table(memory: Buffer) -> int:
    """The address of the table of letters (section 3.8.5.2), 0 where there is no whole one."""
    extension = word(memory, 0x36)
    if not extension or extension + 2 * _UNICODE_WORD + 2 > len(memory):
        return 0
    if word(memory, extension) < _UNICODE_WORD:
        return 0
    table = word(memory, extension + 2 * _UNICODE_WORD)
    whole = table < len(memory) and table + 1 + 2 * memory[table] <= len(memory)
    return table if whole and memory[table] <= _MOST_LETTERS else 0


def _letters(memory: Buffer, table: int) -> str:
    codes = (word(memory, table + 1 + 2 * number) for number in range(memory[table]))
    return "".join(map(letter_of, codes))


def letter_of(code: int) -> str:
    """The letter of a code of Unicode; half a letter is none."""
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)


@dataclass
class Text:
    """Decodes Z-encoded strings (section 3)."""

    memory: Buffer
    header: Header
    _rows: tuple[str, str, str] = field(init=False)

    def __post_init__(self) -> None:
        rows = (_A0, _A1, _A2)
        if table := self.header.alphabet:
            cells = [self._zscii(self.memory[table + i]) or " " for i in range(78)]
            rows = ("".join(cells[:26]), "".join(cells[26:52]), " \n" + "".join(cells[54:]))
        self._rows = rows

    def decode(self, address: int, limit: int) -> str:
        """The string that starts at `address`; it ends at its end bit or after `limit` words."""
        return self._decode(list(self._zchars(address, limit)), nested=False)

    def decode_word(self, address: int, limit: int) -> str:
        """A word of the dictionary, in which nothing is abbreviated (section 13.3)."""
        return self._decode(list(self._zchars(address, limit)), nested=True)

    def _zchars(self, address: int, limit: int) -> Iterator[int]:
        end = len(self.memory) - 1
        for _ in range(limit):
            if address >= end:
                return
            value = word(self.memory, address)
            yield from ((value >> 10) & 31, (value >> 5) & 31, value & 31)
            if value & 0x8000:
                return
            address += 2

    def _decode(self, chars: list[int], *, nested: bool) -> str:
        out: list[str] = []
        row, i = 0, 0
        while i < len(chars):
            char, i = chars[i], i + 1
            if char in (1, 2, 3):
                if i < len(chars) and not nested:
                    out.append(self._abbreviation(32 * (char - 1) + chars[i]))
                i, row = i + 1, 0
            elif char in (4, 5):
                row = char - 3
            elif char == 6 and row == 2:
                if i + 1 < len(chars):
                    out.append(self._zscii((chars[i] << 5) | chars[i + 1]))
                i, row = i + 2, 0
            else:
                out.append(" " if char == 0 else self._rows[row][char - 6])
                row = 0
        return "".join(out)

    def _zscii(self, code: int) -> str:
        """The character of a ZSCII output code (section 3.8), empty where it has none."""
        if code == 13:
            return "\n"
        if 32 <= code <= 126:
            return chr(code)
        if _FIRST_LETTER <= code < _FIRST_LETTER + len(self.header.letters):
            return self.header.letters[code - _FIRST_LETTER]
        return ""

    def room_of(self, letter: str) -> int:
        """How many of the Z-characters of a dictionary word a letter takes (section 3.7)."""
        row = next((number for number, row in enumerate(self._rows) if letter in row), 3)
        return (1, 2, 2, 4)[row]

    def _abbreviation(self, number: int) -> str:
        entry = self.header.abbreviations + 2 * number
        if entry + 1 >= len(self.memory):
            return ""
        address = 2 * word(self.memory, entry)
        return self._decode(list(self._zchars(address, _LONGEST_ABBREVIATION)), nested=True)


class Objects:
    """The object tree (section 12), read live from `memory`."""

    def __init__(self, memory: Buffer, header: Header) -> None:
        self.memory = memory
        self.header = header
        small = header.version <= 3
        self.attribute_bytes = 4 if small else 6
        self.entry_size = 9 if small else 14
        self._link = 1 if small else 2
        self.start = header.objects + 2 * (31 if small else 63)
        self.end = self._table_end()
        self.count = (self.end - self.start) // self.entry_size
        self._names: dict[int, str] = {}
        self._text = Text(memory, header)

    def _table_end(self) -> int:
        """The table has no length: it ends where the lowest property table begins."""
        entry, lowest = self.start, min(self.header.static, len(self.memory))
        most = 255 if self.header.version <= 3 else 65535
        for _ in range(most):
            if entry + self.entry_size > lowest:
                break
            properties = word(self.memory, entry + self.entry_size - 2)
            if not self.start < properties < len(self.memory) - 1:
                break
            lowest = min(lowest, properties)
            entry += self.entry_size
        return entry

    def _entry(self, number: int) -> int:
        if not 0 < number <= self.count:
            raise IndexError(f"object {number} is outside the tree of {self.count} objects")
        return self.start + (number - 1) * self.entry_size

    def _family(self, number: int, which: int) -> int:
        address = self._entry(number) + self.attribute_bytes + which * self._link
        return self.memory[address] if self._link == 1 else word(self.memory, address)

    def parent(self, number: int) -> int:
        """The parent's number, 0 for none."""
        return self._family(number, 0)

    def sibling(self, number: int) -> int:
        """The next sibling's number, 0 for none."""
        return self._family(number, 1)

    def child(self, number: int) -> int:
        """The first child's number, 0 for none."""
        return self._family(number, 2)

    def attributes(self, number: int) -> bytes:
        """The attribute bits, four or six bytes, attribute 0 first."""
        entry = self._entry(number)
        return bytes(self.memory[entry : entry + self.attribute_bytes])

    def children(self, number: int) -> list[int]:
        """The children in the order of the tree; a damaged tree yields each object once."""
        found: dict[int, None] = {}
        child = self.child(number)
        while 0 < child <= self.count and child not in found:
            found[child] = None
            child = self.sibling(child)
        return list(found)

    def ancestors(self, number: int) -> list[int]:
        """Parent, parent's parent and so on, nearest first."""
        found: dict[int, None] = {}
        parent = self.parent(number)
        while 0 < parent <= self.count and parent not in found:
            found[parent] = None
            parent = self.parent(parent)
        return list(found)

    def name(self, number: int) -> str:
        """The short name; empty where the story prints it by a routine."""
        if number not in self._names:
            table = word(self.memory, self._entry(number) + self.entry_size - 2)
            length = self.memory[table]
            name = self._text.decode(table + 1, length) if length else ""
            self._names[number] = name[:_LONGEST_NAME]
        return self._names[number]

    def properties(self, number: int) -> dict[int, bytes]:
        """The object's own properties: number -> data bytes (section 12.4)."""
        return {
            key: bytes(self.memory[data : data + length])
            for key, length, data in self._list(number)
        }

    def table(self, number: int) -> tuple[int, int]:
        """Where the object's property table begins and ends."""
        start = word(self.memory, self._entry(number) + self.entry_size - 2)
        end = start + 1 + 2 * self.memory[start]
        for _, length, data in self._list(number):
            end = data + length
        return start, end + 1

    def _list(self, number: int) -> Iterator[tuple[int, int, int]]:
        """Number, length and address of the data of each property; numbers descend."""
        table = word(self.memory, self._entry(number) + self.entry_size - 2)
        address, last = table + 1 + 2 * self.memory[table], 64
        while address < len(self.memory) - 1 and self.memory[address]:
            key, length, data = self._property(address)
            if key >= last:
                return
            yield key, length, data
            address, last = data + length, key

    def _property(self, address: int) -> tuple[int, int, int]:
        """Number, length in bytes and address of the data of the property at `address`."""
        first = self.memory[address]
        if self.header.version <= 3:
            return first & 31, (first >> 5) + 1, address + 1
        if first & 0x80:
            return first & 63, (self.memory[address + 1] & 63) or 64, address + 2
        return first & 63, 2 if first & 0x40 else 1, address + 1


def property_span(objects: Objects) -> tuple[int, int]:
    """The addresses between which all property tables lie."""
    low, high = len(objects.memory), 0
    for number in range(1, objects.count + 1):
        start, end = objects.table(number)
        low, high = min(low, start), max(high, end)
    return low, high


def variable(memory: Buffer, header: Header, number: int) -> int:
    """Global variable `number` (0-239) as an unsigned word (section 6.2)."""
    return word(memory, header.variables + 2 * number)


def signed(value: int) -> int:
    """A 16-bit word as a signed number (section 2.2)."""
    return value - 0x10000 if value & 0x8000 else value
