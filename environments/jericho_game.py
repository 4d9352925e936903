"""A story played through Jericho in a worker process, as a `Game` that nothing can break."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from environments.game import (
    Access,
    AccessError,
    Closing,
    Facts,
    GameError,
    Observation,
    Step,
    Tally,
    Thing,
    Words,
)
from environments.process import CPU_SECONDS, Worker, WorkerDied, WorkerRefused
from environments.story import Story
from environments.turn import Named, Probe, Surroundings, Tree, Turn
from environments.words import Dictionary
from environments.zmachine import UNREADABLE

MAX_SEED = 0x7FFFFFFF
_ILLEGAL = "the story did something illegal"
_READS_TREE = {Access.TREE, Access.ACTIONS}
_MAX_LETTERS = 1000
_BATCH = 256
"""Commands tried in one request."""
_PATIENCE = 5
"""So many commands in a row may the emulator not survive; then the story is given up."""
_PROBED_DEATHS = 3
"""So many commands tried in one state may it not survive; the others are not tried then."""
_GIVEN_UP = (
    f"[The game did not survive {_PATIENCE} commands in a row: the story is broken here, "
    "or its file is damaged. It ends.]"
)
_LONGEST_ERROR = 80
_KILLINGS = 3
"""So often in a row may another process kill the worker before it counts as a fault."""


class JerichoGame(Closing):
    """One running story; a fault of the emulator costs the command, never the game."""

    def __init__(
        self,
        story: Story,
        access: Collection[Access] = (Access.TEXT,),
        cpu_seconds: float = CPU_SECONDS,
    ) -> None:
        self.story = story
        self.access = frozenset(access) | {Access.TEXT}
        self._cpu_seconds = cpu_seconds
        self._closed = False
        self._known_faults: dict[tuple[bytes, str], str] = {}
        self._deaths = 0
        """Commands in a row of which the emulator died or did not come to rest."""
        self._probed = b"", 0
        """The state in which commands were tried last, and of how many the emulator died."""
        self._worker = self._spawn()
        self.faults = 0

    @cached_property
    def _dictionary(self) -> Dictionary:
        return Dictionary(self.story.data)

    @property
    def pid(self) -> int:
        """The process id of the worker, which changes after a fault."""
        return self._worker.pid

    def start(self, seed: int) -> Step:
        """Restart with a seed from 0 to 2,147,483,647 and return the opening.

        Raises:
            GameError: The seed is out of range, or the story cannot be started at all.
        """
        _check_seed(seed)
        self._deaths = min(self._deaths, _PATIENCE - 1)
        step = self._step(self._sound("start", seed))
        words = step.observation.words
        if words is None:
            return step
        with self.reading():
            told = {"words": self._dictionary.with_all(words)}
        return step._replace(observation=step.observation.model_copy(update=told))

    def play(self, snapshot: bytes, command: str) -> Step:
        """Play one command from a snapshot.

        Raises:
            GameError: The snapshot is not of this story.
        """
        command = _sendable(command)
        fault = self._known_faults.get((snapshot, command), "")
        if not fault and self._deaths < _PATIENCE:
            try:
                turn = self._turn("play", snapshot, command)
            except WorkerDied as error:
                self._deaths += 1
                fault = str(error)
            else:
                self._deaths = 0
                if not turn.halted:
                    return self._step(turn)
                fault = _ILLEGAL
            self._known_faults[snapshot, command] = fault
            self.faults += 1
            self._replace()
        step = self._step(self._sound("view", snapshot), fault)
        return _given_up(step) if self._deaths >= _PATIENCE else step

    def reseed(self, snapshot: bytes, seed: int) -> bytes:
        """The same snapshot, but chance goes on as with this seed.

        Raises:
            GameError: The seed is out of range, or the snapshot is not of this story.
        """
        _check_seed(seed)
        return self._sound("reseed", snapshot, seed).snapshot

    def facts(self, snapshot: bytes) -> Facts | None:
        """What the object tree says at a snapshot (access `tree`); None while it is unknown."""
        self._require(Access.TREE)
        return self._step(self._sound("view", snapshot)).observation.facts

    def probe(self, snapshot: bytes, commands: Sequence[str], idle: bytes = b"") -> list[Probe]:
        """Try each command from a snapshot and roll it back (access `actions`).

        A command that the emulator does not survive has `fault` set. `idle` is what the passing
        of time does to the object tree here: with no other change the variables are told too.
        """
        self._require(Access.ACTIONS)
        found: list[Probe] = []
        if self._probed[0] != snapshot:
            self._probed = snapshot, 0
        while len(found) < len(commands):
            if self._probed[1] >= _PROBED_DEATHS:
                return found + [Probe(fault=True)] * (len(commands) - len(found))
            batch = commands[len(found) : len(found) + _BATCH]
            found += self._probe(snapshot, [_sendable(command) for command in batch], idle)
        return found

    def surroundings(self, snapshot: bytes) -> Surroundings:
        """The numbers of the objects around the protagonist (access `actions`)."""
        self._require(Access.ACTIONS)
        return Surroundings(*self._read("surroundings", snapshot))

    def memory(self, snapshot: bytes) -> bytes:
        """The whole memory of the story at a snapshot (access `actions`)."""
        self._require(Access.ACTIONS)
        dynamic: bytes = self._read("memory", snapshot)
        return dynamic + self.story.data[len(dynamic) :]

    def close(self) -> None:
        """End the worker process; closing twice is harmless."""
        self._closed = True
        self._worker.close()

    def _require(self, access: Access) -> None:
        if access not in self.access:
            declared = ", ".join(sorted(self.access))
            raise AccessError(
                f"this needs access {access.value!r} and the run declares {declared}; "
                f"add {access.value!r} to `access` in the graph config"
            )

    def _probe(self, snapshot: bytes, commands: list[str], idle: bytes) -> list[Probe]:
        """Try the first of some commands, at least one; a fault ends the list."""
        try:
            found = [Probe(*fields) for fields in self._ask("probe", snapshot, commands, idle)]
        except WorkerDied as error:
            self._replace()
            self._probed = snapshot, self._probed[1] + 1
            sound = commands[: error.reached]
            found = self._probe(snapshot, sound, idle) if sound else []
            return found if len(found) < len(sound) else [*found, Probe(fault=True)]
        if found[-1].fault:
            self._replace()
        return found

    def _sound(self, operation: str, *arguments: object) -> Turn:
        """Make a request that no sound story dies of."""
        try:
            turn = self._turn(operation, *arguments)
        except WorkerDied as error:
            self._replace()
            raise GameError(f"{self.story.path} cannot be started: {error}") from error
        if turn.halted:
            self._replace()
            raise GameError(f"{self.story.path} cannot be started: {_ILLEGAL}")
        return turn

    def _turn(self, operation: str, *arguments: object) -> Turn:
        """Make a request; where the worker dies of it, again with nothing tried on the side."""
        try:
            return Turn(*self._ask(operation, *arguments, False))
        except WorkerDied:
            self._replace()
            return Turn(*self._ask(operation, *arguments, True))

    def _read(self, operation: str, snapshot: bytes) -> Any:
        """Ask what is at a snapshot, where nothing is played; a worker that dies, once more."""
        try:
            return self._ask(operation, snapshot)
        except WorkerDied:
            self._replace()
        try:
            return self._ask(operation, snapshot)
        except WorkerDied as error:
            self._replace()
            raise GameError(f"{self.story.path} cannot be read: {error}") from error

    def _words(self, text: str) -> Words | None:
        if Access.WORDS not in self.access:
            return None
        with self.reading():
            return self._dictionary.of(text)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read what the story's file says of itself.

        Raises:
            GameError: It makes no sense.
        """
        try:
            yield
        except UNREADABLE as error:
            raise GameError(
                f"{self.story.path} is damaged: its dictionary, grammar or objects make no sense "
                f"({str(error)[:_LONGEST_ERROR]}); get an unbroken copy"
            ) from error

    def _ask(self, operation: str, *arguments: object) -> Any:
        """Make a request; one whose worker was killed from outside is innocent: make it again."""
        if self._closed:
            raise GameError(f"the game of {self.story.path} is closed; open it again")
        for _ in range(_KILLINGS):
            try:
                return self._worker.ask(operation, *arguments)
            except WorkerRefused as error:
                raise GameError(str(error)) from error
            except WorkerDied as error:
                if not error.from_outside:
                    raise
                self._replace()
        raise WorkerDied(f"the emulator was killed {_KILLINGS} times", 0)

    def _replace(self) -> None:
        self._worker.close()
        self._worker = self._spawn()

    def _spawn(self) -> Worker:
        tree = bool(self.access & _READS_TREE)
        fault = ""
        for _ in range(_KILLINGS):
            try:
                worker = Worker(self.story.data, self._cpu_seconds, tree=tree)
            except OSError as error:
                raise GameError(
                    f"{self.story.path} cannot be started in the temporary folder: {error}; "
                    "make room there, or set TMPDIR to another one"
                ) from error
            try:
                worker.wait_ready()
            except WorkerDied as error:
                fault = str(error)
                if not error.from_outside:
                    break
            else:
                return worker
        raise GameError(f"{self.story.path} cannot be started: {fault}")

    def _step(self, turn: Turn, fault: str = "") -> Step:
        text = turn.text
        fault = fault or turn.fault
        if fault and not text:
            text = "[The game did not survive this command and was restored.]"
        observation = Observation(
            text=text,
            room=turn.room,
            score=turn.score,
            moves=turn.moves,
            awaiting="key" if turn.key else "line",
            ended=turn.ended,
            fault=fault,
            words=self._words(text),
            facts=_facts(Tree(*turn.tree)) if turn.tree and Access.TREE in self.access else None,
        )
        tally = Tally(
            score=turn.points,
            max_score=turn.maximum,
            moves=turn.turns,
            died=turn.died,
            ended=turn.ended,
            won=turn.won,
        )
        return Step(observation, turn.snapshot, tally)


def _given_up(step: Step) -> Step:
    """The step as the last one of its story."""
    observation = step.observation.model_copy(update={"text": _GIVEN_UP, "ended": True})
    return step._replace(
        observation=observation, tally=step.tally.model_copy(update={"ended": True})
    )


def _sendable(command: str) -> str:
    """A text of any origin as valid UTF-8 of bounded length; the worker makes it plain."""
    return command[:_MAX_LETTERS].encode("utf-8", "replace").decode("utf-8")


def _facts(tree: Tree) -> Facts:
    return Facts(
        room=_thing(tree.room) if tree.room else None,
        place=_thing(tree.place) if tree.place else None,
        inventory=tuple(map(_thing, tree.inventory)),
        visible=tuple(map(_thing, tree.visible)),
        digest=tree.digest.hex(),
    )


def _thing(named: Named) -> Thing:
    return Thing(id=named[0], name=named[1])


def open_game(story: Story, access: Collection[Access] = (Access.TEXT,)) -> JerichoGame:
    """Start the worker process of a story.

    Raises:
        GameError: The story cannot be started.
    """
    return JerichoGame(story, access)


def _check_seed(seed: int) -> None:
    if not 0 <= seed <= MAX_SEED:
        raise GameError(f"seed {seed} is not within 0 to {MAX_SEED}")
