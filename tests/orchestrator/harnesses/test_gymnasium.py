"""A story as a Gymnasium environment, checked by Gymnasium's own checker."""

from __future__ import annotations

from pathlib import Path

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="make install EXTRAS=gymnasium")
pytestmark = pytest.mark.slow


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasiums_own_checker_finds_nothing() -> None:
    from gymnasium.utils.env_checker import check_env

    from orchestrator.harnesses.gymnasium_env import StoryEnv

    env = StoryEnv("workshop", render_mode="ansi")
    check_env(env, skip_render_check=True)
    env.close()


def test_an_episode_is_what_the_walkthrough_says() -> None:
    from orchestrator.harnesses.gymnasium_env import StoryEnv

    with open("game_files/workshop.walkthrough.txt", encoding="utf-8") as file:  # noqa: PTH123
        commands = [line.strip() for line in file if line.strip()]
    env = StoryEnv("workshop")
    text, info = env.reset(seed=7)
    assert "workbench" in text
    assert info["score"] == 0
    total, terminated = 0.0, False
    for command in commands:
        _, reward, terminated, truncated, info = env.step(command)
        total += reward
        assert not truncated
    assert terminated
    assert info["won"]
    assert total == info["score"] == 10
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("look")
    env.close()


def test_several_play_at_once_and_what_they_say_arrives_or_is_refused() -> None:
    from orchestrator.harnesses.gymnasium_env import StoryEnv

    made = [lambda: StoryEnv("morning")] * 2
    with pytest.raises(ValueError, match="disable this feature with `shared_memory=False`"):
        gymnasium.vector.AsyncVectorEnv(made)
    told = gymnasium.vector.AsyncVectorEnv(made, shared_memory=False)
    texts, _ = told.reset(seed=3)
    assert [text.startswith("You were dreaming") for text in texts] == [True, True]
    told.close()


def test_any_seed_of_gymnasiums_and_any_path_will_do() -> None:
    from orchestrator.harnesses.gymnasium_env import StoryEnv

    env = StoryEnv(Path("game_files/morning.z5"))
    one, other = (env.reset(seed=2**32 - 1) for _ in range(2))
    assert one == other
    env.close()


def test_the_same_seed_is_the_same_game_and_commands_are_bounded() -> None:
    from orchestrator.harnesses.gymnasium_env import StoryEnv

    env = StoryEnv("hollow", max_steps=3)
    told = []
    for _ in range(2):
        env.reset(seed=3)
        told.append([env.step(command) for command in ("look", "north", "wait")])
    assert told[0] == told[1]
    assert [step[3] for step in told[0]] == [False, False, True]
    env.close()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("story", ["hollow", "morning", "workshop"])
def test_a_story_is_made_by_its_id_and_passes_the_checker(story: str) -> None:
    from gymnasium.utils.env_checker import check_env

    import orchestrator.harnesses.gymnasium_env  # noqa: F401

    env = gymnasium.make(f"ZorkOrchestrator/{story}-v0", access="text+tree", max_steps=5)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_info_holds_what_the_access_allows() -> None:
    import orchestrator.harnesses.gymnasium_env  # noqa: F401

    told = {}
    for access in ("text", "text+tree", "text+tree+actions"):
        env = gymnasium.make("ZorkOrchestrator/workshop-v0", access=access)
        _, info = env.reset(seed=7)
        told[access] = info
        env.close()
    assert told["text"]["inventory"] is told["text"]["admissible_commands"] is None
    assert told["text+tree"]["location"]
    assert told["text+tree"]["inventory"] == []
    assert told["text+tree"]["admissible_commands"] is None
    assert "take apron" in told["text+tree+actions"]["admissible_commands"]
    with pytest.raises(RuntimeError, match="did you mean 'tree'"):
        gymnasium.make("ZorkOrchestrator/workshop-v0", access="text+tre")
    with pytest.raises(RuntimeError, match="no story 'nosuch'"):
        gymnasium.make("ZorkOrchestrator/Story-v0", game="nosuch")
