"""The world model as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from environments.game import Observation, ValidAction
from managers.language.actions import parse
from managers.language.lexicon import words_of
from managers.language.outcomes import change_in, item_replies, kind_of, refusal_in
from managers.language.reading import SURE, ActionResult, StateChange, TurnExtraction
from managers.world.apply import learn_turn
from managers.world.attempts import Attempts, FailedAction
from managers.world.data import Store, WorldData, empty_world, relevant_state
from managers.world.hypotheses import Hypotheses, Hypothesis
from managers.world.learn import WorldUpdate
from managers.world.objects import GONE, INVENTORY, STALE_AFTER, UNKNOWN, GameObject


class World:
    """Things with place and state, what was tried with them, and what is supposed of them."""

    def __init__(self, store: Store, attempts: Attempts | None = None) -> None:
        self.data = store.data
        """Plain data: what goes into the graph state."""
        self.store = store
        self.attempts = attempts or Attempts()
        """What was tried where."""
        self._failures: dict[tuple[str, str], FailedAction | None] = {}
        self._ideas = Hypotheses(self.store)

    @classmethod
    def empty(cls) -> Self:
        """The world before the first word of the story."""
        return cls(Store(empty_world()))

    @classmethod
    def from_state(cls, data: WorldData, attempts: Attempts | None = None) -> Self:
        """A view that leaves the given data as they are, whatever is applied to it."""
        return cls(Store(data), attempts).copy()

    def copy(self) -> Self:
        """A view to apply a turn to; what was looked up before is not made again."""
        return type(self)(self.store.copy(), self.attempts)

    def apply(
        self,
        extraction: TurnExtraction,
        observation: Observation,
        room: str,
        *,
        command: str,
        scored: int = 0,
    ) -> None:
        """Learn from one turn, after the map has.

        `room` is the map's `here`, `command` what was played (empty at the opening),
        `scored` by how much the score changed.
        """
        self._failures.clear()
        learn_turn(self.store, extraction, room, command, scored)
        if observation.actions is not None:
            self.data["offered"] = {
                one.command: [
                    one.points,
                    kind_of(one.reply, parse(one.command)),
                    len(one.reply.split()),
                ]
                for one in observation.actions
                if one.points > 0 or _is_harmless(one)
            }

    def move(self, name: str, place: str) -> None:
        """Put a thing where somebody has read that it is: `inventory`, `here` or `gone`."""
        moved = StateChange(object=name, property="location", new_value=place, confidence=SURE)
        unsaid = ActionResult(action="", result="unknown")
        said = TurnExtraction(turn=self.data["turn"], state_changes=(moved,), action_result=unsaid)
        WorldUpdate(self.store, said, self.room, "").apply(0)

    def reconsider(self, extraction: TurnExtraction, command: str, attempts: Attempts) -> None:
        """Judge and make hypotheses by what was tried by now, this turn included."""
        self.attempts = attempts
        self._failures.clear()
        done = parse(extraction.action_result.action or command)
        self._ideas.learn(done, extraction.action_result, extraction.turn)
        for id in self._ideas.moot():
            self.remove_hypothesis(id)
        self._ideas.suppose(attempts)

    def state_for(self, command: str, room: str) -> str:
        """What the outcome of a command in a room may hang on, as a fingerprint."""
        return relevant_state(self.store, command, room)

    # -- things ---------------------------------------------------------------

    def objects(self) -> list[GameObject]:
        """All things known, in the order they were met."""
        return self.store.values()

    def get(self, id: str) -> GameObject | None:
        """The thing with this id."""
        return self.store.value(id) if id in self.data["objects"] else None

    def resolve(self, name: str, room: str | None = None) -> GameObject | None:
        """The thing a phrase means: within reach of `room` first, then anywhere."""
        if name in self.data["objects"]:
            return self.get(name)
        found = self.store.find_loosely(name.lower(), room or self.data["room"])
        return self.get(found) if found else None

    def called(self, thing: GameObject) -> str:
        """What to call a thing in a command: its noun, or its name if others share the noun."""
        return thing.noun if self.store.nouns()[thing.noun] < 2 else thing.name

    def inventory(self) -> list[GameObject]:
        """What the player carries, without what is inside of carried things."""
        return self._objects(self.store.children(INVENTORY))

    def holders_of(self, id: str) -> list[GameObject]:
        """The things around a thing, the nearest first."""
        found: list[str] = []
        at = self.data["objects"][id]["at"]
        while at in self.data["objects"] and len(found) < 8:
            found.append(at)
            at = self.data["objects"][at]["at"]
        return self._objects(found)

    def at(self, room: str, *, visible_only: bool = True) -> list[GameObject]:
        """The things in a room, with what lies in or on others there.

        What is in closed things is left out if `visible_only`.
        """
        found: list[str] = []
        queue = self.store.children(room)
        while queue:
            id = queue.pop(0)
            found.append(id)
            closed = self.data["objects"][id].get("state", {}).get("open") is False
            if not (closed and visible_only):
                queue.extend(self.store.children(id))
        return self._objects(found)

    def scenery(self, room: str) -> list[str]:
        """Names of what the room's prose mentions in passing."""
        return list(self.data["scenery"].get(room, ()))

    def location_of(self, id: str) -> str:
        """A thing's room or `inventory`; empty where it is gone or not known."""
        place = self.store.room_of(id)
        return "" if place in (GONE, UNKNOWN) else place

    def is_stale(self, thing: GameObject) -> bool:
        """It was last seen long ago, somewhere else."""
        elsewhere = self.location_of(thing.id) not in (INVENTORY, self.room)
        return bool(elsewhere and self.data["turn"] - thing.last_seen_turn > STALE_AFTER)

    def get_objects_with_property(self, prop: str) -> list[GameObject]:
        """All things that are known or by their name supposed to be something."""
        return [thing for thing in self.objects() if thing.has(prop)]

    def get_objects_matching(self, text: str) -> list[GameObject]:
        """The things whose noun or full name a text mentions."""
        words = _words(text)
        return [thing for thing in self.objects() if thing.noun in words]

    def _objects(self, ids: list[str]) -> list[GameObject]:
        return [self.store.value(id) for id in ids]

    # -- circumstances --------------------------------------------------------

    @property
    def room(self) -> str:
        """The room the player is in, as the map calls it."""
        return str(self.data["room"])

    @property
    def dark(self) -> bool:
        """It is too dark to see."""
        return bool(self.data["dark"])

    @property
    def inside(self) -> str:
        """The vehicle or furniture the player is in; empty on one's own feet."""
        return str(self.data["inside"])

    def is_unknown(self, word: str) -> bool:
        """The game said it does not know this word."""
        return word.lower() in self.data["unknown"]

    def notes(self) -> list[tuple[int, str, str]]:
        """Turn, room and text of the last sentences that no rule understood."""
        return [(int(turn), str(room), str(text)) for turn, room, text in self.data["notes"]]

    def note(self, text: str) -> None:
        """Keep a sentence among the notes; the oldest gives way."""
        self.store.note(text)

    def links(self) -> dict[str, list[str]]:
        """What has turned out to need what: id of a thing or room -> ids it needed."""
        return dict(self.data["links"])

    # -- failures -------------------------------------------------------------

    def failed(self, command: str, room: str) -> FailedAction | None:
        """The failure of a command in a room, if everything relevant is as it was then."""
        key = (command, room)
        if key not in self._failures:
            self._failures[key] = self._counting(command, room)
        return self._failures[key]

    def _counting(self, command: str, room: str) -> FailedAction | None:
        failure = self.attempts.failure(room, command)
        if failure is None:
            return None
        state = relevant_state(self.store, command, room)
        return failure if failure.still_counts(state, self.data["turn"]) else None

    def failures_at(self, room: str) -> list[FailedAction]:
        """What did not work in a room, oldest first."""
        return self.attempts.failures_at(room)

    def needs_tool(self, thing: GameObject) -> bool:
        """The game said that it takes a tool to open or move it, and nothing has changed since."""
        return bool(self.failures_with(thing, reason="needs_tool"))

    def failures_with(
        self, thing: GameObject, verb: str = "", *, reason: str = ""
    ) -> list[FailedAction]:
        """What failed with a thing where it is, by whatever name, and would fail again."""
        room = self.location_of(thing.id)
        room = self.room if room == INVENTORY else room
        found = []
        for one in self.attempts.failures_at(room):
            tried = parse(one.command)
            if verb not in ("", tried.verb) or reason not in ("", one.reason):
                continue
            failure = self.failed(one.command, room)
            if failure is not None and self.resolve(tried.object, room) == thing:
                found.append(failure)
        return found

    def get_failed_actions_matching(self, text: str, most: int | None = None) -> list[FailedAction]:
        """Failures of commands that share a thing with a text, oldest first."""
        return self.attempts.failures_about(text, most)

    # -- hypotheses and goals -------------------------------------------------

    def hypotheses(self) -> list[Hypothesis]:
        """All hypotheses, the most likely first."""
        return self._ideas.all()

    def hypothesis(self, id: str) -> Hypothesis | None:
        """The one with this id, `H<n>`."""
        return next((idea for idea in self.hypotheses() if idea.id == id), None)

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
        """Record a hypothesis, or more evidence for one that is known."""
        return self._ideas.add(subject, predicate, object, confidence, evidence)

    def update_hypothesis(
        self,
        id: str,
        *,
        tested: bool | None = None,
        disproven: bool | None = None,
        confidence: float | None = None,
        evidence: str = "",
    ) -> Hypothesis:
        """Change a hypothesis. Raises KeyError for an unknown id."""
        return self._ideas.update(
            id, tested=tested, disproven=disproven, confidence=confidence, evidence=evidence
        )

    def remove_hypothesis(self, id: str) -> None:
        """Forget a hypothesis. Raises KeyError for an unknown id."""
        self._ideas.remove(id)


def _is_harmless(action: ValidAction) -> bool:
    """It neither costs anything nor is refused, of each thing, for all that it changes."""
    if action.ended or action.points:
        return False
    each = [said for _, said in item_replies(action.reply, "all")]
    return any(map(change_in, each)) if each else not refusal_in(action.reply)


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text))
