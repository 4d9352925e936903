"""The objectives: what the agent is after, in which order, and how far it got."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from environments.game import Value
from managers.planning.goals import Goal, parse_goal, places
from managers.planning.world_model import PlanStep

Source = Literal["agent", "discovery", "issue"]
Status = Literal["active", "done", "stale", "dropped"]
Event = Literal["added", "merged", "rejected", "reopened", "done", "dropped", "stale"]

LIMIT = 24
"""How many objectives are kept, whatever their status."""
STALE_AFTER = 80
"""Turns without any sign of progress after which an objective is put aside."""

_SHORTEST, _LONGEST = 3, 240
_FILLERS = frozenset(
    "a an the to in at of on from with and or for find get locked closed way how".split()
)


class NewObjective(Value):
    """An objective with its place among the others."""

    text: str
    priority: int = Field(default=5, ge=1, le=10)
    parent: str | None = Field(default=None, description="The id of the objective it is part of")
    goal: SkipJsonSchema[Goal | None] = None
    """What it asks for, where a rule made it; read from the text otherwise."""


class Completion(Value):
    """An objective that is done, and what shows it."""

    id: str = Field(description="The id of an active objective")
    evidence: str


class Merging(Value):
    """Two objectives that say the same."""

    id: str = Field(description="The id of the objective to drop")
    into: str = Field(description="The id of the objective to keep")


class Objective(Value):
    """Something worth several turns."""

    id: str
    """`O<n>`, stable through the episode."""
    text: str
    """For people and models; what it asks for stands in `goal`."""
    source: Source
    goal: Goal | None = None
    """What has to be true in the end; None for what nobody can check."""
    priority: int = 5
    """1 (some day) to 10 (now)."""
    parent: str | None = None
    status: Status = "active"
    evidence: str = ""
    """Why it has its status."""
    created: int = 0
    updated: int = 0
    plan: tuple[PlanStep, ...] = ()
    """What would lead to it as things are, the next step first; empty if no way is known."""

    @property
    def way(self) -> str:
        """The plan in words: `take key in L1, unlock grate with key in L5`; empty for no deeds."""
        deeds = [one for one in self.plan if one.command]
        return ", ".join(" in ".join(filter(None, (one.command, one.room))) for one in deeds)


class ObjectiveChange(Value):
    """What became of an objective, or of the wish for one, in a turn."""

    turn: int
    event: Event
    id: str = ""
    """Whose; of a merged wish the one it says again; empty where it was rejected."""
    text: str
    source: Source
    """Who wanted it."""
    why: str = ""


class ObjectiveManager:
    """The list of objectives during one turn; `changes` says what happened to them."""

    def __init__(self, objectives: Sequence[Objective], turn: int) -> None:
        self._by_id = {objective.id: objective for objective in objectives}
        self._turn = turn
        self.changes: list[ObjectiveChange] = []

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """All that are kept: active ones first, then by priority, the latest changed first.

        The latest added is always kept, so that no id is given twice.
        """
        ranked = sorted(
            self._by_id.values(),
            key=lambda one: (one.status != "active", -one.priority, -one.updated, one.created),
        )
        kept = ranked[:LIMIT]
        if len(ranked) > LIMIT:
            latest = max(ranked, key=lambda one: int(one.id[1:]))
            if latest not in kept:
                kept[-1] = latest
        return tuple(kept)

    @property
    def active(self) -> tuple[Objective, ...]:
        """Those that are pursued, the most important first."""
        return tuple(one for one in self.objectives if one.status == "active")

    @property
    def discovered_objectives(self) -> list[str]:
        """The texts of the active objectives, most important first."""
        return [objective.text for objective in self.active]

    def add_agent_objective(self, objective: str | NewObjective) -> Objective | None:
        """Take up what the actor declared; None if it says nothing one could pursue."""
        new = NewObjective(text=objective) if isinstance(objective, str) else objective
        return self.add(new, "agent")

    def add(self, new: NewObjective, source: Source) -> Objective | None:
        """Add an objective, or strengthen or reopen the one that says the same."""
        text = " ".join(new.text.split())
        if not _SHORTEST <= len(text) <= _LONGEST or not _content(text):
            why = f"an objective has {_SHORTEST} to {_LONGEST} letters and says what to do"
            self._note("rejected", "", text, source, why)
            return None
        goal = new.goal or parse_goal(text)
        told = goal if new.goal or (goal and goal.kind != "explore") else None
        asked = places(text), _content(text)  # In whatever order, and with whatever fillers.
        alike = (
            one
            for one in self._by_id.values()
            if (told and told == one.goal) or (places(one.text), _content(one.text)) == asked
        )
        same = next(alike, None)
        if same is not None:
            return self._renewed(same, new, source)
        added = Objective(
            id=f"O{max((int(known[1:]) for known in self._by_id), default=0) + 1}",
            text=text,
            source=source,
            goal=goal,
            priority=new.priority,
            parent=new.parent if new.parent in self._by_id else None,
            created=self._turn,
            updated=self._turn,
        )
        self._by_id[added.id] = added
        self._note("added", added.id, text, source)
        return added

    def complete(self, id: str, evidence: str) -> None:
        """Mark an active objective as done, and drop its parts."""
        if objective := self._pursued(id):
            self._move(objective, "done", evidence, "done")
            for child in list(self._by_id.values()):
                if child.parent == objective.id and child.status == "active":
                    self._move(child, "dropped", f"{objective.id} is done", "dropped")

    def drop(self, id: str, why: str) -> None:
        """Give an active objective up."""
        if objective := self._pursued(id):
            self._move(objective, "dropped", why, "dropped")

    def _pursued(self, id: str) -> Objective | None:
        objective = self._by_id.get(id.strip().upper())
        return objective if objective and objective.status == "active" else None

    def check_and_update_objectives(
        self,
        discovered: Sequence[NewObjective] = (),
        completed: Sequence[Completion] = (),
        promoted: Sequence[NewObjective] = (),
    ) -> None:
        """Apply a review: what is done first, then what is new, then what issues ask for."""
        for completion in completed:
            self.complete(completion.id, completion.evidence)
        for new in discovered:
            self.add(new, "discovery")
        for new in promoted:
            self.add(new, "issue")

    def merge(self, pair: Merging) -> None:
        """Drop one of two active objectives; the other takes over its priority and its parts."""
        dropped, kept = self._pursued(pair.id), self._pursued(pair.into)
        if dropped is None or kept is None or dropped is kept:
            return
        for part in [one for one in self._by_id.values() if one.parent == dropped.id]:
            self._set(part, parent=dropped.parent if part is kept else kept.id)
        self._set(self._by_id[kept.id], priority=max(kept.priority, dropped.priority))
        self._move(dropped, "dropped", f"says the same as {kept.id}", "merged")

    def set_aside_stale(self) -> None:
        """Put aside what has not moved for long; what the actor wants itself it drops itself."""
        for objective in self.active:
            if objective.source != "agent" and self._turn - objective.updated > STALE_AFTER:
                self._move(objective, "stale", f"no progress in {STALE_AFTER} turns", "stale")

    def _renewed(self, same: Objective, new: NewObjective, source: Source) -> Objective:
        """Strengthen what is pursued or done; take up what was put aside, if there is a reason."""
        if same.status == "active" or (same.status == "done" and source != "agent"):
            judged_anew = same.source == source == "issue"
            priority = new.priority if judged_anew else max(same.priority, new.priority)
            if priority != same.priority:
                self._set(same, priority=priority)
        elif (
            source == "agent"
            or (source == "issue" and new.priority > same.priority)
            or self._turn - same.updated > STALE_AFTER
        ):
            self._move(same, "active", "taken up again", "reopened", priority=new.priority)
            return self._by_id[same.id]
        if source == "agent":
            self._note("merged", same.id, new.text, source, f"says the same as {same.id}")
        return self._by_id[same.id]

    def _move(
        self, objective: Objective, status: Status, why: str, event: Event, **changes: object
    ) -> None:
        """Give an objective another status, and note why."""
        self._set(objective, status=status, evidence=why, **changes)
        self._note(event, objective.id, objective.text, objective.source, why)

    def _note(self, event: Event, id: str, text: str, source: Source, why: str = "") -> None:
        change = ObjectiveChange(
            turn=self._turn, event=event, id=id, text=text, source=source, why=why
        )
        self.changes.append(change)

    def _set(self, objective: Objective, **changes: object) -> None:
        update = {"updated": self._turn, **changes}
        self._by_id[objective.id] = objective.model_copy(update=update)


@lru_cache(maxsize=1024)
def _content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.lower())) - _FILLERS
