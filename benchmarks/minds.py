"""What models cost by role when a walkthrough is played: `python -m benchmarks.minds`.

The fake server names the walkthrough's commands to the actor and makes up everything else;
no answer is taken from the cache. Exit status 1 if a bound is missed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jericho import FrotzEnv

from agents.fake_ollama import FakeOllama, Walker
from agents.models.embedded import CHARS_PER_TOKEN
from benchmarks.stories import found_stories
from orchestrator import play
from orchestrator.events import Event, TurnPlayed

STORY = "zork1.z5"
CALLS, TOKENS, LONGEST, OBJECTED = 2.2, 4500, 3000, 0.02
"""The most of each: calls and prompt tokens a turn, tokens of one prompt, commands objected to."""


def main() -> int:
    paths = [path for path in found_stories() if path.name == STORY]
    if not paths:
        print(f"{STORY} is neither in ZORK_STORIES nor in ../shared/games")
        return 2
    jericho = FrotzEnv(str(paths[0]))
    commands, seed = jericho.get_walkthrough(), jericho.bindings["seed"]
    jericho.close()
    objected: set[int] = set()
    with FakeOllama(Walker(commands)) as fake, tempfile.TemporaryDirectory() as out:
        os.environ["OLLAMA_HOST"] = fake.base_url
        result = play(
            paths[0],
            graph="llm",
            seed=seed,
            steps=len(commands),
            out=Path(out),
            watchers=(lambda event: note(event, objected),),
            cache=False,
            checkpoints=False,
            trace=False,
        )
    return report(result, len(objected))


def note(event: Event, objected: set[int]) -> None:
    """Remember the turns in which the critic objected."""
    if isinstance(event, TurnPlayed):
        for judgement in event.after.get("judgements", []):
            if not judgement.verdict.accept:
                objected.add(judgement.turn)


def report(result: dict[str, Any], objected: int) -> int:
    turns, roles = result["steps"], result["roles"]
    print(f"{STORY}: {result['score']} of {result['max_score']} in {turns} turns\n")
    line("role", ["questions", "calls/turn", "tokens/turn", "longest"])
    for role, usage in roles.items():
        per_turn = usage["prompt_chars"] / CHARS_PER_TOKEN / turns
        longest = usage["longest_prompt"] / CHARS_PER_TOKEN
        figures = [usage["questions"], usage["calls"] / turns, per_turn, longest]
        line(role, [f"{figure:.4g}" for figure in figures])
    bounds = {
        "calls a turn": (result["llm_calls"] / turns, CALLS),
        "prompt tokens a turn": (result["prompt_tokens"] / turns, TOKENS),
        "longest prompt, tokens": (max(u["longest_prompt"] for u in roles.values()) / 4, LONGEST),
        "commands objected to": (objected / turns, OBJECTED),
        "points missed": (result["max_score"] - result["score"], 0),
    }
    print()
    for name, (figure, bound) in bounds.items():
        print(f"{name:<24}{figure:>10.4g}  (at most {bound})")
    return int(any(figure > bound for figure, bound in bounds.values()))


def line(label: str, cells: Sequence[str]) -> None:
    print(f"{label:<20}" + "".join(f"{cell:>14}" for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
