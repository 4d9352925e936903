"""Story files of a few hundred bytes that pass every check and hold no program."""

from __future__ import annotations


def z_story(version: int = 5, body: bytes = b"west of somewhere" * 40) -> bytes:
    """A minimal story file: a header with sane addresses and a body it describes."""
    unit = {3: 2, 4: 4, 5: 4, 8: 8}[version]
    body += bytes(-len(body) % unit)
    header = bytearray(64)
    header[0] = version
    header[0x02:0x04] = (7).to_bytes(2, "big")
    for offset, address in ((0x06, 300), (0x08, 260), (0x0A, 64), (0x0C, 100), (0x0E, 200)):
        header[offset : offset + 2] = address.to_bytes(2, "big")
    header[0x12:0x18] = b"261120"
    header[0x1A:0x1C] = ((64 + len(body)) // unit).to_bytes(2, "big")
    header[0x1C:0x1E] = (sum(body) & 0xFFFF).to_bytes(2, "big")
    return bytes(header) + body
