"""Which key of which file a message is about."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.settings.places import EXTENDS, Places, place_of


@dataclass(frozen=True)
class Where:
    """The files of a graph, and the key under which a part of it stands."""

    places: Places = field(default_factory=dict)
    prefix: tuple[str, ...] = ()

    def __call__(self, *key: str) -> str:
        """`my.toml:7: nodes.critic.use`, with the file only where the key is in one."""
        whole = (*self.prefix, *key)
        return place_of(self.places, *whole) + ".".join(whole)

    def text(self, *key: str) -> str:
        """The same without the last part of the key, which is a text within a value."""
        whole = (*self.prefix, *key)
        return place_of(self.places, *whole) + ".".join(whole[:-1])

    def file(self, *key: str) -> str:
        """The file that a key is in; empty where it is in none."""
        return place_of(self.places, *self.prefix, *key).rpartition(":")[0].rpartition(":")[0]

    def is_taken_over(self, *key: str) -> bool:
        """Whether a key stands in a file that the graph's own extends."""
        return EXTENDS in place_of(self.places, *self.prefix, *key)

    def within(self, *key: str) -> Where:
        """The same files, for a graph that stands for a node."""
        return Where(self.places, (*self.prefix, *key))
