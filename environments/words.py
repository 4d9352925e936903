"""What a story's dictionary says of its replies (access `words`)."""

from __future__ import annotations

from environments.game import Words
from environments.valid_actions.nouns import nouns_in
from environments.vocabulary import Vocabulary


class Dictionary:
    """The dictionary of one story, which never changes."""

    def __init__(self, story: bytes) -> None:
        self._vocabulary = Vocabulary(story)

    def opening(self, text: str) -> Words:
        """Of the first reply, with all that the parser knows."""
        known = tuple(word.text for word in self._vocabulary)
        return self.of(text).model_copy(update={"known": known})

    def of(self, text: str) -> Words:
        """Of a reply."""
        nouns = tuple(nouns_in(text, self._vocabulary).values())
        return Words(nouns=nouns, letters=self._vocabulary.letters)
