"""What models cost by role, and whole episodes that they play: `python -m benchmarks.minds`.

The fake server names the walkthrough's commands to actor and oracle and makes up everything else;
no answer is taken from the cache. Exit status 1 if a bound is missed.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from jericho import FrotzEnv

import game_files
from agents.models.embedded import CHARS_PER_TOKEN
from agents.pursuit import read_commands
from benchmarks.arguments import given
from benchmarks.sections import Unfilled
from benchmarks.stories import found_stories
from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.saved.result import Result
from testing.fake_ollama import FakeOllama, Walker

STORY, EMBEDDED = "zork1.z5", ("hollow", "morning", "workshop")
EMBEDDED_SEED = 7
GRAPHS = ("transcript", "solo", "llm")
WINDOWS = (8192, 131072)
"""Context windows, in tokens."""
CALLS, UNCACHED, LONGEST, OBJECTED = 1.5, 2500, 5000, 0
"""The most of each: calls and uncached prompt tokens a turn, tokens of one prompt with the smaller
window, commands objected to."""


def main() -> int:
    paths = [path for path in found_stories() if path.name == STORY]
    if not paths:
        print(f"{STORY} is neither in ZORK_STORIES nor in ../shared/games")
        return 2
    jericho = FrotzEnv(str(paths[0]))
    commands, seed = jericho.get_walkthrough(), jericho.bindings["seed"]
    jericho.close()
    missed = [costs(paths[0], commands, seed), whole_episodes(paths[0], commands, seed)]
    return int(any(missed))


def costs(story: Path, commands: Sequence[str], seed: int) -> bool:
    """The walkthrough played by the actor of every graph; whether a bound is missed."""
    missed, unfilled = False, Unfilled()
    line("", ["score", "calls/turn", "tokens/turn", "uncached", "longest", "objections"])
    for window in WINDOWS:
        for graph in GRAPHS:
            objected: set[int] = set()
            with FakeOllama(Walker(commands)) as fake:
                result = episode(
                    story,
                    seed,
                    len(commands),
                    fake,
                    graph,
                    partial(note, objected=objected),
                    settings=[f"models.default.num_ctx={window}"],
                )
                for served in fake.served:
                    unfilled.note(served.question)
            missed |= report(f"{graph} {window // 1024}k", result, len(objected), window)
    print("\nsections of the prompts that had nothing to say on this way:")
    for role in result["roles"]:
        print(f"  {role}: {', '.join(sorted(unfilled.by_role[role])) or 'none'}")
    return missed


def note(event: Event, objected: set[int]) -> None:
    """Remember the turns in which the critic objected."""
    if isinstance(event, TurnPlayed):
        for judgement in event.after.get("judgements", []):
            if not judgement.verdict.accept:
                objected.add(judgement.turn)


def report(label: str, result: Result, objected: int, window: int) -> bool:
    """One line of figures; whether one of them is out of bounds."""
    turns = result["steps"]
    calls, uncached = result["llm_calls"] / turns, result["uncached_tokens"] / turns
    figures = [calls, result["prompt_tokens"] / turns, uncached, longest_prompt(result), objected]
    score = f"{result['score']}/{result['max_score']}"
    line(label, [score, *(f"{figure:.4g}" for figure in figures)])
    long = window == WINDOWS[0] and longest_prompt(result) > LONGEST
    lost = result["score"] < result["max_score"]
    return lost or long or calls > CALLS or uncached > UNCACHED or objected > OBJECTED


def whole_episodes(story: Path, commands: Sequence[str], seed: int) -> bool:
    """Every story by both graphs and every provider here; whether one did not come to its end."""
    lines = {name: read_commands(_folder() / f"{name}.walkthrough.txt") for name in EMBEDDED}
    ways: list[tuple[str | Path, int, Sequence[str]]] = [(story, seed, commands)]
    ways += [(name, EMBEDDED_SEED, lines[name]) for name in EMBEDDED]
    print("\nwhole episodes, 400 turns or to the end\n")
    line("", ["score", "of", "turns", "calls/turn", "longest", "end"])
    missed = False
    for provider in ("ollama", "openai"):
        if importlib.util.find_spec(f"langchain_{provider}") is None:
            print(f"{provider}: langchain-{provider} is not installed")
            continue
        for graph in ("llm", "oracle"):
            for name, story_seed, known in ways:
                with FakeOllama(Walker(known)) as fake:
                    result = episode(name, story_seed, 400, fake, graph, provider=provider)
                figures = [result["score"], result["max_score"], result["steps"]]
                per_turn = f"{result['llm_calls'] / result['steps']:.2f}"
                cells = [*figures, per_turn, round(longest_prompt(result)), result["end_reason"]]
                line(f"{provider} {graph} {Path(name).stem}", [str(cell) for cell in cells])
                missed |= result["end_reason"] not in ("won", "story_ended", "steps")
                missed |= longest_prompt(result) > LONGEST
    return missed


def episode(
    story: str | Path,
    seed: int,
    steps: int,
    fake: FakeOllama,
    graph: str,
    *watchers: Callable[[Event], None],
    provider: str = "ollama",
    settings: Sequence[str] = (),
) -> Result:
    os.environ |= {"OLLAMA_HOST": fake.base_url, "OPENAI_API_KEY": "none"}
    others = [f"models.default.base_url={fake.base_url}/v1"] if provider == "openai" else []
    with tempfile.TemporaryDirectory() as out:
        return play(
            story,
            graph=graph,
            model=f"{provider}:llama3.1:8b",
            settings=[*others, *settings],
            seed=seed,
            steps=steps,
            out=Path(out),
            watchers=watchers,
            cache=False,
            fresh=True,
            checkpoints=False,
            trace=False,
        )


def longest_prompt(result: Result) -> float:
    """In tokens."""
    return float(max(one["longest_prompt"] for one in result["roles"].values())) / CHARS_PER_TOKEN


def line(label: str, cells: Sequence[str]) -> None:
    print(f"{label:<26}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


def _folder() -> Path:
    return Path(game_files.__file__).parent


if __name__ == "__main__":
    given(__doc__)
    sys.exit(main())
