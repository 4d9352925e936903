"""What is believed but not known: which key, which weapon, and what trying it has shown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from managers.language.actions import Action, parse
from managers.language.lexicon import classes_of, words_of
from managers.world.names import FITS, fit
from managers.world.objects import GONE, HypothesisRow, ThingRow
from managers.world.things import Things

if TYPE_CHECKING:
    from managers.language.reading import ActionResult
    from managers.world.attempts import Attempts

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
        subject, predicate, object, sure, why, tested, disproven = row
        said = (subject, predicate, object, sure)
        return cls(id, *said, tuple(why), bool(tested), bool(disproven))

    @property
    def row(self) -> HypothesisRow:
        """As it lies in the state."""
        _, *said, why, tested, disproven = self
        return [*said, [*why], int(tested), int(disproven)]


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


class Hypotheses(Things):
    """Things, and what is supposed of them: created, read, updated, deleted."""

    _ranked: tuple[dict[str, HypothesisRow], list[Hypothesis]] = ({}, [])

    def hypotheses(self) -> list[Hypothesis]:
        """All hypotheses, the most likely first."""
        rows = self.data["hypotheses"]
        if self._ranked[0] is not rows:
            found = [Hypothesis.of(id, row) for id, row in rows.items()]
            self._ranked = (rows, sorted(found, key=lambda one: -one.confidence))
        return list(self._ranked[1])

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
        predicate = self._plain(predicate, subject)
        for one in self.hypotheses():
            if one[1:4] == (subject, predicate, object):
                return self.update_hypothesis(one.id, confidence=confidence, evidence=evidence)
        self.data["count"] += 1
        id, why = f"H{self.data['count']}", (evidence,) if evidence else ()
        idea = Hypothesis(id, subject, predicate, object, round(confidence, 3), why)
        self._keep(idea)
        # Untested and unlikely ones give way; what was disproven is knowledge.
        spare = sorted((one.confidence, one.id) for one in self.hypotheses() if not one.disproven)
        for _, least in spare[: max(0, len(self.data["hypotheses"]) - MOST)]:
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
        idea = Hypothesis.of(id, self.data["hypotheses"][id])
        if evidence and evidence not in idea.evidence:
            idea = idea._replace(evidence=(*idea.evidence, evidence)[-_MOST_EVIDENCE:])
        if confidence is not None:
            idea = idea._replace(confidence=round(confidence, 3))
        disproven = disproven or idea.disproven
        idea = idea._replace(tested=tested or idea.tested, disproven=disproven)
        return self._keep(idea._replace(confidence=0.0) if disproven else idea)

    def remove_hypothesis(self, id: str) -> None:
        """Forget one."""
        rows = self.data["hypotheses"]
        self.data["hypotheses"] = {key: row for key, row in rows.items() if key != id}

    def _keep(self, idea: Hypothesis) -> Hypothesis:
        self.data["hypotheses"] = {**self.data["hypotheses"], idea.id: idea.row}
        return idea

    def _plain(self, predicate: str, subject: str) -> str:
        """The word for it here; what opens a lock is a key, what opens a lid may be a tool."""
        known = predicate_of(predicate)
        name = self.rows[subject]["name"] if subject in self.rows else subject
        return "unlocks" if known == "opens" and "key-like" in classes_of(name) else known

    def rethink(self, command: Action, result: ActionResult, turn: int, attempts: Attempts) -> None:
        """Judge by what trying something has shown, forget what is over, suppose what may help."""
        predicate = _VERBS.get(command.verb) if command.second else None
        for idea in self.hypotheses() if predicate else ():
            about = (idea.subject, command.second), (idea.object, command.object)
            if idea.predicate == predicate and all(self._names(*pair) for pair in about):
                self._judge(idea, result, turn)
        for idea in self.hypotheses():
            if not idea.tested and self._is_moot(idea):
                self.remove_hypothesis(idea.id)
        self._suppose(attempts)

    def _names(self, id: str, name: str) -> bool:
        return id in self.rows and fit(name, self.rows[id]) >= FITS

    def _judge(self, idea: Hypothesis, result: ActionResult, turn: int) -> None:
        if result.result == "success":
            why = f"worked in turn {turn}"
            self.update_hypothesis(idea.id, tested=True, confidence=_CERTAIN, evidence=why)
        elif result.result == "failure" and result.reason not in _NO_TEST:
            kind = "needs_tool" if result.reason == "needs_tool" else ""
            sure = posterior(idea.confidence, _CHANCE_IF_TRUE[kind], _CHANCE_IF_FALSE[kind])
            self.update_hypothesis(
                idea.id,
                tested=True,
                disproven=sure < _DISPROVEN,
                confidence=sure,
                evidence=f"failed in turn {turn}: {result.reason}",
            )

    def _is_moot(self, idea: Hypothesis) -> bool:
        """Nothing hangs on it any more: something is used up, or open without."""
        both = [self.rows[id] for id in (idea.subject, idea.object) if id in self.rows]
        unlocked = idea.object in self.rows and (
            self.rows[idea.object].get("state", {}).get("locked") is False
        )
        return any(row["at"] == GONE for row in both) or (idea.predicate == "unlocks" and unlocked)

    def _suppose(self, attempts: Attempts) -> None:
        """Bring things that may help together with things in the way."""
        known = {one[1:4] for one in self.hypotheses()}
        for predicate, troubles in self._troubles(attempts).items():
            kind = HELP[predicate].kind
            helpers = [id for id in self.rows if self._may_be(id, kind)] if troubles else ()
            for trouble in troubles:
                for helper in helpers:
                    if helper != trouble and (helper, predicate, trouble) not in known:
                        self._propose(helper, predicate, trouble)

    def _may_be(self, id: str, kind: str) -> bool:
        row = self.rows[id]
        return row["at"] != GONE and kind in classes_of(row["name"])

    def _troubles(self, attempts: Attempts) -> dict[str, list[str]]:
        """The ids of what is in the way, by the predicate of what would help."""
        locks = [id for id, row in self.rows.items() if row.get("state", {}).get("locked")]
        failed = attempts.failures("needs_tool")
        stuck = [self.find(parse(one.command).object, one.location) for one in failed]
        barred = {one.location for one in attempts.failures("blocked")}
        guards = [id for id, row in self.rows.items() if row["at"] in barred and _can_bar(row)]
        return {"unlocks": locks, "opens": [*dict.fromkeys(filter(None, stuck))], "defeats": guards}

    def _propose(self, helper: str, predicate: str, trouble: str) -> None:
        names = [self.rows[id]["name"] for id in (helper, trouble)]
        shared = set(words_of(names[0])[:-1]) & set(words_of(names[1])[:-1])
        sure = _SAME_STUFF if shared else SUPPOSED
        spare = [one.confidence for one in self.hypotheses() if not one.disproven]
        if len(self.data["hypotheses"]) < MOST or sure > min(spare, default=1.0):
            evidence = f"{names[0]} {HELP[predicate].said} {names[1]}"
            self.add_hypothesis(helper, predicate, trouble, sure, evidence)


def _can_bar(row: ThingRow) -> bool:
    return not {"person", "creature"}.isdisjoint(classes_of(row["name"]))
