"""A story of a few bytes that does on command what real stories do by accident.

Version 3. It reads lines for ever and obeys the first letter, by default: `h` hangs, `i` executes
an illegal opcode, `q` quits, `s` saves, `b` is busy for about 10 ms, `u` draws "map" into the upper
window, anything else prints "ok".
"""

from __future__ import annotations

_GLOBALS, _OBJECTS, _TEXT, _PARSE, _STATIC, _CODE = 0x40, 0x220, 0x270, 0x2B0, 0x300, 0x310
_LENGTH = 0x400
_LETTER = 0x13
"""Variable number of global 3."""


HANG, ILLEGAL = b"\x8c\xff\xff", b"\xc0\xff"


BUSY = bytes.fromhex("0d1428 cd4f157fff 0415003ffd 0414003ff3")
"""Forty times: count global 5 down from 32,767."""


def tiny_story(first: bytes = b"", *, letters: str = "hiqsbu", said: str = "ok ") -> bytes:
    """The story file's bytes, with a valid header and checksum.

    `first` is what the program begins with; `letters` are those for hang, illegal, quit, save,
    busy and upper; `said` is printed before a line is read.
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
    code = first + _program(letters, said)
    story[_CODE : _CODE + len(code)] = code
    story[0x1C:0x1E] = (sum(story[0x40:]) & 0xFFFF).to_bytes(2, "big")
    return bytes(story)


def _program(letters: str, said: str) -> bytes:
    """Read, compare the first letter, jump to what it asks for; every path returns to reading."""
    ok = _print(said) + b"\xbb"
    read = b"\xe4\x0f" + _TEXT.to_bytes(2, "big") + _PARSE.to_bytes(2, "big")
    load = b"\xd0\x1f" + _TEXT.to_bytes(2, "big") + b"\x01" + bytes([_LETTER])
    upper = b"\xea\x7f\x01\xeb\x7f\x01" + _print("map") + b"\xeb\x7f\x00"
    bodies_of = HANG, ILLEGAL, b"\xba", b"\xb5\xc2", BUSY, upper
    actions = dict(zip(letters, bodies_of, strict=False))
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


def _print(text: str) -> bytes:
    return b"\xb2" + _encoded(text)


def _encoded(text: str) -> bytes:
    """Lower-case letters, digits and spaces as Z-encoded words."""
    codes: list[int] = []
    for letter in text:
        if letter.isdigit():
            codes += [5, int(letter) + 8]
        else:
            codes.append(0 if letter == " " else ord(letter) - ord("a") + 6)
    codes += [5] * (-len(codes) % 3)
    words = [codes[i] << 10 | codes[i + 1] << 5 | codes[i + 2] for i in range(0, len(codes), 3)]
    words[-1] |= 0x8000
    return b"".join(word.to_bytes(2, "big") for word in words)
