"""Our stories as an inspect_ai task, and our agent as a solver of it (`EXTRAS=inspect`).

`inspect eval orchestrator/harnesses/inspect_task.py --model mockllm/model -T games=hollow`.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from environments.catalog import find_story
from environments.game import Game, Step
from environments.offering import game_for_agents
from orchestrator.config import load_config
from orchestrator.evaluation.scores import maximum
from orchestrator.harnesses.player import Player

INSTRUCTIONS = (
    "You play interactive fiction. Every message is what the game says. Answer with one command "
    "for the game, for instance `open mailbox`, and nothing else."
)
Decide = Callable[[str, Step], str]


@task
def stories(
    games: str | list[str] = "hollow",
    seeds: str | list[int] = "1",
    steps: int = 100,
    solver: str = "orchestra",
) -> Task:
    """A sample a story and seed; the score is the best one reached, as part of the maximum.

    Args:
        games: Paths, ids or names, with commas.
        seeds: Of the emulator, with commas.
        steps: Commands.
        solver: `orchestra`, our agent, or `transcript`, the model that is being evaluated with
            nothing but the words of the game.
    """
    samples = [
        Sample(
            id=f"{name}-s{seed}",
            input=f"Play {name}.",
            metadata={"game": name, "seed": int(seed), "steps": steps},
        )
        for name in _several(games)
        for seed in _several(seeds)
    ]
    solvers = {"orchestra": orchestra, "transcript": transcript}
    return Task(dataset=MemoryDataset(samples), solver=solvers[solver](), scorer=reached())


def _several(given: Any) -> list[str]:
    """What `-T` was given: inspect takes a text with commas apart itself."""
    return [str(one) for one in given] if isinstance(given, list) else str(given).split(",")


@solver
def orchestra(graph: str = "offline") -> Solver:
    """Our agent plays by a graph; it asks the graph's own models, not inspect's."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        player = Player(load_config(graph), state.metadata["seed"])
        with _opened(state) as table:
            player.begin(table.text, table.score)
            while table.goes_on:
                command = await asyncio.to_thread(player.command)
                await table.play(command, player.state["proposal"].response.thinking)
                player.reply(table.text, table.score, ended=table.ended)
        return state

    return solve


@solver
def transcript() -> Solver:
    """The model plays on the plain transcript: the baseline that an orchestra has to beat."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.insert(0, ChatMessageSystem(content=INSTRUCTIONS))
        with _opened(state) as table:
            while table.goes_on:
                answer = await get_model().generate(state.messages)
                said = answer.completion.strip().splitlines()
                await table.play(said[0].strip(" `>") if said else "look")
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def reached() -> Scorer:
    """The best score as part of the story's maximum; points where none is known."""

    async def score(state: TaskState, target: Target) -> Score:
        best, story = state.metadata.get("best", 0), find_story(state.metadata["game"])
        top = maximum(story, state.metadata.get("max_score"))["max_score"]
        return Score(
            value=max(0, best) / top if top else float(best),
            answer=str(best),
            explanation=f"{best} of {top or '?'} points in {state.metadata.get('turns')} turns",
        )

    return score


class _Table:
    """One game and what is said at it."""

    def __init__(self, state: TaskState) -> None:
        self._state = state
        self._game: Game = game_for_agents(find_story(state.metadata["game"]))
        self._step = self._game.start(state.metadata["seed"])
        self._turns, self._best = 0, self._step.tally.score
        self._note()
        state.messages.append(ChatMessageUser(content=self.text))

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._game.close()

    @property
    def text(self) -> str:
        return self._step.observation.text

    @property
    def score(self) -> int:
        return self._step.tally.score

    @property
    def ended(self) -> bool:
        return self._step.tally.ended

    @property
    def goes_on(self) -> bool:
        """There are commands left to play."""
        return not self.ended and self._turns < self._state.metadata["steps"]

    async def play(self, command: str, thinking: str = "") -> None:
        """Play a command and write down what was said."""
        play = functools.partial(self._game.play, self._step.snapshot, command or "look")
        self._step = await asyncio.to_thread(play)
        self._turns += 1
        self._best = max(self._best, self.score)
        said = f"{thinking}\n\n> {command}" if thinking else command
        self._state.messages += [
            ChatMessageAssistant(content=said),
            ChatMessageUser(content=self.text),
        ]
        self._note()

    def _note(self) -> None:
        told: dict[str, Any] = {"best": self._best, "turns": self._turns}
        self._state.metadata |= {**told, "max_score": self._step.tally.max_score}


def _opened(state: TaskState) -> _Table:
    return _Table(state)
