"""How far a model's reading of a reply is believed, claim by claim.

What the game shows judges the claims: stock replies and lists at once, lists of what is carried,
refusals and walks later. From that is learned how often claims of each kind are right. A claim that
is unlikely as things are is not noted, whoever makes it; a reader that is wrong too often in a kind
of claim is not listened to in it, and the rules' word stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from managers.language.actions import WORDS, Action, direction_of, parse
from managers.language.layout import sentences
from managers.language.lexicon import head_of, words_of
from managers.language.nouns import is_name, is_place
from managers.language.reading import SURE, ObjectMention, Reading, StateChange, TurnExtraction
from managers.trust.beta import Beta
from managers.trust.reliability import OracleReliability, ReadingKind
from managers.world.names import FITS, likeness
from managers.world.objects import INVENTORY, SHOWN
from managers.world.view import World

_KINDS: tuple[ReadingKind, ...] = ("place", "change", "outcome", "way")
_PRIOR = Beta(7.2, 0.8)
"""A reader is taken to be good until the game shows something else, more than once."""
_KIND_PRIOR = 4.0
"""So many judgements is it worth for one kind of claim how often those of all kinds are right."""
_LEAST = 0.75
"""A reader that is right less often in a kind of claim is not listened to in it."""
_GAINS = frozenset(
    "take takes took taking keep keeps kept pick picks picked grab grabs pocket pockets get gets "
    "got give gives hand hands retrieve collect catch scoop confiscate".split()
)


def credit(reliability: OracleReliability, kind: ReadingKind) -> float:
    """How often a claim of a kind is right; while little is known of it, all of them count."""
    records = [reliability.record(one) for one in _KINDS]
    right = _PRIOR.alpha + sum(one.successes for one in records)
    wrong = _PRIOR.beta + sum(one.failures for one in records)
    mean = right / (right + wrong)
    prior = Beta(_KIND_PRIOR * mean, _KIND_PRIOR * (1.0 - mean))
    return reliability.posterior(kind, prior).mean


def is_heard(reliability: OracleReliability, kind: ReadingKind) -> bool:
    """Whether the reader is listened to in a kind of claim."""
    return credit(reliability, kind) >= _LEAST


def weighed(
    model: Reading,
    rules: TurnExtraction,
    text: str,
    world: World,
) -> Reading:
    """A model's reading without the claims that are likelier wrong, and with what was judged.

    Args:
        model: What it claims.
        rules: Their reading of the same reply.
        text: The reply.
        world: What is known before it.
    """
    weighing = _Weighing(model, rules, world, text)
    objects = tuple(weighing.mentions(model.objects_mentioned))
    changes = tuple(weighing.changes(model.state_changes))
    room = model.room
    if room is not None:
        room = room.model_copy(update={"exits": tuple(weighing.ways(room.exits))})
    result = model.action_result
    if not weighing.holds("outcome", True, weighing.outcome(result.result)):
        result = result.model_copy(update={"result": "unknown"})
    return model.model_copy(
        update={
            "room": room,
            "objects_mentioned": objects,
            "state_changes": changes,
            "action_result": result,
            "judged": tuple(weighing.judged),
        }
    )


def relied(reading: Reading, rules: TurnExtraction, reliability: OracleReliability) -> Reading:
    """A reading in which the rules' word stands wherever the model is not listened to."""
    own: dict[str, object] = {}
    if not is_heard(reliability, "place"):
        own |= {"objects_mentioned": rules.objects_mentioned, "listed": rules.listed}
        own["unheard"] = True
    if not is_heard(reliability, "change"):
        own["state_changes"] = rules.state_changes
    if not is_heard(reliability, "way"):
        own["room"] = rules.room
    if not is_heard(reliability, "outcome"):
        own["action_result"] = rules.action_result
    return reading.model_copy(update=own)


class _Weighing:
    def __init__(self, model: Reading, rules: TurnExtraction, world: World, text: str) -> None:
        self.rules = rules
        self.world = world
        self.command: Action = parse(rules.action_result.action)
        self.judged: list[tuple[ReadingKind, bool]] = []
        named = model.objects_mentioned
        self.carried = {one.name for one in named if one.location == INVENTORY}
        """What the reader names as carried."""
        result = rules.action_result
        self.told = sentences(text)
        self.sure = result.result if result.confidence >= SURE else "unknown"
        words = frozenset(words_of(text)) - {"in"}  # It is seldom a direction.
        self.spoken = frozenset(WORDS[word] for word in words if word in WORDS)
        """Directions of which the reply has a word."""

    def holds(self, kind: ReadingKind, likely: bool, right: bool | None = None) -> bool:
        """Whether a claim is noted: what the game shows of it, where that is known, decides."""
        if right is not None:
            self.judged.append((kind, right))
            return right
        return likely

    def outcome(self, result: str) -> bool | None:
        """Whether the command went so; None where nothing shows it."""
        told = {result, self.sure} <= {"success", "failure"}
        return result == self.sure if told else None

    def ways(self, claims: tuple[str, ...]) -> Iterator[str]:
        """Directions; whether they lead on is shown when somebody goes there."""
        named = {*(self.rules.room.exits if self.rules.room else ()), *self.spoken}
        for one in claims:
            way = direction_of(one)
            if way is not None and self.holds("way", way in named):
                yield way

    def mentions(self, claims: tuple[ObjectMention, ...]) -> Iterator[ObjectMention]:
        for one in claims:
            if self.holds("place", *self._place(one.name, one.location)):
                yield one
            elif is_name(one.name):
                yield from self._corrected(one)

    def changes(self, claims: tuple[StateChange, ...]) -> Iterator[StateChange]:
        for one in claims:
            moves = one.property == "location"
            claim = self._move(one.object, one.new_value) if moves else (True, None)
            if self.holds("change", *claim):
                yield one
            elif claim[1] is False and (shown := self._changed(one.object)):
                yield one.model_copy(update={"new_value": shown})

    def _corrected(self, one: ObjectMention) -> Iterator[ObjectMention]:
        """A thing that was named is somewhere, if not where the reader says."""
        shown = self._shown(one.name)
        known = self._holds(one.name)
        if shown is None and one.location == INVENTORY:
            shown = "here"
        elif shown is None and known is not None:
            shown = INVENTORY
        if shown is not None:
            yield one.model_copy(update={"location": shown})

    def _place(self, name: str, place: str) -> tuple[bool, bool | None]:
        """Whether it is likely that a thing that is spoken of is in a place, and is shown to be."""
        if not is_name(name):
            return False, None
        held, shown = place == INVENTORY, self._shown(name)
        if shown is not None:
            return True, held == (shown == INVENTORY)
        unsure = self._holds(name)
        if unsure is not None and not self._is_freed(name):
            return held, None if unsure else held
        return not held or self._comes(name), None

    def _move(self, name: str, place: str) -> tuple[bool, bool | None]:
        """Whether it is likely that a thing has gone to a place, and is shown to have."""
        changed, about = self._changed(name), self._is_about(name)
        if changed is not None:
            agree = changed == place or {changed, place}.isdisjoint({INVENTORY, "here"})
            return True, agree
        if self.sure == "failure" and about:
            return False, False
        held, spoken = self._holds(name) is not None, any(self._sentences(name))
        if not (about or spoken):
            return True, None  # The reader corrects what the notes say.
        if place == INVENTORY:
            return held or self._comes(name) or name in self.carried, None
        if about and self.command.has("tells"):
            return place == "here" and not held, None
        return True, None

    def _comes(self, name: str) -> bool:
        """Whether something is likely to come into one's hands in this turn."""
        takes = self.command.verb == "take" and self.sure != "failure"
        if takes and (self.command.object.split()[:1] == ["all"] or self._is_about(name)):
            return True
        gained = any(_gains(name, one) for one in self._sentences(name))
        return gained or (not self.command.verb and not is_place(name))

    def _sentences(self, name: str) -> Iterator[str]:
        """Those of the reply that speak of a thing, by its noun or as `it` right after."""
        named = False
        for one in self.told:
            words = words_of(one)
            named = head_of(name) in words or (named and not {"it", "them"}.isdisjoint(words))
            if named:
                yield one

    def _is_about(self, name: str) -> bool:
        named = (self.command.object, self.command.second)
        return head_of(name) in {head_of(one) for one in named if one}

    def _is_freed(self, name: str) -> bool:
        return self._is_about(name) and self.command.has("frees") and self.sure != "failure"

    def _holds(self, name: str) -> bool | None:
        """Whether it is not sure that a thing of the name is carried; None where none is."""
        for thing in self.world.inventory():
            if any(likeness(name, one) >= FITS for one in (thing.name, *thing.aliases)):
                return thing.guess > SHOWN
        return None

    def _shown(self, name: str) -> str | None:
        """Where the reply itself surely shows a thing to be."""
        changed = self._changed(name)
        if changed is not None:
            return changed
        seen = (one for one in self.rules.objects_mentioned if one.confidence >= SURE)
        return next((one.location for one in seen if likeness(name, one.name) >= FITS), None)

    def _changed(self, name: str) -> str | None:
        """Where the reply itself surely says that a thing has gone."""
        for change in self.rules.state_changes:
            moved = change.property == "location" and change.confidence >= SURE
            if moved and likeness(name, change.object) >= FITS:
                return change.new_value
        return None


def _gains(name: str, sentence: str) -> bool:
    """A word for taking or giving, and close behind it the thing."""
    words = words_of(sentence)
    named = {head_of(name), "it", "them"}
    near = (words[at + 1 : at + 5] for at, one in enumerate(words) if one in _GAINS)
    return any(not named.isdisjoint(some) for some in near)
