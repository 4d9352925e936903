"""What outlives an episode of its outlook: the goal, the oracle's reliability, the dynamics.

An episode starts with all of it and adds to it, so that of two records of the same thing the
one with more observations is the newer one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from managers.beliefs import AgentBeliefs
from managers.reflection import Outlook
from managers.reliability import Kind, OracleReliability, Track
from managers.transitions import MOST_CONTEXTS, OTHER, DynamicsModel

_TO = "to "
"""What an outcome begins with that names a room."""


def kept(outlook: Outlook, keys: Mapping[str, str]) -> dict[str, Any]:
    """The lasting part as plain data, with rooms by key."""
    dynamics = outlook.transitions
    contexts = {}
    for context, entry in dynamics["contexts"].items():
        room, _, command = context.partition("|")
        if room in keys:
            contexts[f"{keys[room]}|{command}"] = _translated(entry, keys)
    return {
        "goal": outlook.beliefs.overall_goal,
        "goals": outlook.beliefs.goals,
        "reliability": {
            kind: outlook.reliability[kind]
            for kind in get_args(Kind)
            if kind in outlook.reliability
        },
        "contexts": contexts,
        "commands": dynamics["commands"],
        "variables": {name: one for name, one in dynamics["variables"].items() if one["kept"]},
        "dropped": dynamics["dropped"],
    }


def joined(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the better founded one of each."""
    contexts = _richer(old["contexts"], new["contexts"], _observations)
    return {
        "goal": new["goal"] if new["goals"] else old["goal"],
        "goals": new["goals"] or old["goals"],
        "reliability": _richer(old["reliability"], new["reliability"], _judged),
        "contexts": dict(list(contexts.items())[-MOST_CONTEXTS:]),
        "commands": _richer(old["commands"], new["commands"], _judged),
        "variables": {**old["variables"], **new["variables"]},
        "dropped": list(dict.fromkeys([*old["dropped"], *new["dropped"]])),
    }


def restored(data: Mapping[str, Any], ids: Mapping[str, str]) -> Outlook:
    """The outlook an episode starts with; `ids` are its rooms by key."""
    contexts = {}
    for context, entry in data["contexts"].items():
        key, _, command = context.rpartition("|")
        if key in ids:
            contexts[f"{ids[key]}|{command}"] = _translated(entry, ids)
    tracks = {
        kind: list(Track(*track)._replace(turn=0)) for kind, track in data["reliability"].items()
    }
    names = ("commands", "variables", "dropped")
    model = DynamicsModel({"contexts": contexts, **{name: data[name] for name in names}})
    return Outlook(
        AgentBeliefs(overall_goal=data["goal"], goals=data["goals"]),
        OracleReliability(tracks).data,
        model.data,
    )


def _translated(entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A context's counts with the rooms that its outcomes name called otherwise."""
    seen = {}
    for state, table in entry["seen"].items():
        rows: dict[str, Any] = {}
        for outcome, (count, reward) in table.items():
            name = _called(outcome, names)
            before = rows.get(name, (0, 0.0))
            rows[name] = [before[0] + count, round(before[1] + reward, 3)]
        seen[state] = rows
    return {"by": entry["by"], "seen": seen}


def _called(outcome: str, names: Mapping[str, str]) -> str:
    if not outcome.startswith(_TO):
        return outcome
    room = names.get(outcome.removeprefix(_TO))
    return f"{_TO}{room}" if room else OTHER


def _richer(
    old: Mapping[str, Any], new: Mapping[str, Any], size: Callable[[Any], int]
) -> dict[str, Any]:
    rest = {key: entry for key, entry in old.items() if key not in new}
    return rest | {
        key: max(old[key], entry, key=size) if key in old else entry for key, entry in new.items()
    }


def _judged(entry: list[Any]) -> int:
    return int(entry[0])


def _observations(entry: Mapping[str, Any]) -> int:
    return sum(count for table in entry["seen"].values() for count, _ in table.values())
