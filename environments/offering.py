"""A game that tells with every reply which commands would change something (access `actions`)."""

from __future__ import annotations

from collections.abc import Collection

from environments.game import Access, Game, Step
from environments.jericho_game import JerichoGame
from environments.python_game import PythonGame, PythonStory
from environments.story import Story
from environments.valid_actions import ActionFinder


class OfferingGame(JerichoGame):
    """Tries the commands that suggest themselves after every turn, and rolls them back."""

    _finder: ActionFinder | None = None

    def start(self, seed: int) -> Step:
        return self._offering(super().start(seed))

    def play(self, snapshot: bytes, command: str) -> Step:
        return self._offering(super().play(snapshot, command))

    def _offering(self, step: Step) -> Step:
        observation = step.observation
        if observation.ended or observation.awaiting == "key":
            return step
        with self.reading():
            if self._finder is None:
                self._finder = ActionFinder(self, step.snapshot)
            found = self._finder.find(step.snapshot, observation.text)
        told = observation.model_copy(update={"actions": found.actions})
        counted = step.tally.model_copy(update={"tried": found.tried})
        return step._replace(observation=told, tally=counted)


def game_for_agents(
    story: Story | PythonStory, access: Collection[Access] = (Access.TEXT,)
) -> Game:
    """Start a story, for a graph that declares this access.

    Raises:
        GameError: The story cannot be started.
    """
    if isinstance(story, PythonStory):
        return PythonGame(story)
    kind = OfferingGame if Access.ACTIONS in access else JerichoGame
    return kind(story, access)
