"""What one episode teaches the next: distilled at its end, merged with what is remembered.

Pure functions over plain data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from managers.candidates.prospect import HELD
from managers.dynamics import Tried
from managers.knowledge import Knowledge
from managers.memory import archive, atlas, outlooks, retrace
from managers.memory.archive import SUPPOSED, Cell, Point
from managers.memory.counts import TABLES, difference, total
from managers.memory.dangers import MOST_PLACES, deadly
from managers.memory.guide import is_described, room_key
from managers.memory.pruning import needs, pruned
from managers.memory.recalling import recall
from managers.memory.retrace import Entry, Line
from managers.memory.trail import Step
from managers.reflection import Outlook
from managers.text.directions import direction_of

FORMAT = 2

_MOST_RUNS = 64
_MOST_WORDS = 60
_MOST_COMMANDS = 100
"""Attempts that are remembered of one room."""
_MOST_HINTS, _MOST_CUES, _MOST_BARRED = 40, 24, 6


def distil(
    knowledge: Knowledge,
    outlook: Outlook,
    recalled: Mapping[str, Any],
    run: str,
) -> dict[str, Any]:
    """What an episode adds to the memory it started with.

    Args:
        knowledge: at its end.
        outlook: at its end.
        recalled: the memory it started with.
        run: a unique name of the episode; the same one is merged only once.
    """
    prior, dynamics = recall(recalled).knowledge.dynamics, knowledge.dynamics
    keys = _keys(knowledge)
    leads = dynamics.get("leads", {})
    home = leads.get("home")
    trail = [Step(*entry) for entry in dynamics.get("trail", [])]
    return {
        "format": FORMAT,
        "runs": [run],
        **{name: difference(dynamics[name], prior[name]) for name in TABLES},
        "unknown": _unknown(knowledge.world["unknown"], dynamics["nouns"]),
        **_words(leads, recalled, keys),
        "archive": archive.packed([*_points(trail, keys, dynamics), *_sent(dynamics)]),
        "deadly_way": archive.packed(_died(dynamics)),
        **atlas.drawn(knowledge.map, keys, dynamics.get("bright", [])),
        "tried": _tried(dynamics, keys),
        "outlook": outlooks.kept(outlook, keys),
        "scored": _scored(trail, keys),
        "finds": [
            [keys[room], command, 0, needs(command)]
            for room, command in dynamics.get("finds", [])
            if room in keys
        ],
        "deadly": deadly(dynamics, keys),
        "barred": [[keys[room], foe] for room, foe in dynamics.get("barred", []) if room in keys],
        "home": [keys[home[0]], home[1]] if home and home[0] in keys else None,
    }


def merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The memory with one episode more, or two memories in one; either may be empty."""
    if not old or not new:
        return dict(old or new)
    runs = [run for run in new["runs"] if run not in old["runs"]]
    if not runs:
        return dict(old)
    cells = archive.unpacked(old["archive"])
    for way in archive.unpacked(new["deadly_way"]) if "deadly_way" in new else ():
        cells = archive.risked(cells, way)
    cells = archive.joined(cells, archive.unpacked(new["archive"]))
    return {
        "format": FORMAT,
        "runs": [*old["runs"], *runs][-_MOST_RUNS:],
        **{name: total(old[name], new[name]) for name in TABLES},
        "unknown": _unknown([*old["unknown"], *new["unknown"]], {**old["nouns"], **new["nouns"]}),
        **_joined_words(old, new),
        "archive": archive.packed(cells),
        **atlas.joined(old, new),
        "tried": _both_tried(old["tried"], new["tried"]),
        "outlook": outlooks.joined(old["outlook"], new["outlook"]),
        "scored": _by_place([*old["scored"], *new["scored"]]),
        "finds": _by_place([*old.get("finds", []), *new.get("finds", [])]),
        "deadly": _by_place([*old["deadly"], *new["deadly"]], add=True),
        "barred": _first(new.get("barred", []), old.get("barred", []), _MOST_BARRED),
        "home": new["home"] or old["home"],
    }


def _keys(knowledge: Knowledge) -> dict[str, str]:
    """Room ids of the episode to what the rooms are called in every episode."""
    found = knowledge.dynamics.get("memory", {}).get("found", {})
    rooms = knowledge.map["rooms"].items()
    own = {id: room_key(entry["title"], entry["text"]) for id, entry in rooms}
    described = {id: key for id, key in found.items() if is_described(key)}
    return {**own, **described}


def _history(dynamics: Mapping[str, Any], keys: Mapping[str, str]) -> Line:
    """Every command of an exploring episode."""
    history = (Entry(*entry) for entry in dynamics.get("memory", {}).get("history", ()))
    return tuple(entry._replace(place=keys.get(entry.place, "")) for entry in history)


def _points(trail: list[Step], keys: Mapping[str, str], dynamics: Mapping[str, Any]) -> list[Cell]:
    """Where the episode stood, and with which steps one might get there, too."""
    return [*_found(trail, keys, _history(dynamics, keys)), *_shortened(trail, keys)]


def _found(trail: list[Step], keys: Mapping[str, str], history: Line) -> list[Cell]:
    """The points on the trail, each with the steps up to it."""
    cells, score, steps = [], 0, []
    for step in trail:
        if step.room not in keys or step.to not in keys:
            break
        score += step.points
        steps.append((keys[step.room], step.command, step.points))
        if score > 0:
            point = Point(score, keys[step.to], step.held)
            cells.append(Cell(point, tuple(steps), line=history[: step.turn]))
    return cells


def _shortened(trail: list[Step], keys: Mapping[str, str]) -> list[Cell]:
    """The points at which something scored, with what seems to be needed of the steps there."""
    known = list(takewhile(lambda step: step.room in keys and step.to in keys, trail))
    often = Counter(keys.values())
    alike = {room for room, key in keys.items() if often[key] > 1}
    alike |= {step.room for step in known if step.room == step.to and direction_of(step.command)}
    cells, score = [], 0
    for number, step in enumerate(known, start=1):
        score += step.points
        if step.points > 0 and score > 0:
            steps = pruned(known[:number], alike)
            if len(steps) < number:
                way = tuple((keys[one.room], one.command, one.points) for one in steps)
                cells.append(Cell(Point(score, keys[step.to], SUPPOSED), way))
    return cells


def _sent(dynamics: Mapping[str, Any]) -> list[Cell]:
    """The point that the episode was sent to, with what came of it."""
    guide = dynamics.get("memory", {})
    target = guide.get("target")
    if not target:
        return []
    point, way = target
    steps = tuple((place, command, points) for place, command, points in way)
    if retrace.is_complete(guide) or ("history" in guide and not guide["script"]):
        return [Cell(Point(*point), steps, visits=1)]
    return [Cell(Point(*point), steps, 1, dynamics["score"], visits=1)]


def _died(dynamics: Mapping[str, Any]) -> list[Cell]:
    """The way to the point that the episode was sent to, as far as the step it died of."""
    guide = dynamics.get("memory", {})
    return [
        cell._replace(steps=cell.steps[: guide["fatal"]])
        for cell in (_sent(dynamics) if guide.get("fatal") else ())
        if cell.times
    ]


def _unknown(words: Iterable[str], nouns: Mapping[str, Any]) -> list[str]:
    """Words the game does not know; one it once did something with is no such word."""
    used = {key.split()[-1] for key, (successes, _, _) in nouns.items() if successes}
    return _latest((word for word in words if word not in used), _MOST_WORDS)


def _words(
    leads: Mapping[str, Any], recalled: Mapping[str, Any], keys: Mapping[str, str]
) -> dict[str, Any]:
    """Treasures, and those of earlier episodes that were none; what was told, and is not there."""
    treasures, deposited = leads.get("treasures", []), leads.get("deposited", [])
    known = {*treasures, *deposited}
    return {
        "treasures": _latest(treasures, _MOST_WORDS),
        "refuted": [noun for noun in recalled.get("treasures", ()) if noun not in known],
        "hints": leads.get("hints", []),
        "cues": leads.get("cues", []),
        "absent": {
            keys[room]: nouns for room, nouns in leads.get("absent", {}).items() if room in keys
        },
    }


def _joined_words(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Both; what was told last comes first, as an episode started with what was told before."""
    treasures = [*old["treasures"], *new["treasures"]]
    before, since = old.get("absent", {}), new.get("absent", {})
    return {
        "treasures": _latest(
            (noun for noun in treasures if noun not in new.get("refuted", ())), _MOST_WORDS
        ),
        "hints": _first(new.get("hints", []), old.get("hints", []), _MOST_HINTS),
        "cues": _first(new.get("cues", []), old.get("cues", []), _MOST_CUES),
        "absent": {
            room: _latest([*before.get(room, ()), *since.get(room, ())], _MOST_WORDS)
            for room in {**before, **since}
        },
    }


def _first(new: list[Any], old: list[Any], most: int) -> list[Any]:
    return [*new, *(one for one in old if one not in new)][:most]


def _latest(words: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(words))[-most:]


def _tried(dynamics: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, dict[str, list[int]]]:
    """How often commands were tried in the rooms of this episode, and how often they worked."""
    table: dict[str, dict[str, list[int]]] = {}
    for room, commands in dynamics["tried"].items():
        key = HELD if room == HELD else keys.get(room)
        if key:
            rows = {command: _judged(Tried(*entry)) for command, entry in commands.items()}
            table[key] = _both_rows(table.get(key, {}), rows)
    return table


def _judged(tried: Tried) -> list[int]:
    """Attempts and successes; what was hindered may succeed the next time."""
    return [tried.times - tried.hindered, tried.successes]


def _both_tried(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, dict[str, list[int]]]:
    rooms = {**old, **new}
    return {room: _both_rows(old.get(room, {}), new.get(room, {})) for room in rooms}


def _both_rows(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[int]]:
    both = {}
    for command in {**old, **new}:
        before, own = old.get(command, (0, 0)), new.get(command, (0, 0))
        both[command] = [before[0] + own[0], before[1] + own[1]]
    often = sorted(both, key=lambda command: (-both[command][0], command))[:_MOST_COMMANDS]
    return {command: both[command] for command in often}


def _scored(trail: list[Step], keys: Mapping[str, str]) -> list[list[Any]]:
    """Where points were scored, by which command, and what had to be carried for it."""
    return [
        [keys[step.room], step.command, step.points, needs(step.command)]
        for step in trail
        if step.points > 0 and step.room in keys
    ][-MOST_PLACES:]


def _by_place(entries: list[list[Any]], *, add: bool = False) -> list[list[Any]]:
    """One entry per room and command: the latest one, or the sum of their counts."""
    table: dict[tuple[str, str], list[Any]] = {}
    for room, command, *rest in entries:
        before = table.pop((room, command), None)
        if add and before:
            rest = [one + other for one, other in zip(before, rest, strict=True)]
        table[room, command] = rest
    return [[*place, *rest] for place, rest in table.items()][-MOST_PLACES:]
