"""Options out of what a text tells to do: a quest, a recipe, directions, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from managers.knowledge import mentioned
from managers.language.actions import parse, table
from managers.language.cues import Cue
from managers.language.lexicon import head_of, words_of
from managers.planning.chaining import backward_chain
from managers.planning.goals import Goal
from managers.policy.option import Draft
from managers.policy.scene import Scene
from managers.world.objects import INVENTORY, GameObject

_LATER = 0.7
"""How much less an order is worth for each one before it that can be followed, too."""
_UNSEEN = 0.6
"""How likely that works which is about something nobody has seen yet."""
_SOUGHT = 3.0
"""How much more it is worth to open something where what an order is about was never seen."""


class _Found(NamedTuple):
    """A thing, and where it is."""

    thing: GameObject
    room: str


def ordered(scene: Scene) -> Iterator[Draft]:
    """The next of what a text tells to do, and what comes after it where that cannot be done yet.

    A way is gone, and something nobody has seen is named, only when nothing is left before it.
    """
    worth, left, sought = 1.0, False, False
    for fact in scene.board.of("order"):
        order = Cue(*fact.subject.split("|"))
        if fact.value:
            continue
        if order.verb == "go":
            if worth == 1.0:
                yield Draft(fact.room, order.noun, "order")
            return
        draft = _next(scene, order) if order.verb in table().words else None
        sought = sought or draft is None
        if draft is None and not left:
            command = f"{_understood(scene, order.verb)} {order.noun}"
            draft = Draft(fact.room, command, "order", chance=_UNSEEN)
        left = True
        if draft is not None and not scene.is_hopeless(draft.command, draft.room):
            yield draft._replace(scale=worth)
            worth *= _LATER
    if sought:
        yield from _seeking(scene)


def _seeking(scene: Scene) -> Iterator[Draft]:
    """What an order is about may be in what is still closed."""
    for one in scene.world.objects():
        room = scene.world.location_of(one.id)
        shut = one.is_("open") is False or (one.has("openable") and one.is_("open") is None)
        if shut and not one.has("door") and room in scene.distances:
            yield Draft(room, f"open {scene.called(one)}", "open", one.name, scale=_SOUGHT)


def serves(thing: GameObject, verb: str) -> bool:
    """It is what the verb is done with."""
    return table().tools.get(verb) in (thing.noun, *thing.classes)


def _next(scene: Scene, order: Cue) -> Draft | None:
    """The next command towards an order; None where something that it takes was never seen."""
    verb = _understood(scene, order.verb)
    found, second = _named(scene, order.noun), _named(scene, order.second)
    is_done_with = order.verb in table().tools
    if second is None and is_done_with:
        second = _found(scene, lambda one: serves(one, order.verb))
    if found is None or (second is None and (order.second or is_done_with)):
        return None
    with_ = second is not None and order.preposition in ("", "with")
    in_hand = parse(verb).has("carried") or (with_ and not found.thing.has("fixed"))
    needed = [found] if in_hand else []
    needed += [second] if second and with_ and "takeable" in second.thing.classes else []
    for one in needed:
        if one.room != INVENTORY:
            return _fetching(scene, one)
    command = f"{verb} {order.noun}"
    if second is not None:
        command += f" {order.preposition or 'with'} {scene.called(second.thing)}"
    rooms = [one.room for one in (found, second) if one and one.room != INVENTORY]
    return Draft(rooms[0] if rooms else scene.here, command, "order", found.thing.name)


def _fetching(scene: Scene, one: _Found) -> Draft | None:
    """The first deed towards having a thing."""
    if not one.thing.id:
        return Draft(one.room, f"take {one.thing.name}", "order", one.thing.name)
    plan = backward_chain(Goal(kind="have", thing=one.thing.id), scene.world)
    step = next((step for step in plan if step.command), None)
    return step and Draft(step.room or scene.here, step.command, "order", one.thing.name)


def _named(scene: Scene, name: str) -> _Found | None:
    """What goes by a name, all of whose words it has, or which has none beside them."""
    noun, words = head_of(name), set(words_of(name))
    full = _found(scene, lambda one: one.noun == noun and words <= set(words_of(one.name)))
    return full or _found(scene, lambda one: one.noun == noun and words >= set(words_of(one.name)))


def _found(scene: Scene, fits: Callable[[GameObject], bool]) -> _Found | None:
    """The nearest thing that fits, in hand first; of places one knows the prose, too."""
    near = {INVENTORY: -1.0, **scene.distances}
    things = ((one, scene.world.location_of(one.id)) for one in scene.world.objects())
    seen = [_Found(one, room) for one, room in things if room in near and fits(one)]
    for room in scene.distances if not seen else ():
        absent = scene.board.subjects("absent", room)
        named = (mentioned(name, 1.0) for name in scene.world.scenery(room))
        seen += [_Found(one, room) for one in named if fits(one) and one.noun not in absent]
    return min(seen, key=lambda one: near[one.room], default=None)


def _understood(scene: Scene, verb: str) -> str:
    """The verb, or another word for it if the game has said that it does not know it."""
    words = table().words
    others = (word for word, meaning in words.items() if meaning == words.get(verb))
    return next((word for word in (verb, *others) if not scene.is_unknown(word)), verb)
