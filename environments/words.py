"""What a story's dictionary and grammar say of its replies (access `words`)."""

from __future__ import annotations

from collections.abc import Iterator

from environments.game import Words
from environments.valid_actions.grammar import read_grammar
from environments.valid_actions.nouns import nouns_in, words_in
from environments.valid_actions.templates import Phrasing, Template
from environments.valid_actions.verbs import FAMILIAR, IDLE
from environments.vocabulary import Vocabulary


class Dictionary:
    """The dictionary and grammar of one story, which never change."""

    def __init__(self, story: bytes) -> None:
        self._story = story
        self._vocabulary = Vocabulary(story)

    def with_all(self, words: Words) -> Words:
        """The words of the first reply, with all that the parser knows."""
        known = tuple(word.text for word in self._vocabulary)
        return words.model_copy(update={"known": known, "commands": tuple(self._unusual())})

    def of(self, text: str) -> Words:
        """The words of a reply."""
        nouns = tuple(nouns_in(text, self._vocabulary).values())
        entries = {spoken: self._vocabulary.get(spoken) for spoken in words_in(text)}
        adjectives = tuple(spoken for spoken, one in entries.items() if one and one.adjective)
        return Words(nouns=nouns, adjectives=adjectives, letters=self._vocabulary.letters)

    def _unusual(self) -> Iterator[str]:
        """Commands with a verb of the story's own."""
        grammar = read_grammar(self._story, self._vocabulary)
        for template in Phrasing(self._vocabulary.letters).templates(grammar):
            if len(template.slots) < 2 and _is_own(template):
                places = ("{somebody}" if one.creature else "{}" for one in template.slots)
                yield template.fill(*places)


def _is_own(template: Template) -> bool:
    """Its verb is no usual one, and none that a parser cuts in two (`c,cast`)."""
    verb = template.verb
    usual = verb in IDLE or template.rank < len(FAMILIAR)
    return not usual and all(map(str.isalnum, verb.split("-")))
