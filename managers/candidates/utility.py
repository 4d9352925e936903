"""The one utility function: a product of named terms."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from managers.candidates.leanings import Leaning
from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene
from managers.dynamics import essence
from managers.text.lexicon import head_of

_DISTANCE_POWER = 0.8
_AFTER_FAILURE = 0.35
_HOPELESS = 0.01
_AFTER_CHANGE = 0.7
_AFTER_SUCCESS = 0.02
_AGAIN = 0.8
"""What was put down is fetched again where there is a use for it, each time less gladly."""
_HINTED = 1.6
_REVEALED = 2.5
_WEARINESS = 0.5
_ALIKE = 0.3
"""How much less a room promises that cannot be told from others."""
_NOISE = 0.35
_UNSEEN = 0.03
_CAN_WAIT, _UNFIT = 0.2, 0.1
"""How much less what is not the fight counts during it, and fighting while one is not fit."""
_IN_A_FIGHT = frozenset(
    {"fight", "escape", "light", "prepare", "reply", "give", "remembered", "offered"}
)
_PATIENCE = {
    "fight": 0.93,
    "escape": 0.93,
    "light": 0.9,
    "save": 0.8,
    "deposit": 0.9,
    "wait": 0.9,
    "look": 0.9,
    "inventory": 0.9,
    "retry": 0.8,
    "squeeze": 0.8,
    "drop": 0.7,
    "prepare": 0.7,
    "reply": 0.7,
    "again": 0.5,
}
"""Kinds that may be done more than once, and how much less they are worth each time."""
_RISKS = {
    "fight": 0.5,
    "consume": 0.3,
    "climb": 0.2,
    "enter": 0.15,
    "probe": 0.15,
    "wander": 0.15,
    "apply": 0.1,
    "move": 0.1,
    "switch": 0.1,
    "exit": 0.1,
    "again": 0.1,
}
"""How likely actions of a class do harm, before anything is known of the place."""


def probability(scene: Scene, prospect: Prospect) -> float:
    """That the command works."""
    if prospect.odds:
        return prospect.odds
    learned = scene.dynamics.probability(prospect.command, prospect.kind, prospect.noun)
    return min(1.0, learned * prospect.chance)


def worth(scene: Scene, prospect: Prospect) -> float:
    """Of a success, in points of score, with what it does for the objectives."""
    return scene.dynamics.worth(prospect.kind) * prospect.scale + scene.services.of(prospect).worth


def nearness(scene: Scene, prospect: Prospect) -> float:
    """Less for what is far away; nothing for what cannot be reached."""
    distance = scene.distances.get(prospect.room)
    return 0.0 if distance is None else float((distance + 1) ** -_DISTANCE_POWER)


def freshness(scene: Scene, prospect: Prospect) -> float:
    """Less for what was done before, hardly anything for what fails as things are."""
    tried = scene.dynamics.tried(prospect.scope, prospect.command)
    if prospect.kind in _PATIENCE:
        patience = float(_PATIENCE[prospect.kind] ** tried.times)
        return patience * (_HOPELESS if _is_refused(scene, prospect) else 1.0)
    if not tried.times:
        return 1.0
    if scene.is_hopeless(prospect.command, prospect.room):
        return _HOPELESS
    if tried.successes:
        return float(_AGAIN**tried.times) if prospect.kind == "fetch" else _AFTER_SUCCESS
    changed = scene.leads.changed(prospect.room) >= tried.turn
    if changed or scene.changed_since_failure(prospect.command, prospect.room):
        return float(_AFTER_CHANGE**tried.times)
    return float(_AFTER_FAILURE**tried.times)


def _is_refused(scene: Scene, prospect: Prospect) -> bool:
    place = (prospect.room, prospect.command)
    return place not in scene.worth_another_try and scene.is_hopeless(
        prospect.command, prospect.room
    )


def novelty(scene: Scene, prospect: Prospect) -> float:
    """Less for what earlier episodes tried there in vain."""
    past = scene.stance.past
    if not past or prospect.kind in _PATIENCE or prospect.kind == "remembered":
        return 1.0
    place = HELD if prospect.place == HELD else scene.guide.key(prospect.room)
    return past.freshness(place, essence(prospect.command))


def salience(scene: Scene, prospect: Prospect) -> float:
    """More for what an action has brought to light, or the game has spoken or written of."""
    if not prospect.noun:
        return 1.0
    if (prospect.room, prospect.noun) in scene.revelations:
        return _REVEALED
    return _HINTED if head_of(prospect.noun) in scene.hints else 1.0


def liveliness(scene: Scene, prospect: Prospect) -> float:
    """Less for a room where much was done for nothing, or that looks like others."""
    lively = float(scene.dynamics.richness(prospect.room) ** _WEARINESS)
    return lively * _ALIKE if prospect.room in scene.mazes else lively


def safety(scene: Scene, prospect: Prospect) -> float:
    """The chance to survive it."""
    return 1.0 - scene.dynamics.danger(prospect.room, prospect.command)


def composure(scene: Scene, prospect: Prospect) -> float:
    """Little for what can wait until a fight is over or its wounds have healed, or in a flood."""
    if scene.foes and prospect.kind not in _IN_A_FIGHT:
        return _CAN_WAIT
    if scene.leads.wounds and prospect.kind == "fight":
        return _UNFIT
    if prospect.room in scene.leads.rising and prospect.kind != "escape":
        return _UNFIT
    return _UNFIT if prospect.room in scene.cut_off else 1.0


def prudence(scene: Scene, prospect: Prospect) -> float:
    """The chance that nothing bad comes of such an action anywhere."""
    return 1.0 - _RISKS.get(prospect.kind, 0.0)


def visibility(scene: Scene, prospect: Prospect) -> float:
    """Hardly anything for what would have to be done in the dark, or leads into it."""
    if prospect.kind in ("escape", "light"):
        return 1.0
    if scene.world.dark and prospect.room == scene.here:
        return _UNSEEN
    if not scene.unlit:
        return 1.0
    passage = scene.map.passages(prospect.room).get(prospect.command)
    leads = passage is not None and passage.to in scene.unlit
    return _UNSEEN if leads or prospect.room in scene.unlit else 1.0


def taste(scene: Scene, prospect: Prospect) -> float:
    """The agent's own leaning in this episode, so that seeds explore differently."""
    return _leaning(scene.stance.seed, prospect.room, prospect.command)


@lru_cache(maxsize=8192)
def _leaning(seed: int, room: str, command: str) -> float:
    key = f"{seed}/{room}/{command}".encode()
    return 1.0 + _NOISE * (zlib.crc32(key) / 0xFFFFFFFF - 0.5)


Term = Callable[[Scene, Prospect], float]

TERMS: Mapping[str, Term] = MappingProxyType(
    {
        "probability": probability,
        "worth": worth,
        "nearness": nearness,
        "freshness": freshness,
        "novelty": novelty,
        "salience": salience,
        "liveliness": liveliness,
        "safety": safety,
        "composure": composure,
        "prudence": prudence,
        "visibility": visibility,
        "taste": taste,
    }
)
"""Utility is their product, each to the power that mode and profile give it."""
_UNUSUAL = MappingProxyType({"prudence": 0.0})
"""Terms whose usual exponent is not 1."""


_BY_ROOM = ("nearness", "liveliness")
"""Terms that look at nothing but the room of a prospect: the same for many of them."""
_BY_KIND = ("composure", "prudence")
"""Terms that look at nothing but room and kind."""
_ROUNDING = 1.0 + 1e-9
"""How much a product may change by the order of its factors, and more."""


_IDLE: Mapping[Term, Callable[[Scene], bool]] = MappingProxyType(
    {
        novelty: lambda scene: not scene.stance.past,
        salience: lambda scene: not (scene.hints or scene.revelations),
        safety: lambda scene: not scene.dynamics.data["harm"],
        visibility: lambda scene: not (scene.unlit or scene.world.dark),
    }
)
"""Scenes in which a term is 1 for every prospect."""

Weighted = tuple[tuple[Term, float], ...]


class Utility:
    """The utility of prospects in one scene, in two steps."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._by_room, self._by_kind, own = _weighted(scene.stance.leaning)
        idle = [term for term, is_idle in _IDLE.items() if is_idle(scene)]
        self._own = tuple(one for one in own if one[0] not in idle)
        exponents = _exponents(scene.stance.leaning)
        self._freshness, self._prudence = exponents["freshness"], exponents["prudence"]
        self._rooms: dict[str, float] = {}
        self._standing: dict[tuple[str, str], float] = {}

    def bound(self, prospect: Prospect) -> float:
        """The utility without freshness, which is at most 1 and dear to know."""
        standing = self.standing(prospect)
        return standing and standing * self.own(prospect)

    def standing(self, prospect: Prospect) -> float:
        """The part of the bound that looks at nothing but room and kind."""
        key = (prospect.room, prospect.kind)
        standing = self._standing.get(key)
        if standing is None:
            room = self._room(prospect)
            standing = room and _product(self._by_kind, self._scene, prospect, room)
            self._standing[key] = standing
        return standing

    def own(self, prospect: Prospect) -> float:
        """The other part of the bound."""
        return _product(self._own, self._scene, prospect)

    def fresh(self, prospect: Prospect) -> float:
        """What freshness makes of the bound."""
        value = freshness(self._scene, prospect)
        return value if self._freshness == 1.0 else float(value**self._freshness)

    def there(self, prospect: Prospect, own: float) -> float:
        """No less than the bound without what depends on the room: composure is at most 1."""
        return own * float(prudence(self._scene, prospect) ** self._prudence)

    def reach(self, prospect: Prospect, most: float) -> float:
        """No less than the bound of any prospect in the room that is worth so much there."""
        return self._room(prospect) * most * _ROUNDING

    def _room(self, prospect: Prospect) -> float:
        room = self._rooms.get(prospect.room)
        if room is None:
            room = self._rooms[prospect.room] = _product(self._by_room, self._scene, prospect)
        return room


def _product(terms: Weighted, scene: Scene, prospect: Prospect, product: float = 1.0) -> float:
    for term, exponent in terms:
        value = term(scene, prospect)
        product *= value if exponent == 1.0 else value**exponent
    return product


@cache
def _weighted(leaning: Leaning) -> tuple[Weighted, Weighted, Weighted]:
    """The terms that count with their exponents: by room, by kind too, and the others."""
    counting = {name: power for name, power in _exponents(leaning).items() if power}
    counting.pop("freshness", None)
    others = [name for name in counting if name not in (*_BY_ROOM, *_BY_KIND)]
    by_room, by_kind, own = (
        tuple((TERMS[name], counting[name]) for name in names if name in counting)
        for names in (_BY_ROOM, _BY_KIND, others)
    )
    return by_room, by_kind, own


@cache
def _exponents(leaning: Leaning) -> dict[str, float]:
    added = dict(leaning.terms)
    return {
        name: max(_UNUSUAL.get(name, 1.0) + added.get(name, 0.0), _floor(name)) for name in TERMS
    }


def _floor(name: str) -> float:
    """Only prudence may turn into its contrary."""
    return -math.inf if name in _UNUSUAL else 0.0
