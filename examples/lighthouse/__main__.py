"""Agents of one's own in a game of one's own: `python -m examples.lighthouse [--turns 60]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from examples.lighthouse.world import FULL_SCORE, Lighthouse
from orchestrator.config import load_config
from orchestrator.harnesses.player import Player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    options = parser.parse_args()
    graph = load_config(str(Path(__file__).with_name("lighthouse.toml")))
    player = Player(graph, agent_seed=7, trust=True)
    game = Lighthouse()
    text = game.begin()
    print(text)
    player.begin(text)
    while not game.over and player.state["turn"] < options.turns:
        command = player.command()
        reply = game.play(command)
        print(f"\n> {command}\n{reply.text}")
        player.reply(reply.text, reply.score, ended=reply.over)
    print(f"\n{game.score} of {FULL_SCORE} points in {player.state['turn']} turns. The diary:")
    for line in player.state["diary"]:  # type: ignore[typeddict-item]
        print(f"  {line}")


if __name__ == "__main__":
    main()
