"""What a model is shown of options and issues, found out only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeVar, overload

from managers.knowledge import Knowledge
from managers.language.actions import canonical, parse, table
from managers.language.history import History
from managers.language.lexicon import head_of
from managers.planning.issues import Enriched, enriched, world_issues
from managers.policy import text
from managers.policy.option import ADVISED, Option
from managers.policy.priors import Features, Learned, Offer, learned
from managers.policy.scene import Scene
from managers.policy.usual import usual
from managers.policy.value import Valuation
from managers.world.objects import INVENTORY

_MOST_ISSUES = 12
_MOST = 8
_LATELY = 5
_WISHED = "wished"
"""The kind of a command that an objective says in as many words."""
_TOLD = frozenset({"remembered", ADVISED, _WISHED})
"""Kinds of options that an earlier episode or a model speaks for: both know this very story."""
_T = TypeVar("_T")


class Lazy(Sequence[_T]):
    """A sequence that is found out when somebody asks for it."""

    def __init__(self, find: Callable[[], Sequence[_T]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> Sequence[_T]:
        return self._find()

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, at: int) -> _T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[_T]: ...
    def __getitem__(self, at: int | slice) -> _T | Sequence[_T]:
        return self._found[at]


def open_issues(knowledge: Knowledge) -> Sequence[Enriched]:
    """The most important issues with what bears on them."""
    world, map_ = knowledge.world_view, knowledge.map_view
    return Lazy(lambda: enriched(world_issues(world, map_)[:_MOST_ISSUES], world))


def offers(
    options: Sequence[Option], scene: Scene, history: History, wishes: Sequence[str] = ()
) -> Sequence[str]:
    """The commands that a model is shown as guesses, the likeliest first.

    `wishes` are the texts of the active objectives.
    """

    def found() -> list[str]:
        pool = Pool(options, scene, history, wishes=wishes)
        return [one.command for one in pool.likeliest[:_MOST]]

    return Lazy(found)


class Pool:
    """All that could be done next.

    No command twice, none that failed or ended the story here as things are, none that has just
    told what it tells, and none about the game itself.

    Args:
        options: Ranked by the planner.
        scene: What is known.
        history: The game's words so far.
        taught: What was learned from walkthroughs.
        wishes: Texts of objectives; what they say can be done here is a choice.
    """

    def __init__(
        self,
        options: Sequence[Option],
        scene: Scene,
        history: History,
        taught: Learned | None = None,
        wishes: Sequence[str] = (),
    ) -> None:
        self._ranked, self._scene, self._history = options, scene, history
        self._wishes = wishes
        self._taught = taught or learned()

    @cached_property
    def choices(self) -> tuple[Offer, ...]:
        """The planner's ranking first, then what it did not rank."""
        found: dict[str, Offer] = {}
        for one in chain(self._wished(), map(_ranked, self._ranked), self._others()):
            found.setdefault(canonical(one.command), one)
        return tuple(one for command, one in found.items() if self._is_possible(command))

    @cached_property
    def _lately(self) -> frozenset[str]:
        """The commands that were played last."""
        return frozenset(canonical(one.command) for one in self._history.exchanges[-_LATELY:])

    @cached_property
    def _ending(self) -> frozenset[str]:
        """The commands that ended the story here, where nothing has changed since."""
        changed = self._scene.knowledge.changed(self._scene.here)
        ended = self._history.ends(self._scene.here)
        return frozenset(canonical(one.command) for one in ended if changed <= one.turn + 1)

    @cached_property
    def features(self) -> Features:
        """What tells how likely a choice is."""
        return Features(self._scene, self._history)

    @cached_property
    def likeliest(self) -> tuple[Offer, ...]:
        """The choices, the likeliest first."""
        scores = [
            (one.kind in _TOLD, self._taught.score(self.features.of(one, place)))
            for place, one in enumerate(self.choices)
        ]
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
        return tuple(self.choices[place] for place in order)

    def _wished(self) -> Iterator[Offer]:
        """What objectives say in the words of a command, with things that are at hand."""
        near = {thing.noun for thing in (*self._scene.around, *self._scene.held)}
        for wish in self._wishes:
            command = wish.lower().rstrip(".")
            action = parse(command)
            nouns = {head_of(name) for name in (action.object, action.second) if name}
            if action.verb in table().verbs and nouns and nouns <= near:
                yield Offer(command, _WISHED, 0.0)

    def _others(self) -> Iterator[Offer]:
        """What can be done here beside what the planner thinks best."""
        scene, value = self._scene, Valuation(self._scene)
        made = usual(scene, self._history, self._taught.commands)
        drafts = chain(scene.drafts_at(scene.here), text.unusual(scene), made)
        for draft in filter(scene.is_possible, drafts):
            yield Offer(draft.command, draft.kind, value.of(draft))

    def _is_possible(self, command: str) -> bool:
        """Nothing speaks against it."""
        scene = self._scene
        failed = scene.is_hopeless(command, scene.here)
        failed = failed and (scene.here, command) not in scene.worth_another_try
        action = parse(command)
        meant = scene.world.resolve(action.object) if action.verb == "take" else None
        held = meant is not None and meant.location == INVENTORY
        told = action.has("tells") and command in self._lately
        barred = failed or held or told or command in self._ending
        return not (barred or scene.is_unknown(command) or action.has("meta"))


def _ranked(option: Option) -> Offer:
    return Offer(option.command, option.kind, option.value, len(option.route) > 1)
