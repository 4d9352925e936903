"""What episodes of a story leave to later ones: distilled, merged, recalled."""

from managers.memory.distilling import FORMAT, distil, merge
from managers.memory.guide import Guide, room_key, title_of
from managers.memory.past import NO_PAST, Past
from managers.memory.quest import Quest
from managers.memory.recalling import recall

__all__ = [
    "FORMAT",
    "NO_PAST",
    "Guide",
    "Past",
    "Quest",
    "distil",
    "merge",
    "recall",
    "room_key",
    "title_of",
]
