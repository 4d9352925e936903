"""How many of the walkthroughs' commands are among the valid actions, by kind, and in what time.

    python -m benchmarks.next_actions [--first 60] [STORY ...]

Jericho's walkthroughs of the stories in `ZORK_STORIES` or `../shared/games` are played. Before
every command the valid actions are asked for: the command is found if one of them is the same, or
is answered in the same words and changes the same things. Seconds are processor time of both
processes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.stories import found_stories
from benchmarks.valid_actions import processor_seconds
from environments.game import Access, Step
from environments.jericho_game import JerichoGame, open_game
from environments.known import commands_of
from environments.splitting import DIRECTIONS
from environments.story import Story, read_story
from environments.valid_actions import ActionFinder

SEED = 12
KINDS = ("direction", "take or drop", "verb noun", "verb noun prep noun", "ask or tell", "other")
TAKING = frozenset("take get drop pick put_down".split())
SPEAKING = frozenset("ask tell say answer talk consult shout a t".split())
PREPOSITIONS = frozenset(
    "in into on onto with to at from under behind for about off through".split()
)


@dataclass
class Tally:
    """What was counted on one story."""

    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    calls: int = 0
    tried: int = 0
    listed: int = 0
    seconds: float = 0.0


def kind_of(command: str) -> str:
    """Which kind of command it is."""
    verb, *rest = command.lower().replace(",", " ").split() or [""]
    if verb in DIRECTIONS or (verb in ("go", "enter") and rest and rest[0] in DIRECTIONS):
        return "direction"
    if verb in SPEAKING and rest:
        return "ask or tell"
    if verb in TAKING and rest:
        return "take or drop"
    if not rest:
        return "other"
    inner = rest[1:-1]
    if any(word in PREPOSITIONS for word in inner):
        return "verb noun prep noun"
    return "verb noun"


def measure(story: Story, first: int, every: int) -> Tally:
    """Walk through one story; what is asked or told counts, and of the others every so manieth."""
    tally = Tally()
    with open_game(story, {Access.TEXT, Access.ACTIONS}) as game:
        step = game.start(SEED)
        finder: ActionFinder | None = None
        for number, command in enumerate(commands_of(story)[:first]):
            if step.observation.ended:
                break
            due = number % every == every // 2 or kind_of(command) == "ask or tell"
            if due and step.observation.awaiting == "line":
                finder = finder or ActionFinder(game, step.snapshot)
                one(game, finder, step, command, tally)
            step = game.play(step.snapshot, command)
    return tally


def one(game: JerichoGame, finder: ActionFinder, step: Step, command: str, tally: Tally) -> None:
    """Look for one command."""
    began = processor_seconds(game)
    pid = game.pid
    found = finder.find(step.snapshot, step.observation.text)
    if game.pid == pid:
        tally.seconds += processor_seconds(game) - began
        tally.calls += 1
    tally.tried += found.tried
    tally.listed += len(found.actions)
    kind = kind_of(command)
    tally.wanted[kind] += 1
    wanted = game.probe(step.snapshot, [command])[0]
    alike = [action.command for action in found.actions if action.reply == wanted.reply]
    same = any(probe.tree == wanted.tree for probe in game.probe(step.snapshot, alike))
    if same or command.lower() in {action.command for action in found.actions}:
        tally.found[kind] += 1
    else:
        tally.missed.append(command)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stories", nargs="*", help="by name; all by default")
    parser.add_argument("--first", type=int, default=60, help="commands of each walkthrough")
    parser.add_argument("--every", type=int, default=1, help="take every so manieth command")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each story")
    parser.add_argument("--missed", action="store_true", help="show what was not found")
    options = parser.parse_args()
    total = Tally()
    for path in found_stories():
        story = read_story(path)
        if not commands_of(story) or (options.stories and path.stem not in options.stories):
            continue
        tally = measure(story, options.first, options.every)
        add(total, tally)
        if options.json:
            print(json.dumps(row(path.stem, tally)), flush=True)
        else:
            print(line(path.stem, tally), flush=True)
        if options.missed:
            print("   ", "; ".join(tally.missed))
    if not options.json:
        print(line("all", total))


def row(name: str, tally: Tally) -> dict[str, object]:
    """The figures of one story; of each kind how many were found, and of how many."""
    kinds = {kind: (tally.found[kind], tally.wanted[kind]) for kind in KINDS}
    return {
        "story": name,
        "kinds": kinds,
        "calls": tally.calls,
        "seconds": tally.seconds,
        "tried": tally.tried,
        "listed": tally.listed,
        "missed": tally.missed,
    }


def add(total: Tally, tally: Tally) -> None:
    """Add up."""
    total.wanted += tally.wanted
    total.found += tally.found
    total.calls += tally.calls
    total.tried += tally.tried
    total.listed += tally.listed
    total.seconds += tally.seconds


def line(name: str, tally: Tally) -> str:
    """One line of the table."""
    shares = "  ".join(
        f"{kind} {tally.found[kind]}/{tally.wanted[kind]}" for kind in KINDS if tally.wanted[kind]
    )
    calls = max(tally.calls, 1)
    return (
        f"{name:<14} {sum(tally.found.values())}/{sum(tally.wanted.values())}  {shares}  "
        f"| {1e3 * tally.seconds / calls:.0f} ms, {tally.tried / calls:.0f} tried, "
        f"{tally.listed / calls:.0f} listed"
    )


if __name__ == "__main__":
    main()
