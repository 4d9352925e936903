"""What one episode teaches the next: distilled at its end, merged with what is remembered.

Pure functions over plain data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from managers.knowledge import Knowledge
from managers.language.actions import direction_of, parse
from managers.learning.reflection import Outlook
from managers.memory import archive, atlas, outlooks
from managers.memory.archive import SUPPOSED, ArchiveCell, PlayedCommand, Standpoint
from managers.memory.guide import Guide, is_described, room_key
from managers.memory.recalling import TABLES, recall
from managers.memory.trail import GuideData, TrailStep, needs, pruned
from managers.world.attempts import HELD, AttemptRow, AttemptsData
from managers.world.facts import Blackboard

FORMAT = 3

_MOST_RUNS = 64
_MOST_WORDS = 60
_MOST_COMMANDS = 100
"""Attempts that are remembered of one room."""
_MOST_HINTS, _MOST_CUES, _MOST_BARRED = 40, 24, 6
_MOST_PLACES = 60
_MOST_COUNTED = 40.0
"""Older observations fade beyond so many of the same."""
_MOST_ENTRIES = 200
_LATELY = 15
"""For so many turns before a death in a room what was done there may be to blame, too."""
_HARMLESS = frozenset({"take", "drop", "put", "wait"})


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
    prior, rates, memory = recall(recalled).knowledge.rates, knowledge.rates, knowledge.memory
    keys, board, guide = _keys(knowledge), knowledge.board, memory["guide"]
    home = next(iter(board.of("home")), None)
    trail = [TrailStep(*entry) for entry in memory["trail"]]
    barring = [(fact.room, fact.subject) for fact in board.of("barring")]
    return {
        "format": FORMAT,
        "runs": [run],
        **{name: _difference(rates[name], prior[name]) for name in TABLES},  # type: ignore[literal-required]
        "unknown": _unknown(knowledge.world["unknown"], rates["nouns"]),
        **_words(board, recalled, keys),
        "archive": archive.packed([*_points(trail, keys, guide), *_sent(guide, knowledge.score)]),
        "deadly_way": archive.packed(_died(guide, knowledge.score)),
        **atlas.drawn(knowledge.map, knowledge.attempts_view, keys, board.subjects("bright")),
        "tried": _tried(knowledge.attempts, keys),
        "outlook": outlooks.kept(outlook, keys),
        "scored": _scored(trail, keys),
        "finds": [
            [keys[room], command, 0, needs(command)]
            for room, command in memory["finds"]
            if room in keys
        ],
        "deadly": _deadly(knowledge.attempts, guide.get("feared", {}), keys),
        "barred": [[keys[room], foe] for room, foe in barring if room in keys],
        "home": [keys[home.room], home.subject] if home and home.room in keys else None,
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
        **{name: _total(old[name], new[name]) for name in TABLES},
        "unknown": _unknown([*old["unknown"], *new["unknown"]], {**old["nouns"], **new["nouns"]}),
        **_joined_words(old, new),
        "archive": archive.packed(cells),
        **atlas.joined(old, new),
        "tried": {
            room: _both_rows(old["tried"].get(room, {}), new["tried"].get(room, {}))
            for room in {**old["tried"], **new["tried"]}
        },
        "outlook": outlooks.joined(old["outlook"], new["outlook"]),
        "scored": _by_place([*old["scored"], *new["scored"]]),
        "finds": _by_place([*old.get("finds", []), *new.get("finds", [])]),
        "deadly": _by_place([*old["deadly"], *new["deadly"]], add=True),
        "barred": _first(new.get("barred", []), old.get("barred", []), _MOST_BARRED),
        "home": new["home"] or old["home"],
    }


def _keys(knowledge: Knowledge) -> dict[str, str]:
    """Room ids of the episode to what the rooms are called in every episode."""
    found = knowledge.memory["guide"].get("found", {})
    rooms = knowledge.map["rooms"].items()
    own = {id: room_key(entry["title"], entry["text"]) for id, entry in rooms}
    described = {id: key for id, key in found.items() if is_described(key)}
    return {**own, **described}


def _points(trail: list[TrailStep], keys: Mapping[str, str], guide: GuideData) -> list[ArchiveCell]:
    """Where the episode stood, and with which steps one might get to what scored, too.

    In an exploring episode each point has every command up to it.
    """
    history = [PlayedCommand(*entry) for entry in guide.get("history", ())]
    line = tuple(entry._replace(place=keys.get(entry.place, "")) for entry in history)
    known = list(takewhile(lambda step: step.room in keys and step.to in keys, trail))
    often = Counter(keys.values())
    alike = {room for room, key in keys.items() if often[key] > 1}
    alike |= {step.room for step in known if step.room == step.to and direction_of(step.command)}
    found, shortened, score = [], [], 0
    for number, step in enumerate(known, start=1):
        score += step.points
        if score <= 0:
            continue
        point, steps = Standpoint(score, keys[step.to], step.held), known[:number]
        found.append(ArchiveCell(point, _way(steps, keys), line=line[: step.turn]))
        needed = pruned(steps, alike) if step.points > 0 else steps
        if len(needed) < number:
            shortened.append(ArchiveCell(point._replace(held=SUPPOSED), _way(needed, keys)))
    return [*found, *shortened]


def _way(steps: list[TrailStep], keys: Mapping[str, str]) -> tuple[tuple[str, str, int], ...]:
    return tuple((keys[one.room], one.command, one.points) for one in steps)


def _sent(guide: GuideData, score: int) -> list[ArchiveCell]:
    """The point that the episode was sent to, with what came of it."""
    target: Any = guide.get("target")
    if not target:
        return []
    point, way = target
    steps = tuple((place, command, points) for place, command, points in way)
    if Guide(guide).is_complete or ("history" in guide and not guide["script"]):
        return [ArchiveCell(Standpoint(*point), steps, visits=1)]
    return [ArchiveCell(Standpoint(*point), steps, 1, score, visits=1)]


def _died(guide: GuideData, score: int) -> list[ArchiveCell]:
    """The way to the point that the episode was sent to, as far as the step it died of."""
    return [
        cell._replace(steps=cell.steps[: guide["fatal"]])
        for cell in (_sent(guide, score) if guide.get("fatal") else ())
        if cell.times
    ]


def _unknown(words: Iterable[str], nouns: Mapping[str, Any]) -> list[str]:
    """Words the game does not know; one it once did something with is no such word."""
    used = {key.split()[-1] for key, (successes, _, _) in nouns.items() if successes}
    return _latest((word for word in words if word not in used), _MOST_WORDS)


def _words(
    board: Blackboard, recalled: Mapping[str, Any], keys: Mapping[str, str]
) -> dict[str, Any]:
    """Treasures, and those of earlier episodes that were none; what was told, and is not there."""
    treasures = [fact.subject for fact in board.of("treasure")]
    known = {*treasures, *board.subjects("deposited")}
    absent: dict[str, list[str]] = {}
    for fact in board.of("absent"):
        if fact.room in keys:
            absent.setdefault(keys[fact.room], []).append(fact.subject)
    return {
        "treasures": _latest(treasures, _MOST_WORDS),
        "refuted": [noun for noun in recalled.get("treasures", ()) if noun not in known],
        "hints": [fact.subject for fact in board.of("hint")],
        "cues": [[fact.subject, fact.value] for fact in board.of("cue")],
        "absent": absent,
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


def _tried(attempts: AttemptsData, keys: Mapping[str, str]) -> dict[str, dict[str, list[int]]]:
    """How often commands were tried in the rooms of this episode, and how often they worked."""
    table: dict[str, dict[str, list[int]]] = {}
    for room, actions in attempts.items():
        key = HELD if room == HELD else keys.get(room)
        if key:
            rows = {action: _judged(row) for action, row in actions.items() if row.get("times")}
            table[key] = _both_rows(table.get(key, {}), rows)
    return table


def _judged(row: AttemptRow) -> list[int]:
    """Attempts and successes; what was hindered may succeed the next time."""
    return [row.get("times", 0) - row.get("hindered", 0), row.get("worked", 0)]


def _both_rows(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[int]]:
    both = {}
    for command in {**old, **new}:
        before, own = old.get(command, (0, 0)), new.get(command, (0, 0))
        both[command] = [before[0] + own[0], before[1] + own[1]]
    often = sorted(both, key=lambda command: (-both[command][0], command))[:_MOST_COMMANDS]
    return {command: both[command] for command in often}


def _scored(trail: list[TrailStep], keys: Mapping[str, str]) -> list[list[Any]]:
    """Where points were scored, by which command, and what had to be carried for it."""
    return [
        [keys[step.room], step.command, step.points, needs(step.command)]
        for step in trail
        if step.points > 0 and step.room in keys
    ][-_MOST_PLACES:]


def _by_place(entries: list[list[Any]], *, add: bool = False) -> list[list[Any]]:
    """One entry per room and command: the latest one, or the sum of their counts."""
    table: dict[tuple[str, str], list[Any]] = {}
    for room, command, *rest in entries:
        before = table.pop((room, command), None)
        if add and before:
            rest = [one + other for one, other in zip(before, rest, strict=True)]
        table[room, command] = rest
    return [[*place, *rest] for place, rest in table.items()][-_MOST_PLACES:]


def _difference(table: Mapping[str, Any], prior: Mapping[str, Any]) -> dict[str, list[float]]:
    """What was counted in this episode alone."""
    own = {}
    for key, counts in table.items():
        before = prior.get(key, (0, 0, 0))
        if counts[1] > before[1]:
            own[key] = [round(now - was, 3) for now, was in zip(counts, before, strict=True)]
    return own


def _total(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[float]]:
    """Both counted together, bounded."""
    summed = {}
    for key in [*old, *(key for key in new if key not in old)]:
        both = zip(old.get(key, (0, 0, 0)), new.get(key, (0, 0, 0)), strict=True)
        counts = [one + other for one, other in both]
        factor = min(1.0, _MOST_COUNTED / counts[1])
        summed[key] = [round(count * factor, 3) for count in counts]
    often = sorted(summed, key=lambda key: (-summed[key][1], key))[:_MOST_ENTRIES]
    return {key: summed[key] for key in often}


def _deadly(
    attempts: AttemptsData, feared: Mapping[str, Mapping[str, float]], keys: Mapping[str, str]
) -> list[list[Any]]:
    """Harm that commands did in this episode, and how often they were played; worst first.

    What others did is not a command's fault: it would happen elsewhere, or be done again.
    """
    blame: dict[tuple[str, str], float] = {}
    for room, rows in attempts.items():
        for action, row in rows.items() if room != HELD else ():
            expected = feared.get(room, {}).get(action, 0.0)
            own = max(0.0, row.get("harm", 0.0) - expected - row.get("dealt", 0.0))
            if own or expected:
                blame[room, action] = max(own, blame.get((room, action), 0.0))
            if own >= 1.0:
                blame |= {(room, cause): 1.0 for cause in _causes(rows, row.get("turn", -1))}
    found: list[list[Any]] = []
    for (room, action), harm in blame.items():
        times = attempts[room][action].get("times", 0)
        if room in keys and times:
            found.append([keys[room], action, round(harm, 3), times])
    return sorted(found, key=lambda entry: -entry[2])[:_MOST_PLACES]


def _causes(rows: Mapping[str, AttemptRow], died: int) -> Iterator[str]:
    """What had changed something in the room shortly before one died there."""
    for action, row in rows.items():
        parsed = parse(action)
        harmless = direction_of(action) or parsed.has("tells") or parsed.verb in _HARMLESS
        if row.get("worked") and not harmless and died - _LATELY <= row.get("turn", -1) < died:
            yield action
