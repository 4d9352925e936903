"""What a model is shown of options, found out only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any, TypeVar

from agents.shown.priors import Features, Learned, Offer, learned
from agents.shown.usual import usual
from managers.core.option import ADVISED, OF_MEMORY, Draft, Option
from managers.core.scene import Scene
from managers.core.value import Valuation
from managers.language.actions import canonical, parse, same_action, table
from managers.language.history import UNDO, History
from managers.language.lexicon import head_of, is_of, words_of
from managers.world.objects import INVENTORY

_MOST = 8
_LONGEST = 48
"""Letters of a command that is shown, at most."""
_LATELY = 5
_GRAMMAR = "grammar"
"""The skill that offers a story's own verbs."""
_WISHED = "wished"
"""The kind of a command that an objective says in as many words."""
_JOINING = ("preposition", "conjunction", "pronoun")
"""Words that no name has in a command."""
_TOLD = OF_MEMORY | {ADVISED, _WISHED}
"""Kinds of options that an earlier episode or a model speaks for: both know this very story."""
_T = TypeVar("_T")


class Lazy(Sequence[_T]):
    """A sequence that is found out when somebody asks for it."""

    def __init__(self, find: Callable[[], Sequence[_T]]) -> None:
        self._found = cache(find)

    def __len__(self) -> int:
        return len(self._found())

    def __getitem__(self, at: Any) -> Any:
        return self._found()[at]


def offers(
    options: Sequence[Option],
    scene: Scene,
    history: History,
    wishes: Sequence[str] = (),
    suggested: str | None = None,
) -> Sequence[str]:
    """The likeliest commands, for a model to see; none that is longer than commands are.

    `wishes` are texts of active objectives; what a model has `suggested` comes first.
    """

    def found() -> list[str]:
        likeliest = Pool(options, scene, history, wishes=wishes).likeliest
        commands = [one.command for one in likeliest if len(one.command) <= _LONGEST]
        first = [one for one in commands if suggested and same_action(suggested, one)]
        return list(dict.fromkeys([*first, *commands]))[:_MOST]

    return Lazy(found)


class Pool:
    """All that could be done next.

    No command twice, none that failed or ended the story here as things are, none that has just
    told what it tells, and none about the game itself. `taught` is what was learned from
    walkthroughs; what `wishes`, the texts of objectives, say can be done here is a choice.
    """

    def __init__(
        self,
        options: Sequence[Option],
        scene: Scene,
        history: History,
        taught: Learned | None = None,
        wishes: Sequence[str] = (),
    ) -> None:
        self._options, self._scene, self._history = options, scene, history
        self._wishes = wishes
        self._taught = taught or learned()
        self.features = Features(scene, history)
        """What tells how likely a choice is."""
        self._lately = {canonical(one.command) for one in history.exchanges[-_LATELY:]}
        changed, ended = scene.knowledge.changed(scene.here), history.ends(scene.here)
        self._ending = {canonical(one.command) for one in ended if changed <= one.turn + 1}
        """The commands that ended the story here, where nothing has changed since."""

    @cached_property
    def choices(self) -> tuple[Offer, ...]:
        """The planner's ranking first, then what it did not rank."""
        ranked = (
            Offer(one.command, one.kind, one.value, len(one.route) > 1) for one in self._options
        )
        found: dict[str, Offer] = {}
        for one in chain(self._wished(), ranked, self._others()):
            found.setdefault(canonical(one.command), one)
        return tuple(one for command, one in found.items() if self._is_possible(command))

    @cached_property
    def likeliest(self) -> tuple[Offer, ...]:
        """The choices, the likeliest first."""
        worth = {
            one: (one.kind in _TOLD, self._taught.score(self.features.of(one, place)))
            for place, one in enumerate(self.choices)
        }
        return tuple(sorted(worth, key=worth.__getitem__, reverse=True))

    def _wished(self) -> Iterator[Offer]:
        """What objectives say in the words of a command, with things that are at hand."""
        near = {thing.noun for thing in (*self._scene.around, *self._scene.held)}
        place = {*words_of(self._scene.map.label(self._scene.here))}
        for wish in self._wishes:
            action = parse(wish.lower().rstrip("."))
            names = [name for name in (action.object, action.second) if name]
            # `get the scroll to open the gate` is no command, `climb the ladder in the ring` none.
            says_more = any(is_of(word, *_JOINING) for name in names for word in name.split())
            nouns = {head_of(name) for name in names}
            if action.verb in table().verbs and nouns and nouns <= near - place and not says_more:
                yield Offer(action.canonical, _WISHED, 0.0)

    def _others(self) -> Iterator[Offer]:
        """What can be done here beside what the planner thinks best."""
        scene, value = self._scene, Valuation(self._scene)
        made = usual(scene, self._history, self._taught.commands)
        drafts = chain(scene.drafts_at(scene.here), self._unusual(), made)
        for draft in filter(scene.is_possible, drafts):
            yield Offer(draft.command, draft.kind, value.of(draft))

    def _unusual(self) -> Iterator[Draft]:
        """What the story's own grammar allows beside the usual."""
        made = (one.offer(self._scene) for one in self._scene.skills if one.name == _GRAMMAR)
        yield from chain.from_iterable(made)

    def _is_possible(self, command: str) -> bool:
        """Nothing speaks against it."""
        scene, action = self._scene, parse(command)
        told_to_us = action.has("meta") or command == UNDO
        if command in self._ending or scene.is_unknown(command) or told_to_us:
            return False
        if action.has("tells") and command in self._lately:
            return False
        meant = scene.world.meant(action.object) if action.verb == "take" else None
        if meant is not None and meant.location == INVENTORY:
            return False
        failed = scene.is_hopeless(command, scene.here)
        return not failed or scene.obstacle(scene.here, command).gone
