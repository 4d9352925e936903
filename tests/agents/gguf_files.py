"""Small GGUF files: a header as models have it, and nothing behind it."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

_TEXT, _LIST, _NUMBER = 8, 9, 4
ENTRIES: dict[str, Any] = {
    "general.architecture": "llama",
    "general.name": "A Small One",
    "general.size_label": "135M",
    "general.tags": ["text", "tiny"],
    "llama.context_length": 4096,
    "llama.embedding_length": 64,
    "llama.block_count": 3,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.model": "gpt2",
}


def write_gguf(path: Path, entries: dict[str, Any] | None = None) -> Path:
    """A file with these entries in its header."""
    told = ENTRIES if entries is None else entries
    path.parent.mkdir(parents=True, exist_ok=True)
    body = b"".join(_text(key) + _typed(value) for key, value in told.items())
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(told)) + body)
    return path


def _typed(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", _TEXT) + _text(value)
    if isinstance(value, list):
        return struct.pack("<IIQ", _LIST, _TEXT, len(value)) + b"".join(map(_text, value))
    return struct.pack("<II", _NUMBER, value)


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()
