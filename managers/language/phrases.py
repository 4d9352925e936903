"""Words by which a text says something, whatever the story."""

from __future__ import annotations

import re


def phrases(*words: str) -> re.Pattern[str]:
    """A pattern that finds any of the words as whole words, in letters of either case.

    Each of `words` is a regular expression.
    """
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


HURT = phrases(
    "badly hurt",
    "(?:badly|seriously|gravely) (?:wounded|injured)",
    "you are (?:wounded|bleeding)",
    "opens your",
    "catches you",
    "you stagger",
    "draws blood",
    "ouch",
    "out of breath",
    "blood (?:runs|starts|wells|flows|streams|trickles|drips|pours)",
    "you(?:'re| are) (?:losing|hurt)",
    r"(?:nicks?|skins|gash(?:es|ing)?|slash(?:es|ing)?|pierces|grazes|scratches|wounds"
    r"|(?:deep|ugly) (?:wound|cut|gash) (?:in|on)) (?:\w+ ){0,2}you(?:r \w+)?",
)
"""The player is hurt."""
LADEN = phrases(
    "load",
    "carrying too",
    "carry any ?more",
    "holding too",
    "hands? (?:is|are) full",
    "arms are full",
)
"""Too much is carried already."""
