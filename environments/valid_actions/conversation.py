"""Talk, and books to look things up in: topics tried on whoever or whatever answers to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from environments.numbers import number_of
from environments.valid_actions.effects import COMMON_ANSWER, Trial
from environments.valid_actions.nouns import Namer, Noun, words_in
from environments.valid_actions.search import Candidate, Laboratory
from environments.valid_actions.templates import Template
from environments.valid_actions.verbs import NOT_TOPICS
from environments.zmachine import Objects

TOPICS = 80
"""Topics tried in one state, shared by all who answer."""
LEAST_TOPICS = 30
"""So many for each of them at least."""
LISTENERS = 3
"""So many at most are asked, or looked into."""
PROMISING = 8
"""Topics with an answer of their own that are tried with the other verbs."""


class Conversation:
    """What one story has to talk about; a constant of the story."""

    def __init__(self, templates: Sequence[Template], objects: Objects, namer: Namer) -> None:
        people = [template for template in templates if template.asks_somebody]
        books = [template for template in templates if not template.asks_somebody]
        self._by_listener = [some for some in (people, books) if some]
        self._cut = namer.vocabulary.cut
        numbers = range(1, objects.count + 1)
        words = {number: namer.words_of(objects, number) for number in numbers}
        things = {word for own in words.values() for word in own}
        own = (entry.text for entry in namer.vocabulary if entry.noun and not entry.verb)
        alone = [(word, {word}) for word in own if word not in things and _is_topic(word)]
        titled = [
            (phrase, set(words[number]))
            for number in numbers
            if words[number]
            for phrase in namer.phrases_of(objects, number)
        ]
        self._topics = [*alone, *titled]
        """Topics, and the words of the dictionary that bring them up."""

    def hold(self, nouns: Sequence[Noun], text: str, laboratory: Laboratory) -> None:
        """Try topics on all who answer; `text` is what the story said.

        One verb finds out who listens and what is answered; the others, such as telling instead of
        asking, are tried on that alone.
        """
        topics = self._brought_up(text)
        for templates in self._by_listener if topics else ():
            first, *others = templates
            listeners = _listeners(first, nouns, topics[0], laboratory)
            share = max(LEAST_TOPICS, TOPICS // max(1, len(listeners)))
            for listener in listeners:
                row = [_ask(first, listener, topic) for topic in topics[:share]]
                answered = _answered(laboratory.run(row))[:PROMISING]
                rest = [_ask(one, listener, topic) for one in others for topic in answered]
                laboratory.run(rest)

    def _brought_up(self, text: str) -> list[Noun]:
        """The topics, those first of which the text speaks."""
        spoken = {self._cut(word) for word in words_in(text)}
        ordered = sorted(self._topics, key=lambda topic: spoken.isdisjoint(topic[1]))
        return [Noun(topic, topic, topic=True) for topic in dict(ordered)]


def _is_topic(word: str) -> bool:
    return word.isalpha() and word not in NOT_TOPICS and number_of(word) is None


def _ask(template: Template, listener: Noun, topic: Noun) -> Candidate:
    both = (topic, listener) if template.topic_first else (listener, topic)
    return template.fill(*(noun.text for noun in both)), (listener, topic)


def _listeners(
    template: Template, nouns: Sequence[Noun], topic: Noun, laboratory: Laboratory
) -> list[Noun]:
    """Those who answer to a topic otherwise than most things do, and than when looked at."""
    trials = laboratory.run([_ask(template, noun, topic) for noun in nouns])
    looks = laboratory.run([(f"examine {noun.text}", (noun,)) for noun in nouns])
    seen = {trial.nouns[0]: trial.probe.reply for trial in looks}
    shapes = Counter(trial.shape for trial in trials)
    shape, times = next(iter(shapes.most_common(1)), ("", 0))
    refused = shape if times > 1 else None
    heard = (trial for trial in trials if trial.shape != refused)
    return [t.nouns[0] for t in heard if t.probe.reply != seen.get(t.nouns[0])][:LISTENERS]


def _answered(trials: Sequence[Trial]) -> list[Noun]:
    """The topics that get an answer of their own."""
    shapes = Counter(trial.shape for trial in trials)
    return [trial.nouns[1] for trial in trials if shapes[trial.shape] <= COMMON_ANSWER]
