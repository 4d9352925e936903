"""Run the fake server: `python -m testing.fake_ollama --port 0 --script FILE`."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from agents.models.faults import ModelError
from agents.models.scripts import Script
from agents.pursuit import read_commands
from testing.fake_ollama.faults import FAULTS, random_faults
from testing.fake_ollama.protocol import FakeModel
from testing.fake_ollama.server import LLAMA, THINKER, FakeOllama
from testing.fake_ollama.walker import Walker

DEFAULT_PORT = 11434


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; the address is the only line on standard output."""
    parser = _parser()
    args = parser.parse_args(arguments)
    try:
        faults = _plan(args.fault, args.seed)
        fake = FakeOllama(
            _answers(args),
            models=[FakeModel(name) for name in args.model] or (LLAMA, THINKER),
            port=args.port,
            seed=args.seed,
            latency=args.latency,
            slots=args.slots,
            faults=faults,
            stall=args.stall,
        ).start()
    except (ModelError, ValueError, OSError) as error:
        parser.error(str(error))
    ended = _interrupted()  # Heard from before anybody knows the address.
    sys.stdout.write(f"OLLAMA_HOST={fake.base_url}\n")
    sys.stdout.flush()
    ended.wait()
    fake.stop()
    return 0


def _answers(args: argparse.Namespace) -> Script | Walker | None:
    if args.walkthrough:
        return Walker(read_commands(args.walkthrough))
    return Script.read(args.script) if args.script else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m testing.fake_ollama", description=__doc__)
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes a free one")
    parser.add_argument("--script", type=Path, help="answers; what it leaves open is made up")
    parser.add_argument("--walkthrough", type=Path, help="commands that the actor is told")
    parser.add_argument("--seed", type=int, default=0, help="of made-up answers and faults")
    parser.add_argument("--model", action="append", default=[], help="a model to pretend to have")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--slots", type=int, help="answers made at a time")
    parser.add_argument("--stall", type=float, default=30.0, help="seconds a stall takes")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND:RATE",
        help=f"all:0.1 for any of {', '.join(FAULTS)}",
    )
    return parser


def _plan(faults: list[str], seed: int) -> Callable[[int], str] | None:
    plans = []
    for i, fault in enumerate(faults):
        kind, _, rate = fault.partition(":")
        plans.append(random_faults(float(rate or 1), seed + i, () if kind == "all" else (kind,)))
    return (lambda n: next(filter(None, (plan(n) for plan in plans)), "")) if plans else None


def _interrupted() -> threading.Event:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    return ended


if __name__ == "__main__":
    sys.exit(main())
