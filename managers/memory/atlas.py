"""The map of a story as every episode draws it: rooms by key, the ways between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from managers.memory.guide import title_of
from managers.world.attempts import Attempts, AttemptsData
from managers.world.mapping import MapData, empty_map

Drawn = dict[str, dict[str, Any]]
"""`rooms`, `ways` and `walls`, each by room key."""
_MOST_ROOMS = 300
_FINAL = "no_exit"
"""The only reason for which a way is remembered as blocked: others may pass."""


def drawn(
    map_: MapData, attempts: Attempts, keys: Mapping[str, str], bright: Collection[str]
) -> Drawn:
    """The rooms that were visited, and where walked ways led; of twins nothing is kept.

    `bright` are those one can see in without a light of one's own.
    """
    visited = [id for id, room in map_["rooms"].items() if room["visits"] and room["print"]]
    often = Counter(keys[id] for id in visited)
    single = [id for id in visited if often[keys[id]] == 1]
    known = frozenset(single)
    rooms = {}
    for id in single:
        room = map_["rooms"][id]
        rooms[keys[id]] = [room["text"], room["print"], list(room["exits"]), int(id in bright)]
    ways = {
        keys[id]: {
            command: keys[edge[0]]
            for command, edge in map_["edges"].get(id, {}).items()
            if edge[1] and len(edge) == 3 and edge[0] in known
        }
        for id in single
    }
    walls = {
        keys[id]: [way for way, one in attempts.blocked(id).items() if one.reason == _FINAL]
        for id in single
    }
    return {"rooms": rooms, "ways": _filled(ways), "walls": _filled(walls)}


def joined(old: Mapping[str, Any], new: Mapping[str, Any]) -> Drawn:
    """Both; what was seen last counts, and only what was always bright is bright."""
    rooms = dict(list({**old["rooms"], **new["rooms"]}.items())[:_MOST_ROOMS])
    for key in old["rooms"].keys() & new["rooms"].keys() & rooms.keys():
        rooms[key] = [*rooms[key][:3], min(old["rooms"][key][3], new["rooms"][key][3])]
    ways, walls = {}, {}
    for key in rooms:
        ways[key] = {**old["ways"].get(key, {}), **new["ways"].get(key, {})}
        both = [*old["walls"].get(key, ()), *new["walls"].get(key, ())]
        walls[key] = [way for way in dict.fromkeys(both) if way not in ways[key]]
    return {"rooms": rooms, "ways": _filled(ways), "walls": _filled(walls)}


def unfolded(
    memory: Mapping[str, Any],
) -> tuple[MapData, AttemptsData, dict[str, str], list[str]]:
    """The map before the first room, its walls, room id -> key, and the ids of the bright rooms.

    Rooms are known and not visited, ways supposed and not walked: the game has the last word.
    """
    ids = {key: f"L{number}" for number, key in enumerate(memory["rooms"], start=1)}
    map_, attempts = empty_map(), AttemptsData()
    map_["count"] = len(ids)
    bright = [ids[key] for key, room in memory["rooms"].items() if room[3]]
    for key, (text, print_, exits, _) in memory["rooms"].items():
        map_["rooms"][ids[key]] = {
            "title": title_of(key), "text": text, "print": print_, "visits": 0, "first": 0,
            "last": 0, "exits": list(exits),
        }  # fmt: skip
        ways = memory["ways"].get(key, {})
        if ways:
            map_["edges"][ids[key]] = {
                way: [ids[to], 0, 0] for way, to in ways.items() if to in ids
            }
        for way in memory["walls"].get(key, ()):
            attempts.setdefault(ids[key], {})[way] = {"refused": 2, "since": 0, "reason": _FINAL}
    return map_, attempts, {id: key for key, id in ids.items()}, bright


def _filled(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value}
