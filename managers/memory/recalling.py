"""What an episode knows before the first word of the story, thanks to earlier ones.

It is a prior: counts are discounted, ways are supposed, and the game has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from managers.knowledge import Knowledge
from managers.language.actions import table
from managers.learning.reflection import Outlook
from managers.memory import atlas, outlooks
from managers.memory.archive import ArchiveCell, Line, Quest, target_of
from managers.memory.following import NO_PAST, Past
from managers.memory.trail import GuideData, Row
from managers.world.facts import Blackboard, Fact, FactsData

TABLES = ("kinds", "verbs", "nouns")
"""Those counts of the state field `rates` that outlive an episode."""
_DISCOUNT = 0.5


class Recalled(NamedTuple):
    """What an episode starts with."""

    knowledge: Knowledge
    outlook: Outlook
    past: Past


def recall(memory: Mapping[str, Any], quest: Quest | None = None, seed: int = 0) -> Recalled:
    """What an episode starts with.

    Args:
        memory: of earlier episodes; may be empty.
        quest: what an exploring episode does with it.
        seed: of the choice where to explore.
    """
    blank = Knowledge.new()
    if not memory:
        guide: GuideData = {**_guide({}, None), **_begun(())} if quest else {}
        return Recalled(_guided(blank, guide), Outlook.new(), NO_PAST)
    map_, attempts, found, bright = atlas.unfolded(memory)
    ids = {key: id for id, key in found.items()}
    cell = target_of(memory, quest, seed)
    barred = [ids[room] for room, _ in memory.get("barred", ()) if room in ids]
    guide = _guide(found, cell, bright, barred)
    if quest:
        guide = {**guide, **_begun(cell.line if cell else ())}
    past = Past(memory)
    known = blank._replace(
        world={**blank.world, "unknown": dict.fromkeys(memory["unknown"], 0)},
        map=map_,
        attempts=attempts,
        facts=_facts(memory, ids, past),
        rates={
            **blank.rates,
            "verbs": _discounted(memory["verbs"]),
            "nouns": _discounted(memory["nouns"]),
            "kinds": _unspent(_discounted(memory["kinds"])),
        },
    )
    return Recalled(_guided(known, guide), outlooks.restored(memory["outlook"], ids), past)


def _guided(known: Knowledge, guide: GuideData) -> Knowledge:
    return known._replace(memory={**known.memory, "guide": guide})


def _facts(memory: Mapping[str, Any], ids: Mapping[str, str], past: Past) -> FactsData:
    """What earlier episodes were told; a memory of an older program may lack some of it."""
    board = Blackboard()
    for kind in ("treasure", "hint"):
        board = board.with_(kind, [Fact(noun) for noun in memory.get(f"{kind}s", ())])
    board = board.with_("prized", [Fact(noun) for noun in sorted(past.prized)])
    board = board.with_("cue", [Fact(said, value=about) for said, about in memory.get("cues", ())])
    foes = dict.fromkeys(foe for _, foe in memory.get("barred", ()))
    board = board.with_("barring", [Fact(foe) for foe in foes])
    absent = [
        Fact(noun, ids[room])
        for room, nouns in memory.get("absent", {}).items()
        if room in ids
        for noun in nouns
    ]
    return board.with_("absent", absent).data


def _guide(
    found: Mapping[str, str],
    cell: ArchiveCell | None,
    bright: Sequence[str] = (),
    barred: Sequence[str] = (),
) -> GuideData:
    """The plain data of a guide at the opening."""
    path: list[Row] = [list(step) for step in cell.path] if cell else []
    return {
        "path": path,
        "target": [list(cell.point), path] if cell else [],
        "found": dict(found),
        "seen": [],
        "bright": list(bright),
        "barred": list(barred),
        "feared": {},
        "idle": 0,
        "rest": 0,
        "arrived": None if path else 0,
        "top": 0,
        "finds": 0,
    }


def _begun(line: Line) -> GuideData:
    """What the guide of an exploring episode holds besides, at the opening."""
    return {"script": [list(one) for one in line], "history": [], "exact": bool(line)}


def _discounted(table: Mapping[str, Any]) -> dict[str, list[float]]:
    """As the priors that an episode starts with."""
    return {key: [round(_DISCOUNT * count, 3) for count in table[key]] for key in table}


def _unspent(kinds: Mapping[str, Any]) -> dict[str, list[float]]:
    """Counts of classes of actions, each worth as much as before anything was found.

    What earlier episodes came to find of little worth was so after the best had been had.
    """
    prior = table().kinds
    return {
        kind: [successes, times, round(successes * prior[kind].worth, 3)]
        for kind, (successes, times, _) in kinds.items()
        if kind in prior
    }
