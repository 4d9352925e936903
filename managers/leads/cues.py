"""What the text has spoken of doing, and with what."""

from __future__ import annotations

from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.cues import IT, cues_in

_MOST = 24


def cues(cues: list[list[str]], turn: Turn) -> list[list[str]]:
    """The latest first, each with what the text was about; `it` is that."""
    about = parse_command(turn.command).object
    found = [
        [*(cue._replace(noun=about) if cue.noun == IT else cue), about]
        for cue in cues_in(turn.text)
        if about or cue.noun != IT
    ]
    return [*found, *(known for known in cues if known not in found)][:_MOST]
