"""An agent with an oracle in a world of chances: who is followed, how often, and for how long."""

from __future__ import annotations

import random

import pytest

from managers.beliefs import AgentBeliefs, SituationUnderstanding
from managers.candidates import Candidate
from managers.credit import Answered, judge
from managers.deliberation import Advice, Tariff, deliberate
from managers.evidence import Evidence
from managers.reliability import OracleReliability
from managers.selection import InformedActionSelector, with_recommended
from managers.statements import same_command
from managers.transitions import DynamicsModel

OWN = 0.2
"""How often the agent's own choices bring something."""
UTILITIES = (1.0, 0.7, 0.5, 0.5, 0.2, 0.2)
SPELL = 8


def followed(rates: list[float], seed: int) -> list[bool]:
    """Whether the oracle was followed, turn by turn, given how often it is right in each."""
    chances = random.Random(f"chances {seed}")
    data: dict[str, object] = {}
    beliefs, last, log = AgentBeliefs(location="L1"), None, []
    for turn, rate in enumerate(rates, start=1):
        reliability = OracleReliability(data, turn)
        promise = reliability.promise(random.Random(f"{seed}/{turn // SPELL}"))
        choices: tuple[Candidate, ...] = tuple(
            Candidate(command=f"act {n}", kind="use", purpose="", probability=0.5, utility=utility)
            for n, utility in enumerate(UTILITIES)
        )
        told = None
        asked = deliberate(beliefs, promise, choices, last, Tariff())
        if asked.ask:
            told = SituationUnderstanding(recommended_action=f"wish {turn}")
            last = Advice(turn=turn, deliberation=asked, number=1, understanding=told)
        choices = with_recommended(choices, told)
        selector = InformedActionSelector(promise, DynamicsModel())
        command, _ = selector.select_action(beliefs, choices, told)
        log.append(told is not None and same_command(command, str(told.recommended_action)))
        helped = chances.random() < (rate if log[-1] else OWN)
        evidence = Evidence(scored=int(helped))
        best = 0.0 if log[-1] else UTILITIES[0]
        judge(reliability, Answered(turn, command, told, evidence, False, False, best), beliefs)
        data = reliability.data
        beliefs = beliefs.model_copy(
            update={
                "turn": turn,
                "action_history": (command,),
                "last_progress": turn if helped else beliefs.last_progress,
            }
        )
    return log


def share(log: list[bool]) -> float:
    return sum(log) / len(log)


@pytest.mark.parametrize("seed", range(5))
def test_a_good_oracle_comes_to_be_followed_and_a_bad_one_to_be_ignored(seed: int) -> None:
    good, useful, bad = (followed([rate] * 300, seed)[100:] for rate in (0.9, 0.5, 0.05))
    assert share(good) > 0.8
    assert share(good) >= share(useful) > 0.5
    assert share(bad) < 0.1


@pytest.mark.parametrize("seed", range(5))
def test_a_change_of_the_oracle_is_noticed(seed: int) -> None:
    better = followed([0.05] * 200 + [0.9] * 500, seed)
    assert share(better[100:200]) < 0.2
    assert share(better[-100:]) > 0.7
    worse = followed([0.9] * 200 + [0.05] * 300, seed)
    assert share(worse[100:200]) > 0.8
    assert share(worse[-100:]) < 0.3
