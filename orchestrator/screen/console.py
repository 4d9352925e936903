"""The live view of an episode in a terminal; a watcher like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.text import Text

from agents.actor import PlayerLeft, TakeBack
from environments.plain_text import showable
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.recap import recap
from orchestrator.saved.runs import RunDirectory
from orchestrator.screen.activity import Activity
from orchestrator.screen.curve import learning
from orchestrator.screen.pace import TurnPace
from orchestrator.state import State
from orchestrator.turns.approval import Approval, Question, read_answer
from orchestrator.turns.current import journey, place_of
from orchestrator.viewer.runs import recap_of
from orchestrator.viewer.words import plain

APPROVE = "Enter plays it; or type another command, or /no and why not; Ctrl-D pauses."
_DEEP = 6
"""The indent of all that belongs to a turn."""
_SHORT_S = 0.5
"""A node that takes less is not named."""
_MOST_TOLD = 8
"""So many highlights are told at the end."""
_COLOURS = {"points": "green", "loss": "red", "death": "red", "fault": "red", "end": "bold"}


class ConsoleWatcher:
    """Prints every turn and keeps a progress line under it, with what is being done."""

    def __init__(self, console: Console, *, quiet: bool = False, bar: bool = True) -> None:
        self.console = console
        self.quiet = quiet
        self.typed = False
        """A person types the commands, and need not be told why, nor see them twice."""
        self.activity = Activity()
        self.handlers = (self.activity,)
        self.progress = _Status(self.activity, console, disable=not bar)
        self.task: TaskID | None = None
        self._episodes = 1
        self._scores: list[int] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, EpisodeStarted):
            self._start(event)
        elif isinstance(event, TurnPlayed):
            self._turn(event)
        else:
            self._end(event)

    def close(self) -> None:
        """Take the progress line away, also when an episode broke off."""
        if self.progress.live.is_started:
            self.progress.stop()

    def approve(self, question: Question) -> Approval:
        """Ask at the keyboard whether a command may be played.

        Raises:
            PlayerLeft: the keyboard input ended.
        """
        self.progress.stop()
        asked: list[Said] = [
            (0, f"\n{question.turn:>4}", "dim"),
            (_DEEP, question.thinking, "italic cyan"),
            (4, f"> {question.command}", "bold"),
            (4, APPROVE, "dim"),
        ]
        for said in asked:
            self.console.print(_shown(said))
        try:
            line = self.console.input("    ")
        except EOFError as error:
            raise PlayerLeft("the keyboard input ended") from error
        self.progress.start()
        return read_answer(line)

    def _start(self, event: EpisodeStarted) -> None:
        self._episodes = event.episodes
        self.typed = event.typed
        self.progress.disable = self.progress.disable or event.typed
        nth = f" {event.episode}/{event.episodes}" if event.episodes > 1 else ""
        turn = f", turn {event.state['turn']}" if event.state["turn"] else ""
        title = f"episode{nth}: {event.story}, graph {event.graph}, seed {event.seed}{turn}"
        if not self.quiet:
            text = Text(showable(event.state["observation"].text.strip()))
            access = Text(f"access {'+'.join(event.access)}, {event.memory}")
            self.console.print(Panel(text, title=Text(title), subtitle=access))
        self._note([*([event.limits] if event.limits else []), *event.notes])
        if self.task is not None:
            self.progress.remove_task(self.task)
        self.task = self.progress.add_task(
            f"{event.story} s{event.seed}, {event.memory}", total=event.steps, standing=""
        )
        self.progress.start()

    def _turn(self, event: TurnPlayed) -> None:
        if not self.quiet:
            self.console.print(Group(*turn_lines(event, typed=self.typed)))
        self._note(event.notes)
        if self.task is not None:
            after = event.after
            self.progress.update(self.task, completed=after["turn"], standing=_standing(after))

    def _note(self, notes: Iterable[str]) -> None:
        for note in filter(None, notes):
            self._say(note, "yellow")

    def _end(self, event: EpisodeEnded) -> None:
        self.close()
        result = event.result
        if result["end_reason"] == TakeBack.reason:
            return  # The fork that plays on from there tells where it is.
        run = RunDirectory(Path(result["run_dir"]))
        alone = self._episodes == 1
        highlighted = alone and not self.quiet
        status = result["end_reason"]
        told = recap_of(run, status) if highlighted else recap(run, status=status)
        tried = f"; {result['tried']:,} commands tried for it" if result["tried"] else ""
        ended = f"{told.end}{tried}; {result['wall_s']:.1f} s"
        said = [*([] if self.quiet else [("", "")]), (told.title, "bold"), (ended, "")]
        self.console.print(Group(*(_shown((0, text, style)) for text, style in said)))
        for one in told.best(_MOST_TOLD) if highlighted else ():
            self.console.print(
                _shown((0, f"{one.turn:>6}  {one.text}", _COLOURS.get(one.kind, "")))
            )
        self._say(result["run_dir"])
        self._note([result.get("unremembered") or "", *result.get("notes", ())])
        if result["end_reason"] == "paused":
            self._say(result["outage"], "red")
        self._scores.append(result["score"])
        if len(self._scores) > 1:
            self._say(learning(self._scores), "cyan")
        for next_one in told.then if alone or len(self._scores) == self._episodes else ():
            self._say(f"then: {next_one.command}  # {next_one.purpose}")

    def _say(self, text: str, style: str = "") -> None:
        """A line that is never broken, so that what it names can be copied."""
        self.console.print(Text(showable(text), style), soft_wrap=True)


class _Status(Progress):
    """How far an episode is, and under it the node and model at work and what they say."""

    def __init__(self, activity: Activity, console: Console, *, disable: bool) -> None:
        self.activity = activity
        self.pace: TurnPace | None = None
        """Where keys change it."""
        super().__init__(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("turn {task.completed}/{task.total}"),
            TextColumn("{task.fields[standing]}"),
            console=console,
            transient=True,
            disable=disable,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        yield self.make_tasks_table(self.tasks)
        if self.pace:
            yield Text(f"  {_keys(self.pace)}", "dim")
        yield from self._doing()

    def _doing(self) -> Iterator[Text]:
        doing = self.activity.now()
        if not doing.node or (doing.seconds < _SHORT_S and not doing.model):
            return
        asks = f" asks {doing.model}" if doing.model else ""
        parts = f", {doing.parts} tokens" if doing.parts else ""
        yield Text(f"  {plain(doing.node + asks)}: {doing.seconds:.0f} s{parts}", "cyan")
        said = plain(doing.words or doing.thinking)
        if said:
            width = max(10, self.console.width - 4)
            yield Text(f"  {said[-width:]}", "dim italic", no_wrap=True, overflow="crop")


def _keys(pace: TurnPace) -> str:
    """What the keys do now."""
    pauses = "paused: space goes on" if pace.paused else "space pauses"
    return f"{pauses}, h {'takes the pace up again' if pace.hurried else 'hurries'}"


def turn_lines(event: TurnPlayed, *, typed: bool = False) -> list[Padding]:
    """One turn as a person reads it, in the order in which it happened.

    Place, objectives, thinking, objections, command, reply, gains. Who has typed the command is
    told only what came of it.
    """
    before, after = event.before, event.after
    said = [*(_aims(after) if typed else _done(before, after)), *_came_of_it(before, after)]
    return [_shown(one) for one in said]


Said = tuple[int, str, str]
"""An indent that wrapped lines keep, a text, and its style."""


def _shown(said: Said) -> Padding:
    indent, text, style = said
    return Padding(Text(showable(text), style), (0, 0, 0, indent), expand=False)


def _done(before: State, after: State) -> Iterator[Said]:
    yield 0, "", ""
    yield 0, f"{after['turn']:>4}  {journey(place_of(before), place_of(after))}", "dim"
    yield from _aims(after)
    yield from _advised(after)
    if after["proposal"].response.thinking:
        yield _DEEP, after["proposal"].response.thinking, "italic cyan"
    yield from _objected(after)
    yield 4, f"> {after['command']}", "bold"


def _aims(after: State) -> Iterator[Said]:
    """What became of objectives before anybody thought of a command."""
    for one in after.get("objective_changes", ()):
        what = f"objective {one.id}" if one.id else "an objective was"
        yield _DEEP, f"{what} {one.event}: {one.text}", "magenta"


def _came_of_it(before: State, after: State) -> Iterator[Said]:
    observation = after["observation"]
    for line in observation.text.strip().splitlines():
        inner = len(line) - len(line.lstrip(" "))
        yield _DEEP + inner, line.strip(), "red" if observation.fault else ""
    gained = after["score"].last.score - before["score"].last.score
    if gained:
        yield _DEEP, f"score {gained:+d}", "bold green" if gained > 0 else "red"


def _advised(after: State) -> Iterator[Said]:
    advice = after.get("advice")
    if advice is not None and advice.turn == after["turn"]:
        told, asked = advice.understanding, advice.deliberation
        worth = f"worth {asked.worth:.2f}, price {asked.price:.2f}"
        yield _DEEP, f"oracle ({worth}): {told.recommended_action}", "blue"


def _objected(after: State) -> Iterator[Said]:
    turn = after["proposal"].turn
    for judgement in after.get("judgements", []):
        if judgement.turn == turn and not judgement.verdict.accept:
            kind = "objection" if judgement.heeded else "overruled objection"
            yield _DEEP, f"{kind} to {judgement.command!r}: {judgement.verdict.reason}", "yellow"
    for decision in after.get("decisions", []):
        if decision.turn == turn and not decision.accept:
            yield _DEEP, f"no to {decision.proposed!r}: {decision.reason}", "yellow"


def _standing(state: State) -> str:
    score = state["score"]
    of = f"/{score.last.max_score}" if score.last.max_score is not None else ""
    active = sum(objective.status == "active" for objective in state.get("objectives", ()))
    return f"score {score.last.score}{of}, best {score.best}, {active} objectives"
