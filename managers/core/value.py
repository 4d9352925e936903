"""The one value of an option: its expected utility, a product of named terms.

The terms here are those of every option; skills have a term each. The exponents stand in
`policy.toml`, and play modes and profiles lean them. `explain` tells the terms of one draft.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from functools import cache, partial

from environments.game import Value
from managers.belief.wording import addressing
from managers.core.option import OF_MEMORY, Draft, discount
from managers.core.scene import Scene
from managers.core.skill import Skill, is_shipped
from managers.language import patterns
from managers.language.actions import parse, table

EVEN = "even"
"""The profile that leans no term."""
_AFTER_FAILURE = 0.35
_HOPELESS = 0.01
_AFTER_CHANGE = 0.7
_AFTER_SUCCESS = 0.02
_AGAIN = 0.8
"""What was put down is fetched again where there is a use for it, each time less gladly."""
_WEARINESS = 0.5
_ALIKE = 0.3
"""How much less a room promises that cannot be told from others."""
_NOISE = 0.35
_FLED = 0.5
_UNBLOCKING = 2.0
"""How much likelier dealing with a certain blocker is the right thing to do."""


def probability(scene: Scene, draft: Draft) -> float:
    """That the command works; never with a verb that the game has said it does not know."""
    if scene.is_unknown(draft.command):
        return 0.0
    if draft.probability:
        return draft.probability
    learned = scene.rates.probability(draft.command, draft.kind, draft.noun)
    return min(1.0, learned * draft.chance)


def turned_back(scene: Scene, draft: Draft, fled: Mapping[str, int]) -> float:
    """Less for what is to be done elsewhere, for each time one fled from a room on the way there.

    Not for what an earlier episode speaks for: it went the same way.
    """
    if not fled or draft.room == scene.here or draft.kind in OF_MEMORY:
        return 1.0
    passed = scene.routes.rooms(draft.room)
    return float(_FLED ** sum(fled.get(room, 0) for room in passed))


def reward(scene: Scene, draft: Draft) -> float:
    """Of a success, in points of score."""
    return table().kinds[draft.kind].worth * draft.scale


def distance(scene: Scene, draft: Draft) -> float:
    """Less for what is far away; nothing for what cannot be reached."""
    cost = 0.0 if draft.room == scene.here else scene.distances.get(draft.room)
    return 0.0 if cost is None else discount(cost)


def repetition(scene: Scene, draft: Draft) -> float:
    """Less for what was done before, hardly anything for what fails as things are."""
    place = draft.place or draft.room
    times, worked, turn, refused = scene.attempts.of(place, draft.command)
    again = table().kinds[draft.kind].again
    if not (times or again):
        return 1.0
    obstacle = scene.obstacle(draft.room, draft.command)
    if times and obstacle.anew:
        return 1.0
    # What failed with a carried thing failed in a room, too.
    failed = refused or draft.place
    hopeless = failed and scene.is_hopeless(draft.command, draft.room)
    if again:
        if hopeless and not obstacle.gone:
            return float(again**times) * _HOPELESS
        same = turn >= scene.knowledge.changed(draft.room)
        vain = times - worked if same and not parse(draft.command).has("chancy") else 0
        return float(again**times * _AFTER_FAILURE**vain)
    if hopeless:
        return _HOPELESS
    if worked:
        return float(_AGAIN**times) if draft.kind == "fetch" else _AFTER_SUCCESS / times
    changed = scene.knowledge.changed(draft.room) >= turn
    if changed or scene.changed_since_failure(draft.command, draft.room):
        return float(_AFTER_CHANGE**times)
    return float(_AFTER_FAILURE**times)


def richness(scene: Scene, draft: Draft) -> float:
    """Less for a room where much was done for nothing, or that looks like others."""
    rich = float(scene.rates.richness(draft.room) ** _WEARINESS)
    return rich * _ALIKE if draft.room in scene.map.mazes() else rich


def safety(scene: Scene, draft: Draft) -> float:
    """The chance to survive it."""
    attempts, room = scene.attempts, draft.room
    return 1.0 - attempts.danger(room, draft.command) if room in attempts.harmful else 1.0


def risk(scene: Scene, draft: Draft) -> float:
    """The chance that nothing bad comes of such an action anywhere."""
    return 1.0 - table().kinds[draft.kind].risk


def taste(scene: Scene, draft: Draft) -> float:
    """The agent's own leaning in this episode, so that seeds explore differently."""
    key = f"{scene.stance.seed}/{draft.room}/{draft.command}".encode()
    return 1.0 + _NOISE * (zlib.crc32(key) / 0xFFFFFFFF - 0.5)


def blocker(scene: Scene, draft: Draft) -> float:
    """More for what deals with the blocker that is believed in, by how surely it is."""
    if not scene.believed_blocker:
        return 1.0
    addresses = addressing(draft.command, scene.beliefs.blocking_condition)
    return 1.0 + _UNBLOCKING * scene.believed_blocker * addresses


Term = Callable[[Scene, Draft], float]


def _leaned(term: Term, power: float, scene: Scene, draft: Draft) -> float:
    return float(term(scene, draft) ** power)


TERMS: Mapping[str, Term] = {
    term.__name__: term
    for term in (
        probability, reward, distance, repetition, richness, safety, risk, blocker, taste,
    )
}  # fmt: skip
"""The terms of every option."""
_IDLE: Mapping[str, Callable[[Scene], bool]] = {
    "safety": lambda scene: not scene.attempts.harmful,
    "blocker": lambda scene: not scene.believed_blocker,
}
"""Scenes in which a term is 1 for every draft."""
_OF_THE_ROOM = frozenset({"distance", "richness"})
"""Terms that are the same for all drafts of one room."""


class Profile(Value):
    """A way to play."""

    name: str
    interests: tuple[str, ...]
    personality: str
    terms: Mapping[str, float]


@cache
def profiles() -> Mapping[str, Profile]:
    """The ways to play, by name."""
    known = patterns.read_table("policy", __package__)["profiles"]
    return {name: Profile(name=name, **it) for name, it in known.items()}


@cache
def exponents(
    mode: str = "", profile: str = EVEN, skills: tuple[str, ...] = ()
) -> dict[str, float]:
    """The power of every term, as a mode and a profile lean it; only risk may turn negative.

    A skill's term that `policy.toml` does not name has the power 1.
    """
    settings = patterns.read_table("policy", __package__)
    by_mode, by_profile = settings["modes"].get(mode, {}), profiles()[profile].terms
    usual = {**settings["terms"], **{name: settings["terms"].get(name, 1.0) for name in skills}}
    leaned = {
        name: power + by_mode.get(name, 0.0) + by_profile.get(name, 0.0)
        for name, power in usual.items()
        if name in TERMS or name in skills
    }
    return {name: power if name == "risk" else max(power, 0.0) for name, power in leaned.items()}


def terms(scene: Scene) -> dict[str, Term]:
    """By name: the terms that can be other than 1 in a scene, each to its power."""
    skills = {skill.name: skill for skill in scene.skills.weighing}
    off, found = scene.stance.mind.without, dict[str, Term]()
    for name, power in exponents(scene.stance.mode, scene.stance.profile, tuple(skills)).items():
        skill = skills.get(name)
        idle = skill and not skill.weighs(scene)
        if power and name not in off and not idle and not (name in _IDLE and _IDLE[name](scene)):
            term = _weigher(scene, skill) if skill else TERMS[name]
            found[name] = term if power == 1.0 else partial(_leaned, term, power)
    return found


def _weigher(scene: Scene, skill: Skill) -> Term:
    """What a skill makes of drafts; that of a user's own is looked at."""
    return skill.weigh if is_shipped(skill) else partial(scene.skills.weigh, skill)


class Valuation:
    """The value of drafts in one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._terms = scene, terms(scene)
        self._shared = [term for name, term in self._terms.items() if name in _OF_THE_ROOM]
        self._own = [term for name, term in self._terms.items() if name not in _OF_THE_ROOM]
        self._rooms: dict[str, float] = {}

    def of(self, draft: Draft) -> float:
        """The product of the terms; nothing where the room is out of reach."""
        scene, worth = self._scene, self._rooms.get(draft.room)
        if worth is None:
            worth = math.prod(term(scene, draft) for term in self._shared)
            self._rooms[draft.room] = worth
        if worth:
            for term in self._own:
                worth *= term(scene, draft)
        return worth

    def explain(self, draft: Draft) -> dict[str, float]:
        """The terms of a draft by name, those left out that are 1."""
        return {
            name: value
            for name, term in self._terms.items()
            if (value := round(term(self._scene, draft), 3)) != 1.0
        }
