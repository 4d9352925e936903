"""Runs that Ctrl-C has ended within their first turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agents.briefing import Briefing
from agents.critic import RuleCritic
from agents.extractor import RuleExtractor
from orchestrator import play


def broken_off(**options: Any) -> Iterator[Any]:
    """Two results of `workshop`: one broken off before its command was played, one behind it."""
    for part, method in ((RuleCritic, "judge"), (RuleExtractor, "extract")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(part, method, _stopped(getattr(part, method)))
            begun = play("workshop", **options)
        yield begun


def _stopped(asked: Callable[[Any, Briefing], Any]) -> Callable[[Any, Briefing], Any]:
    """Ctrl-C while a part is asked in the first turn."""

    def ask(part: Any, briefing: Briefing) -> Any:
        if briefing.turn == 1:
            raise KeyboardInterrupt
        return asked(part, briefing)

    return ask
