"""The map: rooms, passages between them, and what has not been tried."""

from managers.map.values import Blocked, Exit, Passage, Room
from managers.map.view import Map

__all__ = ["Blocked", "Exit", "Map", "Passage", "Room"]
