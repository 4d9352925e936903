"""What led to where the episode stands, and what of it seems to be needed; plain data, bounded.

The trail is what an episode can pass on: the commands that had an effect, without detours. What of
it seems to be needed is a guess: what helps in ways that no command tells is left out, too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from typing_extensions import TypedDict

from managers.language.actions import EVERYTHING, classes, direction_of, parse
from managers.language.lexicon import head_of

_LONGEST = 320
_IDLE = frozenset({"examine", "read", "look", "inventory", "search"})
"""Kinds that tell something and change nothing."""
_ALWAYS = frozenset({"light-source", "weapon"})
"""What serves without being named."""
QUESTIONED = -1
"""Stands for what is carried after a command that made the game ask back."""

Row = list[Any]
"""What stands for a tuple in a checkpoint; its own type says what the places mean."""


class GuideData(TypedDict, total=False):
    """How far an episode has followed what earlier ones found; empty without a memory."""

    path: list[Row]
    """What is left of it: place, command, points of each step."""
    target: list[Row]
    """The point it leads to, and all of the path; empty for none."""
    found: dict[str, str]
    """Room of this episode -> the remembered room's key."""
    seen: list[str]
    bright: list[str]
    barred: list[str]
    feared: dict[str, dict[str, float]]
    """Room -> action -> harm that was expected there."""
    idle: int
    rest: int
    since: int
    arrived: int | None
    top: int
    finds: int
    fatal: int
    earned: list[list[str]]
    script: list[Row]
    """The line to retrace word for word, an `archive.PlayedCommand` each."""
    history: list[Row]
    exact: bool


class MemoryData(TypedDict):
    """The state field `memory`."""

    trail: list[Row]
    """The commands that had an effect, without detours, a `TrailStep` each."""
    finds: list[list[str]]
    """Room and command of what brought something to light."""
    asked: Row
    """Room, command and turn of the last command that made the game ask back."""
    died: int
    guide: GuideData


def no_memory() -> MemoryData:
    """Before the first word of the story."""
    return {"trail": [], "finds": [], "asked": [], "died": 0, "guide": {}}


class TrailStep(NamedTuple):
    """A command that had an effect, and where."""

    room: str
    command: str
    points: int
    to: str = ""
    """The room one is in afterwards."""
    held: int = 0
    """A number for what is carried afterwards."""
    turn: int = 0


def is_fight(command: str) -> bool:
    """Whether the command is a blow; how many of them it takes is another matter every time."""
    return parse(command).verb == "attack"


def is_idle(kind: str, command: str) -> bool:
    """Whether a command of that kind tells something and changes nothing."""
    return kind in _IDLE or parse(command).has("meta")


def lengthened(
    trail: list[Row], step: TrailStep, *, kind: str, gain: float = 0.0, narrow: bool = False
) -> list[Row]:
    """The trail after a successful command; walking that led back is forgotten.

    Of a fight only the last blow is kept, and nothing of what was put down for nothing or of
    lamps, unless a way was too narrow with it: whoever carries too much or stands in the dark
    sees to it then. Once the trail is full, it stays as it is: what came first is needed for
    what came later.

    Args:
        trail: so far.
        step: that worked.
        kind: of the command.
        gain: what it brought; even a look may bring something to light.
        narrow: whether a way out of the room is too narrow for what was carried.
    """
    stayed = bool(direction_of(step.command)) and step.room == step.to
    idle = is_idle(kind, step.command) or stayed
    if len(trail) >= _LONGEST or (idle and not gain):
        return trail
    for_nothing = parse(step.command).verb == "drop" and not gain and not narrow
    if not step.points and (for_nothing or _is_of_light(step.command)):
        return trail
    if is_fight(step.command):
        trail = [one for one in trail if one[2] or not _same_fight(one, step)]
    trail = [*trail, list(step)]
    for index in range(len(trail) - 1, -1, -1):
        room, _, points, to, *_ = trail[index]
        if points or room == to:
            break
        if room == step.to:
            asked = index > 0 and trail[index - 1][4] == QUESTIONED
            return trail[: index - asked]
    return trail


def _is_of_light(command: str) -> bool:
    """Whether the command turns a lamp on or off."""
    parts = parse(command)
    lamp = "light-source" in classes(parts.object)
    return lamp and parts.verb in ("light", "extinguish")


def _same_fight(one: Row, step: TrailStep) -> bool:
    """Whether an entry of the trail is a blow in the same fight."""
    foe = parse(step.command).object
    blow = str(one[1])
    return one[0] == step.room and is_fight(blow) and parse(blow).object == foe


def needs(command: str) -> list[str]:
    """The nouns of what has to be carried for a command."""
    parts = parse(command)
    if parts.has("carried"):
        return [head_of(parts.object)] if parts.object else []
    tool = parts.second if parts.preposition == "with" else ""
    return [head_of(tool)] if tool else []


def pruned(trail: Sequence[TrailStep], alike: Collection[str] = ()) -> list[TrailStep]:
    """The acts that later ones seem to hang on.

    Whoever knows the map finds the way, and puts down what is too much where it is.

    Args:
        trail: up to something that scored.
        alike: the rooms that cannot be told apart, among which every step counts.
    """
    opening = _opening(trail)
    kept: list[TrailStep] = []
    used: set[str] = set()
    for number in range(len(trail) - 1, -1, -1):
        step = trail[number]
        answered = bool(kept) and number + 1 < len(trail) and kept[-1] is trail[number + 1]
        if _is_walk(step):
            needed = step.room in alike or step.to in alike
        elif step.held == QUESTIONED:
            needed = answered
        else:
            needed = step.points > 0 or _serves(step, used) or number in opening
        if needed:
            kept.append(step)
            used.update(_nouns(step.command))
    return _straight(_taken_once(kept[::-1]), alike)


def _taken_once(steps: Sequence[TrailStep]) -> list[TrailStep]:
    """Without taking what is carried already."""
    left: list[TrailStep] = []
    held: set[str] = set()
    for step in steps:
        parts = parse(step.command)
        noun = head_of(parts.object) if parts.object else ""
        if parts.verb == "take" and noun not in EVERYTHING:
            if noun in held and not step.points:
                continue
            held.add(noun)
        elif parts.has("frees"):
            held.discard(noun)
        left.append(step)
    return left


def _straight(steps: Sequence[TrailStep], alike: Collection[str]) -> list[TrailStep]:
    """Without the walks that led back to where they began, if that can be told."""
    left: list[TrailStep] = []
    for step in steps:
        left.append(step)
        if not _is_walk(step) or step.to in alike:
            continue
        start = len(left)
        while start and _is_walk(left[start - 1]):
            start -= 1
        begun = [at for at in range(start, len(left)) if left[at].room == step.to]
        del left[begun[0] if begun else len(left) :]
    return left


def _is_walk(step: TrailStep) -> bool:
    return bool(direction_of(step.command)) and not step.points


def _opening(trail: Sequence[TrailStep]) -> set[int]:
    """The numbers of acts after which one left for a room where one had not been yet."""
    found, entered = set(), set()
    here: list[int] = []
    for number, step in enumerate(trail):
        entered.add(step.room)
        if step.room == step.to:
            action = parse(step.command)
            if not action.has("tells") and action.verb not in ("take", "put"):
                here.append(number)
            continue
        if step.to not in entered:
            found.update(here)
        here = []
    return found


def _serves(step: TrailStep, used: Collection[str]) -> bool:
    """Whether later acts name what it is about, or it is a fight, or done with a tool."""
    parts = parse(step.command)
    noun = head_of(parts.object) if parts.object else ""
    if parts.verb == "take":
        return noun in used or bool(_ALWAYS & classes(parts.object))
    if parts.has("tells") or parts.verb in ("put", "drop") or step.room != step.to:
        return False
    works = parts.has("works") or is_fight(step.command)
    return works or noun in used or bool(needs(step.command))


def _nouns(command: str) -> list[str]:
    parts = parse(command)
    return [head_of(name) for name in (parts.object, parts.second) if name]
