"""What of all that could be done a model is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import overload

from managers.language.actions import canonical, parse, table
from managers.language.history import History
from managers.policy import text
from managers.policy.option import RETRACED, Draft, Option
from managers.policy.priors import Learned, Priors, learned
from managers.policy.scene import Scene
from managers.policy.usual import usual
from managers.policy.value import probability

_MOST = 8
_KNOWN = frozenset({RETRACED, "remembered"})
"""Kinds of options that an earlier episode speaks for, which knows more than other stories."""


class Offers(Sequence[Option]):
    """What a model is offered, the likeliest first; found out when somebody asks for it.

    No command twice, none that failed here as things are, and none about the game itself.

    Args:
        options: Ranked by the planner.
        scene: What is known.
        history: The game's words so far.
        taught: What was learned of the likeliest; what the program knows of it where None.
    """

    def __init__(
        self,
        options: Sequence[Option],
        scene: Scene,
        history: History,
        taught: Learned | None = None,
    ) -> None:
        self._ranked, self._scene, self._history = options, scene, history
        self._taught = taught or learned()

    @cached_property
    def pool(self) -> tuple[Option, ...]:
        """All that could be offered, the planner's ranking first."""
        found: dict[str, Option] = {}
        for option in chain(self._ranked, map(self._option, self._drafts())):
            found.setdefault(canonical(option.command), option)
        return tuple(filter(self._is_possible, found.values()))

    @cached_property
    def every(self) -> tuple[Option, ...]:
        """The pool, the likeliest first."""
        scores = [
            (option.kind in _KNOWN, self.priors.score(option, place))
            for place, option in enumerate(self.pool)
        ]
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
        return tuple(self.pool[place] for place in order)

    @cached_property
    def priors(self) -> Priors:
        """What is likely next."""
        return Priors(self._scene, self._history, self._taught)

    def _drafts(self) -> Iterator[Draft]:
        """What can be done here beside what the planner thinks best."""
        scene = self._scene
        made = (scene.drafts_at(scene.here), text.unusual(scene), usual(scene, self._history, self._taught.commands))
        return filter(scene.is_possible, chain.from_iterable(made))

    def _option(self, draft: Draft) -> Option:
        return Option(
            command=draft.command,
            kind=draft.kind,
            purpose=draft.purpose or table().kinds[draft.kind].purpose,
            probability=probability(self._scene, draft),
            value=0.0,
            room=draft.room,
        )

    def _is_possible(self, option: Option) -> bool:
        scene, command = self._scene, canonical(option.command)
        again = (scene.here, command) in scene.worth_another_try
        failed = scene.is_hopeless(command, scene.here) and not again
        return not (failed or scene.is_unknown(command) or parse(command).has("meta"))

    def __len__(self) -> int:
        return len(self.every[:_MOST])

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | Sequence[Option]:
        return self.every[:_MOST][at]
