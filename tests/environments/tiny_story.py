"""A story of a few bytes that does on command what real stories do by accident.

Version 3. It reads lines for ever and obeys the first letter, by default: `h` hangs, `i` executes
an illegal opcode, `q` quits, `s` saves, anything else prints "ok".
"""

from __future__ import annotations

_GLOBALS, _OBJECTS, _TEXT, _PARSE, _STATIC, _CODE = 0x40, 0x220, 0x270, 0x2B0, 0x300, 0x310
_LENGTH = 0x400
_LETTER = 0x13
"""Variable number of global 3."""


HANG, ILLEGAL = b"\x8c\xff\xff", b"\xc0\xff"


def tiny_story(first: bytes = b"", *, letters: str = "hiqs") -> bytes:
    """The story file's bytes, with a valid header and checksum.

    `first` is what the program begins with; `letters` are those for hang, illegal, quit, save.
    """
    story = bytearray(_LENGTH)
    story[0] = 3
    for address, value in (
        (0x02, 1),
        (0x04, _CODE),
        (0x06, _CODE),
        (0x08, _STATIC),
        (0x0A, _OBJECTS),
        (0x0C, _GLOBALS),
        (0x0E, _STATIC),
        (0x18, _STATIC),
        (0x1A, _LENGTH // 2),
    ):
        story[address : address + 2] = value.to_bytes(2, "big")
    story[0x12:0x18] = b"261120"
    entry = _OBJECTS + 62
    table = entry + 9
    story[entry + 7 : table] = table.to_bytes(2, "big")
    story[table : table + 4] = b"\x01" + _encoded("inn") + b"\x00"
    story[_GLOBALS : _GLOBALS + 2] = (1).to_bytes(2, "big")
    story[_TEXT], story[_PARSE] = 60, 8
    story[_STATIC + 1] = 7
    code = first + _program(letters)
    story[_CODE : _CODE + len(code)] = code
    story[0x1C:0x1E] = (sum(story[0x40:]) & 0xFFFF).to_bytes(2, "big")
    return bytes(story)


def _program(letters: str) -> bytes:
    """Read, compare the first letter, jump to what it asks for; every path returns to reading."""
    ok = b"\xb2" + _encoded("ok ") + b"\xbb"
    read = b"\xe4\x0f" + _TEXT.to_bytes(2, "big") + _PARSE.to_bytes(2, "big")
    load = b"\xd0\x1f" + _TEXT.to_bytes(2, "big") + b"\x01" + bytes([_LETTER])
    actions = dict(zip(letters, (HANG, ILLEGAL, b"\xba", b"\xb5\xc2"), strict=True))
    tests, bodies = b"", b""
    for number, (letter, action) in enumerate(actions.items()):
        here = len(ok + read + load) + 5 * (number + 1)
        target = len(ok + read + load) + 5 * len(actions) + 3 + len(bodies)
        offset = target - here + 2
        tests += bytes([0x41, _LETTER, ord(letter), 0x80 | offset >> 8, offset & 255])
        bodies += action + _jump(-(target + len(action) + 3))
    return ok + read + load + tests + _jump(-len(ok + read + load + tests) - 3) + bodies


def _jump(distance: int) -> bytes:
    """Jump so far from the end of this instruction."""
    return b"\x8c" + (distance + 2).to_bytes(2, "big", signed=True)


def _encoded(text: str) -> bytes:
    """Three lower-case letters or spaces as one Z-encoded word."""
    codes = [0 if letter == " " else ord(letter) - ord("a") + 6 for letter in text]
    return (0x8000 | codes[0] << 10 | codes[1] << 5 | codes[2]).to_bytes(2, "big")
