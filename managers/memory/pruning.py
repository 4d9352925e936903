"""What of a trajectory seems to be needed for what it scored.

It is a guess: what helps in ways that no command tells is left out, too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from managers.language.actions import EVERYTHING, classes, direction_of, parse
from managers.language.lexicon import head_of
from managers.memory.trail import QUESTIONED, TrailStep, is_fight

_ALWAYS = frozenset({"light-source", "weapon"})
"""What serves without being named."""


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
