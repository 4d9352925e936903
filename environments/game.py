"""The contract between a game and everybody else: what is asked and what comes back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from types import TracebackType
from typing import Annotated, Literal, NamedTuple, Protocol, Self

from pydantic import AfterValidator, BaseModel, ConfigDict

from environments.plain_text import spaced


class Access(StrEnum):
    """A help the agent may be granted by the emulator; every run declares its set."""

    TEXT = "text"
    """What a human sees: the text, and room, score and moves where a status line shows them."""
    WORDS = "words"
    """The story's own dictionary: which words its parser knows, and which can name a thing."""
    TREE = "tree"
    """Room, inventory and visible objects from the object tree."""
    ACTIONS = "actions"
    """A list of commands that were tried in the emulator and rolled back."""


class GameError(RuntimeError):
    """The story or the emulator cannot be used as asked; the message says why."""


class AccessError(GameError):
    """A fact was asked for that the declared access does not grant."""


class Value(BaseModel):
    """A small immutable value that lives in the graph state."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Thing(Value):
    """An object of the story's object tree."""

    id: int
    name: str


class Facts(Value):
    """What the object tree says (access `tree`)."""

    room: Thing | None
    place: Thing | None = None
    """What the protagonist is directly in: the room, or a vehicle or piece of furniture in it."""
    inventory: tuple[Thing, ...] = ()
    visible: tuple[Thing, ...] = ()
    """What is in the room, also inside other things."""
    digest: str = ""
    """Equal where all things are in the same places and states, but for those that roam."""


class Words(Value):
    """What the story's dictionary says (access `words`)."""

    nouns: tuple[str, ...] = ()
    """The words of the reply that can name a thing, in order."""
    adjectives: tuple[str, ...] = ()
    """Those that can stand before one."""
    known: tuple[str, ...] = ()
    """At the opening: all words that the parser knows, cut to the letters that count."""
    letters: int = 9
    """How many letters of a word count."""
    commands: tuple[str, ...] = ()
    """At the opening: what the grammar allows to do beside the usual, alone, with one thing or
    with somebody: `echo`, `spray {}`, `thank {somebody}`."""


class ValidAction(Value):
    """A command that changes something here."""

    command: str
    reply: str
    effect: str
    """A digest: equal effects are one outcome."""
    points: int = 0
    """What the score gains, where a status line shows it."""
    ended: bool = False
    """It ends the story, or the protagonist's life."""


class Observation(Value):
    """What one command brought, as far as the declared access shows it."""

    text: Annotated[str, AfterValidator(spaced)]
    """The reply, without prompt and status line."""
    room: str | None = None
    """The room's title, where a status line shows one."""
    score: int | None = None
    """The score, where a status line shows one."""
    moves: int | None = None
    """The move counter, where a status line shows one."""
    awaiting: Literal["line", "key"] = "line"
    ended: bool = False
    """The story is over: its own end prompt, or the interpreter stopped."""
    fault: str = ""
    """What went wrong in the emulator, where the text is not the story's own."""
    words: Words | None = None
    """What its dictionary says of the reply (access `words`); None where it is not granted."""
    facts: Facts | None = None
    actions: tuple[ValidAction, ...] | None = None
    """What changes something here (access `actions`); None where it is not granted."""


class Tally(Value):
    """What the record of a run needs to know, whatever the agent may see."""

    score: int = 0
    max_score: int | None = None
    moves: int = 0
    tried: int = 0
    """So many commands were tried and rolled back for the list of actions."""
    died: bool = False
    """The protagonist died in this turn (the story may go on)."""
    ended: bool = False
    won: bool = False


class Step(NamedTuple):
    """One command's outcome."""

    observation: Observation
    snapshot: bytes
    """The emulator after the command: one small blob, data only."""
    tally: Tally


class Closing(ABC):
    """What is closed at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """End it; closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Game(Protocol):
    """A running story. `play` is a pure function of (snapshot, command)."""

    access: frozenset[Access]

    def start(self, seed: int) -> Step:
        """Restart the story with an explicit seed and return its opening."""
        ...

    def play(self, snapshot: bytes, command: str) -> Step:
        """Play one command from a snapshot. A fault of the emulator is an observation."""
        ...

    def reseed(self, snapshot: bytes, seed: int) -> bytes:
        """The same snapshot, but chance goes on as with this seed."""
        ...

    def close(self) -> None:
        """End what plays it; closing twice is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
