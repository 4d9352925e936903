"""The game layer against Jericho in-process: steps, snapshots, state hash, recovery.

`python -m benchmarks.emulator [--fresh 200]`. Both sides play Jericho's walkthroughs in turn, one
command here, one there, so that a busy machine slows both. Figures are medians of wall time.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

import numpy as np
from jericho import FrotzEnv

from benchmarks.stories import found_stories
from environments import snapshot
from environments.frotz import Frotz
from environments.game import Access, Step
from environments.jericho_game import JerichoGame, open_game
from environments.restless import TreeDigest
from environments.story import Story, read_story

ROUNDS = 3
REPEATS = 200


def timed(action: Callable[[], object]) -> float:
    """Microseconds of one call."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1e6


def repeated(action: Callable[[], object]) -> float:
    """Microseconds, the median of many calls."""
    return median(timed(action) for _ in range(REPEATS))


def known_to_jericho(story: Story) -> FrotzEnv | None:
    """The story in Jericho, where Jericho has a walkthrough of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jericho = FrotzEnv(str(story.path), 1)
        if not jericho.get_walkthrough():
            return None
    jericho.seed(jericho.bindings.get("seed") or 1)
    return jericho


def steps(story: Story, jericho: FrotzEnv, access: set[Access]) -> tuple[float, float]:
    """Median microseconds of a step in-process and through our worker with its snapshot."""
    theirs: list[float] = []
    ours: list[float] = []
    with open_game(story, access) as game:
        for _ in range(ROUNDS):
            jericho.reset()
            step = game.start(jericho.bindings.get("seed") or 1)
            for command in jericho.get_walkthrough():
                theirs.append(timed(lambda c=command: jericho.step(c)))  # type: ignore[misc]
                began = time.perf_counter()
                step = game.play(step.snapshot, command)
                ours.append((time.perf_counter() - began) * 1e6)
                if step.observation.ended:
                    break
    return median(theirs), median(ours)


def inside(story: Story) -> tuple[float, float, float, int]:
    """Microseconds of packing, of restoring and of the state digest; bytes of a snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "story.z5")
        path.write_bytes(story.data + b"\0")
        frotz = Frotz(path)
        digest = TreeDigest(frotz)
    identity = sha256(story.data).digest()
    initial = np.frombuffer(story.data[: frotz.header.static], dtype=np.uint8)
    for command in (" ", "look", "north", "take all", "south", "inventory"):
        frotz.step(command)

    def pack() -> bytes:
        return snapshot.pack(
            identity, initial, snapshot.Position(frotz.mark(), snapshot.SnapshotNotes())
        )

    blob = pack()
    restoring = repeated(lambda: frotz.back(snapshot.unpack(identity, initial, blob).mark))
    return repeated(pack), restoring, repeated(digest), len(blob)


def recovery(story: Story) -> float:
    """Milliseconds from a SIGKILL of the worker to the answer of the next command."""
    with open_game(story) as game:
        step = game.start(1)

        def killed() -> None:
            os.kill(game.pid, signal.SIGKILL)
            game.play(step.snapshot, "look")

        return median(timed(killed) for _ in range(5)) / 1000


def fresh(story: Story, jericho: FrotzEnv, count: int) -> tuple[int, float]:
    """How many random snapshots go on differently in fresh processes; bytes of a snapshot."""
    commands: list[str] = jericho.get_walkthrough()
    with open_game(story) as game:
        played = [game.start(jericho.bindings.get("seed") or 1)]
        played += walk(game, played[0], commands)
    last = len(played) - 1
    different = 0
    for start in random.Random(1).choices(range(last), k=count):
        with open_game(story) as game:
            continued = walk(game, played[start], commands[start : min(start + 20, last)])
        different += continued != played[start + 1 : start + 1 + len(continued)]
    return different, median(len(step.snapshot) for step in played)


def walk(game: JerichoGame, step: Step, commands: list[str]) -> list[Step]:
    """Play commands one after another, up to the end of the story."""
    found: list[Step] = []
    for command in commands:
        if step.observation.ended:
            break
        step = game.play(step.snapshot, command)
        found.append(step)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fresh", type=int, default=200, help="snapshots tried in new processes")
    count = parser.parse_args().fresh
    known = []
    for path in found_stories():
        story = read_story(path)
        if jericho := known_to_jericho(story):
            known.append((story, jericho))
    print("story      step us: Jericho   text  ratio   tree  ratio | pack  restore  bytes")
    for story, jericho in known:
        theirs, text = steps(story, jericho, {Access.TEXT})
        again, tree = steps(story, jericho, {Access.TREE})
        packing, restoring, _, size = inside(story)
        print(
            f"{story.path.stem:10} {theirs:16.1f} {text:6.1f} {text / theirs:6.2f} {tree:6.1f} "
            f"{tree / again:6.2f} | {packing:4.1f} {restoring:8.1f} {size:6}"
        )
    print("\nstory      state hash us: Jericho   ours  ratio | back after SIGKILL ms")
    for story, jericho in known:
        jericho.reset()
        hashed, ours = repeated(jericho.get_world_state_hash), inside(story)[2]
        print(
            f"{story.path.stem:10} {hashed:22.1f} {ours:6.1f} {hashed / ours:6.0f} "
            f"| {recovery(story):8.0f}"
        )
    print("\nstory      snapshots in fresh processes  different  median bytes")
    for story, jericho in known:
        share = -(-count // len(known))
        different, median_size = fresh(story, jericho, share)
        print(f"{story.path.stem:10} {share:28} {different:10} {median_size:13.0f}")


if __name__ == "__main__":
    main()
