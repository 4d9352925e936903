"""What players usually do with whatever there is: more than the planner would ever try."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product, takewhile, zip_longest

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.language.actions import DIRECTIONS, WORDS, Action, parse
from managers.language.history import History
from managers.language.layout import sentences
from managers.language.lexicon import grammar, words_of
from managers.language.nouns import is_thing, lacks, noun_phrases
from managers.world.objects import GONE, UNKNOWN, GameObject

_LATELY = 5
_MOST, _MOST_SECOND, _MOST_WORDS, _MOST_PEOPLE = 14, 8, 18, 3
_CLOSED = ("auxiliary", "determiner", "pronoun", "adverb")
_PARTICLES = frozenset({"out", "up", "away", "down"})
"""Behind a verb, as in `a wheel sticks out`."""
_ONESELF = "me"
_ALL = ["all"]
"""What takes and drops whatever there is."""


def usual(scene: Scene, history: History, commands: Sequence[str]) -> Iterator[Draft]:
    """Every way to go, and every usual command with what is carried, here or was spoken of.

    `commands` say what is usual: `listen`, `open {}`, `put {} in {}`.
    """
    for command in (*DIRECTIONS, *_deeds(scene, history, commands)):
        action = parse(command)
        yield Draft(scene.here, command, action.kind, action.object)


def _deeds(scene: Scene, history: History, commands: Sequence[str]) -> Iterator[str]:
    held, around = _called(scene, scene.held), _called(scene, scene.around)
    listed = _called(scene, [thing for thing in scene.around if thing.id])
    living = _called(scene, [one for one in scene.around if one.name in scene.knowledge.living])
    words = _spoken_of(scene, history, frozenset(words_of(" ".join((*held, *around)))))
    around += islice(words, _MOST_WORDS)
    people, listed = _people(scene), listed[:_MOST_SECOND]

    def that_suit(action: Action) -> tuple[list[str], list[str]]:
        """What can be the first and the second thing of such a command."""
        near = [*listed, *held[:_MOST_SECOND]]
        if action.has("carried"):
            first = [*held, *_ALL] if action.verb == "drop" else held
            return first, people if action.kind == "give" else near
        if action.has("speaks"):
            return people, [*held, *around]
        if action.verb == "take":
            return _ALL + [one for one in around if one not in living], listed
        return (near if action.second else [*around, *held]), held

    for template in commands:
        (first, second), gaps = that_suit(parse(template)), template.count("{}")
        for one, other in product(first if gaps else [""], second if gaps > 1 else [""]):
            if one != other or not one:
                yield template.format(one, other)


def _people(scene: Scene) -> list[str]:
    """What the game has listed and could be somebody first, then who is spoken of."""
    living, able = scene.knowledge.living, scene.knowledge.able
    found = [one for one in scene.around if one.name in living or (one.id and one.name in able)]
    found.sort(key=lambda one: (not one.id, one.name not in living))
    return _called(scene, found)[:_MOST_PEOPLE]


def _called(scene: Scene, things: Sequence[GameObject]) -> list[str]:
    return list(dict.fromkeys(map(scene.called, things)))[:_MOST]


def _spoken_of(scene: Scene, history: History, known: frozenset[str]) -> Iterator[str]:
    """Words of the last replies here and of the room that may name things, whoever read them."""
    yield _ONESELF
    lately = history.exchanges[: -_LATELY - 1 : -1]
    said_here = takewhile(lambda one: one.room == scene.here, lately)
    texts = [one.reply for one in (*said_here, history.last)]
    texts += [scene.map.room(scene.here).text] if scene.here else []
    texts = [" ".join(one for one in sentences(text) if not lacks(one)) for text in texts]
    gone = {thing.noun for thing in scene.world.objects() if thing.location in (GONE, UNKNOWN)}
    seen = {*known, *gone, *WORDS}.union(*(grammar()[kind] for kind in _CLOSED))
    for text in texts:
        named = {word for one in noun_phrases(text) for word in words_of(one.name)[-1:]}
        words = words_of(text)
        for word, following in zip_longest(words, words[1:]):
            may_be = word in named or (is_thing(word) and following not in _PARTICLES)
            if word not in seen and may_be:
                seen.add(word)
                if scene.knowledge.is_there(word):
                    yield word
