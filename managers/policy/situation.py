"""The present situation in words and names: what every briefing tells of the knowledge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from math import inf

from environments.game import Value
from managers.knowledge import PRECIOUS, Knowledge
from managers.language.actions import DIRECTIONS, classes, parse
from managers.language.history import UNDO, Exchange, History
from managers.language.lexicon import head_of
from managers.language.reading import SURE
from managers.learning.cases import UNKNOWN
from managers.learning.reflection import value_of
from managers.policy.scene import Scene
from managers.world.attempts import AttemptRow
from managers.world.objects import SUPPOSED, GameObject

_MOST = 8
_NUMBER = re.compile(r"\bL\d+\b")
_NO_DEEDS = frozenset({"travel", "look", "inventory", "wait"})
_ELSEWHERE_TOO = " (it has led elsewhere, too)"
_LONG = 7
"""Of a way of so many commands only the first are told."""


class Sight(Value):
    """A thing that matters and where it was seen last."""

    name: str
    place: str
    """`L<n> Title`, or `inventory`."""
    taken: bool = False
    """It has been carried at least once."""


class OpenWays(Value):
    """Ways that nobody has gone, of a place that one knows."""

    place: str
    """`L<n> Title`."""
    ways: tuple[str, ...]
    """Directions that the text mentions there, with what is known of them."""
    route: str
    """The way there from here; empty where none is known."""


class Situation:
    """What is known here and now, and what is known elsewhere and matters.

    Each part is found out when somebody asks for it: few of them are looked at in every turn.

    Args:
        scene: What is asked; nothing is known without one.
        parts: What is told instead.
    """

    def __init__(self, scene: Scene | None = None, **parts: object) -> None:
        self._scene = scene or Scene(Knowledge.new())
        vars(self).update(parts)

    @cached_property
    def place(self) -> str:
        """`L<n> Title`; empty before the first room."""
        return _label(self._scene, self._scene.here)

    @cached_property
    def dark(self) -> bool:
        """It is dark here."""
        return self._scene.world.dark

    @cached_property
    def lit(self) -> bool:
        """A light source that is carried burns."""
        return self._scene.lit

    @cached_property
    def inside(self) -> str:
        """What one is in or on; empty for nothing."""
        return self._scene.world.inside

    @cached_property
    def walked(self) -> dict[str, str]:
        """Ways from here that were walked: command to place."""
        ways = self._scene.map.passages(self._scene.here).items()
        return {
            way: _label(self._scene, passage.to) + (_ELSEWHERE_TOO if passage.random else "")
            for way, passage in ways
            if passage.seen and passage.to != self._scene.here
        }

    @cached_property
    def untried(self) -> tuple[str, ...]:
        """Directions the text mentions that nobody has gone, with where they may lead back to."""
        scene, here = self._scene, self._scene.here
        supposed = {
            way: _label(scene, passage.to)
            for way, passage in scene.map.passages(here).items()
            if not passage.seen and scene.may_lead_back(here, passage)
        }
        new = _new_ways(scene, here)
        back = zip(supposed.values(), _as_tried(scene, here, supposed), strict=True)
        return (*new, *(f"{way} (perhaps back to {place})" for place, way in back))

    def untold(self, conditions: Iterable[str]) -> list[str]:
        """Those conditions of which nothing that is known of the world says if they hold."""
        return [one for one in conditions if value_of(one, self._scene.world) == UNKNOWN]

    @cached_property
    def inventory(self) -> tuple[str, ...]:
        """What is carried."""
        return tuple(thing.name for thing in self._scene.held)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """What is surely carried, and in which state it is: `torch (lit)`."""
        return tuple(_with_state(thing) for thing in self._scene.held if thing.guess < SUPPOSED)

    @cached_property
    def listed(self) -> int:
        """The turn in which the game listed last what is carried, as was read; -1 for never."""
        return self._scene.world.data["listed"]

    def unread(self, history: History) -> Exchange | None:
        """A later list of what is carried that nobody could read, unless it was taken back."""
        found = None
        for one in history.exchanges[self.listed + 1 :]:
            lists = parse(one.command).kind == "inventory"
            found = one if lists else None if one.takes_back else found
        return found

    @cached_property
    def things(self) -> tuple[str, ...]:
        """What is visible here and not carried, with what there may be."""
        return tuple(thing.name for thing in self._scene.around)

    @cached_property
    def visible(self) -> tuple[str, ...]:
        """What a reading has named of the things here."""
        named = self._scene.world.scenery(self._scene.here)
        around = self._scene.around
        seen = (one.name for one in around if one.id or one.name in named)
        return tuple(dict.fromkeys(seen))

    @cached_property
    def tried(self) -> Mapping[str, AttemptRow]:
        """What became of the commands that were tried here, by their one form."""
        return self._scene.attempts.at(self._scene.here)

    @cached_property
    def changed(self) -> int:
        """The last turn in which an action changed something that matters here; -1 for none."""
        return self._scene.knowledge.changed(self._scene.here)

    def is_lighter(self, command: str) -> bool:
        """Whether it was refused here for what was carried, and something was put down since."""
        return self._scene.is_lighter(command, self._scene.here)

    def refusals(self, history: History) -> list[Exchange]:
        """What was tried here and led nowhere, the oldest first.

        Without what was refused before something else was done with the same thing.
        """
        turns = set(_turns_in_vain(self._scene, self.tried))
        stayed = (one for one, after in _not_taken_back(history) if one.room == after.room)
        return [one for one in stayed if one.turn in turns]

    def played(self, history: History) -> list[str]:
        """The commands that were played here, but for walks, looks and what is not of the story.

        Without those that ended the story and were taken back.
        """
        here = (one.command for one, _ in _not_taken_back(history) if one.room == self._scene.here)
        deeds = (one for one in here if one not in ("", UNDO) and parse(one).kind not in _NO_DEEDS)
        return list(dict.fromkeys(deeds))

    def ends(self, history: History) -> list[Exchange]:
        """The commands that ended the story here, each with what came of it last."""
        return history.ends(self._scene.here)

    @cached_property
    def dangers(self) -> dict[str, float]:
        """Commands that were deadly here, with the estimated chance of death."""
        scene = self._scene
        rows = scene.attempts.at(scene.here)
        commands = [command for command, row in rows.items() if row.get("harm")]
        return {one: round(scene.attempts.danger(scene.here, one), 2) for one in commands}

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Every sensible command here, not ranked."""
        scene = self._scene
        if not scene.here:
            return ()
        if scene.offered:
            return tuple(dict.fromkeys([*scene.offered, "look", "inventory", "wait"]))
        offered = [one.command for one in scene.drafts_at(scene.here)]
        replies = [fact.subject for fact in scene.board.of("reply")]
        offered += [name for name in DIRECTIONS if name not in scene.map.blocked(scene.here)]
        return tuple(dict.fromkeys([*replies, *offered, "look", "inventory", "wait"]))

    @cached_property
    def precious(self) -> tuple[Sight, ...]:
        """Treasures, and where they are."""
        scene = self._scene
        things = [thing for thing in scene.world.objects() if thing.portable]
        found = [_sight(scene, thing) for thing in things if scene.knowledge.is_precious(thing)]
        return tuple(one for one in found if one.place)[:_MOST]

    @cached_property
    def lying(self) -> tuple[str, ...]:
        """What the game listed in other rooms, to be carried: `scalpel in L5 Ruins (turn 7)`."""
        scene = self._scene
        listed = (
            one for one in scene.world.objects() if scene.world.rows[one.id]["how"] == "listed"
        )
        seen = ((one, scene.world.location_of(one.id)) for one in listed if one.guess < SUPPOSED)
        rooms = scene.map.data["rooms"].keys() - {scene.here}
        found = [
            (
                -one.last_seen_turn,
                f"{one.name} in {_label(scene, room)} (turn {one.last_seen_turn})",
            )
            for one, room in seen
            if one.portable and room in rooms
        ]
        return tuple(told for _, told in sorted(found)[:_MOST])

    @cached_property
    def locked(self) -> tuple[Sight, ...]:
        """What is locked and not open, and where it is."""
        scene = self._scene
        locked = (thing for thing in scene.world.objects() if thing.is_("locked"))
        things = (thing for thing in locked if not thing.is_("open"))
        return tuple(_sight(scene, thing) for thing in things)[:_MOST]

    @cached_property
    def home(self) -> str:
        """Where treasures score, once a deposit there did."""
        board, home = self._scene.board, next(iter(self._scene.board.of("home")), None)
        won, gave = board.subjects("treasure"), board.subjects("deposited")
        # What is no treasure otherwise may have been wanted there for itself.
        sure = any(one in won or classes(one) & PRECIOUS for one in gave)
        return _label(self._scene, home.room) if home and sure else ""

    @cached_property
    def dark_places(self) -> tuple[str, ...]:
        """Where it was dark, or where one would see nothing with what is carried."""
        scene = self._scene
        return tuple(_label(scene, room) for room in sorted(scene.dark_rooms | scene.unlit))

    @cached_property
    def unexplored(self) -> dict[str, int]:
        """Places with mentioned ways that nobody has gone, and how many."""
        scene = self._scene
        open_ways = {room: len(scene.map.mentioned(room)) for room in scene.map.lit_rooms()}
        counts = {room: ways for room, ways in open_ways.items() if ways}
        distances, far = scene.distances, len(counts) + 99
        nearest = sorted(counts, key=lambda room: distances.get(room, far))
        return {_label(scene, room): counts[room] for room in nearest[:_MOST]}

    def ways_to(self, texts: Iterable[str]) -> dict[str, str]:
        """The other places that texts name by their numbers, and the ways there that are known."""
        named = dict.fromkeys(room for text in texts for room in _NUMBER.findall(text))
        ways = {room: _way_to(self._scene, room) for room in named if room != self._scene.here}
        return {room: way for room, way in ways.items() if way}

    @cached_property
    def elsewhere(self) -> tuple[OpenWays, ...]:
        """Other places with mentioned ways that nobody has gone and that should not lead back.

        The nearest first; those to which no way is known only where there are no others.
        """
        scene = self._scene
        costs = scene.told_routes.costs
        rooms = [room for room in reversed(scene.map.lit_rooms()) if room != scene.here]
        nearest = sorted(rooms, key=lambda room: costs.get(room, inf))
        found = []
        for room in nearest:
            if ways := _new_ways(scene, room):
                place = _label(scene, room)
                found.append(OpenWays(place=place, ways=ways, route=_way_to(scene, room)))
        return tuple(one for one in found if one.route) or tuple(found)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was said lately that no rule understood."""
        return tuple(text for _, _, text in self._scene.world.notes()[-_MOST:])


def situation(scene: Scene) -> Situation:
    """The situation after the last turn."""
    return Situation(scene) if scene.here else Situation()


def _not_taken_back(history: History) -> Iterator[tuple[Exchange, Exchange]]:
    """The turns whose command did not end the story, each with the next one."""
    said = pairwise((*history.exchanges, history.last))
    return ((one, after) for one, after in said if not after.takes_back)


def _with_state(thing: GameObject) -> str:
    states = [name for name in ("lit", "on", "open", "worn") if thing.is_(name)]
    return f"{thing.name} ({', '.join(states)})" if states else thing.name


def _turns_in_vain(scene: Scene, tried: Mapping[str, AttemptRow]) -> Iterator[int]:
    """When commands were tried here of which nothing came, and their things are as they were."""
    done = _done(scene)
    for command, row in tried.items():
        asked_back = row.get("reason") in ("ambiguous", "incomplete")
        action, turn = parse(command), row.get("turn", -1)
        refused = row.get("refused") and row.get("since") == turn
        vain = not asked_back and (refused or command in DIRECTIONS)
        nouns = {head_of(action.object), head_of(action.second)} - {""}
        changed = (done.get(noun, -1) for noun in nouns)
        if vain and turn > max(changed, default=-1) and not _has_opened(scene, action.object, row):
            yield turn


def _has_opened(scene: Scene, name: str, row: AttemptRow) -> bool:
    """What was shut or locked when something was tried with it is open now."""
    thing = scene.world.resolve(name) if row.get("reason") in ("locked", "closed") else None
    return thing is not None and thing.is_("open") is True


def _done(scene: Scene) -> dict[str, int]:
    """When something was done last with what has a noun."""
    done: dict[str, int] = {}
    for command, row in (one for rows in scene.attempts.data.values() for one in rows.items()):
        action = parse(command)
        if row.get("worked") and not row.get("refused") and not action.has("tells"):
            for name in (*action.object.split(" and "), action.second):
                done[head_of(name)] = max(row.get("turn", -1), done.get(head_of(name), -1))
    return done


def _label(scene: Scene, room: str) -> str:
    return f"{room} {scene.map.title(room)}".strip()


def _sight(scene: Scene, thing: GameObject) -> Sight:
    place = scene.world.location_of(thing.id)
    named = place if place in ("", "inventory") else _label(scene, place)
    return Sight(name=thing.name, place=named, taken=bool(thing.taken))


def _mentioned(scene: Scene, room: str) -> Iterator[str]:
    """The directions that the text names, also where something stood in the way."""
    yield from scene.map.mentioned(room)
    known, tried = scene.map.passages(room), scene.attempts.at(room)
    for way in scene.map.blocked(room):
        row = tried[way]
        walked = row.get("harm") or (way in known and known[way].seen)
        surely_none = row.get("reason") == "no_exit" and row.get("sure", 1.0) >= SURE
        if not surely_none and not walked and way in scene.exits(room):
            yield way


def _way_to(scene: Scene, room: str) -> str:
    """The commands to a room in words, and whether somebody has gone there by them."""
    routes = scene.told_routes
    commands, rooms = routes.to(room), (scene.here, *reversed(routes.rooms(room)))
    if not commands:
        return ""
    steps = zip(rooms, commands, strict=False)
    walked = all(scene.map.passages(at)[command].seen for at, command in steps)
    way = "`, `".join(commands[: _LONG - 1])
    more = f", ... ({len(commands)} commands)" if len(commands) >= _LONG else ""
    return f"`{way}`{more}{'' if walked else ', as it seems'}"


def _new_ways(scene: Scene, room: str) -> tuple[str, ...]:
    """The directions that the text mentions, that nobody has gone, and that no way came by."""
    known = scene.map.passages(room)
    return _as_tried(scene, room, (way for way in _mentioned(scene, room) if way not in known))


def _as_tried(scene: Scene, room: str, ways: Iterable[str]) -> tuple[str, ...]:
    """The ways, those with the turn that somebody has tried in vain in this episode."""
    turns = {way: row.get("turn") for way, row in scene.attempts.at(room).items()}
    return tuple(
        way if turns.get(way) is None else f"{way} (tried in turn {turns[way]})" for way in ways
    )
