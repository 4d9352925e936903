"""What outlives an episode of its outlook: the goal, the oracle's reliability, the dynamics.

An episode starts with all of it and adds to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.learning.cases import OTHER, Case, CaseContext
from managers.learning.dynamics import MOST_CONTEXTS, empty
from managers.learning.reflection import Outlook
from managers.trust.beliefs import AgentBeliefs
from managers.trust.reliability import OracleReliability, ReliabilityData

_TO = "to "
"""What an effect begins with that names a room."""
_COUNTS = ("commands", "overall", "variables", "dropped")


def kept(outlook: Outlook, keys: Mapping[str, str]) -> dict[str, Any]:
    """The lasting part as plain data, with rooms by key."""
    dynamics = outlook.dynamics
    contexts = {}
    for context, entry in dynamics["contexts"].items():
        room, _, command = context.partition("|")
        if room in keys:
            contexts[f"{keys[room]}|{command}"] = _translated(entry, keys)
    reliability = OracleReliability(outlook.reliability).for_new_episode()
    return {
        "beliefs": outlook.beliefs.for_new_episode().model_dump(mode="json"),
        "reliability": reliability.data.model_dump(mode="json"),
        "contexts": contexts,
        "commands": dynamics["commands"],
        "overall": [case for case in dynamics["overall"] if not case["effect"].startswith(_TO)],
        "variables": {name: one for name, one in dynamics["variables"].items() if one["kept"]},
        "dropped": dynamics["dropped"],
    }


def joined(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Both; of the same thing the newer record counts, which has more observations."""
    tables = {
        name: {key: one for key, one in old[name].items() if key not in new[name]} | new[name]
        for name in ("contexts", "commands", "variables", "dropped")
    }
    return {
        **new,
        **tables,
        "beliefs": new["beliefs"] if new["beliefs"]["claims"] else old["beliefs"],
        "reliability": max(old["reliability"], new["reliability"], key=_judged),
        "contexts": dict(list(tables["contexts"].items())[-MOST_CONTEXTS:]),
    }


def restored(data: Mapping[str, Any], ids: Mapping[str, str]) -> Outlook:
    """The outlook an episode starts with; `ids` are its rooms by key."""
    contexts = {}
    for context, entry in data["contexts"].items():
        key, _, command = context.rpartition("|")
        if key in ids:
            contexts[f"{ids[key]}|{command}"] = _translated(entry, ids)
    reliability = ReliabilityData.model_validate(data["reliability"])
    return Outlook(
        AgentBeliefs.model_validate(data["beliefs"]),
        OracleReliability(reliability).for_new_episode().data,
        {**empty(), "contexts": contexts, **{name: data[name] for name in _COUNTS}},  # type: ignore[typeddict-item]
    )


def _translated(entry: CaseContext, names: Mapping[str, str]) -> CaseContext:
    """A context's cases with the rooms that its effects name called otherwise."""
    cases: list[Case] = [
        {**case, "effect": _called(case["effect"], names)} for case in entry["cases"]
    ]
    return CaseContext(by=entry["by"], cases=cases)


def _called(effect: str, names: Mapping[str, str]) -> str:
    if not effect.startswith(_TO):
        return effect
    room = names.get(effect.removeprefix(_TO))
    return f"{_TO}{room}" if room else OTHER


def _judged(reliability: Mapping[str, Any]) -> int:
    return sum(record["judged"] for record in reliability["records"].values())
