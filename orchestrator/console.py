"""The live view of an episode in a terminal; a watcher like any other."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from agents.actor import PlayerLeft
from orchestrator.approval import Approval, Question, read_answer
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.state import State

APPROVE = "  Enter plays it; or type another command, or /no and why not; Ctrl-D pauses."


class ConsoleWatcher:
    """Prints every turn and keeps a progress line under it."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self.console = console
        self.quiet = quiet
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("turn {task.completed}/{task.total}"),
            TextColumn("{task.fields[standing]}"),
            console=console,
            transient=True,
        )
        self.task: TaskID | None = None

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
        self.console.print(Text(f"\n{question.turn:>4}  {question.thinking}", "italic cyan"))
        self.console.print(Text(f"    > {question.command}", "bold"), Text(APPROVE, "dim"))
        try:
            line = self.console.input("    ")
        except EOFError as error:
            raise PlayerLeft("the keyboard input ended") from error
        self.progress.start()
        return read_answer(line)

    def _start(self, event: EpisodeStarted) -> None:
        nth = f" {event.episode}/{event.episodes}" if event.episodes > 1 else ""
        title = f"episode{nth}: {event.story}, graph {event.graph}, seed {event.seed}"
        if not self.quiet:
            text = Text(event.state["observation"].text.strip())
            self.console.print(
                Panel(text, title=title, subtitle=f"access {'+'.join(event.access)}")
            )
        if self.task is not None:
            self.progress.remove_task(self.task)
        self.task = self.progress.add_task(
            f"{event.story} s{event.seed}", total=event.steps, standing=""
        )
        self.progress.start()

    def _turn(self, event: TurnPlayed) -> None:
        if not self.quiet:
            for line in turn_lines(event):
                self.console.print(line)
        if self.task is not None:
            after = event.after
            self.progress.update(self.task, completed=after["turn"], standing=_standing(after))

    def _end(self, event: EpisodeEnded) -> None:
        self.close()
        result = event.result
        of = f"/{result['max_score']}" if result["max_score"] is not None else ""
        tried = f", {result['tried']:,} commands tried for it" if result["tried"] else ""
        self.console.print(
            f"[bold]{result['end_reason']}[/] after {result['steps']} turns: "
            f"score {result['score']}{of}, best {result['best_score']}, "
            f"deaths {result['deaths']}{tried}, {result['wall_s']:.1f} s "
            f"-> {escape(result['run_dir'])}",
            highlight=False,
            soft_wrap=True,
        )
        if result["end_reason"] == "paused":
            self.console.print(Text(result["outage"], "red"), soft_wrap=True)
            self.console.print(f"then: zork resume {result['run_id']}", highlight=False)


def turn_lines(event: TurnPlayed) -> list[Text]:
    """One turn as a person reads it: place, thinking, objections, command, reply, gains."""
    before, after = event.before, event.after
    proposal, observation = after["proposal"], after["observation"]
    room = after["recent"][-1].room if after["recent"] else ""
    lines = [Text(f"\n{after['turn']:>4}  {room}", style="dim")]
    advice = after.get("advice")
    if advice is not None and advice.turn == after["turn"]:
        told, asked = advice.understanding, advice.deliberation
        worth = f"worth {asked.worth:.2f}, price {asked.price:.2f}"
        lines.append(Text(f"      oracle ({worth}): {told.recommended_action}", style="blue"))
    if proposal.response.thinking:
        lines.append(Text(f"      {proposal.response.thinking}", style="italic cyan"))
    for judgement in after.get("judgements", []):
        if judgement.turn == proposal.turn and not judgement.verdict.accept:
            kind = "objection" if judgement.heeded else "overruled objection"
            objection = f"      {kind} to {judgement.command!r}: {judgement.verdict.reason}"
            lines.append(Text(objection, style="yellow"))
    for decision in after.get("decisions", []):
        if decision.turn == proposal.turn and not decision.accept:
            lines.append(Text(f"      no to {decision.proposed!r}: {decision.reason}", "yellow"))
    lines.append(Text(f"    > {after['command']}", style="bold"))
    style = "red" if observation.fault else ""
    lines += [Text(f"      {line}", style=style) for line in observation.text.strip().splitlines()]
    gained = after["score"].last.score - before["score"].last.score
    if gained:
        lines.append(Text(f"      score {gained:+d}", style="bold green" if gained > 0 else "red"))
    return lines + _objective_lines(after)


def _objective_lines(after: State) -> list[Text]:
    lines = []
    for one in after["objective_changes"]:
        what = f"objective {one.id}" if one.id else "an objective was"
        lines.append(Text(f"      {what} {one.event}: {one.text}", style="magenta"))
    return lines


def _standing(state: State) -> str:
    score = state["score"]
    of = f"/{score.last.max_score}" if score.last.max_score is not None else ""
    active = sum(objective.status == "active" for objective in state.get("objectives", ()))
    return f"score {score.last.score}{of}, best {score.best}, {active} objectives"
