"""The present situation in words and names: what every briefing tells of the knowledge."""

from __future__ import annotations

from pydantic import Field

from environments.game import Value
from managers.candidates.scene import Scene, is_precious
from managers.knowledge import Knowledge
from managers.text.directions import DIRECTIONS
from managers.world import Enriched, GameObject, enriched, world_issues


class Sight(Value):
    """A thing that matters and where it was seen last."""

    name: str
    place: str
    """`L<n> Title`, or `inventory`."""
    taken: bool = False
    """It has been carried at least once."""


class Situation(Value):
    """What is known here and now, and what is known elsewhere and matters."""

    place: str = ""
    """`L<n> Title`; empty before the first room."""
    dark: bool = False
    lit: bool = False
    """A light source that is carried burns."""
    inside: str = ""
    exits: dict[str, str] = Field(default_factory=dict)
    """Walked ways from here: command to place."""
    untried: tuple[str, ...] = ()
    """Directions the text mentions that nobody has gone yet."""
    inventory: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    """What is visible here and not carried."""
    failures: dict[str, str] = Field(default_factory=dict)
    """Commands that failed here while everything was as it is now, with the reason."""
    dangers: dict[str, float] = Field(default_factory=dict)
    """Commands that were deadly here, with the estimated chance of death."""
    options: tuple[str, ...] = ()
    """Every sensible command here, not ranked."""
    precious: tuple[Sight, ...] = ()
    locked: tuple[Sight, ...] = ()
    home: str = ""
    """Where treasures score, once a deposit there did."""
    dark_places: tuple[str, ...] = ()
    """Where it was dark, or where one would see nothing with what is carried."""
    unexplored: dict[str, int] = Field(default_factory=dict)
    """Places with mentioned ways that nobody has gone, and how many."""
    notes: tuple[str, ...] = ()
    """What was said lately that no rule understood."""


_MOST = 8
_MOST_ISSUES = 12


def situation(knowledge: Knowledge) -> Situation:
    """The situation after the last turn."""
    scene = Scene.of(knowledge)
    if not scene.here:
        return Situation()
    return Situation(
        place=_label(scene, scene.here),
        dark=scene.world.dark,
        lit=scene.lit,
        inside=scene.world.inside,
        exits={
            command: _label(scene, passage.to)
            for command, passage in scene.map.passages(scene.here).items()
        },
        untried=tuple(way.direction for way in scene.map.mentioned(scene.here)),
        inventory=tuple(thing.name for thing in scene.held),
        things=tuple(thing.name for thing in scene.around),
        failures=_failures(scene),
        dangers=_dangers(scene),
        options=_options(scene),
        precious=_precious(scene),
        locked=_locked(scene),
        home=_label(scene, scene.leads.home[0]) if scene.leads.home else "",
        dark_places=tuple(_label(scene, id) for id in sorted(scene.dark_rooms | scene.unlit)),
        unexplored=_unexplored(scene),
        notes=tuple(text for _, _, text in scene.world.notes()[-_MOST:]),
    )


def open_issues(knowledge: Knowledge) -> tuple[Enriched, ...]:
    """The most important issues after the last turn, with what bears on them."""
    world = knowledge.world_view
    return enriched(world_issues(world, knowledge.map_view)[:_MOST_ISSUES], world)


def _label(scene: Scene, room: str) -> str:
    return f"{room} {scene.map.title(room)}".strip()


def _failures(scene: Scene) -> dict[str, str]:
    reasons = {one.command: one.reason for one in scene.world.failures_at(scene.here)}
    reasons = {
        command: reason
        for command, reason in reasons.items()
        if scene.world.failed(command, scene.here) is not None
    }
    walked = scene.map.passages(scene.here)
    blocked = {
        way: entry.reason
        for way, entry in scene.map.blocked(scene.here).items()
        if way not in walked or not walked[way].seen
    }
    return {
        command: reason
        for command, reason in {**blocked, **reasons}.items()
        if (scene.here, command) not in scene.worth_another_try
        and scene.is_hopeless(command, scene.here)
    }


def _dangers(scene: Scene) -> dict[str, float]:
    """What did harm here, in this episode or in those that are remembered."""
    here = scene.here
    places = (place.partition("|") for place in scene.dynamics.data["harm"])
    commands = [command for room, _, command in places if room == here]
    return {command: round(scene.dynamics.danger(here, command), 2) for command in commands}


def _options(scene: Scene) -> tuple[str, ...]:
    if scene.offered:
        return tuple(dict.fromkeys([*scene.offered, "look", "inventory", "wait"]))
    offered = [one.command for one in scene.left_undone]
    offered += [name for name in DIRECTIONS if name not in scene.map.blocked(scene.here)]
    return tuple(dict.fromkeys([*scene.leads.replies, *offered, "look", "inventory", "wait"]))


def _precious(scene: Scene) -> tuple[Sight, ...]:
    things = [thing for thing in scene.world.objects() if thing.portable]
    found = [_sight(scene, thing) for thing in things if is_precious(scene, thing)]
    return tuple(one for one in found if one.place)[:_MOST]


def _locked(scene: Scene) -> tuple[Sight, ...]:
    things = [thing for thing in scene.world.objects() if thing.is_("locked")]
    return tuple(_sight(scene, thing) for thing in things)[:_MOST]


def _sight(scene: Scene, thing: GameObject) -> Sight:
    place = scene.world.location_of(thing.id)
    named = place if place in ("", "inventory") else _label(scene, place)
    return Sight(name=thing.name, place=named, taken=bool(thing.taken))


def _unexplored(scene: Scene) -> dict[str, int]:
    open_ways = {room: len(scene.map.mentioned(room)) for room in scene.map.lit_rooms()}
    counts = {room: ways for room, ways in open_ways.items() if ways}
    distances, far = scene.distances, len(counts) + 99
    nearest = sorted(counts, key=lambda room: distances.get(room, far))
    return {_label(scene, room): counts[room] for room in nearest[:_MOST]}
