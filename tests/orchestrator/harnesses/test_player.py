"""An agent whose game is somebody else's plays what `zork play` plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from environments.catalog import find_story
from environments.offering import game_for_agents
from orchestrator import play
from orchestrator.bayesian_agent import BayesianIFAgent
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, RunError
from orchestrator.harnesses.player import Player
from orchestrator.harnesses.tales import TalesAgent


def commands_of(result: dict[str, Any]) -> list[str]:
    lines = Path(result["run_dir"], "transcript.txt").read_text(encoding="utf-8").splitlines()
    return [line[2:] for line in lines if line.startswith("> ")]


def test_a_player_says_what_the_episode_loop_plays(tmp_path: Path) -> None:
    """The story shows its score, so that both know the same."""
    expected = commands_of(play("workshop", seed=4, steps=12, fresh=True, out=tmp_path))
    player, said = Player(load_config("offline"), 4), []
    with game_for_agents(find_story("workshop")) as game:
        step = game.start(4)
        player.begin(step.observation.text, step.tally.score)
        for _ in expected:
            said.append(player.command())
            step = game.play(step.snapshot, said[-1])
            player.reply(step.observation.text, step.tally.score, ended=step.tally.ended)
    assert said == expected
    assert step.tally.score > 0


def test_a_player_loads_what_a_graph_names_when_it_is_trusted(monkeypatch: Any) -> None:
    root = Path(__file__).parents[3]
    monkeypatch.chdir(root)
    config = load_config(str(root / "examples" / "lighthouse" / "lighthouse.toml"))
    with pytest.raises(ConfigError, match="--trust"):
        Player(config)
    player = Player(config, trust=True)
    player.begin("Beach\nA cave opens to the north.")
    assert player.command()


def test_a_player_finds_parts_beside_the_file_that_names_them(tmp_path: Path) -> None:
    graph, cautious = tmp_path / "elsewhere.toml", "class Cautious:\n    def judge(self, _): ...\n"
    graph.write_text(
        'extends = "offline"\n[nodes.critic]\nuse = "far_away:Cautious"\n', encoding="utf-8"
    )
    (tmp_path / "far_away.py").write_text(cautious, encoding="utf-8")
    Player(load_config(graph), trust=True).begin("Beach\nA cave opens to the north.")


def test_what_is_named_in_settings_is_allowed_where_nothing_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ZORK_HOME", "/proc/nowhere")
    monkeypatch.setattr("orchestrator.settings.trust._ADMITTED", set())
    critic = "nodes.critic.use=tests.orchestrator.critics:Against"
    BayesianIFAgent(settings=[critic, "nodes.critic.command=jump"])


def test_a_player_says_what_comes_first() -> None:
    player = Player(load_config("offline"))
    with pytest.raises(RunError, match=r"begin\(text\) comes before command"):
        player.command()
    with pytest.raises(RunError, match="no command was said"):
        player.reply("Nothing happens.")


@pytest.mark.slow
def test_the_agent_of_tales_plays_its_loop_with_restarts() -> None:
    """As `benchmark.py` of tale-suite drives an agent: act, step, and reset after an end."""
    agent = TalesAgent(graph="offline", agent_seed=2, nb_steps=100)
    wins = steps = 0
    with game_for_agents(find_story("workshop")) as game:
        step = game.start(2)
        agent.reset(step.observation.text, {"score": 0}, "workshop")
        for _ in range(60):
            info = {"score": step.tally.score}
            action, stats = agent.act(step.observation.text, step.tally.score, False, info)
            assert {"prompt", "response", "nb_tokens"} <= stats.keys()
            step = game.play(step.snapshot, action)
            steps += 1
            if step.tally.ended:
                wins += step.tally.won
                step = game.start(2)
                agent.reset(step.observation.text, {"score": 0}, "workshop")
    assert wins >= 1
    assert agent.uid == "ZorkOrchestrator_offline_s2"
