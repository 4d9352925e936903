"""What is being done within a turn: the node, the model that is asked, and its words so far."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage

from orchestrator.traces.views import is_node


class Doing(NamedTuple):
    """What is being done at a moment."""

    node: str = ""
    """Empty between turns."""
    seconds: float = 0.0
    """For so long."""
    model: str = ""
    """The model that is being asked; empty while none is."""
    thinking: str = ""
    """What it has thought so far, where it tells."""
    words: str = ""
    """What it has answered so far, where it streams."""
    parts: int = 0
    """So many parts of an answer have come, about as many as tokens."""


class Activity(BaseCallbackHandler):
    """Follows the nodes of a turn and the models they ask; any thread may look."""

    run_inline = True

    def __init__(self) -> None:
        self._lock = Lock()
        self._nodes: dict[UUID, tuple[str, float]] = {}
        self._calls: dict[UUID, Doing] = {}

    def now(self) -> Doing:
        """What is being done; of several nodes at once the one that began last."""
        with self._lock:
            name, since = list(self._nodes.values())[-1] if self._nodes else ("", 0.0)
            call = list(self._calls.values())[-1] if self._calls else Doing()
        return call._replace(node=name, seconds=time.monotonic() - since if name else 0.0)

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: dict[str, Any],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **told: Any,
    ) -> None:
        name = told.get("name")
        if is_node(name, metadata):
            with self._lock:
                self._nodes[run_id] = str(name), time.monotonic()

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **told: Any) -> None:
        with self._lock:
            self._nodes.pop(run_id, None)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **told: Any) -> None:
        with self._lock:
            self._nodes.pop(run_id, None)

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: Sequence[Sequence[BaseMessage]],
        *,
        run_id: UUID,
        metadata: Mapping[str, Any] | None = None,
        **told: Any,
    ) -> None:
        model = str((metadata or {}).get("ls_model_name") or told.get("name") or "a model")
        with self._lock:
            self._calls[run_id] = Doing(model=model)

    def on_llm_new_token(self, token: Any, *, run_id: UUID, chunk: Any = None, **told: Any) -> None:
        message = getattr(chunk, "message", None)
        extra = getattr(message, "additional_kwargs", None) or {}
        with self._lock:
            call = self._calls.get(run_id)
            if call is not None:
                self._calls[run_id] = call._replace(
                    thinking=call.thinking + str(extra.get("reasoning_content") or ""),
                    words=call.words + (token if isinstance(token, str) else ""),
                    parts=call.parts + 1,
                )

    def on_llm_end(self, response: Any, *, run_id: UUID, **told: Any) -> None:
        with self._lock:
            self._calls.pop(run_id, None)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **told: Any) -> None:
        with self._lock:
            self._calls.pop(run_id, None)
