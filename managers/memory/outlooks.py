"""What outlives an episode of its outlook: the goal, the oracle's reliability, the dynamics.

An episode starts with all of it and adds to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from managers.learning.cases import OTHER, Case, CaseContext
from managers.learning.dynamics import DynamicsData
from managers.learning.reflection import Outlook
from managers.trust.beliefs import AgentBeliefs
from managers.trust.reliability import OracleReliability, ReliabilityData

_TO = "to "
"""What an effect begins with that names a room."""


class KeptOutlook(TypedDict):
    """The lasting part as plain data, with rooms by key."""

    beliefs: dict[str, Any]
    reliability: dict[str, Any]
    dynamics: DynamicsData


def what_lasts(outlook: Outlook, keys: Mapping[str, str]) -> KeptOutlook:
    """The lasting part; `keys` are those of the episode's rooms."""
    dynamics = outlook.dynamics
    reliability = OracleReliability(outlook.reliability).for_new_episode()
    lasting: DynamicsData = {
        **dynamics,
        "contexts": _renamed(dynamics["contexts"], keys),
        "variables": {name: one for name, one in dynamics["variables"].items() if one["kept"]},
    }
    return KeptOutlook(
        beliefs=outlook.beliefs.for_new_episode().model_dump(mode="json"),
        reliability=reliability.data.model_dump(mode="json"),
        dynamics=lasting,
    )


def both_kept(old: KeptOutlook, new: KeptOutlook) -> KeptOutlook:
    """The newer one, which began with the older; of the oracle whatever has more judgements."""
    reliability = max(new["reliability"], old["reliability"], key=_judged)
    beliefs = new["beliefs"] if new["beliefs"]["claims"] else old["beliefs"]
    return {**new, "reliability": reliability, "beliefs": beliefs}


def restored(outlook: KeptOutlook, ids: Mapping[str, str]) -> Outlook:
    """The outlook an episode starts with; `ids` are its rooms by key."""
    reliability = ReliabilityData.model_validate(outlook["reliability"])
    dynamics = outlook["dynamics"]
    return Outlook(
        AgentBeliefs.model_validate(outlook["beliefs"]),
        OracleReliability(reliability).for_new_episode().data,
        {**dynamics, "contexts": _renamed(dynamics["contexts"], ids)},
    )


def _renamed(
    contexts: Mapping[str, CaseContext], names: Mapping[str, str]
) -> dict[str, CaseContext]:
    """The contexts with rooms called otherwise, in their effects too; of others nothing is kept.

    In no context of another episode have points been brought.
    """
    renamed = {}
    for context, entry in contexts.items():
        room, _, command = context.rpartition("|")
        if room in names:
            cases: list[Case] = [
                {**case, "effect": _called(case["effect"], names)} for case in entry["cases"]
            ]
            renamed[f"{names[room]}|{command}"] = CaseContext(by=entry["by"], cases=cases)
    return renamed


def _called(effect: str, names: Mapping[str, str]) -> str:
    if not effect.startswith(_TO):
        return effect
    room = names.get(effect.removeprefix(_TO))
    return f"{_TO}{room}" if room else OTHER


def _judged(reliability: Mapping[str, Any]) -> int:
    return sum(record["judged"] for record in reliability["records"].values())
