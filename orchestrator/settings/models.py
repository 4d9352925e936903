"""The chat models of one episode: made when a part wants them, with one account of the costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.abilities import Abilities, known
from agents.models import ModelConfig, ModelError
from agents.models.breaker import Breaker
from agents.models.cache import AnswerCache
from agents.models.config import Style
from agents.models.ledger import Ledger
from agents.models.providers import check
from agents.models.size import is_asked_short
from agents.structured import Asker
from environments.folders import cache_folder
from orchestrator.errors import ConfigError, unknown
from orchestrator.settings.trust import FUNCTION, require

DEFAULT = "default"
"""The model of a part that names none."""


class Models:
    """Askers by name; all of them share the ledger, the circuit breaker and the cache.

    Args:
        configs: The `[models.<name>]` tables; `default` is there in any case.
        seed: The agent's; for models that have none of their own.
        cache: A file of earlier answers; None asks every time. Embedded models cost nothing
            and are always asked.
    """

    def __init__(
        self, configs: Mapping[str, ModelConfig], *, seed: int = 1, cache: Path | None = None
    ) -> None:
        self.ledger = Ledger()
        self.notes: tuple[str, ...] = ()
        """What may go badly with them, as the check has shown."""
        self.abilities: dict[str, Abilities] = {}
        """What was found out of those that are asked, when they were tested."""
        self.styles: dict[str, Style] = {}
        """In which form those that were checked are asked."""
        self._configs = {DEFAULT: ModelConfig(), **configs}
        self._seed = seed
        self._path = cache
        self._cache: AnswerCache | None = None
        self._breaker = Breaker()
        self._askers: dict[str, Asker] = {}
        self._with_tools: set[str] = set()
        self._wanted: Counter[str] = Counter()

    def asker(self, name: str = DEFAULT, *, tools: bool = False) -> Asker:
        """The model of this name, ready to be asked; `tools` by somebody who gives it tools.

        Raises:
            ConfigError: there is no such table, or its model cannot be made.
        """
        if name not in self._configs:
            raise ConfigError(unknown("model", name, self._configs))
        if name not in self._askers:
            self._askers[name] = self._made(name)
        self._wanted[name] += 1
        if tools:
            self._with_tools.add(name)
        return self._askers[name]

    def let_go(self, name: str) -> None:
        """One who took the model of this name will not ask it."""
        self._wanted[name] -= 1

    def check(self) -> None:
        """See to it that every model that somebody may ask can answer.

        Raises:
            ConfigError: one cannot, and what mends it.
        """
        for name, asker in self._askers.items():
            if not self._wanted[name]:
                continue
            health = check(asker.model, asker.config, tools=name in self._with_tools)
            for problem in health.problems:
                raise ConfigError(problem)
            self.notes += health.notes
            asker.served = health.served
            short = is_asked_short(asker.config, health.billions)
            self.styles[name] = "short" if short else "full"
            asker.config = asker.config.model_copy(update={"style": self.styles[name]})
            if found := known(asker.config, health.served):
                self.abilities[name] = found
                asker.surest = found.method

    def close(self) -> None:
        """Close the cache; closing twice is harmless."""
        if self._cache is not None:
            self._cache.close()

    def _made(self, name: str) -> Asker:
        config = self._configs[name]
        if config.model.startswith(FUNCTION):
            require(config.model.removeprefix(FUNCTION), f"models.{name}.model")
        if config.seed is None:
            config = config.model_copy(update={"seed": self._seed})
        cache = None if config.provider == "embedded" else self._opened()
        try:
            return Asker.of(config, cache=cache, ledger=self.ledger, breaker=self._breaker)
        except ModelError as error:
            raise ConfigError(f"models.{name}: {error}") from error

    def _opened(self) -> AnswerCache | None:
        if self._cache is None and self._path is not None:
            self._cache = AnswerCache(self._path)
        return self._cache


@contextmanager
def open_models(configs: Mapping[str, ModelConfig], *, seed: int, cached: bool) -> Iterator[Models]:
    """The models of an episode; `cached` lets them remember answers of earlier ones."""
    path = cache_folder() / "answers.sqlite" if cached else None
    models = Models(configs, seed=seed, cache=path)
    try:
        yield models
    finally:
        models.close()


A_TURN = ("seconds", "input_tokens", "uncached_tokens", "output_tokens")
"""Of a role's sums, what is told for a turn, too."""


def counts(ledger: Ledger, turns: int) -> dict[str, dict[str, Any]]:
    """The sums of every role that was asked, and its means, as they stand in episode.json."""
    return {
        role: {
            **vars(usage),
            "seconds": round(usage.seconds, 3),
            "faults": dict(sorted(usage.faults.items())),
            "a_turn": {name: round(getattr(usage, name) / max(1, turns), 2) for name in A_TURN},
        }
        for role, usage in sorted(ledger.by_role().items())
    }
