"""Several episodes in a row, and what they come to together."""

from __future__ import annotations

import statistics
from typing import Any

from orchestrator.episode import play_setup
from orchestrator.runs import write_json
from orchestrator.setup import Setup


def play_episodes(setup: Setup, episodes: int) -> list[dict[str, Any]]:
    """Play `episodes` episodes; one that is stopped or paused ends the batch.

    Writes results.json for several.

    Returns:
        The episodes' results in order.
    """
    results: list[dict[str, Any]] = []
    try:
        while len(results) < episodes:
            results.append(play_setup(setup, len(results) + 1, episodes))
            if results[-1]["end_reason"] in ("stopped", "paused"):
                break
    finally:
        if episodes > 1 and results:
            write_json(
                setup.out / "results.json", {"episodes": results, "summary": summary(results)}
            )
    return results


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and maximum score over the episodes."""
    scores = [result["score"] for result in results]
    return {
        "episodes": len(results),
        "mean_score": round(statistics.fmean(scores), 2),
        "max_score": max(scores),
        "mean_best_score": round(statistics.fmean(result["best_score"] for result in results), 2),
    }
