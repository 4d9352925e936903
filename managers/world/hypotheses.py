"""What is believed but not known: which key, which weapon, and what trying it has shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from managers.language.actions import Action, parse
from managers.language.lexicon import classes_of, words_of
from managers.world.names import FITS, fit
from managers.world.objects import GONE

if TYPE_CHECKING:
    from managers.language.reading import ActionResult
    from managers.world.attempts import Attempts
    from managers.world.data import HypothesisRow, Store

MOST = 40
"""How many hypotheses are kept."""
_MOST_EVIDENCE = 3
SUPPOSED = 0.3
"""Confidence of a hypothesis for which only the kinds of things speak."""
_SAME_STUFF = 0.6
"""Prior where the names share a word: iron key, iron grate."""
_CERTAIN = 0.97
_DISPROVEN = 0.05
_CHANCE_IF_TRUE = {"needs_tool": 0.02, "": 0.5}
_CHANCE_IF_FALSE = {"needs_tool": 0.9, "": 0.8}
_HELPERS = {"unlocks": "key-like", "opens": "tool", "defeats": "weapon"}
"""Predicate -> the kind of things that it may be true of."""
_MAY = {"unlocks": "may fit", "opens": "may force", "defeats": "may help against"}
_VERBS = {"unlock": "unlocks", "attack": "defeats", "open": "opens"}
_PREDICATES = {
    **_VERBS,
    **dict.fromkeys("fit fits".split(), "unlocks"),
    **dict.fromkeys("force forces pry pries prise prises".split(), "opens"),
    **dict.fromkeys("defeat beat overcome overpower harm hurt wound".split(), "defeats"),
}
_OTHERWISE = frozenset("not no never cannot can't doesn't won't by".split())
"""Words that turn a predicate round."""
_COMMANDS = {
    "unlocks": "unlock {object} with {subject}",
    "defeats": "attack {object} with {subject}",
    "opens": "open {object} with {subject}",
}


@dataclass(frozen=True)
class Hypothesis:
    """Something that may be so: `brass key` `unlocks` `grate`."""

    id: str
    """`H<n>`, stable through the episode."""
    subject: str
    """The id of a thing, or its name where it is not known."""
    predicate: str
    object: str
    confidence: float
    """Posterior probability, 0 to 1."""
    evidence: tuple[str, ...] = ()
    tested: bool = False
    disproven: bool = False

    @property
    def command(self) -> str:
        """What would test it, in words of ids; empty for a predicate nobody can try."""
        template = _COMMANDS.get(self.predicate, "")
        return template.format(subject=self.subject, object=self.object)


def hypothesis_from(id: str, entry: HypothesisRow) -> Hypothesis:
    """The value of a stored entry."""
    return Hypothesis(
        id,
        entry["subject"],
        entry["predicate"],
        entry["object"],
        entry["sure"],
        tuple(entry["why"]),
        bool(entry.get("tested")),
        bool(entry.get("disproven")),
    )


@lru_cache(maxsize=256)
def predicate_of(words: str) -> str:
    """What may help is said in three words: `kills`, `can beat` -> `defeats`; others stay."""
    said = words_of(words)
    for word in said if _OTHERWISE.isdisjoint(said) else ():
        for form in (word, word.removesuffix("s"), word.removesuffix("es")):
            found = _PREDICATES.get(form) or _PREDICATES.get(parse(form).verb)
            if found:
                return found
    return " ".join(said)


def posterior(prior: float, if_true: float, if_false: float) -> float:
    """Bayes: how likely it is after an outcome that has these chances."""
    weight = prior * if_true
    return weight / (weight + (1 - prior) * if_false)


class Hypotheses:
    """Create, read, update and delete over the world's data."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._ranked: tuple[dict[str, HypothesisRow], list[Hypothesis]] = ({}, [])

    @property
    def entries(self) -> dict[str, HypothesisRow]:
        """The stored entries by id."""
        return self.store.data["hypotheses"]

    def all(self) -> list[Hypothesis]:
        """All hypotheses, the most likely first."""
        if self._ranked[0] is not self.entries:
            found = [hypothesis_from(id, entry) for id, entry in self.entries.items()]
            self._ranked = (self.entries, sorted(found, key=lambda one: -one.confidence))
        return list(self._ranked[1])

    def find(self, subject: str, predicate: str, object: str) -> str | None:
        """The id of the hypothesis that says this."""
        said = (subject, predicate, object)
        return next(
            (
                id
                for id, entry in self.entries.items()
                if (entry["subject"], entry["predicate"], entry["object"]) == said
            ),
            None,
        )

    def add(
        self, subject: str, predicate: str, object: str, confidence: float, evidence: str
    ) -> Hypothesis:
        """Create one, or add evidence to the one that says the same, in whatever words."""
        predicate = self._plain(predicate, subject)
        id = self.find(subject, predicate, object)
        if id is not None:
            return self.update(id, confidence=confidence, evidence=evidence)
        self.store.data["count"] += 1
        id = f"H{self.store.data['count']}"
        entry: HypothesisRow = {
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "sure": round(confidence, 3),
            "why": [evidence] if evidence else [],
        }
        self._put(id, entry)
        self._forget_least()
        return hypothesis_from(id, entry)

    def _plain(self, predicate: str, subject: str) -> str:
        """The word for it here; what opens a lock is a key, what opens a lid may be a tool."""
        known = predicate_of(predicate)
        thing = self.store.objects.get(subject)
        name = thing["name"] if thing else subject
        return "unlocks" if known == "opens" and "key-like" in classes_of(name) else known

    def update(
        self,
        id: str,
        *,
        tested: bool | None = None,
        disproven: bool | None = None,
        confidence: float | None = None,
        evidence: str = "",
    ) -> Hypothesis:
        """Change one; what is disproven stays so. Raises KeyError for an unknown id."""
        entry: HypothesisRow = {**self.entries[id]}
        if evidence and evidence not in entry["why"]:
            entry["why"] = [*entry["why"], evidence][-_MOST_EVIDENCE:]
        if confidence is not None and not entry.get("disproven"):
            entry["sure"] = round(confidence, 3)
        if tested:
            entry["tested"] = 1
        if disproven:
            entry["disproven"], entry["sure"] = 1, 0.0
        self._put(id, entry)
        return hypothesis_from(id, entry)

    def remove(self, id: str) -> None:
        """Delete one. Raises KeyError for an unknown id."""
        self.store.data["hypotheses"] = {key: e for key, e in self.entries.items() if key != id}

    def _put(self, id: str, entry: HypothesisRow) -> None:
        self.store.data["hypotheses"] = {**self.entries, id: entry}

    def _forget_least(self) -> None:
        """Untested and unlikely ones give way; what was disproven is knowledge."""
        spare = [(e["sure"], id) for id, e in self.entries.items() if not e.get("disproven")]
        for _, id in sorted(spare)[: max(0, len(self.entries) - MOST)]:
            self.remove(id)

    def moot(self) -> list[str]:
        """The untested ones that nothing hangs on any more: used up, or open without."""
        return [id for id, e in self.entries.items() if not e.get("tested") and self._is_moot(e)]

    def _is_moot(self, entry: HypothesisRow) -> bool:
        objects = self.store.objects
        helper, trouble = objects.get(entry["subject"]), objects.get(entry["object"])
        unlocks = entry["predicate"] == "unlocks"
        if trouble and unlocks and trouble.get("state", {}).get("locked") is False:
            return True
        return any(thing is not None and thing["at"] == GONE for thing in (helper, trouble))

    def suppose(self, attempts: Attempts) -> None:
        """Bring things that may help together with things in the way."""
        for predicate, troubles in self._troubles(attempts).items():
            helpers = self._helpers(_HELPERS[predicate]) if troubles else ()
            for trouble in troubles:
                for helper in helpers:
                    if helper != trouble and self.find(helper, predicate, trouble) is None:
                        self._suppose(helper, predicate, trouble)

    def _troubles(self, attempts: Attempts) -> dict[str, list[str]]:
        """What is in the way, by the predicate of what would help."""
        objects = self.store.objects
        locks = [id for id, entry in objects.items() if entry.get("state", {}).get("locked")]
        stuck, barred = [], set()
        for failure in attempts.failures("needs_tool", "blocked"):
            if failure.reason == "needs_tool":
                stuck.append(self.store.find(parse(failure.command).object, failure.location))
            elif failure.reason == "blocked":
                barred.add(failure.location)
        guards = [id for id, entry in objects.items() if entry["at"] in barred and _can_bar(entry)]
        return {
            "unlocks": locks,
            "opens": [id for id in dict.fromkeys(stuck) if id],
            "defeats": guards,
        }

    def _helpers(self, kind: str) -> list[str]:
        return [
            id
            for id, entry in self.store.objects.items()
            if entry["at"] != GONE
            and (kind in classes_of(entry["name"]) or kind in entry.get("props", ()))
        ]

    def _suppose(self, helper: str, predicate: str, trouble: str) -> None:
        names = [self.store.objects[id]["name"] for id in (helper, trouble)]
        shared = set(words_of(names[0])[:-1]) & set(words_of(names[1])[:-1])
        sure = _SAME_STUFF if shared else SUPPOSED
        spare = [one["sure"] for one in self.entries.values() if not one.get("disproven")]
        if len(self.entries) < MOST or sure > min(spare, default=1.0):
            self.add(helper, predicate, trouble, sure, f"{names[0]} {_MAY[predicate]} {names[1]}")

    def learn(self, command: Action, result: ActionResult, turn: int) -> None:
        """What trying something has shown about the hypotheses it tests."""
        predicate = _VERBS.get(command.verb)
        if predicate is None or not command.second:
            return
        for id, entry in list(self.entries.items()):
            if entry["predicate"] == predicate and self._is_about(entry, command):
                self._judge(id, entry["sure"], result, turn)

    def _is_about(self, entry: HypothesisRow, command: Action) -> bool:
        pairs = ((entry["subject"], command.second), (entry["object"], command.object))
        return all(self._names(id, name) for id, name in pairs)

    def _names(self, id: str, name: str) -> bool:
        thing = self.store.objects.get(id)
        return thing is not None and fit(name, thing) >= FITS

    def _judge(self, id: str, prior: float, result: ActionResult, turn: int) -> None:
        if result.result == "success":
            self.update(id, tested=True, confidence=_CERTAIN, evidence=f"worked in turn {turn}")
        elif result.result == "failure" and result.reason not in _NO_TEST:
            kind = "needs_tool" if result.reason == "needs_tool" else ""
            sure = posterior(prior, _CHANCE_IF_TRUE[kind], _CHANCE_IF_FALSE[kind])
            why = f"failed in turn {turn}: {result.reason}"
            self.update(id, tested=True, disproven=sure < _DISPROVEN, confidence=sure, evidence=why)


def _can_bar(entry: Mapping[str, object]) -> bool:
    return bool({"person", "creature"}.intersection(classes_of(str(entry["name"]))))


_NO_TEST = frozenset({"not_held", "not_here", "unknown_word", "unknown_verb", "dark", "posture"})
"""Failures that say nothing about whether it would work."""
