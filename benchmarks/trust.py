"""How far scripted oracles are believed, asked and followed: the figures behind `managers/belief`.

Usage: python -m benchmarks.trust [--simulations 1000]
Everything is simulated with a seed a simulation; no story is played.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean
from typing import NamedTuple

from managers.belief.beliefs import BELIEVED, AgentBeliefs, BeliefUpdater, observe
from managers.belief.beta import TrackRecord
from managers.belief.deliberation import Advice, Tariff, deliberate, value_of_advice
from managers.belief.reliability import AnswerKind, OracleReliability, ReliabilityData
from managers.core.credit import Aftermath, Reward, judge
from managers.language.actions import same_action
from managers.language.reading import SituationUnderstanding

RATES = (0.9, 0.5, 0.1)
"""Shares of right answers."""
JUDGEMENTS = (5, 60)
"""Fewest and most judgements that an oracle is known by."""
REPEATS = 12
EPISODES, TURNS = 20, 300
SPELL = 8
"""Turns for which a draw of the rates holds."""
OWN_UTILITY = 0.4
"""Of the agent's best option; so much it brings in the mean, too."""
OWN_POINTS, RIGHT_POINTS, DEATH = 2.0, 3.0, -5.0


def judged(
    rate: float, seed: int, kind: AnswerKind = "recommendation", *, whimsical: bool = False
) -> OracleReliability:
    """An oracle that was judged a random number of times; a whimsical one with any confidence."""
    rng, reliability = random.Random(seed), OracleReliability()
    for _ in range(rng.randint(*JUDGEMENTS)):
        right = rng.random() < rate
        reliability.update(kind, right, rng.random() if whimsical else 0.95)
    return reliability


def covers(rate: float, seed: int) -> bool:
    """Whether the 95 % interval of a judged oracle holds the true rate."""
    return 0.025 <= judged(rate, seed).posterior("recommendation").below(rate) <= 0.975


def believes(rate: float, seed: int, *, whimsical: bool = False) -> bool:
    """Whether a claim of a judged oracle is ever taken for true, however often it is repeated."""
    reliability = judged(rate, seed, "progress", whimsical=whimsical)
    updater, beliefs = BeliefUpdater(reliability), AgentBeliefs()
    for repeat in range(REPEATS):
        beliefs = _claimed(updater, beliefs)
        if beliefs.accomplished:
            return True
        beliefs = observe(beliefs, repeat, "wait", f"reply {repeat}", brought_new=True)
    return False


def believes_newcomer(rate: float, seed: int) -> bool:
    """The same while the oracle is judged from nothing, with every repetition once."""
    rng, beliefs = random.Random(seed), AgentBeliefs()
    reliability = OracleReliability()
    for repeat in range(JUDGEMENTS[1]):
        beliefs = _claimed(BeliefUpdater(reliability), beliefs)
        if beliefs.accomplished:
            return True
        beliefs = observe(beliefs, repeat, "wait", f"reply {repeat}", brought_new=True)
        reliability.update("progress", rng.random() < rate)
    return False


def believes_liar(seed: int) -> tuple[bool, bool]:
    """Of one that is wrong about blockers only: whether a blocker is believed, and a deed."""
    rng, reliability = random.Random(seed), OracleReliability()
    for _ in range(rng.randint(*JUDGEMENTS)):
        reliability.update_blocker(rng.random() < 0.1, 0.95)
        reliability.update("progress", rng.random() < 0.9, 0.95)
    claim = SituationUnderstanding(
        accomplished=("opened the gate",), blocking_condition="the bridge is up", confidence=0.95
    )
    beliefs = BeliefUpdater(reliability).update_from_understanding(AgentBeliefs(), claim)
    return beliefs.blocking_weight > BELIEVED, bool(beliefs.accomplished)


def _claimed(updater: BeliefUpdater, beliefs: AgentBeliefs) -> AgentBeliefs:
    claim = SituationUnderstanding(accomplished=("opened the gate",), confidence=0.95)
    return updater.update_from_understanding(beliefs, claim)


def noticed_after(before: float, after: float, seed: int, judgements: int = 60) -> int:
    """Judgements until the mean is nearer to the new rate of an oracle that has changed."""
    rng, record = random.Random(seed), TrackRecord()
    for _ in range(judgements):
        record = record.after(rng.random() < before, 0)
    for number in range(200):
        if abs(record.posterior(0).mean - after) < abs(record.posterior(0).mean - before):
            return number
        record = record.after(rng.random() < after, 0)
    return 200


class Played(NamedTuple):
    """A simulated episode with an oracle."""

    asked: list[bool]
    followed: list[bool]
    points: float
    tokens: int


def play(
    rates: Sequence[float],
    seed: int,
    *,
    deadly: bool = False,
    exploration_rate: float = 1.0,
    price: float = 0.3,
) -> Played:
    """An episode in a world of chances: own choices bring a little, right advice brings more.

    Args:
        rates: how often the oracle is right, turn by turn; 0 turns nothing good.
        seed: of the episode.
        deadly: wrong advice kills one time in four.
        exploration_rate: of the draws.
        price: of a thousand tokens.
    """
    chances = random.Random(f"chances {seed}")
    data, tariff, last = ReliabilityData(), Tariff(price=price), None
    beliefs, played = AgentBeliefs(), Played([], [], 0.0, 0)
    for turn, rate in enumerate(rates, start=1):
        reliability = OracleReliability(data, turn)
        drawn = reliability.draw(random.Random(f"{seed}/{turn // SPELL}"), exploration_rate)
        best = OWN_UTILITY * chances.uniform(0.5, 1.5)
        deliberation = deliberate(reliability, drawn, best, beliefs, last, tariff)
        told, command, advice = f"rub lamp {turn}", "north", None
        if deliberation.ask:
            understanding = SituationUnderstanding(recommended_action=told, confidence=0.9)
            advice = last = Advice(
                turn=turn, number=1, deliberation=deliberation, understanding=understanding
            )
            worth = value_of_advice(reliability, drawn, "specific", told, confidence=0.9)
            command = told if worth > best else command
        follows = same_action(command, told)
        helped = chances.random() < (rate if follows else OWN_UTILITY / OWN_POINTS)
        died = follows and deadly and not helped and chances.random() < 0.25
        points = helped * (RIGHT_POINTS if follows else OWN_POINTS) + died * DEATH
        reward = Reward(scored=int(points) * helped, gain=points * helped, died=died)
        outcome = Aftermath(turn, command, reward, changed=helped, utility=best)
        beliefs = judge(reliability, beliefs, outcome, advice)
        beliefs = observe(beliefs, turn, command, f"reply {turn}", brought_new=helped)
        data = reliability.data
        played.asked.append(deliberation.ask)
        played.followed.append(follows)
        tokens = played.tokens + tariff.tokens * deliberation.ask
        played = played._replace(points=played.points + points, tokens=tokens)
    return played


def per_hundred(simulation: Callable[[int], bool], simulations: int) -> float:
    """Of 100 simulations, in how many it came so."""
    return 100 * sum(simulation(seed) for seed in range(simulations)) / simulations


def share(log: Sequence[bool]) -> float:
    return sum(log) / len(log)


def print_beliefs(count: int) -> None:
    print(f"of 100 simulations ({count} were run), an oracle right in", *RATES, sep="\t")
    simulations: dict[str, Callable[[float, int], bool]] = {
        "95 % interval covers the rate, 5 to 60 judgements": covers,
        "claim believed, repeated": believes,
        "the same, stating any confidence": partial(believes, whimsical=True),
        "claim of a newcomer believed at some time": believes_newcomer,
    }
    for name, simulation in simulations.items():
        cells = [per_hundred(partial(simulation, rate), count) for rate in RATES]
        print(f"{name:52}", *(f"{cell:.1f}" for cell in cells), sep="\t")
    lies, truths = zip(*map(believes_liar, range(count)), strict=True)
    print(
        "of one right in 0.1 about blockers and in 0.9 about deeds, believed: "
        f"blockers {100 * share(lies):.1f}, deeds {100 * share(truths):.1f}"
    )


def print_changes() -> None:
    print("\njudgements until a change is noticed, mean")
    for before, after in ((0.9, 0.1), (0.1, 0.9), (0.9, 0.5)):
        counts = [noticed_after(before, after, seed) for seed in range(100)]
        print(f"{before} -> {after}: {mean(counts):.1f}")


def print_episodes() -> None:
    print(
        f"\n{EPISODES} episodes of {TURNS} turns: share asked, in the last 100; followed; points;"
    )
    print("tokens; by exploration rate and how often the oracle is right")
    seeds = range(EPISODES)
    alone = [play([0.0] * TURNS, seed, price=1e9) for seed in seeds]
    print(f"never asked\t\t\t\t\t{mean(run.points for run in alone):.0f}\t0")
    for exploration_rate, rate, deadly in (
        *((1.0, rate, False) for rate in (*RATES, 0.0)),
        (1.0, 0.0, True),
        *((0.2, rate, False) for rate in (*RATES, 0.0)),
        (0.2, 0.0, True),
    ):
        rates = [rate] * TURNS
        runs = [
            play(rates, seed, deadly=deadly, exploration_rate=exploration_rate) for seed in seeds
        ]
        print(
            f"{exploration_rate}, {rate}{', deadly' if deadly else '':16}",
            f"{mean(share(run.asked) for run in runs):.2f}",
            f"{mean(share(run.asked[-100:]) for run in runs):.2f}",
            f"{mean(share(run.followed) for run in runs):.2f}",
            f"{mean(run.points for run in runs):.0f}",
            f"{mean(run.tokens for run in runs):.0f}",
            sep="\t",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    print_beliefs(parser.parse_args().simulations)
    print_changes()
    print_episodes()


if __name__ == "__main__":
    main()
