"""The one value of an option: its expected utility, a product of named terms.

Every term is a function of the scene and a draft; its exponent stands in `policy.toml`, and play
modes and profiles lean it. `explain` tells the terms of one draft.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from functools import cache, partial

from environments.game import Value
from managers.language import patterns
from managers.language.actions import canonical, parse, table
from managers.language.lexicon import head_of
from managers.planning.objectives import Objective
from managers.policy.option import ESCAPE, Draft, discount
from managers.policy.scene import Scene
from managers.trust.wording import addressing
from managers.world.objects import INVENTORY

EVEN = "even"
"""The profile that leans no term."""
_SERVING = 8.0
"""What serving an objective of priority 10 adds to the worth of an action."""
_COMMITMENT = 1.25
"""How much more than others the agent's own plans count, so that it follows them."""
_GOING = frozenset({"exit", "enter", "climb", "light"})
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
_OUT_OF_THE_DARK = frozenset({ESCAPE, "light", "squeeze"})
"""Kinds of options that are no worse for the dark: a narrow way may be the way out of it."""
_NOISE = 0.35
_UNSEEN = 0.03
_CAN_WAIT, _UNFIT = 0.2, 0.1
"""How much less what is not the fight counts during it, and fighting while one is not fit."""
_ESCAPED = 0.5
"""How much less what is to be done elsewhere counts for each escape on the way there."""
_UNBLOCKING = 2.0
"""How much likelier dealing with a certain blocker is the right thing to do."""
_IN_A_FIGHT = frozenset(
    {"fight", ESCAPE, "light", "prepare", "reply", "give", "remembered", "offered"}
)


def probability(scene: Scene, draft: Draft) -> float:
    """That the command works; never with a verb that the game has said it does not know."""
    if scene.is_unknown(draft.command):
        return 0.0
    if draft.probability:
        return draft.probability
    learned = scene.rates.probability(draft.command, draft.kind, draft.noun)
    return min(1.0, learned * draft.chance)


def reward(scene: Scene, draft: Draft) -> float:
    """Of a success, in points of score, with what it does for the objectives."""
    worth = table().kinds[draft.kind].worth * draft.scale
    objective = served(scene, draft)
    if objective is None:
        return worth
    own = _COMMITMENT if objective.source == "agent" else 1.0
    return worth + own * _SERVING * objective.priority / 10


def served(scene: Scene, draft: Draft) -> Objective | None:
    """The objective in whose plan it is the next step, or that is to explore where it leads."""
    if draft.objective:
        return scene.pursued.get(draft.objective)
    return scene.sought.get(draft.room) if draft.kind in _GOING else None


def distance(scene: Scene, draft: Draft) -> float:
    """Less for what is far away; nothing for what cannot be reached."""
    cost = scene.distances.get(draft.room)
    return 0.0 if cost is None else discount(cost)


def repetition(scene: Scene, draft: Draft) -> float:
    """Less for what was done before, hardly anything for what fails as things are."""
    times, worked, turn = scene.attempts.of(draft.place or draft.room, draft.command)
    if times and scene.is_lighter(draft.command, draft.room):
        return 1.0
    again = table().kinds[draft.kind].again
    if again:
        dealt_with = (draft.room, draft.command) in scene.worth_another_try
        if not dealt_with and scene.is_hopeless(draft.command, draft.room):
            return float(again**times) * _HOPELESS
        same = turn >= scene.knowledge.changed(draft.room)
        vain = times - worked if same and not parse(draft.command).has("chancy") else 0
        return float(again**times * _AFTER_FAILURE**vain)
    if not times:
        return 1.0
    if scene.is_hopeless(draft.command, draft.room):
        return _HOPELESS
    if worked:
        return float(_AGAIN**times) if draft.kind == "fetch" else _AFTER_SUCCESS / times
    changed = scene.knowledge.changed(draft.room) >= turn
    if changed or scene.changed_since_failure(draft.command, draft.room):
        return float(_AFTER_CHANGE**times)
    return float(_AFTER_FAILURE**times)


def memory(scene: Scene, draft: Draft) -> float:
    """Less for what earlier episodes tried there in vain."""
    past = scene.stance.past
    if not past or table().kinds[draft.kind].again or draft.kind == "remembered":
        return 1.0
    place = INVENTORY if draft.place == INVENTORY else scene.guide.key(draft.room)
    return past.freshness(place, canonical(draft.command))


def attention(scene: Scene, draft: Draft) -> float:
    """More for what an action has brought to light, or the game has spoken or written of."""
    if not draft.noun:
        return 1.0
    if (draft.room, draft.noun) in scene.revealed:
        return _REVEALED
    return _HINTED if head_of(draft.noun) in scene.board.subjects("hint") else 1.0


def richness(scene: Scene, draft: Draft) -> float:
    """Less for a room where much was done for nothing, or that looks like others."""
    rich = float(scene.rates.richness(draft.room) ** _WEARINESS)
    return rich * _ALIKE if draft.room in scene.map.mazes() else rich


def safety(scene: Scene, draft: Draft) -> float:
    """The chance to survive it."""
    attempts, room = scene.attempts, draft.room
    return 1.0 - attempts.danger(room, draft.command) if room in attempts.harmful else 1.0


def urgency(scene: Scene, draft: Draft) -> float:
    """Little for what can wait until a fight is over or its wounds have healed."""
    if scene.foes and draft.kind not in _IN_A_FIGHT:
        return _CAN_WAIT
    if scene.wounds and draft.kind == "fight":
        return _UNFIT
    far = draft.room != scene.here and draft.kind != "remembered"
    passed = scene.routes.rooms(draft.room) if far and scene.escaped else ()
    again = float(_ESCAPED ** sum(scene.escaped[room] for room in passed))
    return again * (_UNFIT if draft.room in scene.cut_off else 1.0)


def risk(scene: Scene, draft: Draft) -> float:
    """The chance that nothing bad comes of such an action anywhere."""
    return 1.0 - table().kinds[draft.kind].risk


def light(scene: Scene, draft: Draft) -> float:
    """Hardly anything for what would have to be done in the dark, or leads into it."""
    if draft.kind in _OUT_OF_THE_DARK:
        return 1.0
    dark = scene.world.dark and draft.room == scene.here
    return _UNSEEN if dark or scene.is_unlit(draft.room, draft.command) else 1.0


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


_TERMS: tuple[Term, ...] = (
    probability, reward, distance, repetition, memory, attention, richness,
    safety, urgency, risk, light, blocker, taste,
)  # fmt: skip
TERMS: Mapping[str, Term] = {term.__name__: term for term in _TERMS}
"""The value is their product, each to its power."""
_IDLE: Mapping[str, Callable[[Scene], bool]] = {
    "memory": lambda scene: not scene.stance.past,
    "attention": lambda scene: not (scene.board.of("hint") or scene.revealed),
    "safety": lambda scene: not scene.attempts.harmful,
    "urgency": lambda scene: not (scene.foes or scene.wounds or scene.cut_off or scene.escaped),
    "light": lambda scene: not (scene.unlit or scene.world.dark),
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
def exponents(mode: str = "", profile: str = EVEN) -> Mapping[str, float]:
    """The power of every term, as a mode and a profile lean it; only risk may turn negative."""
    settings = patterns.read_table("policy", __package__)
    usual, by_mode = settings["terms"], settings["modes"].get(mode, {})
    by_profile = profiles()[profile].terms
    leaned = {
        name: usual[name] + by_mode.get(name, 0.0) + by_profile.get(name, 0.0) for name in TERMS
    }
    return {name: power if name == "risk" else max(power, 0.0) for name, power in leaned.items()}


class Valuation:
    """The value of drafts in one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        powers = exponents(scene.stance.mode, scene.stance.profile)
        off = scene.stance.faculties.without
        self._terms = {
            name: TERMS[name] if power == 1.0 else partial(_leaned, TERMS[name], power)
            for name, power in powers.items()
            if power and name not in off and not (name in _IDLE and _IDLE[name](scene))
        }
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
        values = {name: round(term(self._scene, draft), 3) for name, term in self._terms.items()}
        return {name: value for name, value in values.items() if value != 1.0}
