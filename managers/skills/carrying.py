"""Carrying: what is too much to carry, what to put down for it, and ways too narrow for a load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.core.option import Draft, discount
from managers.core.scene import ANYWHERE, LEFT, Scene
from managers.core.skill import Obstacle, Skill
from managers.language.actions import EVERYTHING, parse
from managers.language.lexicon import head_of
from managers.language.outcomes import item_replies
from managers.language.patterns import phrases
from managers.world.facts import Blackboard, Fact, is_about
from managers.world.objects import INVENTORY, USEFUL, GameObject, weapons
from managers.world.transition import Transition

NARROW = "narrow"
"""Fact: a direction that is shut to somebody who carries so much, until gone through."""
DISCARDED = "discarded"
"""Fact: the noun of what was put down or tied; value: the narrow way it was put down for."""
_MOST_NARROW, _MOST_LEFT = 3, 80
_ASIDE = "aside"
"""Why not to take back what was put down for a narrow way that one is not through yet."""
_LOADS = ("too_heavy", "too_full")
"""Reasons for a failure that are dealt with by putting something down."""
_ENCUMBERED = phrases(
    r"with (?:all |everything )?(?:that|what|so much|the things)?\s*you(?:'re| are|r)"
    " (?:carrying|holding|load|baggage|belongings|burden)",
    "(?:carrying|holding|taking) (?:all |any of )?(?:your|those|these|that many)"
    " (?:possessions|belongings|things)",
    "carrying so much", "too heavily laden", "while (?:carrying|holding) ",
)  # fmt: skip
"""A way is shut to somebody who carries so much."""
_BETTER, _OTHER = 2.0, 0.5
"""How much it is worth to put something down for something precious, and for another thing."""
_WITH_TREASURE, _WITHOUT = 1.5, 0.3
"""How much a way is worth for which nearly everything has to be left behind."""
_PUT_DOWN = 0.95
"""How likely what is carried can be put down."""


class Load:
    """What is carried, and what of it one would rather keep."""

    def __init__(self, scene: Scene) -> None:
        known, discarded = scene.knowledge, scene.board.of(DISCARDED)
        self.lights = known.lights
        self.treasures = known.treasures
        barred = any(thing.noun in known.barring for thing in scene.world.objects())
        arms = weapons(scene.held) if barred else ()
        self.best = (*self.treasures, *arms)[:1]
        """What is kept besides a light where one may keep but one thing."""
        self.lightened = discarded[0].turn if discarded else -1
        """The last turn in which something was put down; -1 for none."""


class CarryingSkill(Skill):
    """Puts down what is of least use for what is wanted more."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """Ways too narrow for a load, and what was put down and is to stay there."""
        new = _with_discarded(_with_narrow(board, transition), transition)
        same = all(new.data.get(kind) is board.data.get(kind) for kind in (NARROW, DISCARDED))
        return new if same else _with_left(new)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """Through narrow ways with little, and to make room for what was too much."""
        yield from _squeeze(scene)
        yield from _make_room(scene)

    def obstacles(self, scene: Scene) -> Iterator[Obstacle]:
        """What was refused for what is carried; the first thing to put down for a narrow way."""
        lightened = scene.view(Load).lightened
        for one in scene.attempts.failures(*_LOADS):
            lighter = one.turn < lightened
            yield Obstacle(one.location, one.command, gone=lighter, anew=lighter)
        for shut in scene.board.of(NARROW):
            room, way, first = shut.room, shut.subject, ""
            if room == scene.here:
                spare = _to_spare(scene, shut)
                first = f"drop {scene.called(spare[0])}" if spare else way
            yield Obstacle(room, way, first, gone=True, anew=_is_lighter(scene, room, way))


def _is_lighter(scene: Scene, room: str, way: str) -> bool:
    """Something was put down since a narrow way was refused."""
    failure = scene.attempts.failure(room, way)
    return failure is not None and failure.turn < scene.view(Load).lightened


def _to_spare(scene: Scene, shut: Fact) -> list[GameObject]:
    """What to put down for a narrow way, what is of least use first; empty for nothing."""
    load = scene.view(Load)
    spare = _all_but(scene, (*load.lights[:1], *load.best))
    if not spare and shut.turn > load.lightened and not _is_counted_wrong(scene, shut.subject):
        return [*load.best]  # It was refused all the same.
    return spare


def _squeeze(scene: Scene) -> Iterator[Draft]:
    """Through a way too narrow for what is carried: with a light and one treasure or weapon."""
    for shut in scene.board.of(NARROW):
        room, way, spare = shut.room, shut.subject, _to_spare(scene, shut)
        scale = _WITH_TREASURE if scene.view(Load).treasures else _WITHOUT
        scale *= discount(len(spare))  # What has to be put down first is a part of the way.
        if room != scene.here or not spare:
            yield Draft(room, way, "squeeze", scale=scale)
        if room == scene.here and (spare or _is_counted_wrong(scene, way)):
            command = f"drop {scene.called(spare[0])}" if spare else "inventory"
            yield Draft(
                room, command, "squeeze", scale=2 * scale, place=INVENTORY, probability=_PUT_DOWN
            )


def _is_counted_wrong(scene: Scene, way: str) -> bool:
    """A way was too narrow for what seems to be little, and nobody has looked since."""
    failure = scene.attempts.failure(scene.here, way)
    if failure is None or _is_lighter(scene, scene.here, way):
        return False
    looks = (row.get("turn", 0) for row in scene.attempts.rows_of("inventory"))
    return max(looks, default=0) < failure.turn


def _make_room(scene: Scene) -> Iterator[Draft]:
    """Put down what is of least use for what was too much to be carried, and take that then."""
    around = {thing.noun: thing for thing in scene.around if not thing.taken}
    for failure in scene.attempts.failures_at(scene.here, *_LOADS):
        action = parse(failure.command)
        thing = around.get(head_of(action.object)) if action.verb == "take" else None
        if thing is None:
            continue
        precious = scene.knowledge.is_precious(thing)
        scale = _BETTER if precious else _OTHER
        if scene.obstacle(scene.here, failure.command).anew:
            yield Draft(scene.here, failure.command, "retry", thing.name, scale=scale)
        elif spare := _of_least_use(scene, useful=precious):
            command, purpose = f"drop {scene.called(spare)}", f"be able to take the {thing.name}"
            yield Draft(
                scene.here, command, "prepare", scale=scale, place=INVENTORY, purpose=purpose
            )


def _of_least_use(scene: Scene, *, useful: bool) -> GameObject | None:
    """What can be spared most easily, no light or treasure; something useful only if told so."""
    discarded = scene.board.subjects(DISCARDED)

    def use(thing: GameObject) -> tuple[bool, bool, bool]:
        return bool(thing.classes & USEFUL), thing.noun not in discarded, not thing.has("readable")

    load = scene.view(Load)
    spare = _all_but(scene, (*load.lights, *load.treasures))
    return min((one for one in spare if useful or not one.classes & USEFUL), key=use, default=None)


def _all_but(scene: Scene, kept: Sequence[GameObject]) -> list[GameObject]:
    """What is carried and not worn, without what is kept."""
    return [thing for thing in scene.held if thing not in kept and not thing.is_("worn")]


# -- what is noticed -------------------------------------------------------------


def _with_narrow(board: Blackboard, transition: Transition) -> Blackboard:
    """Ways that are shut to somebody who carries so much."""
    way, room = transition.action.direction, transition.room
    shut = not transition.moved and _ENCUMBERED.search(transition.text)
    if not way or not (shut or way in board.subjects(NARROW, room)):
        return board
    board = board.without(NARROW, lambda one: (one.subject, one.room) == (way, room))
    again = shut or transition.failed
    return board.with_(NARROW, [transition.fact(way, room=room)] if again else [], _MOST_NARROW)


def _with_discarded(board: Blackboard, transition: Transition) -> Blackboard:
    """What was dropped, or tied where it should stay; not what was dropped with all the rest."""
    action = transition.action
    left = action.verb in ("drop", "tie") and not transition.failed
    if not left or action.object in EVERYTHING:
        return board
    several = [head_of(name) for name, _ in item_replies(transition.text, action.object)]
    lost = () if transition.reading.died else sorted(transition.lost)
    nouns = dict.fromkeys([*(several or [head_of(action.object)]), *lost])
    room = transition.room
    way = next(iter(sorted(board.subjects(NARROW, room))), "")
    facts = [transition.fact(noun, room=room, value=way) for noun in nouns]
    return board.without(DISCARDED, is_about(*nouns)).with_(DISCARDED, facts)


def _with_left(board: Blackboard) -> Blackboard:
    """What was put down stays: for good, or for a narrow way until one is through it."""
    left = []
    for one in board.of(DISCARDED):
        aside = one.value in board.subjects(NARROW, one.room)
        if aside or not one.value:
            left.append(one._replace(room=ANYWHERE, value=_ASIDE if aside else ""))
    board = board.without(LEFT, lambda one: one.value in ("", _ASIDE))
    return board.with_(LEFT, left, _MOST_LEFT)
