"""What of a trajectory seems to be needed for what it scored.

It is a guess: what helps in ways that no command tells is left out, too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from managers.affordances import affordances
from managers.leads.burden import UNBURDENING
from managers.memory.trail import QUESTIONED, Step, is_fight
from managers.text.commands import EVERYTHING, parse_command
from managers.text.directions import direction_of
from managers.text.lexicon import head_of

_HANDLING = ("put", "drop", "give", "wear", "eat", "drink", "light", "throw", "tie")
"""Verbs for which their object has to be carried."""
_WORKING = ("push", "pull", "turn")
"""Verbs for machinery, which may work elsewhere."""
_TELLING = ("examine", "read", "look", "search")
_ALWAYS = frozenset({"light-source", "weapon"})
"""What serves without being named."""


def needs(command: str) -> list[str]:
    """The nouns of what has to be carried for a command."""
    parts = parse_command(command)
    if parts.verb in _HANDLING:
        return [head_of(parts.object)] if parts.object else []
    tool = parts.second if parts.preposition == "with" else ""
    return [head_of(tool)] if tool else []


def pruned(trail: Sequence[Step], alike: Collection[str] = ()) -> list[Step]:
    """The acts that later ones seem to hang on.

    Whoever knows the map finds the way, and puts down what is too much where it is.

    Args:
        trail: up to something that scored.
        alike: the rooms that cannot be told apart, among which every step counts.
    """
    opening = _opening(trail)
    kept: list[Step] = []
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


def _taken_once(steps: Sequence[Step]) -> list[Step]:
    """Without taking what is carried already."""
    left: list[Step] = []
    held: set[str] = set()
    for step in steps:
        parts = parse_command(step.command)
        noun = head_of(parts.object) if parts.object else ""
        if parts.verb == "take" and noun not in EVERYTHING:
            if noun in held and not step.points:
                continue
            held.add(noun)
        elif parts.verb in UNBURDENING:
            held.discard(noun)
        left.append(step)
    return left


def _straight(steps: Sequence[Step], alike: Collection[str]) -> list[Step]:
    """Without the walks that led back to where they began, if that can be told."""
    left: list[Step] = []
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


def _is_walk(step: Step) -> bool:
    return bool(direction_of(step.command)) and not step.points


def _opening(trail: Sequence[Step]) -> set[int]:
    """The numbers of acts after which one left for a room where one had not been yet."""
    found, entered = set(), set()
    here: list[int] = []
    for number, step in enumerate(trail):
        entered.add(step.room)
        if step.room == step.to:
            verb = parse_command(step.command).verb
            if verb not in _TELLING and verb not in ("take", "put"):
                here.append(number)
            continue
        if step.to not in entered:
            found.update(here)
        here = []
    return found


def _serves(step: Step, used: Collection[str]) -> bool:
    """Whether later acts name what it is about, or it is a fight, or done with a tool."""
    parts = parse_command(step.command)
    noun = head_of(parts.object) if parts.object else ""
    if parts.verb == "take":
        return noun in used or bool(_ALWAYS & affordances().classes(parts.object))
    if parts.verb in (*_TELLING, "put", "drop") or step.room != step.to:
        return False
    works = parts.verb in _WORKING or is_fight(step.command)
    return works or noun in used or bool(needs(step.command))


def _nouns(command: str) -> list[str]:
    parts = parse_command(command)
    return [head_of(name) for name in (parts.object, parts.second) if name]
