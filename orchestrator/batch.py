"""Several episodes in a row, and what they come to together."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.actor import PlayerLeft, TakeBack
from orchestrator.episode import play_setup
from orchestrator.saved.runs import write_json
from orchestrator.setup import Setup


def play_episodes(
    setup: Setup, episodes: int = 1, total_steps: int | None = None
) -> list[dict[str, Any]]:
    """Play `episodes` episodes, or as many as `total_steps` commands allow.

    One that is stopped, paused or taken back ends the batch, and so does a person who leaves.
    Several are summed up in `results_file`.

    Returns:
        The episodes' results in order.
    """
    results: list[dict[str, Any]] = []
    try:
        while go_on(results, episodes, total_steps):
            steps = steps_left(setup.steps, results, total_steps)
            results.append(play_setup(replace(setup, steps=steps), len(results) + 1, episodes))
            if is_broken_off(setup, results[-1]):
                break
    finally:
        if len(results) > 1:
            write_json(results_file(results), {"episodes": results, "summary": summary(results)})
    return results


def is_broken_off(setup: Setup, result: dict[str, Any]) -> bool:
    """Whether somebody wants no more episodes; a list of commands that ends is nobody."""
    with_person = setup.is_played_by_hand or setup.config.approve
    left = (PlayerLeft.reason,) if with_person else ()
    return result["end_reason"] in ("stopped", "paused", TakeBack.reason, *left)


def results_file(results: list[dict[str, Any]]) -> Path:
    """Where the results of several episodes are written: beside their runs, named by the first."""
    first = Path(results[0]["run_dir"])
    return first.with_name(f"results-{first.name}.json")


def go_on(results: list[dict[str, Any]], episodes: int, total_steps: int | None) -> bool:
    """Whether there is another episode to play."""
    if total_steps is None:
        return len(results) < episodes
    return bool(sum(max(1, result["steps"]) for result in results) < total_steps)


def steps_left(steps: int, results: list[dict[str, Any]], total_steps: int | None) -> int:
    """Commands of the next episode: the last one ends with the total."""
    if total_steps is None:
        return steps
    played: int = sum(result["steps"] for result in results)
    return min(steps, total_steps - played)


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and maximum score over the episodes, and what the last one came to believe."""
    scores = [result["score"] for result in results]
    return {
        "episodes": len(results),
        "mean_score": round(statistics.fmean(scores), 2),
        "max_score": max(scores),
        "mean_best_score": round(statistics.fmean(result["best_score"] for result in results), 2),
        "goal": results[-1]["goal"],
        "recommendation_accuracy": results[-1]["reliability"]["recommendation_accuracy"],
    }
