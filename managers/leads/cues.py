"""What the text has spoken of doing, and with what."""

from __future__ import annotations

from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.cues import IT, Cue, cues_in
from managers.text.lexicon import head_of

_MOST = 24


def cues(cues: list[list[str]], turn: Turn) -> list[list[str]]:
    """The latest first, each with what the text was about; `it` is that."""
    about = head_of(parse_command(turn.command).object)
    found = [[*_meant(cue, about), about] for cue in cues_in(turn.text) if about or cue.noun != IT]
    return [*found, *(known for known in cues if known not in found)][:_MOST]


def _meant(cue: Cue, about: str) -> Cue:
    noun = about if cue.noun == IT else head_of(cue.noun)
    return cue._replace(noun=noun, second=head_of(cue.second))
