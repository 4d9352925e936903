"""What can be named in a scene: the objects around the protagonist and the words of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from environments.valid_actions.verbs import NOT_NOUNS
from environments.vocabulary import Vocabulary
from environments.zmachine import Objects, word

_WORD = re.compile(r"[^\W_](?:[^\W_]+|['-])*")


class Noun(NamedTuple):
    """Something that a command can name."""

    text: str
    """What to type."""
    title: str
    """What the story calls it in its replies, in small letters."""
    object: int = 0
    """Its number in the object tree; 0 for a word that only the text holds."""
    held: bool = False
    filled: bool = False
    """Something is in it or on it."""
    topic: bool = False
    """It is spoken of, or looked up."""


class Namer:
    """Knows how a story's objects are addressed; a constant of the story."""

    def __init__(self, objects: Objects, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._property = _name_property(objects, vocabulary)
        titles = (objects.name(number) for number in range(1, objects.count + 1))
        self._spelling = self._whole_words(" ".join(titles))

    def things(
        self, objects: Objects, numbers: Iterable[int], held: Collection[int], text: str
    ) -> list[Noun]:
        """A noun for each object that has words, told apart from the others where possible."""
        words = {number: self.words_of(objects, number) for number in numbers}
        uses = Counter(w for own in words.values() for w in dict.fromkeys(own))
        spelling = self._spelling | self._whole_words(text)
        nouns: dict[str, Noun] = {}
        for number, own in words.items():
            if own:
                title = objects.name(number).lower() or self._spoken(own, text)
                single = [w for w in self._best_first(own, title) if uses[w] == 1]
                address = (single or [self._phrase(title) or own[0]])[0]
                address = spelling.get(address, address)
                filled = objects.child(number) > 0
                nouns.setdefault(address, Noun(address, title, number, number in held, filled))
        return list(nouns.values())

    def mentioned(self, text: str, known: Collection[str]) -> list[str]:
        """The nouns of a text, without those whose dictionary words are known already."""
        found = nouns_in(text, self.vocabulary)
        return [spoken for entry, spoken in found.items() if entry not in known]

    def words_of(self, objects: Objects, number: int) -> list[str]:
        """The dictionary's words for an object."""
        data = objects.properties(number).get(self._property, b"")
        entries = [self.vocabulary.at(word(data, at)) for at in range(0, len(data) - 1, 2)]
        if not any(entries):
            entries = [self.vocabulary.get(w) for w in words_in(objects.name(number))]
        own = [entry.text for entry in entries if entry and entry.noun]
        return [w for w in own if w not in NOT_NOUNS]

    def phrases_of(self, objects: Objects, number: int) -> list[str]:
        """What to call what is somewhere else: its title of two words, and the last of them."""
        own, title = self.words_of(objects, number), objects.name(number).lower()
        whole = self._phrase(title)
        forms = [whole] if whole.count(" ") == 1 else []
        last = self._best_first(own, title)[:1]
        return [*forms, *(self._spelling.get(word, word) for word in last)]

    def _best_first(self, own: list[str], title: str) -> list[str]:
        """The words of an object: that which ends its title first, then the others of its title."""
        called = [self.vocabulary.cut(w) for w in words_in(title)]
        return sorted(own, key=lambda w: (w != called[-1] if called else True, w not in called))

    def _spoken(self, own: list[str], text: str) -> str:
        """The longest run of an object's words in a text: its title, where a routine prints it."""
        runs: list[list[str]] = [[]]
        for spoken in words_in(text):
            if self.vocabulary.cut(spoken) in own:
                runs[-1].append(spoken)
            elif runs[-1]:
                runs.append([])
        longest = max(map(len, runs))
        return " ".join(next(run for run in runs if len(run) == longest))

    def _phrase(self, title: str) -> str:
        """The whole title, where the story's parser knows each of its words."""
        words = words_in(title)
        return " ".join(words) if all(w in self.vocabulary for w in words) else ""

    def _whole_words(self, text: str) -> dict[str, str]:
        """What the dictionary cuts short, spelt out."""
        cut = ((self.vocabulary.cut(w), w) for w in reversed(words_in(text)))
        return {short: whole for short, whole in cut if short != whole}


def nouns_in(text: str, vocabulary: Vocabulary) -> dict[str, str]:
    """The nouns of a text: the dictionary's word, and as it is spelt there first."""
    found: dict[str, str] = {}
    for spoken in _with_parts(words_in(text)):
        entry = vocabulary.get(spoken)
        if entry and entry.noun and spoken not in NOT_NOUNS:
            found.setdefault(entry.text, spoken)
    return found


def words_in(text: str) -> list[str]:
    """The words of a text in small letters."""
    return _WORD.findall(text.lower())


def _with_parts(words: Iterable[str]) -> Iterator[str]:
    """Words, what hyphens join, and owners without their "'s"."""
    for text in words:
        yield text
        if not text.isalnum():
            yield from text.removesuffix("'s").split("-")


def _name_property(objects: Objects, vocabulary: Vocabulary) -> int:
    """The property whose values are all addresses of dictionary words; 0 where there is none."""
    fitting: Counter[int] = Counter()
    others: set[int] = set()
    for number in range(1, objects.count + 1):
        for key, data in objects.properties(number).items():
            entries = [vocabulary.at(word(data, at)) for at in range(0, len(data) - 1, 2)]
            if len(data) % 2 == 0 and all(entries):
                fitting[key] += 1
            else:
                others.add(key)
    return next((key for key, _ in fitting.most_common() if key not in others), 0)
