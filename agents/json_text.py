"""JSON objects inside what a model wrote, whatever it wrote around them."""

from __future__ import annotations

import json
import re
from typing import Any

_THINKING = re.compile(r"<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
DIGITS = 300
"""Of a number that is read as one; a longer one is taken for no value."""


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= DIGITS else None


_DECODER = json.JSONDecoder(parse_int=_whole)
MAX_FAILED_STARTS = 200


def json_objects(text: str) -> list[dict[str, Any]]:
    """The complete JSON objects of a text that are not inside another one, in order.

    Nothing is repaired: an object that is cut short is not one.
    """
    found: list[dict[str, Any]] = []
    position, failed = text.find("{"), 0
    while position >= 0 and failed < MAX_FAILED_STARTS:
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            failed, end = failed + 1, position + 1
        else:
            found.append(value)
        position = text.find("{", end)
    return found


def split_thinking(text: str) -> tuple[str, str]:
    """What a model thought aloud between thinking tags, and what is left of its answer."""
    thoughts = [match.group(2).strip() for match in _THINKING.finditer(text)]
    return "\n".join(thoughts), _THINKING.sub("", text).strip()
