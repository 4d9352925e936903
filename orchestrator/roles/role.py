"""What a role is: what its parts are asked, what becomes of the answer, what it needs for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from agents.briefing import Briefing
from agents.prompting import Questioner
from orchestrator.errors import ConfigError
from orchestrator.settings.parts import named_fields, takes
from orchestrator.state import State, Update
from orchestrator.turns.asking import checked
from orchestrator.turns.briefings import brief
from orchestrator.turns.context import Context, Post

NodeFunction = Callable[[State, Context, Post], Update]
"""A turn's state, what stays put during the episode, and who plays the node."""
BRIEFED = frozenset({"turn", "command", "observation", "score"})
"""What a briefing cannot be made without."""


@dataclass(frozen=True)
class Role:
    """A kind of node."""

    name: str
    writes: frozenset[str]
    """The fields it may write."""
    needs: frozenset[str] = frozenset()
    """The fields that must have been written before; a part's briefing needs some besides."""
    needs_open: frozenset[str] = frozenset()
    """Those that it needs besides once the story has been opened."""
    sometimes: frozenset[str] = frozenset()
    """Of the fields it may write, those that a run of it may leave as they are."""
    shows: tuple[str, ...] = ()
    """The fields that traces show as its inputs; all of them if none is named."""
    method: str = ""
    """What a part is asked by; empty for a node that no part plays."""
    given: int = 1
    """With so many values; 0 where only the role itself knows."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """The shipped ones: short name -> `module:Class`."""
    answer: str = ""
    """The field that gets the answer; `into` of a node's table names another."""
    settings: frozenset[str] = frozenset()
    """Keys of a node's table that are not the part's."""
    node: NodeFunction | None = None
    """What it does; None as long as only its description is known."""
    kind: type[BaseModel] | None = None
    """The type of the answer, of a role that is described by a class."""
    fallback: BaseModel | None = None
    """The answer where a model has none that is any good."""

    @property
    def reads(self) -> frozenset[str]:
        """All fields that it needs in any case."""
        return self.needs | BRIEFED if self.method else self.needs


def role_of(described: Any, name: str, place: str) -> Role:
    """The role that a class of a user's own describes.

    It has `method`, `answer` (a pydantic model) and `writes` (the field that gets it), and may
    have `needs`, `parts`, `fallback`, and functions `ask(part, briefing, state)` and
    `update(answer, state)` where it does more than to ask and to write the answer down.

    Raises:
        ConfigError: one of them is missing, or is something else.
    """
    method, kind = getattr(described, "method", None), getattr(described, "answer", None)
    writes = getattr(described, "writes", None)
    is_kind = isinstance(kind, type) and issubclass(kind, BaseModel)
    if not isinstance(method, str) or not isinstance(writes, str) or not is_kind:
        raise ConfigError(
            f"{place} does not describe a role: it needs method = 'a name', "
            "answer = a pydantic model, writes = 'a field'; see docs/roles.md"
        )
    _check_rest(described, kind, place)
    role = Role(
        name=name,
        method=method,
        given=getattr(described, "given", 0 if getattr(described, "ask", None) else 1),
        kind=kind,
        answer=writes,
        writes=frozenset({writes}),
        needs=frozenset(named_fields(described, "needs")),
        parts=dict(getattr(described, "parts", {})),
        fallback=getattr(described, "fallback", None),
    )
    return _asking(role, described)


def _check_rest(described: Any, kind: type[BaseModel] | None, place: str) -> None:
    """What a role may have besides is of its kind."""
    for name, count, told in (("ask", 3, "part, briefing, state"), ("update", 2, "answer, state")):
        function = getattr(described, name, None)
        if function is not None and not takes(function, count):
            raise ConfigError(f"{place}: {name} is no function {name}({told}), without self")
    if not isinstance(getattr(described, "parts", {}), Mapping):
        raise ConfigError(f"{place}: parts is no table of short names: {{'plain': 'module:Class'}}")
    fallback = getattr(described, "fallback", None)
    if fallback is not None and not isinstance(fallback, kind or ()):
        raise ConfigError(f"{place}: fallback is no {getattr(kind, '__name__', kind)}, its answer")


def _asking(role: Role, described: Any) -> Role:
    ask, update = getattr(described, "ask", None), getattr(described, "update", None)

    def node(state: State, context: Context, post: Post) -> Update:
        kind, part = role.kind, post.part
        assert kind is not None
        briefing = brief(state, context, post.crew, state["turn"] + post.ahead)
        given = ask(part, briefing, state) if ask else getattr(part, role.method)(briefing)
        answer = checked(role.name, given, kind)
        updated: Update = update(answer, state) if update else {role.answer: answer}
        return updated

    return replace(role, node=node)


class ModelPart:
    """Plays any role that has a prompt: asks a model for the role's answer type.

    What the role hands over besides the briefing is `item` in the prompt.

    Args:
        role: What is asked; its fallback is the answer where the model has none.
        model: Who is asked.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
    """

    def __init__(self, role: Role, *, model: Any, prompt: str, tools: bool = False) -> None:
        self._role = role
        self._question = Questioner(role.name, model, prompt, tools=tools)

    def __getattr__(self, name: str) -> Callable[..., BaseModel | None]:
        if name != self._role.method:
            raise AttributeError(name)
        return self._answer

    def _answer(self, briefing: Briefing, about: Any = None) -> BaseModel | None:
        assert self._role.kind is not None
        briefing = briefing if about is None else replace(briefing, item=about)
        answer, _ = self._question.ask(briefing, self._role.kind)
        return answer or self._role.fallback
