"""One turn of the world model: circumstances, things, what was needed, notes."""

from __future__ import annotations

from managers.language.actions import EVERYTHING, Action, parse
from managers.language.lexicon import classes_of
from managers.language.reading import TurnExtraction
from managers.world.data import Store, WorldData
from managers.world.learn import WorldUpdate
from managers.world.links import Links
from managers.world.objects import INVENTORY, STALE_AFTER

MOST_UNKNOWN = 200
"""How many unknown words are kept."""
_HANDLES_NOTHING = frozenset(
    {"ask", "tell", "say", "show", "talk", "take", "drop", "look", "wait", "inventory"}
)
_NO_NAMES = EVERYTHING | {"it", "them", "him", "her", "me", "myself", "around"}
_GETS_OUT = frozenset({"stand", "leave"})
_SUPPOSED = 0.6
_USES = {"attack": "weapon", "unlock": "key-like", "dig": "digger"}
"""Verb -> what a thing is that the game itself does it with."""


def learn_turn(
    store: Store, extraction: TurnExtraction, room: str, command: str, scored: int
) -> None:
    """Apply one turn: circumstances, things, what was needed for what, notes."""
    data = store.data
    before, known = data["room"], frozenset(store.objects)
    new_room = bool(room) and room not in data["scenery"]
    data["turn"], data["room"] = extraction.turn, room
    if new_room:
        data["scenery"] = {**data["scenery"], room: []}
    _circumstances(data, extraction, command)
    done = extraction.action_result.action or command
    parsed = parse(done)
    WorldUpdate(store, extraction, room, done).apply(scored)
    _burn_down(store)
    if before == room and extraction.action_result.result != "failure":
        _promote(store, parsed, room)
    if parsed.second and not parse(command).second:
        _learn_use(store, parsed, room)
    Links(store).learn(parsed, extraction, before, known, new_room)
    _note_unknown(data, extraction)
    for text in extraction.new_information:
        store.note(text)


def _burn_down(store: Store) -> None:
    """A candle that was left burning long ago is taken to be out."""
    for id, entry in store.objects.items():
        lit = entry.get("state", {}).get("lit")
        if lit and store.data["turn"] - entry["seen"] > STALE_AFTER:
            away = store.room_of(id) not in (store.data["room"], INVENTORY)
            if away and "burning-down" in classes_of(entry["name"]):
                store.set_state(id, "lit", False)


def _note_unknown(data: WorldData, extraction: TurnExtraction) -> None:
    words = {word: extraction.turn for word in extraction.unknown_words}
    if words:
        known = {**data["unknown"], **words}
        data["unknown"] = {word: known[word] for word in list(known)[-MOST_UNKNOWN:]}


def _promote(store: Store, command: Action, room: str) -> None:
    """What can be handled is a thing, even if the prose only mentioned it in passing."""
    if command.verb in _HANDLES_NOTHING or not room:
        return
    for name in (command.object, command.second):
        if not name or name in _NO_NAMES or store.find_loosely(name, room) is not None:
            continue
        kin = store.find_by_kind(name, room, held=False)
        if kin is None and store.promote(name) is None:
            store.add(name, room, "command", _SUPPOSED)


def _learn_use(store: Store, understood: Action, room: str) -> None:
    """The game has chosen what to do it with: `(with the iron bar)`."""
    tool = store.find(understood.second, room)
    if tool is not None and understood.verb in _USES:
        store.add_property(tool, _USES[understood.verb])


def _circumstances(data: WorldData, extraction: TurnExtraction, command: str) -> None:
    if extraction.room is not None:
        data["dark"], data["inside"] = int(extraction.room.dark), extraction.room.inside
    elif parse(command).verb in _GETS_OUT and extraction.action_result.result != "failure":
        data["inside"] = ""
