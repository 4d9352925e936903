"""The map of a story as every episode draws it: rooms by key, the ways between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from typing_extensions import TypedDict

from environments.figures import Number
from managers.world.mapping import MapData, empty_map, fingerprint, new_room

MOST_ROOMS = 300
_UNDESCRIBED = " #00000000"


class KnownRoom(TypedDict):
    """A room that was visited."""

    text: str
    print: Number
    exits: list[str]
    bright: bool
    """One can see in it without a light of one's own."""
    ways: dict[str, str]
    """Way -> the key of the room that it was walked to."""


Atlas = dict[str, KnownRoom]
"""Rooms by key; of twins nothing is kept."""


def room_key(title: str, text: str) -> str:
    """A room's identity in every episode: its title, and a number for how it is described."""
    return f"{title} #{fingerprint(text):08x}"


def same_room(one: str, other: str) -> bool:
    """Whether two keys are of one room; a room that was never described has nothing but a title."""
    if one and other and not (is_described(one) and is_described(other)):
        return title_of(one) == title_of(other)
    return one == other


def is_described(key: str) -> bool:
    """Whether the key holds more than a title."""
    return not key.endswith(_UNDESCRIBED)


def title_of(key: str) -> str:
    """The title in a room's key."""
    return key.rpartition(" #")[0]


def drawn(map_: MapData, keys: Mapping[str, str], bright: Collection[str]) -> Atlas:
    """The rooms that were visited; `keys` are all rooms', `bright` the ids of the bright ones."""
    visited = {id: row for id, row in map_["rooms"].items() if row["visits"] and row["print"]}
    often = Counter(keys[id] for id in visited)
    known = {id: row for id, row in visited.items() if often[keys[id]] == 1}
    atlas: Atlas = {}
    for id, row in known.items():
        edges = map_["edges"].get(id, {}).items()
        # Walked, always to the same room, and that is no twin.
        sure = {way: edge[0] for way, edge in edges if edge[1] and len(edge) == 3}
        atlas[keys[id]] = KnownRoom(
            text=row["text"],
            print=row["print"],
            exits=list(row["exits"]),
            bright=id in bright,
            ways={way: keys[to] for way, to in sure.items() if to in known},
        )
    return atlas


def both_drawn(old: Atlas, new: Atlas) -> Atlas:
    """Both; what was seen last counts, and only what was always bright is bright."""
    both = {**old, **new}
    for key in old.keys() & new.keys():
        before, now = old[key], new[key]
        bright = before["bright"] and now["bright"]
        both[key] = {**now, "bright": bright, "ways": {**before["ways"], **now["ways"]}}
    return dict(list(both.items())[:MOST_ROOMS])


def unfolded(atlas: Atlas) -> tuple[MapData, dict[str, str]]:
    """The map before the first room, none visited and no way walked; its rooms' ids by key."""
    ids = {key: f"L{number}" for number, key in enumerate(atlas, start=1)}
    map_ = empty_map()
    for key, known in atlas.items():
        text, number, exits = known["text"], known["print"], known["exits"]
        map_["rooms"][ids[key]] = new_room(title_of(key), text, number, exits)
        ways = {way: [ids[to], 0, 0] for way, to in known["ways"].items() if to in ids}
        if ways:
            map_["edges"][ids[key]] = ways
    return map_, ids
