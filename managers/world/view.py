"""The world model as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from environments.game import Observation, ValidAction
from managers.language.actions import EVERYTHING, Action, direction_of, parse
from managers.language.lexicon import classes_of, words_of
from managers.language.outcomes import change_in, item_replies, refusal_in
from managers.language.reading import SURE, ActionResult, StateChange, TurnExtraction
from managers.world.attempts import FailedAction
from managers.world.hypotheses import Hypotheses
from managers.world.learn import WorldUpdate
from managers.world.objects import INVENTORY, STALE_AFTER, GameObject

_MOST_UNKNOWN_WORDS = 200
_HANDLES_NOTHING = frozenset("ask tell say show talk take drop look wait inventory".split())
_NO_NAMES = EVERYTHING | {"it", "them", "him", "her", "me", "myself", "around"}
_GETS_OUT = frozenset({"stand", "leave"})
_SUPPOSED = 0.6
_SURE_REFUSAL = 0.6
"""From this confidence on a refusal counts until something changes."""
_UNSURE_FOR = 40
"""Turns for which a less sure one counts."""


class World(Hypotheses):
    """Things with place and state, what was tried with them, and what is supposed of them."""

    @property
    def dark(self) -> bool:
        """It is too dark to see."""
        return bool(self.data["dark"])

    @property
    def inside(self) -> str:
        """The vehicle or furniture the player is in; empty on one's own feet."""
        return self.data["inside"]

    # -- learning ---------------------------------------------------------------

    def apply(
        self,
        extraction: TurnExtraction,
        observation: Observation,
        room: str,
        *,
        command: str,
    ) -> None:
        """Learn from one turn, after the map has; `room` is where that says one is now."""
        before, failed = self.room, extraction.action_result.result == "failure"
        new_room = bool(room) and room not in self.data["scenery"]
        self.data["turn"], self.data["room"] = extraction.turn, room
        if new_room:
            self.data["scenery"] = {**self.data["scenery"], room: []}
        if extraction.room is not None:
            self.data["dark"] = int(extraction.room.dark)
            self.data["inside"] = extraction.room.inside
        elif parse(command).verb in _GETS_OUT and not failed:
            self.data["inside"] = ""
        done = parse(extraction.action_result.action or command)
        update = WorldUpdate(self, extraction, room, done)
        update.apply()
        self._burn_down()
        if before == room and not failed:
            self._handle(done)
        update.find_needs(before, new_room=new_room)
        heard = dict.fromkeys(extraction.unknown_words, extraction.turn)
        unknown = [*{**self.data["unknown"], **heard}.items()]
        self.data["unknown"] = dict(unknown[-_MOST_UNKNOWN_WORDS:])
        for text in extraction.new_information:
            self.note(text)
        if observation.actions is not None:
            self.data["offered"] = {
                one.command: [one.points, len(one.reply.split())]
                for one in observation.actions
                if one.points > 0 or _is_harmless(one)
            }

    def move(self, name: str, place: str) -> None:
        """Put a thing where somebody has read that it is: `inventory`, `here` or `gone`."""
        if not words_of(name):
            return
        moved = StateChange(object=name, property="location", new_value=place, confidence=SURE)
        unsaid = ActionResult(action="", result="unknown")
        said = TurnExtraction(turn=self.data["turn"], state_changes=(moved,), action_result=unsaid)
        WorldUpdate(self, said, self.room, parse("")).apply()

    def _burn_down(self) -> None:
        """No light burns where one sees nothing, nor a candle that was left burning long ago."""
        for id, row in self.rows.items():
            burning = [key for key in ("lit", "on") if row.get("state", {}).get(key)]
            if not burning:
                continue
            kinds, near = classes_of(row["name"]), self.room_of(id) in (self.room, INVENTORY)
            if near:
                out = self.dark and "light-source" in kinds
            else:
                out = "burning-down" in kinds and self.data["turn"] - row["seen"] > STALE_AFTER
            for key in burning if out else ():
                self.set_state(id, key, False)

    def _handle(self, command: Action) -> None:
        """What can be handled is a thing, even if the prose only mentioned it in passing."""
        if command.verb in _HANDLES_NOTHING or not self.room:
            return
        for name in (command.object, command.second):
            if not name or name.isdecimal() or name in _NO_NAMES:
                continue
            if self.find(name, self.room, gone=True) is not None:
                continue
            if self.find_akin(name, self.room) is None and self.promote(name) is None:
                self.add(name, self.room, "command", _SUPPOSED)

    # -- failures ---------------------------------------------------------------

    def failed(self, command: str, room: str) -> FailedAction | None:
        """The failure of a command in a room, if everything relevant is as it was then."""
        key = (command, room)
        if key not in self._failures:
            found = self.attempts.failure(room, command)
            if found and not found.for_good:
                unsure = found.confidence < _SURE_REFUSAL
                outdated = unsure and self.data["turn"] - found.turn > _UNSURE_FOR
                if outdated or found.state != self.state_for(command, room):
                    found = None
            self._failures[key] = found
        return self._failures[key]

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
            if verb in ("", tried.verb) and reason in ("", one.reason):
                failure = self.failed(one.command, room)
                if failure is not None and self.meant(tried.object, room) == thing:
                    found.append(failure)
        return found

    def get_failed_actions_matching(self, text: str, room: str = "") -> list[FailedAction]:
        """Failures of commands that share a noun with a text, of one room or all, oldest first."""
        words, attempts = frozenset(words_of(text)), self.attempts
        failed = attempts.failures_at(room) if room else attempts.failures()
        found = [one for one in failed if not words.isdisjoint(one.nouns)]
        return sorted(found, key=lambda one: (one.turn, one.location, one.command))

    def state_for(self, command: str, room: str) -> str:
        """What the outcome of a command may hang on, as a fingerprint.

        Light, posture, place and state of its things; for a direction of whatever may bar a way.
        """
        action = parse(command)
        names = [name for name in (action.object, action.second) if name]
        ids = [id for name in names if (id := self.find(name, room))]
        for id in self.children(room) if direction_of(command) else ():
            kinds = classes_of(self.rows[id]["name"])
            # Doors, guards and lids may, but not what only holds things.
            if "state" in self.rows[id] and ("door" in kinds or "container" not in kinds):
                ids.append(id)
        parts = ["dark" if self.dark else "", self.inside]
        for id in ids:
            row = self.rows[id]
            place = "held" if self.room_of(id) == INVENTORY else row["at"]
            states = [f"{key}{int(value)}" for key, value in sorted(row.get("state", {}).items())]
            parts.append(f"{id}@{place}:{','.join(states)}")
        return "|".join(parts)


def _is_harmless(action: ValidAction) -> bool:
    """It neither costs anything nor is refused, of each thing, for all that it changes."""
    if action.ended or action.points:
        return False
    each = [said for _, said in item_replies(action.reply, "all")]
    return any(map(change_in, each)) if each else not refusal_in(action.reply)
