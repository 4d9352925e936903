"""What one story is given to read of a command, and what we answer in its place."""

from __future__ import annotations

from environments.letters import Letters
from environments.sanitiser import MetaCommands, plain_line, refusal, says_something, single_key
from environments.spelling import Spelling
from environments.vocabulary import Vocabulary

DEBUGGING = "purloin"
"""The verb that only stories compiled for debugging know."""


class Typist:
    """Types commands as one story can read them."""

    def __init__(self, letters: Letters, vocabulary: Vocabulary) -> None:
        self._spell = Spelling(letters, vocabulary).of
        self._meta = MetaCommands(vocabulary.letters, debugging=DEBUGGING in vocabulary)

    def line(self, command: str, room: int | None) -> str:
        """The line to type, of at most `room` letters; nothing where there is no word in it."""
        line = plain_line(command, room, self._spell)
        return line if says_something(line) else ""

    def key(self, command: str) -> str:
        """The key to press; nothing is Return."""
        return single_key(command, self._spell)

    def refusal(self, line: str) -> str:
        """What we answer to a line about the session rather than the story; else nothing."""
        verb = self._meta.find(line)
        return refusal(verb) if verb else ""
