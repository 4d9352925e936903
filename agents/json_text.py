"""JSON objects inside what a model wrote, whatever it wrote around them."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_NAMES = r"(?:\w{1,20}:)?(?:think|thinking|thoughts?|reasoning|analysis)"
_THINKING = re.compile(
    rf"<({_NAMES})>(.*?)(?:</\1>|\Z)|\[THINK\](.*?)(?:\[/THINK\]|\Z)", re.DOTALL | re.IGNORECASE
)
_CLOSING = re.compile(rf"</{_NAMES}>|\[/THINK\]", re.IGNORECASE)
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w{0,20})[^<]{0,200}<\|message\|>"
    r"(.*?)(?:<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)|\Z)",
    re.DOTALL,
)
_START = re.compile(r"<\|start\|>\w{0,20}")
FINAL = "final"
"""The channel of an answer; all others are thoughts."""
DIGITS = 300
"""Of a number that is read as one; a longer one is taken for no value."""
MAX_FAILED_STARTS = 200


class JsonObjects(NamedTuple):
    """The complete JSON objects of a text that are not inside another one, in order."""

    found: tuple[dict[str, Any], ...]
    rest: str
    """What stands behind the last of them."""


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= DIGITS else None


_DECODER = json.JSONDecoder(parse_int=_whole, strict=False)


def json_objects(text: str) -> JsonObjects:
    """The JSON objects of a text; line breaks within their texts are taken as they are.

    Nothing else is repaired: an object that is cut short is not one.
    """
    found: list[dict[str, Any]] = []
    position, failed, behind = text.find("{"), 0, 0
    while position >= 0 and failed < MAX_FAILED_STARTS:
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            failed, end = failed + 1, position + 1
        else:
            found.append(value)
            behind = end
        position = text.find("{", end)
    return JsonObjects(tuple(found), text[behind:])


def split_thinking(text: str) -> tuple[str, str]:
    """What a model thought aloud, and what is left of its answer.

    Thoughts stand between tags, in channels that are not the final one, or before a closing tag
    whose opening one the model was given and did not write.
    """
    thoughts: list[str] = []

    def channel(match: re.Match[str]) -> str:
        if match[1] == FINAL:
            return match[2]
        thoughts.append(match[2].strip())
        return ""

    def tagged(match: re.Match[str]) -> str:
        thoughts.append((match[2] or match[3] or "").strip())
        return ""

    if "<|channel|>" in text:
        text = _START.sub("", _CHANNEL.sub(channel, text))
    text = _THINKING.sub(tagged, text)
    *before, text = _CLOSING.split(text)
    thoughts += [thought.strip() for thought in before]
    return "\n".join(filter(None, thoughts)), text.strip()
