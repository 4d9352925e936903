"""Traces as a person reads them in a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from orchestrator.errors import RunError
from orchestrator.runs import RunDirectory
from orchestrator.traces.reader import Run
from orchestrator.traces.turns import Attempt, Turn

WIDTHS = (4, 18, 22, 5, 3, 7, 6)
HEADINGS = ("turn", "room", "command", "score", "obj", "ms", "tokens", "reply")
ROUTER = "route_"


def run_table(runs: Iterable[RunDirectory]) -> Table:
    """One line a run."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("run", "story", "graph", "seed", "turns", "score", "ended", "calls", "tokens"):
        justify: JustifyMethod = "left" if heading in ("run", "story", "graph") else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "run")
    for run in runs:
        try:
            record = run.record().model_dump()
        except RunError as error:
            table.add_row(run.path.name, Text(str(error), style="red"))
            continue
        tokens = record.get("prompt_tokens", 0) + record.get("completion_tokens", 0)
        cells = [run.path.name, record["story"], record["graph"], record["seed"]]
        cells += [record.get("steps", ""), record.get("score", "")]
        cells += [record.get("end_reason") or "no", record.get("llm_calls", ""), tokens]
        table.add_row(*map(str, cells))
    return table


def turn_table(turns: Iterable[Turn]) -> Group:
    """One line a turn."""
    return Group(turn_header(), *map(turn_line, turns))


def turn_header() -> Text:
    """The heading over turn lines."""
    return _columns([Text(heading, style="bold") for heading in HEADINGS])


def turn_line(turn: Turn) -> Text:
    """A turn in one line."""
    reply = " ".join(turn.reply.split())
    state = Text("open: it did not end", style="yellow") if turn.root.is_open else Text(reply)
    if turn.troubles:
        state = Text(_first_line(turn.troubles[-1].error), style="red")
    elif turn.observation.get("fault"):
        state.stylize("red")
    score = "" if turn.score is None else f"{turn.score}"
    tokens = sum(turn.root.tokens)
    return _columns(
        [
            Text(str(turn.number), style="dim"),
            Text(turn.room, style="cyan"),
            Text(turn.command, style="bold"),
            Text(score, style="bold green" if turn.gained > 0 else "red" if turn.gained else ""),
            Text(str(len(turn.objections) or ""), style="yellow"),
            Text(_milliseconds(turn.root)),
            Text(f"{tokens:,}" if tokens else ""),
            state,
        ]
    )


def turn(found: Turn) -> Group:
    """A turn in full: what was done, why, against which objections, and what it took."""
    heading = f"turn {found.number}  {found.room}"
    if found.score is not None:
        heading += f"  score {found.score}" + (f" ({found.gained:+d})" if found.gained else "")
    parts: list[RenderableType] = [
        Text(heading, style="bold"),
        Text(f"> {found.command}", "bold cyan"),
    ]
    parts.append(Padding(Text(found.reply.strip()), (0, 0, 1, 2)))
    parts += [_section("why", _why(found)), _section("beliefs", _beliefs(found))]
    parts += [
        _section("objectives", _objectives(found)),
        _section("candidates", _candidates(found)),
    ]
    parts.append(run_tree(found.root))
    return Group(*parts)


def run_tree(root: Run) -> Tree:
    """The runs below one, with time, tokens and outcome."""
    tree = Tree(_run_line(root), guide_style="dim")
    for child in root.children:
        if child.name != "__start__" and not child.name.startswith(ROUTER):
            tree.children.append(run_tree(child))
    return tree


def node_runs(found: Turn, node: str) -> Group:
    """What one node, model or tool read and wrote in a turn."""
    parts: list[RenderableType] = []
    for run in found.root.walk():
        if run.name == node:
            parts.append(Text.assemble((f"turn {found.number}  ", "dim"), _run_line(run)))
            parts += [_fields("read", run.inputs), _fields("wrote", run.outputs)]
            parts += [Padding(run_tree(child), (0, 0, 0, 2)) for child in run.children[:1]]
    return Group(*parts)


def errors(turns: Iterable[Turn]) -> Group:
    """Failed and unfinished runs, faults of the game, and retried calls, turn by turn."""
    parts: list[RenderableType] = []
    for found in turns:
        for run in found.root.walk():
            if _is_trouble(run):
                place = Text.assemble((f"turn {found.number}  ", "dim"), _run_line(run))
                parts.append(place)
        parts += [
            Padding(Text(run.error or "", style="red"), (0, 0, 1, 4)) for run in found.troubles
        ]
        if found.observation.get("fault"):
            fault = f"turn {found.number}  game: {found.observation['fault']}"
            parts.append(Text(fault, style="red"))
    return Group(*(parts or [Text("nothing went wrong", style="green")]))


def _why(found: Turn) -> list[Text]:
    lines = [Text(found.thinking, style="italic")] if found.thinking else []
    chosen = found.chosen
    if chosen:
        rank, candidate = chosen
        lines.append(Text(f"candidate {rank}: {_candidate(candidate)}"))
    elif found.candidates and found.command:
        lines.append(Text("no ranked candidate: the actor's own idea"))
    for attempt in found.attempts:
        lines += _attempt(attempt)
    return lines


def _attempt(attempt: Attempt) -> list[Text]:
    lines = []
    for call in attempt.asked.walk():
        if call.kind == "llm":
            model = call.metadata.get("ls_model_name", call.name)
            lines.append(Text(f"{model} answered: {_answer(call)}"))
    reason = attempt.verdict.get("reason", "")
    if attempt.objection is not None:
        lines.append(Text(f"objection to {attempt.command!r}: {reason}", style="yellow"))
    elif reason:
        lines.append(Text(f"accepted: {reason}", style="green"))
    return lines


def _answer(call: Run) -> str:
    try:
        message = call.outputs["generations"][0][0]
    except (KeyError, IndexError):
        return _first_line(call.error) or "nothing"
    return " ".join(str(message.get("text") or message.get("message")).split())


def _beliefs(found: Turn) -> list[Text]:
    return [Text(f"{name}: {_short(value)}") for name, value in found.beliefs.items()]


def _objectives(found: Turn) -> list[Text]:
    return [
        Text(f"{one['id']} {one['status']}, priority {one['priority']}: {one['text']}")
        for one in found.objectives
        if one["status"] == "active"
    ]


def _candidates(found: Turn) -> list[Text]:
    shown = []
    for rank, candidate in enumerate(found.candidates, start=1):
        if isinstance(candidate, dict):
            style = "bold" if candidate.get("command") == found.command else ""
            shown.append(
                Text(f"{rank:>2}  {candidate['command']:<24} {_candidate(candidate)}", style)
            )
        else:
            shown.append(Text(f"    {candidate}", style="dim"))
    return shown


def _candidate(candidate: dict[str, Any]) -> str:
    objective = f", for {candidate['objective']}" if candidate.get("objective") else ""
    return (
        f"{candidate['purpose']} (utility {candidate['utility']}, "
        f"p {candidate['probability']}{objective})"
    )


def _section(title: str, lines: Sequence[Text]) -> Group:
    if not lines:
        return Group()
    return Group(Text(title, style="dim"), Padding(Group(*lines), (0, 0, 1, 2)))


def _run_line(run: Run) -> Text:
    prompt, completion = run.tokens
    line = Text.assemble(
        (run.name, "bold" if run.kind == "chain" else "bold magenta"),
        (f"  {_milliseconds(run)} ms" if not run.is_open else "  open", "" if run.error else "dim"),
    )
    if prompt or completion:
        line.append(f"  {prompt:,} + {completion:,} tokens", style="blue")
    if run.error:
        line.append(f"  {_first_line(run.error)}", style="red")
    elif run.is_open:
        line.stylize("yellow")
    else:
        line.append(f"  {outcome(run)}", style="dim")
    return line


def outcome(run: Run) -> str:
    """What a run brought, in a few words."""
    written = run.outputs
    if run.kind == "llm":
        return _answer(run)
    if written.get("proposal"):
        return f"> {written['proposal'].get('command', '')}"
    if written.get("judgements"):
        verdict = written["judgements"][-1]["verdict"]
        return f"{'accepts' if verdict['accept'] else 'objects'}: {verdict.get('reason', '')}"
    if "candidates" in written:
        objectives, candidates = written.get("objectives", []), written["candidates"]
        return f"{_count(objectives)} objectives, {_count(candidates)} candidates"
    if written.get("extraction"):
        result = written["extraction"].get("action_result", {})
        return " ".join(str(result.get(key, "")) for key in ("result", "reason")).strip()
    if written.get("observation"):
        return " ".join(written["observation"].get("text", "").split())
    return ", ".join(written)


def _fields(title: str, fields: dict[str, Any]) -> RenderableType:
    lines = [Text.assemble((f"{name}  ", "cyan"), _pretty(value)) for name, value in fields.items()]
    return _section(title, lines)


def _pretty(value: Any) -> str:
    if isinstance(value, str):
        return value
    compact = json.dumps(value, ensure_ascii=False)
    return compact if len(compact) <= 100 else json.dumps(value, ensure_ascii=False, indent=2)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(
            f"{key} {_short(item)}" for key, item in value.items() if item not in ("", 0)
        )
    return str(value)


def _count(items: list[Any]) -> str:
    more = items[-1] if items and isinstance(items[-1], str) else ""
    return f"{len(items) - 1} {more}" if more else str(len(items))


def _is_trouble(run: Run) -> bool:
    retried = any(event["name"] == "retry" for event in run.record["events"])
    return bool(run.error) or run.is_open or retried


def _milliseconds(run: Run) -> str:
    return "" if run.seconds is None else f"{1000 * run.seconds:,.1f}"


def _first_line(error: str | None) -> str:
    return (error or "").partition("\n")[0].partition("Traceback")[0][:200]


def _columns(cells: Sequence[Text]) -> Text:
    line = Text(no_wrap=True, overflow="ellipsis")
    for width, cell in zip(WIDTHS, cells, strict=False):
        cell.truncate(width, overflow="ellipsis", pad=True)
        line.append_text(cell)
        line.append("  ")
    return line.append_text(cells[-1])
