"""Who chooses among proposals, and who makes one verdict of several opinions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from agents.answers import Ruling
from agents.briefing import Briefing
from managers.core.option import chosen


class Proposed(Protocol):
    """What is proposed."""

    @property
    def command(self) -> str: ...


class Opinion(Protocol):
    """What one of several critics thinks."""

    @property
    def objects(self) -> bool: ...
    @property
    def verdict(self) -> Ruling: ...


class MajorityJudge:
    """What most propose; of several equally often, what was proposed first."""

    def choose(self, briefing: Briefing, proposals: Sequence[Proposed]) -> dict[str, Any]:
        commands = [one.command for one in proposals]
        command, count = Counter(commands).most_common(1)[0]
        reason = f"{count} of {len(commands)} propose {command!r}"
        return {"number": commands.index(command), "reason": reason}


class BestJudge:
    """What the planner values most; of several equal ones, what was proposed first."""

    def choose(self, briefing: Briefing, proposals: Sequence[Proposed]) -> dict[str, Any]:
        planned = [chosen(briefing.options, one.command) for one in proposals]
        worth = [one.value if one else 0.0 for one in planned]
        return {"number": worth.index(max(worth)), "reason": f"worth {max(worth):.2f}"}


class MajorityVote:
    """An objection stands where more than half object."""

    def rule(self, briefing: Briefing, opinions: Sequence[Opinion]) -> Ruling:
        against = [one.verdict for one in opinions if one.objects]
        return _ruling(against, len(opinions), stands=2 * len(against) > len(opinions))


class Veto:
    """An objection stands where anybody objects."""

    def rule(self, briefing: Briefing, opinions: Sequence[Opinion]) -> Ruling:
        against = [one.verdict for one in opinions if one.objects]
        return _ruling(against, len(opinions), stands=bool(against))


def _ruling(against: Sequence[Ruling], asked: int, *, stands: bool) -> Ruling:
    """The verdict, with the reasons of those who object; sure as the surest of them."""
    if not stands:
        return Ruling(accept=True, reason=f"{len(against)} of {asked} object")
    reasons = "; ".join(dict.fromkeys(one.reason for one in against))
    return Ruling(accept=False, reason=reasons, confidence=max(one.confidence for one in against))
