"""Playing a run's commands again, to see whether the game answers as recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from environments.game import Game, GameError, Step
from environments.offering import game_for_agents
from managers.language.history import UNDO
from orchestrator.checkpoints.opening import read_turns
from orchestrator.checkpoints.saver import CheckpointRow
from orchestrator.errors import RunError
from orchestrator.saved.record import Record
from orchestrator.saved.restore import recorded_story
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.saved.transcript import entry, read_transcript
from orchestrator.state import Line, State
from orchestrator.turns.ends import RESTART, after, go_on, stands_after

PROMPT = b"\n> "

Kept = Callable[[int], list[State]]
"""The kept states after a turn."""


class ReplyDifference(NamedTuple):
    """Two answers to the same command."""

    what: str
    """`reply`, or, where a checkpoint is kept, `observation` or `snapshot`."""
    recorded: str
    replayed: str


@dataclass(frozen=True)
class Divergence:
    """Where the game answers something else than recorded."""

    turn: int
    command: str
    """Empty at the opening."""
    difference: ReplyDifference


@dataclass(frozen=True)
class Replay:
    """What came of playing a run again."""

    turns: int = 0
    """So many turns are as recorded, besides the opening."""
    checkpoints: int = 0
    """So many of them in the whole observation and the state of the emulator."""
    divergence: Divergence | None = None


def replay(
    run: str | Path,
    *,
    seed: int | None = None,
    game: str | None = None,
    out: str | Path = RUNS,
    trust: bool = False,
) -> Replay:
    """Play the commands of a run's transcript again and compare what the game answers.

    Where a checkpoint is kept, the whole observation and the state of the emulator are
    compared too, unless another seed is given. Ends at the first difference, or before an
    entry that was cut off.

    Args:
        run: id of a run under `out`, or its directory.
        seed: another emulator seed than the recorded one, to see how much hangs on it.
        game: where its story lies, if neither there nor in the catalog any more.
        out: where runs are looked for.
        trust: allow the code that its config names, where that tells the story, from now on.

    Raises:
        ConfigError: its story is told by a class that is not trusted here.
        RunError: the run cannot be read.
        GameError: its story is not found.
    """
    directory = RunDirectory.find(run, out)
    record = directory.record()
    seeds = record.emulator_seeds if seed is None else ((0, seed),)
    story = recorded_story(record, game, trust=trust)
    transcript = Recorded(directory.transcript)
    with ExitStack() as stack:
        running = stack.enter_context(game_for_agents(story, record.config.access))
        kept: Kept = no_states
        if seed is None and record.checkpoints:
            kept = stack.enter_context(kept_states(directory, record))
        return verify(transcript, Replayer(running, seeds), kept)


def verify(transcript: Recorded, player: Replayer, kept: Kept) -> Replay:
    """Play the transcript's commands until it ends or something differs.

    Raises:
        RunError: it does not hold the whole opening.
    """
    checked = 0
    command: str | None = None
    while True:
        step = player.play(command)
        text = step.observation.text
        if transcript.cut_off(command, text):
            if command is None:
                raise RunError(
                    f"{str(transcript.path)!r}: has no whole opening, so nothing can be compared; "
                    "playing the run on makes it again"
                )
            return Replay(player.turn - 1, checked)
        differs = None
        if not transcript.take(command, text):
            differs = ReplyDifference("reply", transcript.reply(), text)
        for state in [] if differs else kept(player.turn):
            differs = differs or player.difference(step, state)
            checked += differs is None
        if differs:
            divergence = Divergence(player.turn, command or "", differs)
            return Replay(player.turn - 1, checked, divergence)
        command = transcript.command()
        if command is None:
            return Replay(player.turn, checked)


class Recorded:
    """A transcript, read entry by entry with the replies that it should hold.

    A reply may look like a command; only who knows the reply can tell where it ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._content = read_transcript(path)
        self._at = 0

    def take(self, command: str | None, reply: str) -> bool:
        """Go on behind the next entry, if it is this one."""
        end = self._at + len(expected := entry(command, reply).encode())
        matches = self._content.startswith(expected, self._at)
        if not matches or not PROMPT.startswith(self._content[end : end + len(PROMPT)]):
            return False
        self._at = end
        return True

    def cut_off(self, command: str | None, reply: str) -> bool:
        """Whether the transcript ends within this entry."""
        rest = self._content[self._at :]
        expected = entry(command, reply).encode()
        return len(rest) < len(expected) and expected.startswith(rest)

    def command(self) -> str | None:
        """The command of the next entry; None at the end."""
        start = self._at + len(PROMPT)
        end = self._content.find(b"\n", start)
        return None if end < 0 else self._content[start:end].decode(errors="replace")

    def reply(self) -> str:
        """The reply of the next entry, as far as it can be told from a command."""
        start = self._at
        if self._content.startswith(PROMPT, start):
            start = self._content.find(b"\n", start + len(PROMPT)) + 1
        end = self._content.find(PROMPT, start)
        return self._content[start : None if end < 0 else end].decode(errors="replace").strip()


class _Stand(NamedTuple):
    """Where the play once stood."""

    at: int
    step: Step


class Replayer:
    """A game played command by command, with other seeds at the turns where forks took them."""

    def __init__(self, game: Game, seeds: Sequence[tuple[int, int]]) -> None:
        self.turn = -1
        self._game = game
        (_, self._seed), *self._later = seeds
        self._snapshot = b""
        self._last: Step | None = None
        self._stands: list[_Stand] = []
        self._line = Line()
        self._command = ""

    def play(self, command: str | None) -> Step:
        """The next turn; None opens the story."""
        step = self._step(command)
        self.turn += 1
        snapshot = step.snapshot
        for turn, seed in self._later:
            if turn == self.turn:
                self._seed = seed
                snapshot = self._game.reseed(snapshot, seed)
        self._command = command or ""
        self._snapshot, self._last = snapshot, step._replace(snapshot=snapshot)
        return self._last

    def _step(self, command: str | None) -> Step:
        last = self._last
        if command is None or last is None:
            return self._game.start(self._seed)
        if last.tally.ended and command in (UNDO, RESTART):
            return self._gone_on(command)
        now = _Stand(self._line.length, last)
        self._line = after(self._line, "", None)
        self._stands = stands_after(self._stands, None, now, self._line)
        return self._game.play(self._snapshot, command)

    def _gone_on(self, command: str) -> Step:
        ended, line = self._command, self._line
        step, stand = go_on(self._game, self._seed, command, ended, self._stands, line)
        self._line = after(line, command, stand)
        self._stands = stands_after(self._stands, stand, None, self._line)
        return step

    def difference(self, step: Step, state: State) -> ReplyDifference | None:
        """What differs between the turn just played and a kept state."""
        kept, now = state["observation"], step.observation
        if kept != now:
            return ReplyDifference("observation", repr(kept), repr(now))
        if not self._same(state["snapshot"], step.snapshot):
            return ReplyDifference("snapshot", "", "")
        return None

    def _same(self, one: bytes, other: bytes) -> bool:
        """Another version of zlib packs the same position into other bytes."""
        if one == other:
            return True
        try:
            return self._game.reseed(one, 1) == self._game.reseed(other, 1)
        except GameError:
            return False


def no_states(turn: int) -> list[State]:
    """Where no checkpoint is to be compared."""
    return []


@contextmanager
def kept_states(run: RunDirectory, record: Record) -> Iterator[Kept]:
    """Looks up the kept states after a turn."""
    with read_turns(run, record) as saver:
        rows: dict[int, list[CheckpointRow]] = {}
        for row in saver.turns(record.thread):
            rows.setdefault(row.turn, []).append(row)
        yield lambda turn: [saver.state(record.thread, row) for row in rows.get(turn, ())]
