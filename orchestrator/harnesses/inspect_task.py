"""Our stories as an inspect_ai task, and our agent as a solver of it (`EXTRAS=inspect`).

`inspect eval orchestrator/harnesses/inspect_task.py --model mockllm/model -T games=hollow`.
Whatever model a graph asks is the one that is evaluated.
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from environments.catalog import find_story
from environments.game import Game
from environments.offering import game_for_agents
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, unknown
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.scores import maximum
from orchestrator.harnesses.evaluated import EVALUATED, let_ask
from orchestrator.harnesses.player import Player

INSTRUCTIONS = (
    "You play interactive fiction. Every message is what the game says. Answer with one command "
    "for the game, for instance `open mailbox`, and nothing else."
)


@task
def stories(
    games: str | list[str] = "hollow",
    seeds: str | int | list[int] = "1",
    steps: int = 100,
    solver: str = "orchestra",
    graph: str = "oracle",
) -> Task:
    """A sample a story and seed; the score is the best one reached, as part of the maximum.

    Args:
        games: Paths, ids or names, with commas.
        seeds: Of the emulator, for instance `1-3` or `1,5,9`.
        steps: Commands.
        solver: `orchestra`, our agent with the model that is being evaluated in it, or
            `transcript`, that model with nothing but the words of the game.
        graph: Of our agent; one that asks no model, such as `offline`, is a baseline.

    Raises:
        ConfigError: the seeds or the solver will not do.
    """
    solvers: dict[str, Solver] = {"orchestra": orchestra(graph), "transcript": transcript()}
    if solver not in solvers:
        raise ConfigError(unknown("solver", solver, solvers))
    samples = [
        Sample(
            id=f"{name}-s{seed}",
            input=f"Play {name}.",
            metadata={"game": name, "seed": seed, "steps": steps},
        )
        for name in _several(games)
        for seed in seed_range(",".join(_several(seeds)))
    ]
    return Task(dataset=MemoryDataset(samples), solver=solvers[solver], scorer=reached())


def _several(given: Any) -> list[str]:
    """What `-T` was given: inspect takes a text with commas apart itself."""
    return [str(one) for one in given] if isinstance(given, list) else str(given).split(",")


@solver
def orchestra(graph: str = "oracle") -> Solver:
    """Our agent plays by a graph; the model that its roles ask is the one being evaluated."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        let_ask(get_model(), asyncio.get_running_loop())
        config = load_config(graph, settings=EVALUATED)
        player = Player(config, state.metadata["seed"], trust=True)
        with _Table(state) as table:
            await asyncio.to_thread(player.begin, table.text, table.score)
            while table.goes_on:
                command = await asyncio.to_thread(player.command)
                await table.play(command, player.state["proposal"].response.thinking)
                reply = functools.partial(player.reply, ended=table.ended)
                await asyncio.to_thread(reply, table.text, table.score)
        return state

    return solve


@solver
def transcript() -> Solver:
    """The model plays on the plain transcript: the baseline that an orchestra has to beat."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.insert(0, ChatMessageSystem(content=INSTRUCTIONS))
        with _Table(state) as table:
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
    """A game in play, whose commands and replies go into the messages of a sample."""

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
