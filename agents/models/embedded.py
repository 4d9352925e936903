"""Models without a server: a script, a function or a recorded run answers."""

from __future__ import annotations

import functools
import importlib
import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, BaseMessage, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from agents.models.faults import ModelError, ModelFault
from agents.models.likelihood import LikelihoodQuestion
from agents.models.recording import RECORDING, ROLES, Said, read_recording
from agents.models.scripts import ModelQuestion, Script, wanted

CHARS_PER_TOKEN = 4


class EmbeddedModel(BaseChatModel):
    """Answers at once, counts tokens as characters / 4, and needs no network."""

    model: str = "embedded"

    def answer(self, question: ModelQuestion) -> Any:
        """A text, a JSON value or a whole message."""
        raise NotImplementedError

    @property
    def tells_likelihoods(self) -> bool:
        """Whether it answers a `LikelihoodQuestion`, too."""
        return False

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """A JSON answer becomes a call of the last tool."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    @property
    def _llm_type(self) -> str:
        return "embedded"

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        return LangSmithParams(
            ls_provider="embedded", ls_model_name=self.model, ls_model_type="chat"
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        tools: Sequence[dict[str, Any]] = (),
        **kwargs: Any,
    ) -> ChatResult:
        question = as_question(messages, tools)
        message = _as_message(self.answer(question), tools)
        message.usage_metadata = message.usage_metadata or _usage(question, message)
        said = message.response_metadata or {"done_reason": "stop"}
        message.response_metadata = {"model_name": self.model, **said}
        return ChatResult(generations=[ChatGeneration(message=message)])


class ScriptedModel(EmbeddedModel):
    """Answers from a script, for instance `ScriptedModel.of(["look", {"action": "wait"}])`.

    How much of the script is used up is not part of a run's state: a resumed run starts it
    again. Rules that tell questions apart by what is in them do not mind.
    """

    _script: Script = PrivateAttr()

    def __init__(self, script: Script, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._script = script

    @classmethod
    def of(cls, answers: Sequence[Any]) -> ScriptedModel:
        """A model that gives these answers, one after the other."""
        return cls(Script.of_answers(answers))

    def answer(self, question: ModelQuestion) -> Any:
        rule = self._script.answer(question)
        if rule is None:
            asked = question.title or question.text[-80:]
            raise ModelFault(
                "unscripted", f"the script has no answer to {asked!r}", transient=False
            )
        thoughts = {"reasoning_content": rule.thinking} if rule.thinking else {}
        if rule.call:
            return _calling(rule.call, rule.answer, additional_kwargs=thoughts)
        if thoughts:
            return AIMessage(_as_text(rule.answer), additional_kwargs=thoughts)
        return rule.answer


class FunctionModel(EmbeddedModel):
    """Answers by a function of the question; `tells_likelihoods` is an attribute of that."""

    function: Callable[[ModelQuestion], Any]

    def answer(self, question: ModelQuestion) -> Any:
        return self.function(question)

    @property
    def tells_likelihoods(self) -> bool:
        return bool(getattr(self.function, "tells_likelihoods", False))


class RecordedModel(EmbeddedModel):
    """Answers as a recorded run did: the same prompt gets the same answers, in their order.

    The last answer to a prompt is given again where the prompt comes more often.
    """

    _answers: dict[Said, list[AIMessage]] = PrivateAttr()
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    def __init__(self, trace: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._answers = read_recording(trace)

    def answer(self, question: ModelQuestion) -> Any:
        with self._lock:
            answers = self._answers.get(question.messages)
            if not answers:
                raise ModelFault(
                    "unrecorded",
                    f"the recording has no answer to {question.text[-80:]!r}",
                    transient=False,
                )
            return answers.pop(0) if len(answers) > 1 else answers[0].model_copy(deep=True)

    @property
    def tells_likelihoods(self) -> bool:
        return any(LikelihoodQuestion.is_one(said[-1][1]) for said in self._answers if said)


def make_embedded(name: str) -> EmbeddedModel:
    """`answers:FILE`, `function:module:attribute` or `recording:TRACE` as a model.

    Raises:
        ModelError: what is wrong with the name, and what would work.
    """
    kind, _, source = name.partition(":")
    if kind == "answers" and source:
        return ScriptedModel(Script.read(Path(source)), model=name)
    if kind == "function" and source:
        return FunctionModel(function=_load_function(source), model=name)
    if kind == RECORDING and source:
        return RecordedModel(Path(source), model=name)
    raise ModelError(
        f"embedded model {name!r}: expected answers:FILE, function:module:attribute "
        "or recording:TRACE"
    )


def as_question(
    messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]] = ()
) -> ModelQuestion:
    """The messages as a script sees them; the last tool is the wanted answer."""
    schema, others = wanted(tools)
    said = tuple((ROLES.get(m.type, m.type), str(m.text)) for m in messages)
    return ModelQuestion(said, schema, others)


def _as_message(answer: Any, tools: Sequence[dict[str, Any]]) -> AIMessage:
    if isinstance(answer, AIMessage):
        return answer.model_copy()
    if tools and isinstance(answer, dict):
        return _calling(tools[-1]["function"]["name"], answer)
    return AIMessage(_as_text(answer))


def _calling(tool: str, arguments: dict[str, Any], **kwargs: Any) -> AIMessage:
    call = {"name": tool, "args": arguments, "id": "call_0"}
    return AIMessage("", tool_calls=[call], **kwargs)


def _as_text(answer: Any) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _usage(question: ModelQuestion, message: AIMessage) -> UsageMetadata:
    said = len(str(message.text)) + sum(len(json.dumps(c["args"])) for c in message.tool_calls)
    asked = -(-len(question.text) // CHARS_PER_TOKEN)
    answered = -(-said // CHARS_PER_TOKEN)
    return UsageMetadata(input_tokens=asked, output_tokens=answered, total_tokens=asked + answered)


def _load_function(reference: str) -> Callable[[ModelQuestion], Any]:
    module, _, attribute = reference.partition(":")
    try:
        function = functools.reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (ImportError, AttributeError) as error:
        raise ModelError(f"embedded model function {reference!r}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"embedded model function {reference!r}: module {module!r} is broken: "
            f"{type(error).__name__}: {error}"
        ) from error
    if not callable(function):
        raise ModelError(f"embedded model function {reference!r} cannot be called")
    return function
