"""What is believed but not known: which key, which weapon, and what trying it has shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from managers.text.commands import Command
from managers.text.lexicon import classes_of, words_of
from managers.world.names import FITS, fit
from managers.world.objects import GONE

if TYPE_CHECKING:
    from managers.extraction import ActionResult
    from managers.world.data import Store

MOST = 40
"""How many hypotheses are kept."""
_MOST_EVIDENCE = 3
_PRIOR = 0.3
_SAME_STUFF = 0.6
"""Prior where the names share a word: iron key, iron grate."""
_CERTAIN = 0.97
_DISPROVEN = 0.05
_CHANCE_IF_TRUE = {"needs_tool": 0.02, "": 0.5}
_CHANCE_IF_FALSE = {"needs_tool": 0.9, "": 0.8}
_VERBS = {"unlock": "unlocks", "attack": "defeats", "open": "opens"}
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


def hypothesis_from(id: str, entry: Mapping[str, Any]) -> Hypothesis:
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


def posterior(prior: float, if_true: float, if_false: float) -> float:
    """Bayes: how likely it is after an outcome that has these chances."""
    weight = prior * if_true
    return weight / (weight + (1 - prior) * if_false)


class Hypotheses:
    """Create, read, update and delete over the world's data."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @property
    def entries(self) -> dict[str, dict[str, Any]]:
        """The stored entries by id."""
        found: dict[str, dict[str, Any]] = self.store.data["hypotheses"]
        return found

    def all(self) -> list[Hypothesis]:
        """All hypotheses, the most likely first."""
        found = [hypothesis_from(id, entry) for id, entry in self.entries.items()]
        return sorted(found, key=lambda one: -one.confidence)

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
        """Create one, or add evidence to the one that says the same."""
        id = self.find(subject, predicate, object)
        if id is not None:
            return self.update(id, confidence=confidence, evidence=evidence)
        self.store.data["count"] += 1
        id = f"H{self.store.data['count']}"
        entry = {
            "subject": subject,
            "predicate": predicate,
            "object": object,
            "sure": round(confidence, 3),
            "why": [evidence] if evidence else [],
        }
        self._put(id, entry)
        self._forget_least()
        return hypothesis_from(id, entry)

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
        entry = dict(self.entries[id])
        if evidence and evidence not in entry["why"]:
            entry["why"] = [*entry["why"], evidence][-_MOST_EVIDENCE:]
        if confidence is not None and not entry.get("disproven"):
            entry["sure"] = round(confidence, 3)
        if tested:
            entry["tested"] = 1
        if disproven:
            entry.update(disproven=1, sure=0.0)
        self._put(id, entry)
        return hypothesis_from(id, entry)

    def remove(self, id: str) -> None:
        """Delete one. Raises KeyError for an unknown id."""
        self.store.data["hypotheses"] = {key: e for key, e in self.entries.items() if key != id}

    def _put(self, id: str, entry: dict[str, Any]) -> None:
        self.store.data["hypotheses"] = {**self.entries, id: entry}

    def _forget_least(self) -> None:
        """Untested and unlikely ones give way; what was disproven is knowledge."""
        spare = [(e["sure"], id) for id, e in self.entries.items() if not e.get("disproven")]
        for _, id in sorted(spare)[: max(0, len(self.entries) - MOST)]:
            self.remove(id)

    def suppose(self) -> None:
        """Bring things that may help together with things in the way."""
        objects = self.store.objects
        locks = [id for id, entry in objects.items() if entry.get("state", {}).get("locked")]
        if not locks:
            return
        keys = [
            id
            for id, entry in objects.items()
            if entry["at"] != GONE and "key-like" in classes_of(entry["name"])
        ]
        for lock in locks:
            for key in keys:
                if self.find(key, "unlocks", lock) is None:
                    self._suppose(key, lock)

    def _suppose(self, key: str, lock: str) -> None:
        names = [self.store.objects[id]["name"] for id in (key, lock)]
        shared = set(words_of(names[0])[:-1]) & set(words_of(names[1])[:-1])
        sure = _SAME_STUFF if shared else _PRIOR
        self.add(key, "unlocks", lock, sure, f"{names[0]} may fit {names[1]}")

    def learn(self, command: Command, result: ActionResult, turn: int) -> None:
        """What trying something has shown about the hypotheses it tests."""
        predicate = _VERBS.get(command.verb)
        if predicate is None or not command.second:
            return
        for id, entry in list(self.entries.items()):
            if entry["predicate"] == predicate and self._is_about(entry, command):
                self._judge(id, entry["sure"], result, turn)

    def _is_about(self, entry: Mapping[str, Any], command: Command) -> bool:
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


_NO_TEST = frozenset({"not_held", "not_here", "unknown_word", "unknown_verb", "dark", "posture"})
"""Failures that say nothing about whether it would work."""
