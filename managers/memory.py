"""What one episode teaches the next: distilled at its end, merged, recalled at the opening.

Pure functions over plain data. What is recalled is a prior: counts are discounted, and the
game has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from managers.dynamics import Dynamics
from managers.guide import room_key
from managers.knowledge import Knowledge
from managers.text.commands import parse_command
from managers.text.lexicon import head_of
from managers.trail import Step, best_part

FORMAT = 1

_TABLES = ("kinds", "verbs", "nouns")
_DISCOUNT = 0.5
_MOST_COUNTED = 40.0
"""Older observations fade beyond so many of the same."""
_MOST_ENTRIES = 200
_MOST_RUNS = 64
_MOST_PLACES = 40
_MOST_WORDS = 60


def distil(knowledge: Knowledge, recalled: Mapping[str, Any], run: str) -> dict[str, Any]:
    """What an episode adds to the memory it started with.

    Args:
        knowledge: at its end.
        recalled: the memory it started with.
        run: a unique name of the episode; the same one is merged only once.
    """
    prior, dynamics = recall(recalled).dynamics, knowledge.dynamics
    keys = _keys(knowledge)
    steps, score = best_part(dynamics.get("trail", []))
    leads = dynamics.get("leads", {})
    home = leads.get("home")
    promised = recalled["path"]["score"] if recalled and _followed(recalled) else 0
    return {
        "format": FORMAT,
        "runs": [run],
        **{name: _difference(dynamics[name], prior[name]) for name in _TABLES},
        "unknown": _unknown(knowledge.world["unknown"], dynamics["nouns"]),
        "treasures": _latest(leads.get("treasures", []), _MOST_WORDS),
        "path": {
            "score": score,
            "commands": [[keys[step.room], step.command, step.points] for step in steps],
            "reached": [int(promised > 0), score if promised else 0],
        },
        "scored": _scored(dynamics.get("trail", []), keys),
        "deadly": _deadly(dynamics, keys),
        "home": [keys[home[0]], home[1]] if home and home[0] in keys else None,
    }


def merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The memory with one episode more, or two memories in one; either may be empty."""
    if not old or not new:
        return dict(old or new)
    runs = [run for run in new["runs"] if run not in old["runs"]]
    if not runs:
        return dict(old)
    return {
        "format": FORMAT,
        "runs": [*old["runs"], *runs][-_MOST_RUNS:],
        **{name: _sum(old[name], new[name]) for name in _TABLES},
        "unknown": _unknown([*old["unknown"], *new["unknown"]], {**old["nouns"], **new["nouns"]}),
        "treasures": _latest([*old["treasures"], *new["treasures"]], _MOST_WORDS),
        "path": _better(old["path"], new["path"]),
        "scored": _by_place([*old["scored"], *new["scored"]]),
        "deadly": _by_place([*old["deadly"], *new["deadly"]], add=True),
        "home": new["home"] or old["home"],
    }


def recall(memory: Mapping[str, Any]) -> Knowledge:
    """What an episode knows before the first word of the story, thanks to earlier ones."""
    blank = Knowledge.new()
    if not memory:
        return blank
    counts = {name: _discounted(memory[name]) for name in _TABLES}
    path = memory["path"]["commands"] if _followed(memory) else []
    deadly = [[key, cmd, harm / (times + 1)] for key, cmd, harm, times in memory["deadly"]]
    home = memory["home"]
    places = [*path, *memory["scored"], *deadly, *([home] if home else [])]
    guide = {
        "rooms": sorted({entry[0] for entry in places}),
        "found": {},
        "path": path,
        "idle": 0,
        "setbacks": 0,
        "scored": memory["scored"],
        "deadly": deadly,
        "home": home,
    }
    leads = {"treasures": memory["treasures"]}
    return Knowledge(
        {**blank.world, "unknown": dict.fromkeys(memory["unknown"], 0)},
        blank.map,
        {**blank.dynamics, **counts, "leads": leads, "memory": guide},
    )


def _followed(memory: Mapping[str, Any]) -> bool:
    """Whether the best trajectory is worth following: not where it led to less than half."""
    path = memory["path"]
    times, total = path["reached"]
    return bool(2 * total >= times * path["score"])


def _keys(knowledge: Knowledge) -> dict[str, str]:
    """Room ids of the episode to what the rooms are called in every episode."""
    found = knowledge.dynamics.get("memory", {}).get("found", {})
    rooms = knowledge.map["rooms"].items()
    own = {id: room_key(entry["title"], entry["text"]) for id, entry in rooms}
    return {**own, **found}


def _difference(table: Mapping[str, Any], prior: Mapping[str, Any]) -> dict[str, list[float]]:
    """What was counted in this episode alone."""
    own = {}
    for key, counts in table.items():
        before = prior.get(key, (0, 0, 0))
        if counts[1] > before[1]:
            own[key] = [round(now - was, 3) for now, was in zip(counts, before, strict=True)]
    return own


def _sum(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[float]]:
    total = {}
    for key in [*old, *(key for key in new if key not in old)]:
        both = zip(old.get(key, (0, 0, 0)), new.get(key, (0, 0, 0)), strict=True)
        total[key] = _scaled([one + other for one, other in both], _MOST_COUNTED)
    often = sorted(total, key=lambda key: (-total[key][1], key))[:_MOST_ENTRIES]
    return {key: total[key] for key in often}


def _scaled(counts: list[float], most: float) -> list[float]:
    factor = min(1.0, most / counts[1])
    return [round(count * factor, 3) for count in counts]


def _discounted(table: Mapping[str, Any]) -> dict[str, list[float]]:
    return {key: [round(_DISCOUNT * count, 3) for count in table[key]] for key in table}


def _unknown(words: Iterable[str], nouns: Mapping[str, Any]) -> list[str]:
    """Words the game does not know; one it once did something with is no such word."""
    used = {key.split()[-1] for key, (successes, _, _) in nouns.items() if successes}
    return _latest((word for word in words if word not in used), _MOST_WORDS)


def _latest(words: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(words))[-most:]


def _scored(trail: list[list[Any]], keys: Mapping[str, str]) -> list[list[Any]]:
    """Where points were scored, by which command, and what had to be carried for it."""
    steps = [Step(*entry) for entry in trail]
    return [
        [keys[step.room], step.command, step.points, _needs(step.command)]
        for step in steps
        if step.points > 0 and step.room in keys
    ][-_MOST_PLACES:]


def _needs(command: str) -> list[str]:
    parts = parse_command(command)
    if parts.verb in ("put", "drop", "give", "wear", "eat", "drink", "light", "throw"):
        return [head_of(parts.object)] if parts.object else []
    tool = parts.second if parts.preposition == "with" else ""
    return [head_of(tool)] if tool else []


def _deadly(dynamics: Mapping[str, Any], keys: Mapping[str, str]) -> list[list[Any]]:
    """Harm that commands did in this episode, and how often they were played; worst first."""
    memory = dynamics.get("memory", {})
    prior = {(key, command): chance for key, command, chance in memory.get("deadly", [])}
    found = []
    for place, harm in dynamics["harm"].items():
        room, _, command = place.partition("|")
        times = Dynamics(dict(dynamics)).tried(room, command).times
        if room in keys and times:
            own = max(0.0, harm - prior.get((keys[room], command), 0.0))
            found.append([keys[room], command, round(own, 3), times])
    return sorted(found, key=lambda entry: -entry[2])[:_MOST_PLACES]


def _by_place(entries: list[list[Any]], *, add: bool = False) -> list[list[Any]]:
    """One entry per room and command: the latest one, or the sum of their counts."""
    table: dict[tuple[str, str], list[Any]] = {}
    for room, command, *rest in entries:
        before = table.pop((room, command), None)
        if add and before:
            rest = [one + other for one, other in zip(before, rest, strict=True)]
        table[room, command] = rest
    return [[*place, *rest] for place, rest in table.items()][-_MOST_PLACES:]


def _better(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The trajectory that promises more, the shorter one where both promise the same.

    The promise is the mean of the score it was found with and what following it reached.
    """
    reached = [one + other for one, other in zip(old["reached"], new["reached"], strict=True)]
    promise = (old["score"] + reached[1]) / (1 + reached[0])
    longer = len(new["commands"]) >= len(old["commands"])
    if new["score"] < promise or (new["score"] == old["score"] and longer):
        return {**old, "reached": reached}
    return {**new, "reached": [0, 0]}
