"""What episodes of a story leave to later ones: distilled, merged, recalled."""

from managers.memory.distilling import FORMAT, distil, merge
from managers.memory.guide import Guide, room_key, title_of
from managers.memory.past import Past
from managers.memory.recalling import recall

__all__ = ["FORMAT", "Guide", "Past", "distil", "merge", "recall", "room_key", "title_of"]
