"""The play mode in whole episodes: who settles it, where it shows, and what profiles do."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.briefing import Briefing
from managers.core.mode import PlayMode
from managers.language.reading import SituationUnderstanding
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.events import Event, TurnPlayed
from orchestrator.setup import Setup
from orchestrator.traces.reader import read_trace


class Settling:
    """An oracle that settles for exploring wherever the play mode leaves a choice."""

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        return SituationUnderstanding()

    def choose_mode(self, briefing: Briefing) -> PlayMode:
        return briefing.mode.options[-1]


@pytest.mark.slow
def test_the_oracle_settles_what_the_play_mode_leaves_open(tmp_path: Path) -> None:
    events: list[Event] = []
    result = play(
        "hollow",
        graph="oracle",
        settings=[
            "nodes.oracle.use=tests.orchestrator.test_modes:Settling",
            "nodes.oracle.price=0",
        ],
        steps=120,
        fresh=True,
        out=tmp_path,
        watchers=(events.append,),
        checkpoints=False,
    )
    modes = [event.after["mode"] for event in events if isinstance(event, TurnPlayed)]
    settled = [mode for mode in modes if mode.options]
    assert settled
    assert all(mode.state is mode.options[-1] for mode in settled)
    told = {
        run.metadata.get("mode") for run in read_trace(Path(result["run_dir"], "trace.jsonl")).roots
    }
    assert {mode.state.value for mode in modes[:-1]} <= told


def test_a_profile_that_nobody_knows_is_refused() -> None:
    setup = Setup.resolve("hollow", settings=["nodes.actor.profile=brave"])
    with pytest.raises(ConfigError, match="known: even, cautious, bold"):
        setup.crew()
