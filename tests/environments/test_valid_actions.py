"""Valid actions: what is found, that it holds, and that finding it leaves no trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.catalog import describe, find_story
from environments.game import Access, AccessError, Step
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story, read_story
from environments.valid_actions import ActionFinder, ValidActions

StoryPath = Callable[[str], Path]
ACTIONS = {Access.TEXT, Access.ACTIONS}
SEED = 7


@pytest.fixture(scope="module")
def game() -> Iterator[JerichoGame]:
    with open_game(find_story("hollow"), ACTIONS) as game:
        yield game


def commands(found: ValidActions) -> list[str]:
    return [action.command for action in found.actions]


def walk(game: JerichoGame, lines: list[str], seed: int = SEED) -> Iterator[tuple[Step, str]]:
    """The state before each line of a walkthrough, and the line."""
    step = game.start(seed)
    for line in lines:
        yield step, line
        step = game.play(step.snapshot, line)


def walkthrough(story: Story) -> list[str]:
    entry = describe(story)
    assert entry is not None
    assert entry.walkthrough is not None
    return entry.walkthrough.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("name", "every"),
    [pytest.param("hollow", 24, marks=pytest.mark.slow), ("morning", 12), ("workshop", 8)],
)
def test_the_walkthroughs_next_action_is_among_those_found(name: str, every: int) -> None:
    story = find_story(name)
    wanted = found = 0
    with open_game(story, ACTIONS) as game:
        finder = ActionFinder(game, game.start(SEED).snapshot)
        for step, line in list(walk(game, walkthrough(story)))[1::every]:
            change = game.probe(step.snapshot, [line])[0].tree
            if not change or step.observation.awaiting == "key":
                continue
            listed = commands(finder.find(step.snapshot, step.observation.text))
            wanted += 1
            found += any(probe.tree == change for probe in game.probe(step.snapshot, listed))
    assert wanted
    assert found >= 0.9 * wanted


def test_a_familiar_scene(story_path: StoryPath) -> None:
    with open_game(read_story(story_path("zork1.z5")), ACTIONS) as game:
        states = [step for step, _ in walk(game, ["open mailbox", "take leaflet", "north"], 12)]
        finder = ActionFinder(game, states[0].snapshot)
        assert commands(finder.find(states[0].snapshot))[:4] == [
            "north",
            "south",
            "west",
            "open mailbox",
        ]
        held = commands(finder.find(states[2].snapshot))
        assert {"drop leaflet", "put leaflet in mailbox", "close mailbox"} <= set(held)


def test_every_listed_action_does_what_the_list_says(game: JerichoGame) -> None:
    finder = ActionFinder(game, game.start(SEED).snapshot)
    lines = walkthrough(game.story)
    for step, _ in list(walk(game, lines))[2:40:16]:
        actions = finder.find(step.snapshot, step.observation.text, budget=120).actions
        assert actions
        assert len({action.effect for action in actions}) == len(actions)
        for action in actions:
            played = game.play(step.snapshot, action.command)
            assert played.observation.text == action.reply
            assert played.observation.ended == action.ended


def test_the_same_state_gives_the_same_list_in_another_process_and_order(
    game: JerichoGame,
) -> None:
    states = [step for step, _ in walk(game, walkthrough(game.story)[:12])][::4]
    finder = ActionFinder(game, states[0].snapshot)
    before = [finder.find(step.snapshot, step.observation.text, budget=100) for step in states]
    with open_game(game.story, ACTIONS) as other:
        finder = ActionFinder(other, states[-1].snapshot)
        after = [
            finder.find(step.snapshot, step.observation.text, budget=100)
            for step in reversed(states)
        ]
    assert after[::-1] == before


def test_looking_for_actions_changes_nothing(game: JerichoGame) -> None:
    lines = walkthrough(game.story)[:8]
    undisturbed = [step for step, _ in walk(game, lines)]
    finder = ActionFinder(game, undisturbed[0].snapshot)
    disturbed = []
    for step, _ in walk(game, lines):
        finder.find(step.snapshot, budget=60)
        disturbed.append(step)
    assert disturbed == undisturbed


def test_the_budget_is_kept_and_what_is_found_early_stays(game: JerichoGame) -> None:
    step = game.start(SEED)
    finder = ActionFinder(game, step.snapshot)
    some, more = (finder.find(step.snapshot, budget=budget) for budget in (60, 120))
    assert some.tried == 60
    assert 60 < more.tried <= 120
    assert some.actions[0].command in commands(more)
    with pytest.raises(ValueError, match="a budget of 3 commands; 10 are needed at least"):
        finder.find(step.snapshot, budget=3)


def test_actions_need_their_access() -> None:
    with open_game(find_story("hollow"), {Access.TEXT, Access.TREE}) as game:
        snapshot = game.start(SEED).snapshot
        with pytest.raises(AccessError, match="actions"):
            ActionFinder(game, snapshot)


def test_those_in_sight_are_asked_about_what_is_spoken_of_and_what_the_dictionary_has() -> None:
    story = read_story(Path(__file__).with_name("stories") / "inn.z5")
    with open_game(story, ACTIONS) as game:
        opening = game.start(SEED)
        found = ActionFinder(game, opening.snapshot).find(opening.snapshot)
        talk = {
            command
            for command in commands(found)
            if command.split()[0] in ("ask", "tell", "consult")
        }
        assert talk == {
            "ask innkeeper about bell",
            "ask innkeeper about mill",
            "ask innkeeper about miller",
            "tell innkeeper about mill",
        }
        assert found.tried < 400
