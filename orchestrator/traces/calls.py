"""What a model was asked and answered, as a trace tells it."""

from __future__ import annotations

from typing import Any

from orchestrator.tolerant import Some, Texts, Tolerant


class ToldAsking(Tolerant):
    """What became of a question to a model."""

    outcome: str = ""
    cached: bool = False
    faults: Some[tuple[str, str]] = ()


class ToldToolCall(Tolerant):
    """A tool that a model wants to be called."""

    name: str = ""
    args: Any = None


class ToldExtras(Tolerant):
    """What else comes with a message."""

    reasoning_content: str = ""


class ToldWords(Tolerant):
    """A message."""

    type: str = ""
    content: Any = ""
    """A text, or blocks of one."""
    additional_kwargs: ToldExtras = ToldExtras()
    tool_calls: Some[ToldToolCall] = ()

    @property
    def text(self) -> str:
        """All that is said, a line a block."""
        return _spoken(self.content)


def _spoken(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(map(_spoken, content))
    return str(content.get("text", content)) if isinstance(content, dict) else str(content)


class ToldMessage(ToldWords):
    """A message as LangChain packs it, or as it is."""

    kwargs: ToldWords | None = None

    @property
    def words(self) -> ToldWords:
        return self.kwargs or self


class ToldEnd(Tolerant):
    """How an answer ended."""

    finish_reason: str = ""


class ToldGeneration(Tolerant):
    """One answer of a model."""

    text: str = ""
    message: ToldMessage = ToldMessage()
    generation_info: ToldEnd = ToldEnd()

    @property
    def ended(self) -> str:
        """Why it ended, by OpenTelemetry's names."""
        told = self.generation_info.finish_reason
        calls = told == "tool_calls" or (not told and self.message.words.tool_calls)
        return "tool_call" if calls else told or "stop"

    @property
    def said(self) -> str:
        """Its words, and the tools that it wants to be called, a line each."""
        words = self.message.words
        calls = [f"{one.name}({one.args})" for one in words.tool_calls]
        return "\n".join(filter(None, [self.text or words.text, *calls]))

    @property
    def thinking(self) -> str:
        """What it thought, where that is told apart."""
        return self.message.words.additional_kwargs.reasoning_content


class ToldAnswers(Tolerant):
    """What a model answered."""

    generations: Some[Some[ToldGeneration]] = ()

    @property
    def first(self) -> ToldGeneration | None:
        return next((one for batch in self.generations for one in batch), None)


class ToldPrompt(Tolerant):
    """What a model was asked."""

    messages: Some[Some[ToldMessage]] = ()
    prompts: Texts = ()
