"""The outlook: what the agent believes, how far it trusts its oracle, what commands come to.

What outlives an episode of it is kept as plain data; the next one starts with that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator
from pydantic_core import to_json
from typing_extensions import TypedDict

from managers.belief.beliefs import AgentBeliefs
from managers.belief.cases import OTHER, Case, CaseContext
from managers.belief.dynamics import DynamicsData, DynamicsModel
from managers.belief.reliability import OracleReliability, ReliabilityData

_TO = "to "
"""What an effect begins with that names a room."""


class Outlook(NamedTuple):
    """Three state fields that the learner writes."""

    beliefs: AgentBeliefs
    reliability: ReliabilityData
    dynamics: DynamicsData

    @classmethod
    def new(cls) -> Outlook:
        """Before the first word of the story."""
        return cls(AgentBeliefs(), OracleReliability().data, DynamicsModel().data)

    def begun_anew(self) -> Outlook:
        """When the story begins again: nothing that brings points has brought them yet."""
        known = self.dynamics["contexts"].items()
        contexts: dict[str, CaseContext] = {key: {**one, "scored": False} for key, one in known}
        return self._replace(dynamics={**self.dynamics, "contexts": contexts})


def _beliefs(table: dict[str, Any]) -> dict[str, Any]:
    """Every field of beliefs, as plain data."""
    found = AgentBeliefs.model_validate_json(to_json(table), strict=True)
    return found.for_new_episode().model_dump(mode="json")


def _reliability(table: dict[str, Any]) -> dict[str, Any]:
    found = ReliabilityData.model_validate_json(to_json(table), strict=True)
    return OracleReliability(found).for_new_episode().data.model_dump(mode="json")


class KeptOutlook(TypedDict):
    """The lasting part as plain data, with rooms by key."""

    beliefs: Annotated[dict[str, Any], AfterValidator(_beliefs)]
    reliability: Annotated[dict[str, Any], AfterValidator(_reliability)]
    dynamics: DynamicsData


def what_lasts(outlook: Outlook, keys: Mapping[str, str]) -> KeptOutlook:
    """The lasting part; `keys` are those of the episode's rooms."""
    dynamics = outlook.dynamics
    reliability = OracleReliability(outlook.reliability).for_new_episode().data
    return KeptOutlook(
        beliefs=outlook.beliefs.for_new_episode().model_dump(mode="json"),
        reliability=reliability.model_dump(mode="json"),
        dynamics={
            **dynamics,
            "contexts": _renamed(dynamics["contexts"], keys),
            "commands": _led(dynamics["commands"], keys),
            "variables": {name: one for name, one in dynamics["variables"].items() if one["kept"]},
        },
    )


def both_kept(old: KeptOutlook, new: KeptOutlook) -> KeptOutlook:
    """The newer one, which began with the older.

    Of the oracle's reliability that with more judgements; the older beliefs where the newer one
    has no claims.
    """

    def judged(one: KeptOutlook) -> int:
        return sum(record["judged"] for record in one["reliability"]["records"].values())

    reliability = max(new, old, key=judged)["reliability"]
    beliefs = new["beliefs"] if new["beliefs"]["claims"] else old["beliefs"]
    return {**new, "reliability": reliability, "beliefs": beliefs}


def restored(outlook: KeptOutlook, ids: Mapping[str, str]) -> Outlook:
    """The outlook an episode starts with; `ids` are its rooms by key."""
    dynamics = outlook["dynamics"]
    return Outlook(
        AgentBeliefs.model_validate(outlook["beliefs"]),
        ReliabilityData.model_validate(outlook["reliability"]),
        {
            **dynamics,
            "contexts": _renamed(dynamics["contexts"], ids),
            "commands": _led(dynamics["commands"], ids),
        },
    )


def _renamed(
    contexts: Mapping[str, CaseContext], names: Mapping[str, str]
) -> dict[str, CaseContext]:
    """The contexts of rooms that have a name there, under it; nothing has scored in them yet."""
    cases = _led({key: entry["cases"] for key, entry in contexts.items()}, names)
    renamed = {}
    for context, entry in contexts.items():
        room, _, command = context.rpartition("|")
        if room in names:
            by = entry["by"]
            renamed[f"{names[room]}|{command}"] = CaseContext(by=by, cases=cases[context])
    return renamed


def _led(table: Mapping[str, list[Case]], names: Mapping[str, str]) -> dict[str, list[Case]]:
    """The cases with the rooms they led to under the names that these have there, if any."""
    effects = {f"{_TO}{room}": f"{_TO}{name}" for room, name in names.items()}
    led = {}
    for key, cases in table.items():
        new = led[key] = list[Case]()
        for case in cases:
            elsewhere = OTHER if case["effect"].startswith(_TO) else case["effect"]
            new.append({**case, "effect": effects.get(case["effect"], elsewhere)})
    return led
