"""The present situation in words and names: what every briefing tells of the knowledge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from math import inf

from environments.game import Value
from managers.belief.beliefs import UNKNOWN
from managers.core.reflection import value_of
from managers.core.scene import Scene
from managers.language.actions import DIRECTIONS, parse
from managers.language.history import UNDO, Exchange, History
from managers.language.lexicon import head_of
from managers.language.outcomes import refusal_in
from managers.language.reading import SURE
from managers.planning.objectives import Objective
from managers.world.knowledge import LIVING, Knowledge
from managers.world.objects import INVENTORY, SUPPOSED, GameObject, treasury

_MOST = 8
_NUMBER = re.compile(r"\bL\d+\b")
_NO_DEEDS = frozenset({"travel", "look", "inventory", "wait"})
_ASKED_BACK = frozenset({"ambiguous", "incomplete"})
"""Why a command was not carried out of which the game wants to know more."""
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

    Nothing is known without a scene, or before the first room. What takes some finding out is
    found out when somebody asks for it; `parts` are told instead of what is known.
    """

    def __init__(self, scene: Scene | None = None, **parts: object) -> None:
        scene = scene if scene and scene.here else Scene(Knowledge.new())
        self._scene = scene
        self.place = scene.map.label(scene.here)
        """`L<n> Title`; empty before the first room."""
        self.dark = scene.world.dark
        """It is dark here."""
        self.lit = scene.knowledge.lit
        """A light source that is carried burns."""
        self.inside = scene.world.inside
        """What one is in or on; empty for nothing."""
        self.inventory = tuple(thing.name for thing in scene.held)
        """What is carried."""
        self.listed = scene.world.data["listed"]
        """The turn in which the game listed last what is carried, as was read; -1 for never."""
        self.things = tuple(thing.name for thing in scene.around)
        """What is visible here and not carried, with what there may be."""
        self.tried = scene.attempts.at(scene.here)
        """What became of the commands that were tried here, by their one form."""
        self.changed = scene.knowledge.changed(scene.here)
        """The last turn in which an action changed something that matters here; -1 for none."""
        vars(self).update(parts)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """What is surely carried, and in which state it is: `torch (lit)`."""
        return tuple(_with_state(one) for one in self._scene.held if one.guess < SUPPOSED)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was said lately that no rule understood."""
        return tuple(text for _, _, text in self._scene.world.notes()[-_MOST:])

    @cached_property
    def walked(self) -> dict[str, str]:
        """Ways from here that were walked: command to place."""
        scene = self._scene
        return {
            way: scene.map.label(passage.to) + (_ELSEWHERE_TOO if passage.random else "")
            for way, passage in scene.map.ways(scene.here).passages.items()
            if passage.seen and passage.to != scene.here
        }

    @cached_property
    def untried(self) -> tuple[str, ...]:
        """Directions the text mentions that nobody has gone, with where they may lead back to."""
        scene, here = self._scene, self._scene.here
        back = (
            f"{_as_tried(scene, here, way)} (perhaps back to {scene.map.label(passage.to)})"
            for way, passage in scene.map.ways(here).passages.items()
            if not passage.seen and scene.may_lead_back(here, passage)
        )
        return (*_new_ways(scene, here), *back)

    def untold(self, conditions: Iterable[str]) -> list[str]:
        """Those conditions of which nothing that is known of the world says if they hold."""
        return [one for one in conditions if value_of(one, self._scene.world) == UNKNOWN]

    def unread(self, history: History) -> Exchange | None:
        """A later list of what is carried that nobody could read, unless it was taken back.

        A refusal is no list, nor is what was told of another place: a key was pressed, perhaps.
        """
        found = None
        said = history.exchanges[self.listed + 1 :]
        rooms = (*(one.room for one in said[1:]), self._scene.here)
        for one, room in zip(said, rooms, strict=False):
            asked = parse(one.command).kind == "inventory" and one.room == room
            lists = asked and refusal_in(one.reply) is None
            found = one if lists else None if one.takes_back else found
        return found

    @cached_property
    def visible(self) -> tuple[str, ...]:
        """What a reading has named of the things here."""
        named = self._scene.world.scenery(self._scene.here)
        seen = (one.name for one in self._scene.around if one.id or one.name in named)
        return tuple(dict.fromkeys(seen))

    def is_lighter(self, command: str) -> bool:
        """Whether it was refused here for what was carried, and something was put down since."""
        return self._scene.obstacle(self._scene.here, command).anew

    def refusals(self, history: History) -> list[Exchange]:
        """What was tried here in vain, unless something was done with its things since."""
        scene, done, turns = self._scene, _done(self._scene), set()
        for command, row in self.tried.items():
            action, turn, reason = parse(command), row.get("turn", -1), row.get("reason")
            if reason in _ASKED_BACK:
                continue
            refused = row.get("refused") and row.get("since") == turn
            names = filter(None, (action.object, action.second))
            changed = any(done.get(head_of(name), -1) >= turn for name in names)
            shut = scene.world.meant(action.object) if reason in ("locked", "closed") else None
            opened = shut is not None and shut.is_("open")
            walks = command in DIRECTIONS and not row.get("worked")
            if (refused or walks) and not changed and not opened:
                turns.add(turn)
        played = _not_taken_back(history)
        return [one for one, after in played if one.room == after.room and one.turn in turns]

    def refused(self, objective: Objective, history: History) -> Exchange | None:
        """What the game said when a thing that is to be taken was not to be had where it is."""
        goal = objective.goal
        if goal is None or goal.kind != "have" or not goal.place:
            return None
        rows = self._scene.attempts.at(goal.place).items()
        turns = {
            row.get("turn")
            for command, row in rows
            if row.get("refused") and _takes(command, goal.thing)
        }
        return next((one for one in reversed(history.life) if one.turn in turns), None)

    def played(self, history: History) -> list[str]:
        """The deeds played here and not taken back: no walks, looks, or what is not the story's.

        What the game only asked back about was not done.
        """
        said = (one for one, _ in _not_taken_back(history) if one.room == self._scene.here)
        here = (one.command for one in said if not _asks_back(one.reply))
        deeds = (one for one in here if one not in ("", UNDO) and parse(one).kind not in _NO_DEEDS)
        return list(dict.fromkeys(deeds))

    def ends(self, history: History) -> list[Exchange]:
        """The commands that ended the story here, each with what came of it last."""
        return history.ends(self._scene.here)

    @cached_property
    def dangers(self) -> dict[str, float]:
        """Commands that were deadly here, with the estimated chance of death."""
        attempts, here = self._scene.attempts, self._scene.here
        harmful = (command for command, row in attempts.at(here).items() if row.get("harm"))
        return {command: round(attempts.danger(here, command), 2) for command in harmful}

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Every sensible command here, not ranked."""
        scene = self._scene
        if not scene.here:
            return ()
        commands = [*scene.offered]
        if not commands:
            blocked = scene.attempts.blocked(scene.here)
            commands += [fact.subject for fact in scene.board.of("reply")]
            commands += [one.command for one in scene.drafts_at(scene.here)]
            commands += [name for name in DIRECTIONS if name not in blocked]
        return tuple(dict.fromkeys([*commands, "look", "inventory", "wait"]))

    @cached_property
    def listed_here(self) -> tuple[str, ...]:
        """What the game listed here and is not carried, and who is here."""
        rows, found = self._scene.world.rows, []
        for one in self._scene.around:
            listed = one.id and rows[one.id]["how"] == "listed" and one.guess < SUPPOSED
            if listed or (one.id and not LIVING.isdisjoint(one.classes)):
                found.append(_with_state(one))
        return tuple(found)

    @cached_property
    def precious(self) -> tuple[Sight, ...]:
        """Treasures, and where they are."""
        scene = self._scene
        things = (one for one in scene.world.objects() if one.portable)
        sights = (_sight(scene, one) for one in things if scene.knowledge.is_precious(one))
        return tuple(one for one in sights if one.place)[:_MOST]

    @cached_property
    def lying(self) -> tuple[str, ...]:
        """What the game listed in other rooms, to be carried: `scalpel in L5 Ruins (turn 7)`."""
        scene = self._scene
        found = []
        for one in scene.world.objects():
            room, turn = scene.world.location_of(one.id), one.last_seen_turn
            listed = scene.world.rows[one.id]["how"] == "listed" and one.guess < SUPPOSED
            elsewhere = room in scene.map.data["rooms"] and room != scene.here
            if listed and elsewhere and one.portable:
                found.append((-turn, f"{one.name} in {scene.map.label(room)} (turn {turn})"))
        return tuple(told for _, told in sorted(found)[:_MOST])

    @cached_property
    def locked(self) -> tuple[Sight, ...]:
        """What is locked and not open, and where it is."""
        scene = self._scene
        things = (one for one in scene.world.objects() if one.is_("locked"))
        return tuple(_sight(scene, one) for one in things if not one.is_("open"))[:_MOST]

    @cached_property
    def home(self) -> str:
        """Where treasures score, once a deposit there did."""
        home = treasury(self._scene.board)
        return self._scene.map.label(home.room) if home else ""

    def toll(self, room: str) -> float:
        """What it costs to enter a room as things are, in commands besides the walk."""
        return self._scene.toll(room)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """What skills have to say of it, a line each."""
        return tuple(self._scene.skills.said("tell", str, self._scene))

    @cached_property
    def unexplored(self) -> dict[str, int]:
        """Places with mentioned ways that nobody has gone, and how many."""
        scene = self._scene
        ways = {room: len(scene.map.ways(room).mentioned) for room in scene.map.lit_rooms()}
        rooms = [room for room in ways if ways[room]]
        nearest = sorted(rooms, key=lambda room: scene.distances.get(room, inf))
        return {scene.map.label(room): ways[room] for room in nearest[:_MOST]}

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
        latest = reversed(scene.map.lit_rooms())
        found = [
            OpenWays(place=scene.map.label(room), ways=ways, route=_way_to(scene, room))
            for room in sorted(latest, key=lambda room: costs.get(room, inf))
            if room != scene.here and (ways := _new_ways(scene, room))
        ]
        return tuple(one for one in found if one.route) or tuple(found)


def _not_taken_back(history: History) -> Iterator[tuple[Exchange, Exchange]]:
    """The turns since the story began whose command did not end it, each with the next one."""
    said = pairwise((*history.life, history.last))
    return ((one, after) for one, after in said if not after.takes_back)


def _asks_back(reply: str) -> bool:
    refusal = refusal_in(reply)
    return refusal is not None and refusal.reason in _ASKED_BACK


def _takes(command: str, thing: str) -> bool:
    action = parse(command)
    return action.verb == "take" and head_of(action.object) == head_of(thing)


def _with_state(thing: GameObject) -> str:
    states = [name for name in ("lit", "on", "open", "worn") if thing.is_(name)]
    return f"{thing.name} ({', '.join(states)})" if states else thing.name


def _done(scene: Scene) -> dict[str, int]:
    """When something was done last with what has a noun."""
    done: dict[str, int] = {}
    for command, row in (one for rows in scene.attempts.data.values() for one in rows.items()):
        action = parse(command)
        if row.get("worked") and not row.get("refused") and not action.has("tells"):
            for name in (*action.object.split(" and "), action.second):
                done[head_of(name)] = max(row.get("turn", -1), done.get(head_of(name), -1))
    return done


def _sight(scene: Scene, thing: GameObject) -> Sight:
    room = scene.world.location_of(thing.id)
    place = room if room == INVENTORY else scene.map.label(room)
    return Sight(name=thing.name, place=place, taken=bool(thing.taken))


def _way_to(scene: Scene, room: str) -> str:
    """The commands to a room in words, and whether somebody has gone there by them."""
    routes = scene.told_routes
    commands, rooms = routes.to(room), (scene.here, *reversed(routes.rooms(room)))
    if not commands:
        return ""
    steps = zip(rooms, commands, strict=False)
    walked = all(scene.map.ways(at).passages[command].seen for at, command in steps)
    way = "`, `".join(commands[: _LONG - 1])
    more = f", ... ({len(commands)} commands)" if len(commands) >= _LONG else ""
    return f"`{way}`{more}{'' if walked else ', as it seems'}"


def _new_ways(scene: Scene, room: str) -> tuple[str, ...]:
    """The ways of the text that nobody has gone or come by, also where something was in the way."""
    known, ways = scene.map.ways(room).passages, [*scene.map.ways(room).mentioned]
    for way in scene.attempts.blocked(room):
        row = scene.attempts.at(room)[way]
        surely_none = row.get("reason") == "no_exit" and row.get("sure", 1.0) >= SURE
        if way in scene.exits(room) and not surely_none and not row.get("harm"):
            ways.append(way)
    return tuple(_as_tried(scene, room, way) for way in ways if way not in known)


def _as_tried(scene: Scene, room: str, way: str) -> str:
    """The way, with the turn in which somebody has tried it in vain in this episode."""
    turn = scene.attempts.at(room).get(way, {}).get("turn")
    return way if turn is None else f"{way} (tried in turn {turn})"
