"""How far a model's reading of a reply is believed, claim by claim.

What the game shows judges the claims, at once or later, so that it is learned how often those of
each kind are right. A claim that is unlikely as things are is not noted, whoever makes it. In a
kind of claim in which a reader is wrong too often, the rules' word stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from managers.belief.beta import Beta
from managers.belief.reliability import OracleReliability, ReadingKind
from managers.language.actions import WORDS, direction_of, parse
from managers.language.layout import sentences
from managers.language.lexicon import head_of, words_of
from managers.language.nouns import is_name, is_place
from managers.language.reading import SURE, ObjectMention, Reading, StateChange, TurnExtraction
from managers.world.objects import INVENTORY, SHOWN
from managers.world.things import FITS, likeness
from managers.world.view import World

_PRIOR = Beta(7.2, 0.8)
"""A reader is taken to be good until the game shows something else, more than once."""
_KIND_PRIOR = 4.0
"""The weight, in judgements, of the rate of all kinds of claims when that of one is estimated."""
_LEAST_CREDIT = 0.75
_CLAIMED: dict[ReadingKind, tuple[str, ...]] = {
    "place": ("objects_mentioned", "listed"),
    "change": ("state_changes",),
    "way": ("room",),
    "outcome": ("action_result", "died"),
}
"""The fields of a reading in which it makes claims of a kind."""
_END_QUESTIONS = frozenset({"end", "yes_no"})
"""What a story asks about an end: what to do now, or whether to be brought back to life."""
_GAINS = frozenset(
    "take takes took taking keep keeps kept pick picks picked grab grabs pocket pockets get gets "
    "got give gives hand hands retrieve collect catch scoop confiscate".split()
)


def is_heard(reliability: OracleReliability, kind: ReadingKind) -> bool:
    """Whether the reader is listened to in a kind of claim; while little is known, all count."""
    records = [reliability.record(one) for one in get_args(ReadingKind)]
    right = _PRIOR.alpha + sum(one.successes for one in records)
    wrong = _PRIOR.beta + sum(one.failures for one in records)
    known = reliability.posterior(kind, Beta(right, wrong).weighing(_KIND_PRIOR))
    return known.mean >= _LEAST_CREDIT


def weighed(
    model: Reading, rules: TurnExtraction, text: str, world: World, *, ended: bool = False
) -> Reading:
    """A model's reading without the claims that are likelier wrong, and with what was judged.

    Where the story has not `ended`, it goes on after a death in a place that the reply describes.
    """
    weighing = _Weighing(model, rules, world, text)
    objects = tuple(weighing.mentions(model.objects_mentioned))
    changes = tuple(weighing.changes(model.state_changes))
    room = model.room
    if room is not None:
        named = {WORDS[word] for word in words_of(text) if word in WORDS and word != "in"}
        named.update(rules.room.exits if rules.room else ())
        ways = tuple(way for way in map(direction_of, room.exits) if way and way in named)
        room = room.model_copy(update={"exits": ways})
    result, sure = model.action_result, weighing.sure
    shown = {result.result, sure} <= {"success", "failure"}
    if shown and not weighing.judge("outcome", result.result == sure):
        result = result.model_copy(update={"result": "unknown"})
    shows_end = ended or rules.died or rules.question in _END_QUESTIONS or rules.room is not None
    died = model.died and (shows_end or weighing.judge("outcome", False))
    return model.model_copy(
        update={
            "died": died,
            "room": room,
            "objects_mentioned": objects,
            "state_changes": changes,
            "action_result": result,
            "judged": tuple(weighing.judged),
        }
    )


def relied(reading: Reading, rules: TurnExtraction, reliability: OracleReliability) -> Reading:
    """A reading in which the rules' word stands wherever the model is not listened to."""
    deaf = [kind for kind in _CLAIMED if not is_heard(reliability, kind)]
    own = {field: getattr(rules, field) for kind in deaf for field in _CLAIMED[kind]}
    unheard = reading.unheard or "place" in deaf
    return reading.model_copy(update={**own, "unheard": unheard})


class _Weighing:
    def __init__(self, model: Reading, rules: TurnExtraction, world: World, text: str) -> None:
        self.rules = rules
        self.world = world
        self.told = [words_of(one) for one in sentences(text)]
        result, named = rules.action_result, model.objects_mentioned
        self.command = parse(result.action)
        self.sure = result.result if result.confidence >= SURE else "unknown"
        """How the command went, where the game's stock words tell it."""
        self.named_as_carried = {one.name for one in named if one.location == INVENTORY}
        self.judged: list[tuple[ReadingKind, bool]] = []

    def judge(self, kind: ReadingKind, right: bool) -> bool:
        """Whether a claim is noted that the game itself bears out or refutes."""
        self.judged.append((kind, right))
        return right

    def mentions(self, claims: tuple[ObjectMention, ...]) -> Iterator[ObjectMention]:
        """Things where the reader says, or else where they must be."""
        frees = self.command.has("frees") and self.sure != "failure"
        for one in claims:
            if not is_name(one.name):
                continue
            held, freed = one.location == INVENTORY, frees and self._is_about(one.name)
            shown, doubted = self._shown(one.name), self._doubted(one.name)
            if shown is not None:
                noted = self.judge("place", held == (shown == INVENTORY))
            elif doubted is None or freed:
                noted = not held or self._comes(one.name)
            else:
                noted = held if doubted else self.judge("place", held)
            if not noted:
                shown = shown or ("here" if held else INVENTORY)
                one = one.model_copy(update={"location": shown})
            yield one

    def changes(self, claims: tuple[StateChange, ...]) -> Iterator[StateChange]:
        """Changes that are likely; a thing has gone where the reply surely says."""
        for one in claims:
            place, shown = one.new_value, self._gone_to(one.object)
            if one.property != "location":
                yield one
            elif shown is None:
                if self._goes(one.object, place):
                    yield one
            else:
                elsewhere = {shown, place}.isdisjoint({INVENTORY, "here"})
                right = self.judge("change", shown == place or elsewhere)
                yield one if right else one.model_copy(update={"new_value": shown})

    def _goes(self, name: str, place: str) -> bool:
        """Whether it is likely that a thing has gone to a place."""
        about = self._is_about(name)
        if self.sure == "failure" and about:
            return self.judge("change", False)
        held = self._doubted(name) is not None
        if not (about or any(self._sentences(name))):
            return True  # The reader corrects what the notes say.
        if place == INVENTORY:
            return held or self._comes(name) or name in self.named_as_carried
        return not (about and self.command.has("tells")) or (place == "here" and not held)

    def _comes(self, name: str) -> bool:
        """Whether something is likely to come into one's hands in this turn."""
        takes = self.command.verb == "take" and self.sure != "failure"
        if takes and (self.command.object.split()[:1] == ["all"] or self._is_about(name)):
            return True
        named = {head_of(name), "it", "them"}
        for words in self._sentences(name):
            after = (words[at + 1 : at + 5] for at, word in enumerate(words) if word in _GAINS)
            if any(not named.isdisjoint(some) for some in after):
                return True
        return not self.command.verb and not is_place(name)

    def _sentences(self, name: str) -> Iterator[list[str]]:
        """The words of those that speak of a thing, by its noun or as `it` right after."""
        named = False
        for words in self.told:
            named = head_of(name) in words or (named and not {"it", "them"}.isdisjoint(words))
            if named:
                yield words

    def _is_about(self, name: str) -> bool:
        named = (self.command.object, self.command.second)
        return head_of(name) in {head_of(one) for one in named if one}

    def _doubted(self, name: str) -> bool | None:
        """Whether it is not sure that a thing of the name is carried; None where none is."""
        for thing in self.world.inventory():
            if any(likeness(name, one) >= FITS for one in (thing.name, *thing.aliases)):
                return thing.guess > SHOWN
        return None

    def _shown(self, name: str) -> str | None:
        """Where the reply itself surely shows a thing to be."""
        seen = (one for one in self.rules.objects_mentioned if one.confidence >= SURE)
        found = (one.location for one in seen if likeness(name, one.name) >= FITS)
        return self._gone_to(name) or next(found, None)

    def _gone_to(self, name: str) -> str | None:
        """Where the reply itself surely says that a thing has gone."""
        sure = (one for one in self.rules.state_changes if one.confidence >= SURE)
        moved = (one for one in sure if one.property == "location")
        return next((one.new_value for one in moved if likeness(name, one.object) >= FITS), None)
