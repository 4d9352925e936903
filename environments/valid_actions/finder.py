"""Finds valid actions: what to try in which order, within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from environments.game import ValidAction, Value
from environments.turn import Probe, Surroundings
from environments.valid_actions.conversation import Conversation
from environments.valid_actions.effects import COMMON_CHANGE, EffectJudge, Trial, clock
from environments.valid_actions.grammar import read_grammar
from environments.valid_actions.nouns import Namer, Noun, words_in
from environments.valid_actions.search import Candidate, Search, plain
from environments.valid_actions.templates import Phrasing
from environments.valid_actions.verbs import directions
from environments.vocabulary import Vocabulary
from environments.zmachine import Header, Objects

BUDGET = 560
"""Commands tried in one state; where there are more, the likeliest come first."""
LEAST_BUDGET = 10
FAMILIAR_VERBS = 16
"""So many of the most familiar verbs are tried on every noun."""
FAMILIAR_PAIRS = 9
"""So many of the most familiar verbs of two nouns come before the unfamiliar ones of one."""

_GIBBERISH = "frobnicate"
_WAIT = "wait"
_CONTROLS = ("look", "inventory", _GIBBERISH)
_STRANGERS = 3
"""So many nouns that are not here are examined, to learn how the story says so."""


class ValidActions(Value):
    """The valid actions of a state."""

    actions: tuple[ValidAction, ...]
    tried: int
    """How many commands were tried in the emulator to find them."""


class Probing(Protocol):
    """What is needed of a game."""

    def probe(self, snapshot: bytes, commands: Sequence[str], idle: bytes) -> list[Probe]:
        """Try commands and roll each back; `idle` is what time alone does to the object tree."""
        ...

    def memory(self, snapshot: bytes) -> bytes:
        """The story's memory in a state."""
        ...

    def surroundings(self, snapshot: bytes) -> Surroundings:
        """The objects around the protagonist."""
        ...


class ActionFinder:
    """Finds the valid actions of one story; what it keeps are constants of the story."""

    def __init__(self, game: Probing, snapshot: bytes) -> None:
        """`snapshot` may be any of the story's."""
        self._game = game
        memory = game.memory(snapshot)
        vocabulary = Vocabulary(memory)
        self._header = Header.read(memory)
        objects = Objects(memory, self._header)
        self._judge = EffectJudge(objects)
        self._namer = Namer(objects, vocabulary)
        grammar = read_grammar(memory, vocabulary)
        phrasing = Phrasing(vocabulary.letters)
        known = phrasing.templates(grammar)
        self._speech = Conversation(phrasing.speeches(grammar), objects, self._namer)
        self._alone = [*directions(vocabulary), *(t.fill() for t in known if not t.slots)]
        self._single = [template for template in known if len(template.slots) == 1]
        self._double = [template for template in known if len(template.slots) == 2]

    def find(self, snapshot: bytes, reply: str = "", budget: int = BUDGET) -> ValidActions:
        """The commands that have an effect in this state, one for each effect.

        The result depends on the arguments alone.

        Args:
            snapshot: The state.
            reply: The game's last words, for nouns that nothing else shows.
            budget: How many commands may be tried.

        Raises:
            ValueError: The budget is too small for even the first look around.
            AccessError: The game was opened without access `actions`.
        """
        if budget < LEAST_BUDGET:
            raise ValueError(f"a budget of {budget} commands; {LEAST_BUDGET} are needed at least")
        trials = _Trials(self._game, snapshot, budget)
        look, inventory, *_ = trials.run(plain(*_CONTROLS, _WAIT))
        text = "\n".join((look.probe.reply, inventory.probe.reply, reply))
        scene = self._scene(snapshot, text, inventory.probe.reply)
        trials.run([*plain(*self._alone), *scene.examinations()])
        refused = trials.run([*plain(_GIBBERISH), *_examine(scene.strangers)])
        present = _present(scene, refused, trials)
        search = Search(present, trials)
        search.on_each(t for t in self._single if t.rank < FAMILIAR_VERBS)
        search.pairs(t for t in self._double if t.rank < FAMILIAR_PAIRS)
        told = self._speech.hold(present, text, trials)
        search.on_promising(t for t in self._single if t.rank >= FAMILIAR_VERBS)
        search.pairs(t for t in self._double if t.rank >= FAMILIAR_PAIRS)
        waiting = trials.tried[_WAIT]
        tried = [trial for trial in trials.tried.values() if trial != waiting] + [waiting]
        found = self._judge.outcomes(tried, clock(waiting, refused), told)
        actions = (_valid_action(*one) for one in found if not _is_control(one.trial, trials))
        return ValidActions(actions=tuple(actions), tried=len(tried))

    def _scene(self, snapshot: bytes, text: str, inventory: str) -> _Scene:
        around = self._game.surroundings(snapshot)
        objects = Objects(self._game.memory(snapshot), self._header)
        numbers = [*around.near, *around.held]
        things = self._namer.things(objects, numbers, around.held, text)
        known = {w for number in numbers for w in self._namer.words_of(objects, number)}
        carried = () if around.player else words_in(inventory)
        mentioned = [Noun(w, w, held=w in carried) for w in self._namer.mentioned(text, known)]
        elsewhere = islice(self._elsewhere(objects, known.union(words_in(text))), _STRANGERS)
        return _Scene(things, mentioned, [Noun(w, w) for w in (*elsewhere, _GIBBERISH)])

    def _elsewhere(self, objects: Objects, here: set[str]) -> Iterator[str]:
        """Nouns of things that are somewhere else."""
        for number in range(objects.count, 0, -1):
            words = self._namer.words_of(objects, number)
            if words and not here.intersection(words):
                yield words[0]


class _Scene(NamedTuple):
    """What might be named."""

    things: list[Noun]
    mentioned: list[Noun]
    strangers: list[Noun]
    """Nouns that are not here."""

    def examinations(self) -> list[Candidate]:
        """A look at everything."""
        return _examine([*self.strangers, *self.things, *self.mentioned])


def _present(scene: _Scene, refused: Iterable[Trial], trials: _Trials) -> list[Noun]:
    """What can be named: whatever the story does not deny.

    Of words of the text with one answer the last stays, which is a noun rather than its adjective.
    """
    denials = {trial.shape for trial in refused}
    here = trials.run(_examine(scene.things))
    answers = {trial.probe.reply: trial for trial in trials.run(_examine(scene.mentioned))}
    return [trial.nouns[0] for trial in (*here, *answers.values()) if trial.shape not in denials]


class _Trials:
    """The commands tried in one state, within a budget."""

    def __init__(self, game: Probing, snapshot: bytes, budget: int) -> None:
        self._game = game
        self._snapshot = snapshot
        self._budget = budget
        self.tried: dict[str, Trial] = {}
        self._trees: Counter[bytes] = Counter()

    def run(self, candidates: Sequence[Candidate]) -> list[Trial]:
        """Try what is new of the candidates as far as the budget goes; the trials of all."""
        new = dict(candidate for candidate in candidates if candidate[0] not in self.tried)
        commands = list(islice(new, max(0, self._budget - len(self.tried))))
        if commands:
            probes = self._game.probe(self._snapshot, commands, self._idle())
            self._trees.update(probe.tree for probe in probes)
            for command, probe in zip(commands, probes, strict=True):
                self.tried[command] = Trial.of(command, new[command], probe)
        return [self.tried[command] for command, _ in candidates if command in self.tried]

    def _idle(self) -> bytes:
        """The change of the object tree that most commands share that change it at all."""
        changes = ((times, tree) for tree, times in self._trees.items() if tree)
        times, tree = max(changes, default=(0, b""))
        return tree if times > 1 else b""

    def acted(self, trial: Trial) -> bool:
        """Whether the object tree changed in a way that few commands share."""
        return bool(trial.probe.tree) and self._trees[trial.probe.tree] <= COMMON_CHANGE


def _is_control(trial: Trial, trials: _Trials) -> bool:
    """Tried for comparison; waiting counts where something comes of it."""
    return trial.command in _CONTROLS or (trial.command == _WAIT and not trials.acted(trial))


def _valid_action(trial: Trial, effect: str) -> ValidAction:
    return ValidAction(
        command=trial.command,
        reply=trial.probe.reply,
        effect=effect,
        points=trial.probe.points,
        ended=trial.probe.ended or trial.probe.died,
    )


def _examine(nouns: Iterable[Noun]) -> list[Candidate]:
    return [(f"examine {noun.text}", (noun,)) for noun in nouns]
