"""To be told of every turn: `python examples/gallery/watch_rooms.py`.

A watcher gets the state before and after a turn, with all that the agent knows.
"""

from orchestrator import play
from orchestrator.events import TurnPlayed

rooms = {}


def note_room(event):
    if isinstance(event, TurnPlayed):
        here = event.after["map"]["here"]
        rooms.setdefault(here, event.after["turn"])


play("hollow", seed=7, steps=40, watchers=[note_room])
for room, turn in rooms.items():
    print(f"{room} first seen in turn {turn}")
