"""Fights: who attacks or bars the way, with what to fight, when to flee and where not to go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from managers.core.option import ESCAPE, Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.core.value import turned_back
from managers.language.actions import parse
from managers.language.layout import sentences
from managers.language.lexicon import head_of
from managers.language.patterns import HURT, phrases
from managers.world.facts import Blackboard, is_about
from managers.world.objects import NO_WEAPON, GameObject, weapon_rank, weapons
from managers.world.transition import Transition

HOSTILE = "hostile"
"""Fact: somebody who attacked or bars the way, for a while."""
BARRING = "barring"
"""Fact: somebody who bars the way, until defeated."""
WOUND = "wound"
"""Fact: a wound that still hurts."""
ESCAPED = "escaped"
"""Fact: a room that one has just got away from because of somebody, once for each time."""
_HOSTILE_LASTS, _WOUND_LASTS, _ESCAPE_LASTS = 12, 30, 40
_MOST_BARRING = 6

_ATTACKS = phrases(
    "attacks?", "attacking", "swings?", "stabs?", "lunges?", "charges", "snarls?", "growls?",
    r"menac\w+", "draws blood", "swipes?", "hacks", "thrusts", "feints",
    "aims (?:a|an|his|her|its)", r"threaten\w*", "blocks? your (?:way|path)",
    "bars? (?:your|the) (?:way|path)", "won't let you",
    r"(?:will|does|do) not (?:\w+ ){0,3}let you", "fends? you off", "slashes", "strikes?",
    "blocks all", "blocking (?:your|the) way", "hisses", "bares", "circles", "catches you",
    "opens your", "knocks you", "steps (?:between|in front|into your)",
    "would have to get past",
)  # fmt: skip
"""Somebody attacks, threatens or bars the way; who it is stands before these words."""
_BARS = phrases(
    "blocks? (?:your|the|all)", "blocking", "bars? (?:your|the)", "barring", "won't let you",
    r"(?:will|does|do) not (?:\w+ ){0,3}let you", "fends? you off", "would have to get past",
    "steps (?:between|in front|into your)", "stands? in (?:your|the) way",
)  # fmt: skip
_BLOW = phrases(
    r"(?:slash|stab|lunge|stroke|blow|jab)s?\b.*\byou(?:r)?", r"\w+ goes flying",
    "(?:parr(?:y|ies)|rams|inserts|pinks|cracks|wounds?|hits|cuts|bites|claws|punches|kicks"
    r"|shoots) (?:\w+ ){0,6}you",
)  # fmt: skip
"""A blow, whoever deals it."""
_DEFEATED = phrases(
    "dies", "is dead", "killed", "unconscious", "collapses", "defeated", "slain", "disappears",
    "vanishes", "flees", "falls dead", "carcass", "breathes? (?:his|her|its) last",
)  # fmt: skip
_AT_YOU = phrases("you", "your", "at bay", "way", "path")
"""Behind the words of an attack: it is on you. `A railing circles the dome` says no such thing."""

_TOLL = 15.0
"""Commands that a walk past somebody hostile is as bad as."""
_BARRED, _ATTACKED, _AWAY, _PERHAPS_AWAY = 5.0, 1.0, 0.7, 0.5
"""How much it is worth to fight who bars the way, to fight who attacks, and to get away."""
_UNARMED = 0.15
_IN_VAIN = 3
"""After so many attacks another thing is tried that could be a weapon."""
_CAN_WAIT, _UNFIT = 0.2, 0.1
"""How much less what is not the fight counts during it, and fighting while one is not fit."""
_IN_A_FIGHT = frozenset(
    {"fight", ESCAPE, "light", "prepare", "reply", "give", "remembered", "offered"}
)
"""Kinds of options that do not wait for the end of a fight."""
_NOT_IN_A_FIGHT = frozenset({"tinker", "aside"})
"""Kinds of options that nobody thinks of in a fight, where they are about a thing."""


class Danger:
    """Who is against one, and how fit one is."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        known, board = scene.knowledge, scene.board
        self.foes = known.foes
        """Those here who attacked lately or bar the way."""
        self.barring = known.barring
        self.wounds = len(board.of(WOUND))
        """How often one was hurt lately."""
        self.arms = weapons(scene.held)
        """What is carried and could be a weapon, the best first."""
        hostile = (thing for thing in scene.world.objects() if thing.noun in known.hostile)
        self.lairs = {scene.world.location_of(thing.id): thing for thing in hostile}
        """Rooms where somebody attacked or bars the way, and who."""
        self.escapes = Counter(one.room for one in board.of(ESCAPED))

    @cached_property
    def shunned(self) -> frozenset[str]:
        """Rooms it would be rash to enter now: somebody is there, or was lately or once."""
        if not self.wounds and self.arms:
            return frozenset()
        board = self._scene.board
        told = (*board.of(HOSTILE), *board.of(BARRING))
        rooms = (*self.lairs, *(one.room for one in told if one.room))
        return frozenset(rooms) - {self._scene.here}

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Those rooms, and the ones to which the way leads past them."""
        routes = self._scene.routes
        reached = routes.costs if self.shunned else ()
        return frozenset(
            room for room in reached if not self.shunned.isdisjoint(routes.rooms(room))
        )


class FightsSkill(Skill):
    """Fights with the best weapon, flees hurt or unarmed, and keeps away from who is there."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """Who attacks, hurts, bars the way, or does so no more; rooms that one fled from."""
        for rule in (_with_hostile, _with_wounds, _with_barring, _without_beaten, _with_escape):
            board = rule(board, transition)
        return board

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """Against whoever bars the way or attacks; away from a fight that is not worth it."""
        danger = scene.view(Danger)
        arms = danger.arms
        for foe in danger.foes:
            arms = sorted(arms, key=lambda arm: _vainly(scene, foe, arm))
            scale = _BARRED if foe.noun in danger.barring else _ATTACKED
            scale *= 1.0 if arms else _UNARMED
            yield Draft(scene.here, _attack(scene, foe, arms), "fight", foe.name, scale=scale)
        for room, foe in danger.lairs.items() if arms and not danger.wounds else ():
            yield Draft(room, _attack(scene, foe, arms), "fight", foe.name)
        attacked = any(foe.noun not in danger.barring for foe in danger.foes)
        if danger.foes and (danger.wounds or not danger.arms or attacked):
            for command, passage in scene.map.ways(scene.here).passages.items():
                if scene.leads_back(scene.here, command):
                    scale = _AWAY if passage.seen else _PERHAPS_AWAY
                    yield Draft(scene.here, command, ESCAPE, scale=scale)

    def weighs(self, scene: Scene) -> bool:
        """There is somebody, or was."""
        danger = scene.view(Danger)
        return bool(danger.foes or danger.wounds or danger.cut_off or danger.escapes)

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """Little for what can wait until a fight is over or its wounds have healed."""
        danger = scene.view(Danger)
        if danger.foes and draft.kind not in _IN_A_FIGHT:
            idle = draft.kind in _NOT_IN_A_FIGHT and draft.noun
            return 0.0 if idle else _CAN_WAIT
        if danger.wounds and draft.kind == "fight":
            return _UNFIT
        if danger.wounds and draft.kind == "aside" and parse(draft.command).verb == "attack":
            return 0.0
        again = turned_back(scene, draft, danger.escapes)
        return again * (_UNFIT if draft.room in danger.cut_off else 1.0)

    def toll(self, scene: Scene, room: str) -> float:
        """Of rooms it would be rash to enter."""
        return _TOLL if room in scene.view(Danger).shunned else 0.0


def _vainly(scene: Scene, foe: GameObject, arm: GameObject) -> int:
    """How often something that need not be a weapon was useless, or has not helped, by threes."""
    if weapon_rank(arm) < NO_WEAPON:
        return 0
    tried = scene.attempts.of(scene.here, _attack(scene, foe, [arm]))
    return tried.times - tried.worked + tried.worked // _IN_VAIN


def _attack(scene: Scene, foe: GameObject, arms: Sequence[GameObject]) -> str:
    attack = f"attack {scene.called(foe)}"
    return f"{attack} with {scene.called(arms[0])}" if arms else attack


# -- what is noticed -------------------------------------------------------------


def _with_hostile(board: Blackboard, transition: Transition) -> Blackboard:
    """Who attacks or bars the way: the nearest noun before the word that says so.

    A wound is dealt by whoever was attacked, or else is there.
    """
    living, here, action = transition.after.living, transition.after.here, transition.action
    for sentence in sentences(transition.text):
        words = sentence.lower()
        if _DEFEATED.search(words):
            board = _without_named(board, HOSTILE, words)
            continue
        attack = _ATTACKS.search(words)
        named: list[str] = []
        if attack:
            at_you = _AT_YOU.search(words, attack.start())
            actors = _actors(transition) if at_you else living
            named = _named_before(attack.start(), words, actors)
            named += sorted(board.subjects(HOSTILE))
        elif _BLOW.search(words):
            named = [name for name in living if _position(name, words) >= 0][:1]
        new = [
            transition.fact(name, room=here, source=sentence, lasts=_HOSTILE_LASTS)
            for name in named
        ]
        board = board.without(HOSTILE, is_about(*named)).with_(HOSTILE, new)
    if HURT.search(transition.text) and not board.of(HOSTILE):
        foe = head_of(action.object) if action.verb == "attack" else ""
        struck = [name for name in _actors(transition) if head_of(name) == foe]
        new = [
            transition.fact(name, room=here, lasts=_HOSTILE_LASTS)
            for name in (struck or living)[:1]
        ]
        board = board.with_(HOSTILE, new)
    return board


def _with_wounds(board: Blackboard, transition: Transition) -> Blackboard:
    """Wounds that still hurt; nobody carries them over death."""
    if transition.reading.died:
        return board.without(WOUND, lambda _: True)
    if not HURT.search(transition.text):
        return board
    new = transition.fact("oneself", value=str(transition.turn), lasts=_WOUND_LASTS)
    return board.with_(WOUND, [new])


def _with_barring(board: Blackboard, transition: Transition) -> Blackboard:
    """Who does not let one pass."""
    for sentence in sentences(transition.text.lower()):
        if _DEFEATED.search(sentence):
            board = _without_named(board, BARRING, sentence)
        if match := _BARS.search(sentence):
            named = _named_before(match.start(), sentence, _actors(transition))
            here = transition.after.here
            new = [transition.fact(name, room=here, source=sentence) for name in named]
            board = board.without(BARRING, is_about(*named)).with_(BARRING, new, _MOST_BARRING)
    return board


def _without_beaten(board: Blackboard, transition: Transition) -> Blackboard:
    """Nobody attacks or bars the way any more on whom an attack has scored.

    Where somebody was defeated, other things may work now.
    """
    action, scored = transition.action, transition.scored > 0
    if action.verb != "attack":
        return board
    if scored:
        foe = head_of(action.object)
        for kind in (HOSTILE, BARRING):
            board = board.without(kind, lambda fact: head_of(fact.subject) == foe)
    if scored or _DEFEATED.search(transition.text):
        board = transition.with_change(board, transition.room)
    return board


def _with_escape(board: Blackboard, transition: Transition) -> Blackboard:
    """The room that one has just got away from.

    Who was wounded does not count as kept away: that one comes back when the wound has healed.
    """
    before = transition.before
    fled = transition.meant.escape and transition.moved and not before.world_view.dark
    if not (fled and before.foes and not board.of(WOUND)):
        return board
    new = transition.fact(
        "somebody", room=transition.start, value=str(board.turn), lasts=_ESCAPE_LASTS
    )
    return board.with_(ESCAPED, [new])


def _actors(transition: Transition) -> tuple[str, ...]:
    """The names of persons and creatures here, then of whatever else could act."""
    return tuple(dict.fromkeys((*transition.after.living, *transition.after.able)))


def _named_before(position: int, sentence: str, actors: tuple[str, ...]) -> list[str]:
    """The first of the actors whose noun stands before the position, if any."""
    found = ((name, _position(name, sentence)) for name in actors)
    return [name for name, at in found if 0 <= at < position][:1]


def _without_named(board: Blackboard, kind: str, sentence: str) -> Blackboard:
    return board.without(kind, lambda fact: _position(fact.subject, sentence) >= 0)


def _position(name: str, sentence: str) -> int:
    """Where a sentence speaks of somebody: no `man` is in `woman`; -1 for nowhere."""
    match = re.search(rf"\b{re.escape(name.split()[-1])}(?:e?s)?\b", sentence)
    return match.start() if match else -1
