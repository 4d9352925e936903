"""Runs as a person reads them: one line each, trees, what was read and written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from rich.tree import Tree

from agents.structured import ASKING
from orchestrator.traces.calls import ToldAsking
from orchestrator.traces.reader import Run, first_line
from orchestrator.traces.turns import TracedTurn
from orchestrator.traces.written import ToldDecision, ToldJudgement, ToldProposal, ToldVerdict

WIDE = 100
"""Longer JSON is broken into lines."""
MOST_OF_ERROR = 200
"""Letters of an error that are shown."""


def run_tree(root: Run) -> Tree:
    """The runs below one, with time, tokens and outcome."""
    tree = Tree(run_line(root), guide_style="dim")
    children = (child for child in root.children if child.name != "__start__")
    for _, together in groupby(children, _step):
        trees = [run_tree(child) for child in together]
        if len(trees) > 1:
            beside = Tree(Text("at the same time", style="dim"), guide_style="dim")
            beside.children += trees
            trees = [beside]
        tree.children += trees
    return tree


def _step(run: Run) -> int:
    """The same for nodes that run side by side; anything else stands for itself."""
    step = run.about.langgraph_step if run.kind == "chain" else None
    return id(run) if step is None else step


def run_line(run: Run) -> Text:
    """Name, time, tokens and outcome of a run."""
    line = Text(run.name, style="bold" if run.kind == "chain" else "bold magenta")
    time = "open" if run.is_open else f"{milliseconds(run.seconds)} ms"
    line.append(f"  {time}", style="not bold dim")
    prompt, completion = run.tokens
    if prompt or completion:
        line.append(f"  {prompt:,} + {completion:,} tokens", style="not bold blue")
    if run.is_waiting:
        line.append("  asks a person", style="not bold cyan")
    elif run.error:
        line.append(f"  {first_line(run.error)[:MOST_OF_ERROR]}", style="not bold red")
    elif run.is_open:
        line.stylize("yellow")
    else:
        line.append(f"  {outcome(run)}", style="not bold dim")
    return line


def outcome(run: Run) -> str:
    """What a run brought, in a few words."""
    if run.kind == "llm":
        return answer(run)
    if run.is_root:
        return ""
    if not run.outputs:
        return "not asked"
    if run.name.startswith(ASKING):
        return _outcome_of_question(run.answered)
    return _outcome_of_node(run)


def _outcome_of_node(run: Run) -> str:
    for field, tell in _TOLD.items():
        if written := getattr(run.written, field):
            return tell(written)
    return _outcome_of_reply(run)


def _command(proposal: ToldProposal) -> str:
    return f"> {proposal.command}"


def _verdict(judgements: Sequence[ToldJudgement]) -> str:
    verdict = judgements[-1].verdict or ToldVerdict()
    return f"{'accepts' if verdict.accept else 'objects'}: {verdict.reason}"


def _decision(decisions: Sequence[ToldDecision]) -> str:
    last = decisions[-1]
    return f"plays {last.command}" if last.accept else f"no: {last.reason}"


_TOLD: dict[str, Callable[[Any], str]] = {
    "proposal": _command,
    "proposals": lambda proposals: _command(proposals[-1]),
    "decisions": _decision,
    "judgements": _verdict,
    "opinions": _verdict,
    "issues": lambda issues: f"{_count(issues)} issues",
    "options": lambda options: f"{_count(options)} options",
    "objectives": lambda objectives: f"{_count(objectives)} objectives",
    "mode": lambda mode: mode.state,
}
"""How what a node wrote is told; the first of these fields says it."""


def _outcome_of_question(record: ToldAsking) -> str:
    kinds = ", ".join(f"{kind}: {message}" for kind, message in record.faults)
    told = "remembered" if record.cached else record.outcome
    return f"{told} ({kinds})" if kinds else told


def _outcome_of_reply(run: Run) -> str:
    read, wrote = run.written.extraction, run.outputs
    if read:
        return f"{read.action_result.result} {read.action_result.reason}".strip()
    if run.written.observation:
        return " ".join(run.written.observation.text.split())
    return str(wrote["output"]) if list(wrote) == ["output"] else ", ".join(wrote)


def answer(call: Run) -> str:
    """What a model answered, in one line."""
    said = call.generated.first
    if said is None:
        return first_line(call.error)[:MOST_OF_ERROR] or "nothing"
    return " ".join(said.said.split())


def node_runs(found: TracedTurn, node: str) -> Group:
    """What one node, model or tool read and wrote in a turn."""
    parts: list[RenderableType] = []
    for run in found.walk():
        if run.name == node:
            parts.append(Text.assemble((f"turn {found.number}  ", "dim"), run_line(run)))
            parts += _conversation(run) if run.kind == "llm" else _inputs_and_outputs(run)
    return Group(*parts)


def errors(turns: Iterable[TracedTurn]) -> Group:
    """Failed and unfinished runs, faults of the game, and retried calls, turn by turn."""
    parts: list[RenderableType] = []
    for found in turns:
        for run in filter(_is_trouble, found.walk()):
            parts.append(Text.assemble((f"turn {found.number}  ", "dim"), run_line(run)))
            if run in found.troubles:
                parts.append(_indented([Text(_without_gaps(run.error or ""), style="red")], left=4))
        if found.fault:
            parts.append(Text(f"turn {found.number}  game: {found.fault}", style="red"))
    return Group(*(parts or [Text("nothing went wrong", style="green")]))


def section(title: str, lines: Sequence[RenderableType]) -> Group:
    """Lines under a title; nothing where there are none."""
    return Group(Text(title, style="dim"), _indented(lines)) if lines else Group()


def milliseconds(seconds: float | None) -> str:
    """A time taken; empty while it is not known."""
    return "" if seconds is None else f"{1000 * seconds:,.1f}"


def _conversation(call: Run) -> list[RenderableType]:
    lines = []
    for message in next(iter(call.asked.messages), []):
        who = Text(f"{message.words.type or 'message'}: ", style="cyan")
        lines.append(who.append(message.words.text, style="default"))
    return [_indented([*lines, Text.assemble(("answer: ", "bold cyan"), answer(call))])]


def _inputs_and_outputs(run: Run) -> list[RenderableType]:
    below = [
        Padding(run_tree(child), (0, 0, 0, 2), expand=False)
        for child in run.children
        if child.kind != "chain"
    ]
    return [_fields("read", run.inputs), _fields("wrote", run.outputs), *below]


def _fields(title: str, fields: dict[str, Any]) -> Group:
    lines = [Text.assemble((f"{name}  ", "cyan"), _pretty(value)) for name, value in fields.items()]
    return section(title, lines)


def _pretty(value: Any) -> str:
    return value if isinstance(value, str) else _broken(value, "")


def _broken(value: Any, margin: str) -> str:
    """JSON in which only what is too wide is broken into lines."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(compact) <= WIDE or not isinstance(value, dict | list):
        return compact
    inner = margin + "  "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_broken(value[key], inner)}" for key in value
        ]
        first, last = "{}"
    else:
        parts = [_broken(item, inner) for item in value]
        first, last = "[]"
    return f"{first}\n{inner}" + f",\n{inner}".join(parts) + f"\n{margin}{last}"


def _indented(lines: Sequence[RenderableType], left: int = 2) -> Padding:
    return Padding(Group(*lines), (0, 0, 1, left), expand=False)


def _without_gaps(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip())


def _count(items: Sequence[Any]) -> int:
    """How many there were before the trace cut them short."""
    more = re.match(r"<(\d+) more>", items[-1]) if items and isinstance(items[-1], str) else None
    return len(items) - 1 + int(more[1]) if more else len(items)


def _is_trouble(run: Run) -> bool:
    return bool(run.error and not run.is_waiting) or run.is_open or run.retries > 0
