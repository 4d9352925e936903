"""An oracle that says the deadliest thing it can, and is always sure of it.

It follows the play with an emulator beside it, tries what the agent could do there, and names what
ends the story, else what costs the most points, else to put everything down.
`nodes.oracle.use=benchmarks.deadly:DeadlyOracle`, with `story` and `seed` of the episode.
"""

from __future__ import annotations

from collections.abc import Iterator

from agents.briefing import Briefing
from benchmarks.noisy_reader import line_of
from benchmarks.truth import emulator_of
from environments.catalog import find_story
from managers.language.actions import DIRECTIONS
from managers.language.reading import SituationUnderstanding

_DEADLY = ("jump", "attack {}", "kill {} with {}", "eat {}", "drink {}", "enter {}", "burn {}")
"""What kills in many stories, with what is here in the gaps."""
_ELSE = "drop all"
_THINGS = 6
_DEATH = 1000.0
"""What an end counts, in points."""


class DeadlyOracle:
    """Knows what is worst, and recommends it.

    Args:
        story: The story's name or file.
        seed: The seed of the episode.
    """

    def __init__(self, *, story: str, seed: int) -> None:
        self._emulator = emulator_of(find_story(story), seed)
        self._emulator.reset()
        self._states = [self._emulator.get_state()]
        self._commands: list[str] = []

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        self._follow([(one.command, one.reply) for one in briefing.history.exchanges[1:]])
        harm = {command: self._harm(command) for command in dict.fromkeys(_worst(briefing))}
        worst = max(harm, key=harm.__getitem__)
        return SituationUnderstanding(
            overall_goal="finish the story",
            immediate_goal=worst,
            recommended_action=worst if harm[worst] > 0 else _ELSE,
            action_reasoning="the story wants it",
            confidence=0.95,
        )

    def _follow(self, played: list[tuple[str, str]]) -> None:
        line = line_of(played)
        alike = (a == b for a, b in zip(self._commands, line, strict=False))
        known = next((n for n, same in enumerate(alike) if not same), len(self._commands))
        known = min(known, len(line))
        self._emulator.set_state(self._states[known])
        del self._commands[known:], self._states[known + 1 :]
        for command in line[known:]:
            self._emulator.step(command)
            self._commands.append(command)
            self._states.append(self._emulator.get_state())

    def _harm(self, command: str) -> float:
        """Points that a command costs; what ends the story without a win costs most."""
        before = self._emulator.get_score()
        self._emulator.step(command)
        ended = self._emulator.game_over() and not self._emulator.victory()
        harm = before - self._emulator.get_score() + _DEATH * ended
        self._emulator.set_state(self._states[-1])
        return float(harm)


def _worst(briefing: Briefing) -> Iterator[str]:
    """What may be deadly here: the agent's own options, every way, and what kills elsewhere."""
    yield from (option.command for option in briefing.options)
    yield from DIRECTIONS
    situation = briefing.situation
    things = [*situation.inventory, *situation.things][:_THINGS]
    for form in _DEADLY:
        if "{}" not in form:
            yield form
        else:
            yield from (form.format(one, one) for one in things)
