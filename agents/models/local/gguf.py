"""What a GGUF file says of the model in it, read from the beginning of the file.

The layout is told in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: a magic word, the
number of entries, then each entry's name, type and value. What is of use here stands before the
words of the tokenizer, where reading stops.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from agents.models.faults import ModelError

_MAGIC = b"GGUF"
_TEXT, _LIST = 8, 9
_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_MAX_ENTRIES = 10_000
_MAX_TEXT = 1 << 20


class ModelFile(NamedTuple):
    """What a GGUF file says of its model."""

    context: int
    """The most tokens it was trained for; 0 where it is not said."""
    blocks: int
    kv_width: int
    """Numbers that one block keeps for one token, keys and values together; 0 if unknown."""
    parameters: str
    """For instance `135M`; empty where it is not said."""

    def kv_bytes(self, tokens: int) -> int:
        """Memory that the server needs for a context of so many tokens."""
        return 2 * self.blocks * self.kv_width * tokens


def read_model_file(path: Path) -> ModelFile:
    """What the file says.

    Raises:
        ModelError: it is no GGUF file, is cut short, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            entries = dict(_entries(file))
    except OSError as error:
        raise ModelError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except (struct.error, UnicodeDecodeError, KeyError, MemoryError, RecursionError) as error:
        raise ModelError(
            f"{str(path)!r} begins like a GGUF file and is none: get an unbroken copy"
        ) from error
    kind = str(entries.get("general.architecture", ""))

    def number(key: str) -> int:
        value = entries.get(f"{kind}.{key}", 0)
        return int(value) if isinstance(value, int | float) and math.isfinite(value) else 0

    heads = number("attention.head_count") or 1
    kv_heads = number("attention.head_count_kv") or heads
    head = number("attention.key_length") or number("embedding_length") // heads
    return ModelFile(
        context=number("context_length"),
        blocks=number("block_count"),
        kv_width=2 * kv_heads * head,
        parameters=str(entries.get("general.size_label", "")),
    )


def _entries(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    if file.read(4) != _MAGIC:
        raise ModelError(f"{file.name!r} is no GGUF file: it does not begin like one")
    _version, _tensors, count = _unpack(file, "IQQ")
    for _ in range(min(count, _MAX_ENTRIES)):
        key = _text(file)
        (kind,) = _unpack(file, "I")
        if key.startswith("tokenizer."):
            return
        yield key, _value(file, kind)


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _TEXT:
        return _text(file)
    if kind != _LIST:
        return _unpack(file, _NUMBERS[kind])[0]
    inner, length = _unpack(file, "IQ")
    if length > _MAX_TEXT:
        raise struct.error("longer than any list of use")
    return [_value(file, inner) for _ in range(length)]


def _text(file: BinaryIO) -> str:
    (length,) = _unpack(file, "Q")
    if length > _MAX_TEXT:
        raise struct.error("longer than any text of use")
    return file.read(length).decode("utf-8")


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    form = "<" + form
    return struct.unpack(form, file.read(struct.calcsize(form)))
