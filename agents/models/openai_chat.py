"""LangChain's ChatOpenAI over a client with bounds, with what it leaves out of an answer."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import openai
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI

from agents.models.addresses import shown
from agents.models.bounds import Bounded, encryption
from agents.models.faults import ModelFault
from agents.models.openai_dialects import CallWatch, as_promised, check_answered
from agents.parsing import BROKEN_OFF, LOOP, LoopWatch

THOUGHTS = ("reasoning_content", "reasoning")
"""Where servers put what a model thought."""


class _Client(Bounded, openai.DefaultHttpxClient):
    """The kind of client that OpenAI's package wants, with bounds."""


class BoundedChatOpenAI(ChatOpenAI):
    """A ChatOpenAI whose calls end, and which keeps thoughts and answers that were cut."""

    old_names: bool = False
    """Whether the limit is called `max_tokens`, as servers of other makers call it."""

    @classmethod
    def of(cls, settings: dict[str, Any]) -> BoundedChatOpenAI:
        """A model with its clients; `client_kwargs` are for these."""
        own = settings.pop("client_kwargs")
        shared = {name: value for name, value in own.items() if name != "seconds"}
        shared |= {"verify": encryption(own.get("verify", True)), "follow_redirects": False}
        client = _Client(**own)
        if "http_socket_options" in cls.model_fields:
            # Their own clients are not used, and are not to warn that they pass proxies by.
            settings.setdefault("http_socket_options", ())
        model = cls(
            **{
                "http_client": client,
                "http_async_client": openai.DefaultAsyncHttpxClient(**shared),
                **settings,
            }
        )
        weakref.finalize(model, client.close)
        return model

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        try:
            return super()._generate(messages, stop, run_manager, **kwargs)
        except openai.LengthFinishReasonError as cut:
            return self._create_chat_result(cut.completion)

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        watch, calls, any_came = LoopWatch(), CallWatch(), False
        parts = super()._stream(*args, **kwargs)
        for part in parts:
            any_came = True
            yield _ended(part, calls)
            said = part.text or part.message.additional_kwargs.get("reasoning_content", "")
            if watch.loops(said):
                end = AIMessageChunk(content="")
                yield ChatGenerationChunk(message=end, generation_info={"finish_reason": LOOP})
                return  # which ends the connection, and with it the server's work
        if not any_came:
            said = (
                f"{self._where}: no stream of events; "
                "options.streaming = false asks for a whole answer"
            )
            raise ModelFault("garbled", said, transient=True)

    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if not isinstance(response, dict | openai.BaseModel):
            return super()._create_chat_result(response, generation_info)  # which says what it is
        told = response if isinstance(response, dict) else response.model_dump(warnings=False)
        check_answered(told, self._where)
        told = as_promised(told)
        result = super()._create_chat_result(told, generation_info)
        if told.get("timings"):
            result.llm_output = {**(result.llm_output or {}), "timings": told["timings"]}
        for generation, choice in zip(result.generations, told.get("choices") or (), strict=False):
            generation.message.additional_kwargs |= _besides(choice["message"])
        return result

    @property
    def _where(self) -> str:
        return f"POST {shown(self.root_client.base_url)}/chat/completions"

    def _get_request_payload(
        self, input_: Any, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        if self.old_names and "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        if self.old_names and "response_format" in payload:
            # OpenAI's package would read the answer itself, and each of its parts once more.
            wanted = {"response_format": payload.pop("response_format")}
            payload["extra_body"] = {**(payload.get("extra_body") or {}), **wanted}
        return payload

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: Any
    ) -> ChatGenerationChunk | None:
        chunk = as_promised(chunk)
        part = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if part is None:
            return None
        told = (one.get("delta") or {} for one in chunk["choices"])
        part.message.additional_kwargs |= _besides(next(told, {}))
        if timings := chunk.get("timings"):
            part.generation_info = {**(part.generation_info or {}), "timings": timings}
        return part


def _ended(part: ChatGenerationChunk, calls: CallWatch) -> ChatGenerationChunk:
    """The piece; where it ends an answer with a call that is broken off, that is why it ends."""
    if isinstance(part.message, AIMessageChunk):
        calls.read(part.message)
    info = part.generation_info or {}
    if info.get("finish_reason") not in (None, "length") and calls.broken:
        part.generation_info = {**info, "finish_reason": BROKEN_OFF}
    return part


def _besides(said: dict[str, Any]) -> dict[str, str]:
    """What a server says that the package passes over: thoughts, and that it will not answer."""
    thoughts = next((said[name] for name in THOUGHTS if said.get(name)), "")
    found = {"reasoning_content": thoughts, "refusal": said.get("refusal")}
    return {name: one for name, one in found.items() if isinstance(one, str) and one}
