"""What a graph file says of nodes and edges, and where it says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from orchestrator.settings.places import EXTENDS, Places, place_of

# -- where it stands -----------------------------------------------------------


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


# -- what it says --------------------------------------------------------------


Table = dict[str, Any]
"""As TOML has it."""
GAME = "game"
"""The node that plays the command; a graph without one can only stand for a node."""
GRAPH = "graph:"
"""What a node's `use` begins with where a graph stands for the node."""
Branch = str | list[str]
"""One of several parallel branches: a node, or nodes in a row."""
Step = str | list[Branch]
"""A place in a sequence: a node, or branches that run at the same time."""


def _checked(sequence: Any) -> Any:
    """Say in one message what a sequence is, where pydantic has one for every form of it."""

    def is_branch(branch: Any) -> bool:
        names = branch if isinstance(branch, list) else [branch]
        return bool(names) and all(isinstance(name, str) for name in names)

    def is_step(step: Any) -> bool:
        return isinstance(step, str) or (
            isinstance(step, list) and bool(step) and all(map(is_branch, step))
        )

    if not isinstance(sequence, list) or not sequence or not all(map(is_step, sequence)):
        raise ValueError(
            "a sequence is a list of nodes; several that run at the same time stand in brackets, "
            'for instance ["planner", ["bold", "cautious"], "judge", "game"]'
        )
    return sequence


Sequence = Annotated[list[Step], BeforeValidator(_checked)]


def named(steps: Any) -> Iterator[str]:
    """The nodes of a sequence; none of what is no sequence."""
    if isinstance(steps, str):
        yield steps
    elif isinstance(steps, list):
        for step in steps:
            yield from named(step)


class Strict(BaseModel):
    """Unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Open(BaseModel):
    """All keys that are not declared are options of the part it names."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @property
    def options(self) -> dict[str, Any]:
        """The part's own options."""
        return dict(self.model_extra or {})


class NodeConfig(Open):
    """A node: which role it has and which part plays it."""

    use: str | None = None
    """Short name of a shipped part, `module:Class`, or `graph:FILE`; `none` leaves it out."""
    enabled: bool = True
    """False leaves it out, like `use = "none"`."""
    role: str | None = None
    """The node's own name, if nothing else is said; or `module:Class` of a role of one's own."""
    into: str | None = None
    """A list in the state that gets the answer, instead of the field that the role writes."""
    each: str | None = None
    """A list in the state: the node runs once for each of its items, all at the same time."""
    at_most: int | None = Field(default=None, ge=1)
    """So many items at most, the first ones; 8 if nothing else is said."""
    needs: tuple[str, ...] | None = None
    """Fields that a node of one's own reads, and that must have been written before."""
    writes: tuple[str, ...] | None = None
    """Fields that a node of one's own may write."""
    graph: PartGraph | None = None
    """What `graph:FILE` holds."""

    @property
    def active(self) -> bool:
        """Whether the node is in the graph at all."""
        return self.enabled and self.use != "none"


class SkillConfig(Open):
    """One capability of the agent; all other keys are its options."""

    use: str | None = None
    """A shipped skill, or `module:Class` of one of one's own; its own name if nothing is said."""
    enabled: bool = True
    """False leaves it out."""


class EdgeConfig(Open):
    """Where a node leads: a router names a label, and the label leads to a node.

    All other keys are options of the router.
    """

    router: str
    """Short name of a shipped router, or `module:function`."""
    to: dict[str, str]
    """Label -> node, or `END`."""
    at_most: int | None = Field(default=None, ge=0)
    """How often a turn may go back this way."""


class FieldConfig(Strict):
    """A field of the state besides those that every graph has."""

    type: str
    """`str`, `list[int]` and the like, or `module:Class` of a pydantic model."""
    reducer: str | None = None
    """How writes are joined, where several nodes write at once: a short name, or dotted path."""
    shown: bool = False
    """The roles see it: `briefing.shown`, and a section of the prompts."""


class InsertConfig(Open):
    """An extra node, put into a sequence that stands already."""

    use: str
    """`module:name` of a callable, or of a class whose instances are."""
    after: str | None = None
    """The node that it follows; or else `before` names the one that follows it."""
    before: str | None = None
    """The node that follows it."""
    needs: tuple[str, ...] | None = None
    """Fields that have to be written before it; its class may say so itself."""
    writes: tuple[str, ...] | None = None
    """Fields that it may write; its class may say so itself."""


def _form(edge: Any) -> str:
    return TEXT if isinstance(edge, str) else TABLE


TEXT, TABLE = "(text)", "(table)"
"""Which form an edge has; pydantic puts it into the places of faults."""
AnEdge = Annotated[
    Annotated[str, Tag(TEXT)] | Annotated[EdgeConfig, Tag(TABLE)], Discriminator(_form)
]


class PartGraph(Strict):
    """Nodes and edges: a whole graph, or one that stands for a node of another."""

    description: str = ""
    """What it is, in one line, for `zork graph list`."""
    sequence: Sequence
    """The nodes in their order; what stands in brackets runs at the same time."""
    nodes: dict[str, NodeConfig] = Field(default_factory=dict)
    """What is to be said of each node, by its name."""
    edges: dict[str, AnEdge] = Field(default_factory=dict)
    """Node -> where it leads, if that is not the next one of the sequence."""


OF_THE_GRAPH = frozenset(
    {*NodeConfig.model_fields, *InsertConfig.model_fields, "tokens", "price"}
) - {"use", "graph"}
"""Keys of a node, or of one that is inserted, that stay when another part plays it."""


def names_code(use: str | None) -> bool:
    """Whether it is a dotted path, `module:Class`."""
    return use is not None and ":" in use and not use.startswith(GRAPH)
