"""Models that fail in every way: `python -m benchmarks.faults [COUNT [SEED]]`.

Every second request to the fake server goes wrong, until COUNT have; an episode that is paused is
resumed. Exit status 1 if one crashes or does not end, a game turn is lost, or a fault is not told.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.arguments import given
from benchmarks.sections import ANSWERS
from orchestrator import play
from orchestrator.resume import resume
from orchestrator.saved.result import Result
from orchestrator.traces.reader import read_trace
from testing.fake_ollama import FAULTS, FakeOllama, Served, random_faults
from testing.fake_ollama.generator import understood

STORIES, STEPS, RATE = ("hollow", "morning", "workshop"), 40, 0.5
STALL, TIMEOUT = 0.5, 0.2
"""Seconds: a server that stalls or is slow does so for longer than anybody waits."""
SETTINGS = (
    "models.default.backoff=0",
    "models.default.retries=1",
    f"models.default.timeout={TIMEOUT}",
    "nodes.oracle.use=llm",
    "nodes.oracle.price=0",
    "nodes.objective_manager.news=0",
    "nodes.critic.use=llm",
    "nodes.critic.sure=1.0",
    "nodes.critic.likely=1.0",
    "nodes.actor.tools=true",
)
"""All roles ask, more often than they do by themselves."""
TOLD_AS = {
    "refuse": "cut",
    "missing": "missing",
    "bad_request": "refused",
    "error": "server",
    "busy": "busy",
    "html": "server",
    "slow": "timeout",
    "stall": "timeout",
    "cut": "cut",
    "no_done": "cut",
    "malformed": "garbled",
    "blank": "garbled",
    "not_object": "garbled",
    "stream_error": "server",
    "load": "unloaded",
    "truncated": "truncated",
    "giant": "truncated",
    "empty": "empty",
    "wrong_schema": "schema",
}
"""What each must be told as; an answer that can be read all the same is no fault."""

Told = Counter[tuple[str, str]]


def main(count: str = "1000", first: str = "1") -> int:
    injected, told, pauses, wrong = Counter[tuple[str, str]](), Counter[tuple[str, str]](), 0, []
    seed = int(first) - 1
    with FakeOllama(stall=STALL) as fake, tempfile.TemporaryDirectory() as out:
        os.environ["OLLAMA_HOST"] = fake.base_url
        while injected.total() < int(count):
            seed += 1
            fake.plan, fake.seed = random_faults(RATE, seed), seed
            fake.served.clear()
            story = STORIES[seed % len(STORIES)]
            result, paused = episode(story, seed, Path(out))
            harmed = Counter(role_and_kind(one) for one in fake.served if one.completion.fault)
            injected, pauses = injected + harmed, pauses + paused
            found = traced(result)
            told += found
            wrong += [f"{story}, seed {seed}: {what}" for what in complaints(result, found, harmed)]
            print(f"{story:<9} seed {seed}: {harmed.total()} faults, {paused} pauses", flush=True)
    report(injected, told)
    print(f"{injected.total()} faults, {pauses} pauses, seeds {first}-{seed}, {STEPS} turns each")
    print("\n".join(wrong) or "no crash, no game turn lost, every fault told with role and kind")
    return int(bool(wrong) or not everywhere(injected))


def episode(story: str, seed: int, out: Path) -> tuple[Result, int]:
    """An episode played to its end, however often it has to be resumed; and how often that was."""
    options: dict[str, Any] = {"graph": "llm", "settings": SETTINGS, "steps": STEPS, "fresh": True}
    result = play(story, seed=seed, out=out, cache=False, **options)
    pauses = 0
    while result["end_reason"] == "paused":
        pauses += 1
        result = Result(**resume(result["run_dir"], cache=False))
    return result, pauses


def complaints(result: Result, found: Told, harmed: Told) -> Iterator[str]:
    """What is wrong with an episode: it did not end, lost turns, or kept faults to itself."""
    if result["end_reason"] not in ("steps", "won", "story_ended"):
        yield f"ended by {result['end_reason']}"
    transcript = (Path(result["run_dir"]) / "transcript.txt").read_text(encoding="utf-8")
    if transcript.count("\n> ") != result["steps"] or result["faults"]:
        yield f"{result['steps']} turns, {result['faults']} faults of the game"
    counted = {
        (role, kind): number
        for role, usage in result["roles"].items()
        for kind, number in usage["faults"].items()
    }
    if counted != found:
        yield f"episode.json counts {counted}, the trace {dict(found)}"
    due = Counter((role, TOLD_AS[kind]) for role, kind in harmed.elements() if kind in TOLD_AS)
    if not due <= found:
        yield f"never told: {dict(due - found)}"


def traced(result: Result) -> Told:
    """The faults in a run's trace, by the role that was asked and the kind."""
    found: Told = Counter()
    for run in read_trace(Path(result["run_dir"]) / "trace.jsonl").walk():
        if run.name.startswith("ask "):
            found.update((run.outputs["role"], kind) for kind, _ in run.outputs.get("faults", []))
    return found


def role_and_kind(served: Served) -> tuple[str, str]:
    return ANSWERS.get(understood(served.question).title, "oracle"), served.completion.fault


def everywhere(injected: Counter[tuple[str, str]]) -> bool:
    """Every kind of fault came, and every role had some."""
    roles, kinds = {role for role, _ in injected}, {kind for _, kind in injected}
    return roles == set(ANSWERS.values()) and kinds == set(FAULTS)


def report(injected: Counter[tuple[str, str]], told: Told) -> None:
    """Both tables by role: what was done to the answers, and what was told of it."""
    for title, table in (("injected", injected), ("told", told)):
        print(f"\n{title}")
        for role in ANSWERS.values():
            kinds = sorted((kind, n) for (whose, kind), n in table.items() if whose == role)
            total = sum(n for _, n in kinds)
            print(f"  {role:<18}{total:>5}  " + ", ".join(f"{kind} {n}" for kind, n in kinds))
    print()


if __name__ == "__main__":
    sys.exit(main(*given(__doc__)))
