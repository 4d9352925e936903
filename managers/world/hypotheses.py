"""What is believed but not known: which key, which weapon, and what trying it has shown."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from managers.language.actions import Action, parse
from managers.language.lexicon import classes_of, words_of
from managers.language.reading import TurnExtraction
from managers.world.attempts import Attempts
from managers.world.objects import GONE, HypothesisRow
from managers.world.things import FITS, Things, fit

_MOST_HYPOTHESES = 40
_MOST_EVIDENCE = 3
SUPPOSED = 0.3
"""Confidence of a hypothesis for which only the kinds of things speak."""
_SAME_STUFF = 0.6
"""Prior where the names share a word: iron key, iron grate."""
_CERTAIN = 0.97
_DISPROVEN = 0.05
_FAILING = {"needs_tool": (0.02, 0.9)}
_FAILING_OTHERWISE = (0.5, 0.8)
"""The chances to fail for a reason: if the hypothesis is true, and if it is false."""
_NO_TEST = frozenset({"not_held", "not_here", "unknown_word", "unknown_verb", "dark", "posture"})
"""Failures that say nothing about whether it would work."""
_VERBS = {"unlock": "unlocks", "attack": "defeats", "open": "opens"}
_PREDICATES = {
    **_VERBS,
    **dict.fromkeys("fit fits".split(), "unlocks"),
    **dict.fromkeys("force forces pry pries prise prises".split(), "opens"),
    **dict.fromkeys("defeat beat overcome overpower harm hurt wound".split(), "defeats"),
}
_OTHERWISE = frozenset("not no never cannot can't doesn't won't by".split())
"""Words that turn a predicate round."""


class Help(NamedTuple):
    """What a predicate says of two things."""

    kind: str
    """What helps is of this kind."""
    said: str
    command: str
    """What to do to the trouble with what may help."""


HELP = {
    "unlocks": Help("key-like", "may fit", "unlock {} with {}"),
    "opens": Help("tool", "may force", "open {} with {}"),
    "defeats": Help("weapon", "may help against", "attack {} with {}"),
}


class Hypothesis(NamedTuple):
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

    @classmethod
    def of(cls, id: str, row: HypothesisRow) -> Hypothesis:
        """The value of a row."""
        subject, predicate, object, sure, why, *tests = row
        return cls(id, subject, predicate, object, sure, tuple(why), *map(bool, tests))

    @property
    def row(self) -> HypothesisRow:
        """As it lies in the state."""
        return [*self[1:5], [*self.evidence], int(self.tested), int(self.disproven)]


@lru_cache(maxsize=256)
def predicate_of(words: str) -> str:
    """What may help is said in three words: `kills`, `can beat` -> `defeats`; others stay."""
    said = words_of(words)
    for word in said if _OTHERWISE.isdisjoint(said) else ():
        for form in (word, word.removesuffix("s"), word.removesuffix("es")):
            if found := _PREDICATES.get(form) or _PREDICATES.get(parse(form).verb):
                return found
    return " ".join(said)


def posterior(prior: float, if_true: float, if_false: float) -> float:
    """Bayes: how likely it is after an outcome that has these chances."""
    weight = prior * if_true
    return weight / (weight + (1 - prior) * if_false)


class Hypotheses(Things):
    """Things, and what is supposed of them: created, read, updated, deleted."""

    _ranked: tuple[dict[str, HypothesisRow], list[Hypothesis]] = ({}, [])

    def hypotheses(self) -> list[Hypothesis]:
        """All hypotheses, the most likely first."""
        rows = self.data["hypotheses"]
        if self._ranked[0] is not rows:
            found = [Hypothesis.of(id, row) for id, row in rows.items()]
            self._ranked = (rows, sorted(found, key=lambda one: -one.confidence))
        return self._ranked[1]

    def hypothesis(self, id: str) -> Hypothesis | None:
        """The one with this id, `H<n>`."""
        row = self.data["hypotheses"].get(id)
        return Hypothesis.of(id, row) if row else None

    def hypotheses_about(self, id: str, *, predicate: str = "") -> list[Hypothesis]:
        """Those that involve a thing, by its id."""
        about = [idea for idea in self.hypotheses() if id in (idea.subject, idea.object)]
        return [idea for idea in about if predicate in ("", idea.predicate)]

    def get_hypotheses_matching(self, text: str) -> list[Hypothesis]:
        """Hypotheses that involve a thing a text mentions."""
        ids = {thing.id for thing in self.get_objects_matching(text)}
        return [idea for idea in self.hypotheses() if ids & {idea.subject, idea.object}]

    def add_hypothesis(
        self, subject: str, predicate: str, object: str, confidence: float, evidence: str
    ) -> Hypothesis:
        """Create one, or add evidence to the one that says the same, in whatever words."""
        predicate = predicate_of(predicate)
        name = self.rows[subject]["name"] if subject in self.rows else subject
        if predicate == "opens" and "key-like" in classes_of(name):
            predicate = "unlocks"
        for one in self.hypotheses():
            if one[1:4] == (subject, predicate, object):
                return self.update_hypothesis(one.id, confidence=confidence, evidence=evidence)
        self.data["count"] += 1
        id, why = f"H{self.data['count']}", (evidence,) if evidence else ()
        idea = Hypothesis(id, subject, predicate, object, round(confidence, 3), why)
        self.data["hypotheses"] = {**self.data["hypotheses"], id: idea.row}
        # The least likely give way; of those disproven, which are knowledge, the oldest.
        ideas = sorted(self.hypotheses(), key=lambda one: one.confidence)
        for disproven in (True, False):
            alike = [one.id for one in ideas if one.disproven == disproven]
            for least in alike[: max(0, len(alike) - _MOST_HYPOTHESES)]:
                self.remove_hypothesis(least)
        return idea

    def update_hypothesis(
        self,
        id: str,
        *,
        tested: bool = False,
        disproven: bool = False,
        confidence: float | None = None,
        evidence: str = "",
    ) -> Hypothesis:
        """Change one; what is disproven stays so. Raises KeyError for an unknown id."""
        rows = self.data["hypotheses"]
        idea = Hypothesis.of(id, rows[id])
        if evidence and evidence not in idea.evidence:
            idea = idea._replace(evidence=(*idea.evidence, evidence)[-_MOST_EVIDENCE:])
        over = disproven or idea.disproven
        sure = idea.confidence if confidence is None else round(confidence, 3)
        sure = 0.0 if over else sure
        idea = idea._replace(confidence=sure, tested=tested or idea.tested, disproven=over)
        self.data["hypotheses"] = {**rows, id: idea.row}
        return idea

    def remove_hypothesis(self, id: str) -> None:
        """Forget one."""
        rows = self.data["hypotheses"]
        self.data["hypotheses"] = {key: row for key, row in rows.items() if key != id}

    def rethink(self, extraction: TurnExtraction, command: str, attempts: Attempts) -> None:
        """Judge by what was tried by now, forget what is over, suppose what may help."""
        self.attempts, self._failures = attempts, {}
        self._judge(parse(extraction.action_result.action or command), extraction)
        for idea in self.hypotheses():
            both = [thing for id in (idea.subject, idea.object) if (thing := self.get(id))]
            unlocked = any(one.id == idea.object and one.is_("locked") is False for one in both)
            over = any(one.location == GONE for one in both)
            if not idea.tested and (over or (idea.predicate == "unlocks" and unlocked)):
                self.remove_hypothesis(idea.id)
        self._suppose()

    def _judge(self, tried: Action, extraction: TurnExtraction) -> None:
        """Learn from a command that has put hypotheses to the test."""
        result, reason = extraction.action_result.result, extraction.action_result.reason
        worked, rows, turn = result == "success", self.rows, extraction.turn
        if not worked and (result != "failure" or reason in _NO_TEST):
            return
        why = f"worked in turn {turn}" if worked else f"failed in turn {turn}: {reason}"
        for idea in self.hypotheses() if tried.second else ():
            about = (idea.subject, tried.second), (idea.object, tried.object)
            named = all(id in rows and fit(name, rows[id]) >= FITS for id, name in about)
            if named and idea.predicate == _VERBS.get(tried.verb):
                chances = _FAILING.get(reason, _FAILING_OTHERWISE)
                sure = _CERTAIN if worked else posterior(idea.confidence, *chances)
                over = sure < _DISPROVEN
                self.update_hypothesis(
                    idea.id, tested=True, disproven=over, confidence=sure, evidence=why
                )

    def _suppose(self) -> None:
        """Bring things that may help together with things in the way."""
        failed = self.attempts.failures("needs_tool")
        stuck = [self.find(parse(one.command).object, one.location) for one in failed]
        barred = {one.location for one in self.attempts.failures("blocked")}
        troubles = {
            "unlocks": [id for id, row in self.rows.items() if row.get("state", {}).get("locked")],
            "opens": [*dict.fromkeys(filter(None, stuck))],
            "defeats": [
                id for id in self._of_kind("person", "creature") if self.rows[id]["at"] in barred
            ],
        }
        known = {one[1:4] for one in self.hypotheses()}
        for predicate, ids in troubles.items():
            helpers = self._of_kind(HELP[predicate].kind) if ids else []
            for trouble, helper in product(ids, helpers):
                if helper == trouble or (helper, predicate, trouble) in known:
                    continue
                names = [self.rows[id]["name"] for id in (helper, trouble)]
                shared = set(words_of(names[0])[:-1]) & set(words_of(names[1])[:-1])
                sure = _SAME_STUFF if shared else SUPPOSED
                spare = [one.confidence for one in self.hypotheses() if not one.disproven]
                if len(spare) < _MOST_HYPOTHESES or sure > min(spare):
                    why = f"{names[0]} {HELP[predicate].said} {names[1]}"
                    self.add_hypothesis(helper, predicate, trouble, sure, why)

    def _of_kind(self, *kinds: str) -> list[str]:
        """The ids of what is still there and by its name of one of some kinds."""
        rows = [(id, row["name"]) for id, row in self.rows.items() if row["at"] != GONE]
        return [id for id, name in rows if not set(kinds).isdisjoint(classes_of(name))]
