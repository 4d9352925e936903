"""Talk, and books to look things up in: topics tried on whoever or whatever answers to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from environments.numbers import number_of
from environments.valid_actions.effects import Trial
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
SAMPLE = 12
"""Topics tried first: who answers them all alike has nothing to say."""
COMMON_ANSWER = 8
"""What more topics are answered with is no answer."""
_FEW = 3
"""Fewer answers do not show which is the usual one."""
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

    def hold(self, nouns: Sequence[Noun], text: str, laboratory: Laboratory) -> set[str]:
        """Try topics on all who answer; `text` is what the story said.

        One verb finds out who listens and what is answered; the others, such as telling instead of
        asking, are tried on that alone.

        Returns:
            The commands that got an answer of their own.
        """
        topics = self._brought_up(text)
        told: set[str] = set()
        for templates in self._by_listener if topics else ():
            first, *others = templates
            listeners = _listeners(first, nouns, topics[0], laboratory)
            share = max(LEAST_TOPICS, TOPICS // max(1, len(listeners)))
            for listener in listeners:
                answers = _answers(first, listener, topics[:share], laboratory)
                told.update(trial.command for trial in answers)
                answered = [trial.nouns[1] for trial in answers[:PROMISING]]
                for other in others:
                    more = _answers(other, listener, answered, laboratory)
                    told.update(trial.command for trial in more)
        return told

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
    heard = _unlike(laboratory.run([_ask(template, noun, topic) for noun in nouns]))
    looks = laboratory.run([(f"examine {trial.nouns[0].text}", trial.nouns[:1]) for trial in heard])
    seen = {trial.nouns[0]: trial.probe.reply for trial in looks}
    answering = (trial for trial in heard if trial.probe.reply != seen.get(trial.nouns[0]))
    return [trial.nouns[0] for trial in answering][:LISTENERS]


def _answers(
    template: Template, listener: Noun, topics: Sequence[Noun], laboratory: Laboratory
) -> list[Trial]:
    """The topics to which a listener answers otherwise than to most."""
    row = [_ask(template, listener, topic) for topic in topics]
    if len({trial.shape for trial in laboratory.run(row[:SAMPLE])}) == 1:
        return []
    trials = laboratory.run(row)
    shapes = Counter(trial.shape for trial in trials)
    return [trial for trial in _unlike(trials) if shapes[trial.shape] <= COMMON_ANSWER]


def _unlike(trials: Sequence[Trial]) -> list[Trial]:
    """The trials answered otherwise than most of them."""
    replies = Counter(trial.probe.reply for trial in trials)
    shapes = Counter(trial.shape for trial in trials)
    usual = {max(counted, key=counted.__getitem__) for counted in (replies, shapes) if counted}
    if len(trials) < _FEW or max(shapes.values()) == 1:
        return list(trials)
    return [trial for trial in trials if usual.isdisjoint((trial.shape, trial.probe.reply))]
