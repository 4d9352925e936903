"""The present situation in words and names: what every briefing tells of the knowledge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import overload

from environments.game import Value
from managers.knowledge import Knowledge
from managers.language.actions import DIRECTIONS, parse
from managers.language.history import History
from managers.language.lexicon import head_of
from managers.language.nouns import is_thing
from managers.planning.enrichment import Enriched, enriched
from managers.policy.scene import Scene
from managers.policy.wording import first_words, place_in
from managers.world.issues import world_issues
from managers.world.objects import SUPPOSED, GameObject

_LOOKS = frozenset({"examine", "read", "look at"})
_MOST = 8
_MOST_ISSUES = 12
_MOST_ELSEWHERE = 4


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
    """Directions that the text mentions there."""
    route: tuple[str, ...]
    """The commands from here to the place, all of them walked before."""


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
    def exits(self) -> dict[str, str]:
        """Ways from here, walked or supposed to lead back: command to place."""
        walked = self._scene.map.passages(self._scene.here)
        return {command: _label(self._scene, passage.to) for command, passage in walked.items()}

    @cached_property
    def walked(self) -> dict[str, str]:
        """Those of the ways from here that were really walked: command to place."""
        ways = self._scene.map.passages(self._scene.here).items()
        return {way: _label(self._scene, passage.to) for way, passage in ways if passage.seen}

    @cached_property
    def untried(self) -> tuple[str, ...]:
        """Directions the text mentions that nobody has gone yet; of a way back, where to."""
        return _untried(self._scene)

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
        """The turn in which the game listed last what is carried; -1 for never."""
        return self._scene.world.store.data["listed"]

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

    def unexamined(self, played: Iterable[str]) -> tuple[str, ...]:
        """What is here and none of the commands has looked at; of the prose, what is a thing."""
        seen = looked_at(played)
        known = {one.name for one in self._scene.around if one.id}
        named = (name for name in self.visible if name in known or is_thing(name))
        return tuple(name for name in named if head_of(name) not in seen)

    @cached_property
    def failures(self) -> dict[str, str]:
        """Commands that failed here while everything was as it is now, with the reason."""
        return _failures(self._scene)

    @cached_property
    def worked(self) -> frozenset[str]:
        """Commands, in their one form, that worked here when they were tried last."""
        rows = self._scene.attempts.at(self._scene.here)
        done = (name for name, row in rows.items() if row.get("worked") and not row.get("refused"))
        return frozenset(done)

    @cached_property
    def objected(self) -> frozenset[str]:
        """Commands, in their one form, that a critic has objected to here."""
        rows = self._scene.attempts.at(self._scene.here)
        return frozenset(command for command, row in rows.items() if row.get("objected"))

    @cached_property
    def dangers(self) -> dict[str, float]:
        """Commands that were deadly here, with the estimated chance of death."""
        return _dangers(self._scene)

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Every sensible command here, not ranked."""
        return _options(self._scene) if self._scene.here else ()

    @cached_property
    def precious(self) -> tuple[Sight, ...]:
        """Treasures, and where they are."""
        return _precious(self._scene)

    @cached_property
    def locked(self) -> tuple[Sight, ...]:
        """What is locked, and where it is."""
        return _locked(self._scene)

    @cached_property
    def home(self) -> str:
        """Where treasures score, once a deposit there did."""
        home = next(iter(self._scene.board.of("home")), None)
        return _label(self._scene, home.room) if home else ""

    @cached_property
    def dark_places(self) -> tuple[str, ...]:
        """Where it was dark, or where one would see nothing with what is carried."""
        scene = self._scene
        return tuple(_label(scene, room) for room in sorted(scene.dark_rooms | scene.unlit))

    @cached_property
    def unexplored(self) -> dict[str, int]:
        """Places with mentioned ways that nobody has gone, and how many."""
        return _unexplored(self._scene)

    def ways_to(self, text: str) -> dict[str, tuple[str, ...]]:
        """The other place where an objective is to be reached, and the commands that lead there.

        Empty where its text names none by its number, several, or only one that the place is
        described by: `west of L8`.
        """
        room = place_in(text)
        way = self._scene.walked_routes.to(room) if room not in ("", self._scene.here) else ()
        return {room: way} if way else {}

    def refusals(self, history: History) -> dict[str, str]:
        """Commands that failed here as things are, with what the game said to each."""
        said = {one.turn: one.reply for one in history.exchanges}
        turns = _turns_of_failures(self._scene)
        return {one: first_words(said.get(turns.get(one, -1), "")) for one in self.failures}

    @cached_property
    def elsewhere(self) -> tuple[OpenWays, ...]:
        """Other places with mentioned ways that nobody has gone, the nearest first."""
        return _elsewhere(self._scene)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was said lately that no rule understood."""
        return tuple(text for _, _, text in self._scene.world.notes()[-_MOST:])


class OpenIssues(Sequence[Enriched]):
    """The most important issues with what bears on them, found out when somebody asks for them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    @cached_property
    def _issues(self) -> tuple[Enriched, ...]:
        world = self._knowledge.world_view
        return enriched(world_issues(world, self._knowledge.map_view)[:_MOST_ISSUES], world)

    def __len__(self) -> int:
        return len(self._issues)

    @overload
    def __getitem__(self, at: int) -> Enriched: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Enriched]: ...
    def __getitem__(self, at: int | slice) -> Enriched | Sequence[Enriched]:
        return self._issues[at]


def looked_at(played: Iterable[str]) -> frozenset[str]:
    """The nouns of what some commands have looked at."""
    return frozenset(map(_subject, played)) - {""}


def _subject(command: str) -> str:
    """The noun of what a command only looks at; empty for any other command."""
    action = parse(command)
    return head_of(action.object) if action.head in _LOOKS and action.object else ""


def situation(scene: Scene) -> Situation:
    """The situation after the last turn."""
    return Situation(scene) if scene.here else Situation()


def _with_state(thing: GameObject) -> str:
    states = [name for name in ("lit", "on", "open", "worn") if thing.is_(name)]
    return f"{thing.name} ({', '.join(states)})" if states else thing.name


def _turns_of_failures(scene: Scene) -> dict[str, int]:
    """When a command failed here last."""
    turns = {way: entry.turn for way, entry in scene.map.blocked(scene.here).items()}
    return turns | {one.command: one.turn for one in scene.world.failures_at(scene.here)}


def _label(scene: Scene, room: str) -> str:
    return f"{room} {scene.map.title(room)}".strip()


def _failures(scene: Scene) -> dict[str, str]:
    walked, unburdened = scene.map.passages(scene.here), scene.unburdened
    reasons = {
        one.command: one.reason
        for one in scene.world.failures_at(scene.here)
        if (one.for_good or one.turn > unburdened)
        and scene.world.failed(one.command, scene.here) is not None
    }
    blocked = {
        way: entry.reason
        for way, entry in scene.map.blocked(scene.here).items()
        if (way not in walked or not walked[way].seen)
        and (entry.reason == "no_exit" or entry.turn > unburdened)
    }
    return {
        command: reason
        for command, reason in {**blocked, **reasons}.items()
        if (scene.here, command) not in scene.worth_another_try
        and scene.is_hopeless(command, scene.here)
    }


def _dangers(scene: Scene) -> dict[str, float]:
    """What did harm here, in this episode or in those that are remembered."""
    rows = scene.attempts.at(scene.here)
    commands = [command for command, row in rows.items() if row.get("harm")]
    return {one: round(scene.attempts.danger(scene.here, one), 2) for one in commands}


def _options(scene: Scene) -> tuple[str, ...]:
    if scene.offered:
        return tuple(dict.fromkeys([*scene.offered, "look", "inventory", "wait"]))
    offered = [one.command for one in scene.drafts_at(scene.here)]
    replies = [fact.subject for fact in scene.board.of("reply")]
    offered += [name for name in DIRECTIONS if name not in scene.map.blocked(scene.here)]
    return tuple(dict.fromkeys([*replies, *offered, "look", "inventory", "wait"]))


def _precious(scene: Scene) -> tuple[Sight, ...]:
    things = [thing for thing in scene.world.objects() if thing.portable]
    found = [_sight(scene, thing) for thing in things if scene.knowledge.is_precious(thing)]
    return tuple(one for one in found if one.place)[:_MOST]


def _locked(scene: Scene) -> tuple[Sight, ...]:
    things = [thing for thing in scene.world.objects() if thing.is_("locked")]
    return tuple(_sight(scene, thing) for thing in things)[:_MOST]


def _sight(scene: Scene, thing: GameObject) -> Sight:
    place = scene.world.location_of(thing.id)
    named = place if place in ("", "inventory") else _label(scene, place)
    return Sight(name=thing.name, place=named, taken=bool(thing.taken))


def _untried(scene: Scene) -> tuple[str, ...]:
    known = scene.map.passages(scene.here)
    return tuple(
        f"{way} (perhaps back to {known[way].to})" if way in known else way
        for way in _mentioned(scene, scene.here)
    )


def _mentioned(scene: Scene, room: str) -> Iterator[str]:
    return (way.direction for way in scene.map.mentioned(room))


def _elsewhere(scene: Scene) -> tuple[OpenWays, ...]:
    routes = scene.walked_routes
    rooms = [room for room in scene.map.lit_rooms() if room != scene.here and routes.to(room)]
    found = (
        OpenWays(place=_label(scene, room), ways=ways, route=routes.to(room))
        for room in sorted(rooms, key=lambda room: routes.costs[room])
        if (ways := _new_ways(scene, room))
    )
    return tuple(islice(found, _MOST_ELSEWHERE))


def _new_ways(scene: Scene, room: str) -> tuple[str, ...]:
    """The directions that the text mentions there, and no way is supposed to lead back by."""
    known = scene.map.passages(room)
    return tuple(way for way in _mentioned(scene, room) if way not in known)


def _unexplored(scene: Scene) -> dict[str, int]:
    open_ways = {room: len(scene.map.mentioned(room)) for room in scene.map.lit_rooms()}
    counts = {room: ways for room, ways in open_ways.items() if ways}
    distances, far = scene.distances, len(counts) + 99
    nearest = sorted(counts, key=lambda room: distances.get(room, far))
    return {_label(scene, room): counts[room] for room in nearest[:_MOST]}
