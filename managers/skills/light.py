"""Light: what to do in the dark, and before it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from managers.core.option import ESCAPE, OF_MEMORY, Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.core.value import turned_back
from managers.language.actions import DIRECTIONS, classes
from managers.language.lexicon import head_of
from managers.language.patterns import phrases
from managers.world.facts import Blackboard, is_about
from managers.world.transition import Transition

FAILING = "failing"
"""Fact: the noun of a light that is about to go out."""
BRIGHT = "bright"
"""Fact: a room that one can see in without a light of one's own."""
DARKNESS = "darkness"
"""Fact: a room that one has just got away from because it was dark, once for each time."""
_MOST_BRIGHT, _DARKNESS_LASTS = 300, 40
_GOES_OUT = phrases(
    r"(?:lamp|lantern|torch|flashlight|candles?|light|batter(?:y|ies))\b[^.!?]{0,30}"
    r"\b(?:(?:nearly|almost|burn(?:ed|t)?|run(?:s|ning)?|go(?:es)?|gone|flickers?) out|dies"
    r"|about to (?:go out|die|fail)|(?:dead|exhausted|failing|fading)"
    r"|(?:definitely|much|very|noticeably|growing|getting) (?:dim|faint|weak)(?:mer|er)?)",
    "better have more light",
)
_TOLL = 15.0
"""Commands that a walk through a dark room is as bad as."""
_UNSEEN = 0.03
_NO_WORSE = frozenset({ESCAPE, "light", "squeeze"})
"""Kinds of options that are no worse for the dark: a narrow way may be the way out of it."""
_IN_TIME = "be where one sees before the light is out"
_SEE = "see in the light what the dark has hidden"
_SEEN = 2.0
"""How much better it is to go where one has seen without a light."""


class Visibility:
    """Where one sees, and where one would not."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        known, rooms = scene.knowledge, scene.map.data["rooms"].keys()
        self.dark = rooms - scene.map.lit_rooms()
        """Rooms that were dark when last seen."""
        self.never_bright = rooms - scene.board.subjects(BRIGHT)
        """Rooms one has never seen without a light of one's own, nor in earlier episodes."""
        self.lit = known.lit
        escapes = () if self.lit else scene.board.of(DARKNESS)
        self.escapes = Counter(one.room for one in escapes)
        """How often one got away from each dark room lately, while one has no light."""

    @cached_property
    def unlit(self) -> frozenset[str]:
        """Rooms in which one would see nothing with what is carried."""
        scene, failing = self._scene, self._scene.board.subjects(FAILING)
        if self.lit and not (scene.world.dark or failing):
            return frozenset()
        lights = scene.knowledge.lights
        lamps = (thing.noun for thing in lights if "match" not in thing.classes)
        if any(noun not in failing for noun in lamps):
            return frozenset()
        return frozenset(self.dark | self.never_bright)

    def hides(self, room: str, command: str) -> bool:
        """Whether one would see nothing where a command has to be done, or where it leads."""
        edge = self._scene.map.data["edges"].get(room, {}).get(command)
        return room in self.unlit or bool(edge and edge[0] in self.unlit)


class LightSkill(Skill):
    """Lights lamps, stays out of the dark, gets out of it, and comes back with a light."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """Lights that fail, rooms that are bright, dark rooms that one got away from."""
        board = _with_escape(board, transition)
        return _with_bright(_with_failing(board, transition), transition)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """In the dark a light, or the way back.

        With one that fails to the nearest bright room; with one that burns to see what the dark
        has hidden.
        """
        sight = scene.view(Visibility)
        for room in sorted(sight.dark - {scene.here}) if sight.lit else ():
            yield Draft(room, "look", "exit", purpose=_SEE)
        if scene.world.dark:
            yield from _out_of_the_dark(scene, sight)
            return
        rooms = scene.distances if scene.here in sight.unlit else {}
        bright = [room for room in rooms if room not in sight.never_bright]
        nearest = min(bright, key=rooms.__getitem__, default="")
        if nearest:
            yield Draft(nearest, "look", ESCAPE, purpose=_IN_TIME)

    def weighs(self, scene: Scene) -> bool:
        """It is dark somewhere, or one has fled the dark."""
        sight = scene.view(Visibility)
        return bool(sight.unlit or scene.world.dark or sight.escapes)

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """Hardly anything for what would have to be done in the dark, or leads into it."""
        sight, dark = scene.view(Visibility), scene.world.dark
        again = turned_back(scene, draft, sight.escapes) if sight.escapes else 1.0
        if draft.kind in _NO_WORSE:
            return again
        if dark and draft.kind == "tinker" and draft.noun:
            return 0.0
        hidden = sight.hides(draft.room, draft.command)
        if hidden and not dark and draft.kind in OF_MEMORY:
            return 0.0
        return again * (_UNSEEN if hidden or (dark and draft.room == scene.here) else 1.0)

    def toll(self, scene: Scene, room: str) -> float:
        """Of rooms in which one would see nothing."""
        return _TOLL if room in scene.view(Visibility).unlit else 0.0

    def tell(self, scene: Scene) -> Iterator[str]:
        """Where it was dark, or where one would see nothing with what is carried."""
        sight = scene.view(Visibility)
        if rooms := sorted(sight.dark | sight.unlit):
            yield f"Dark: {'; '.join(map(scene.map.label, rooms))}"


def _out_of_the_dark(scene: Scene, sight: Visibility) -> Iterator[Draft]:
    for lamp in scene.knowledge.lights:
        for command in (f"turn on {scene.called(lamp)}", f"light {scene.called(lamp)}"):
            yield Draft(scene.here, command, "light", lamp.name, scale=3)
    for command, passage in scene.map.ways(scene.here).passages.items():
        known = _SEEN if passage.to not in sight.never_bright else 0.5
        yield Draft(scene.here, command, ESCAPE, scale=known)
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=0.1)


# -- what is noticed -------------------------------------------------------------


def _with_escape(board: Blackboard, transition: Transition) -> Blackboard:
    fled = transition.meant.escape and transition.moved and transition.before.world_view.dark
    if not fled:
        return board
    new = transition.fact(
        "dark", room=transition.start, value=str(board.turn), lasts=_DARKNESS_LASTS
    )
    return board.with_(DARKNESS, [new])


def _with_failing(board: Blackboard, transition: Transition) -> Blackboard:
    """Lights that are about to go out, or have gone out of themselves and not been lit again."""
    action, before, dark = transition.action, transition.before, transition.after.world_view.dark
    if action.verb == "extinguish":
        return board
    if action.verb == "light" and before.world_view.dark and not dark:
        return board.without(FAILING, is_about(head_of(action.object)))
    dying = [thing.noun for thing in before.lights if dark and thing.burns]
    if match := _GOES_OUT.search(transition.text):
        nouns = dict.fromkeys(thing.noun for thing in before.lights)
        named = [noun for noun in nouns if noun in match[0].lower()]
        dying = named or [noun for noun in nouns if "fire" not in classes(noun)]
    source = match[0] if match else ""
    return board.with_(FAILING, [transition.fact(noun, source=source) for noun in dying])


def _with_bright(board: Blackboard, transition: Transition) -> Blackboard:
    """Rooms one can see in without a light of one's own, in the hand or put down there."""
    after = transition.after
    if not after.here or after.world_view.dark or after.here in board.subjects(BRIGHT):
        return board
    near = (*after.held, *after.around)
    lights = [thing for thing in near if "light-source" in thing.classes]
    burning = [thing.is_("lit") if thing.is_("on") is None else thing.is_("on") for thing in lights]
    # Where a light was lit once, any may burn for all one knows.
    if any(burning) or (None in burning and after.attempts_view.has_tried("light")):
        return board
    return board.with_(BRIGHT, [transition.fact(after.here)], _MOST_BRIGHT)
