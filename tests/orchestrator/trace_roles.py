"""Roles that call models and tools, fail, or hang, so that traces have something to show."""

from __future__ import annotations

import time
from typing import Any

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from agents.answers import AgentResponse
from agents.briefing import Briefing

KEY = "sk-0123456789abcdefghijklmnop"
COMMANDS = ("look", "inventory", "wait")


@tool
def recall(thing: str) -> str:
    """What is known of a thing."""
    return f"nothing is known of {thing}"


class TalkingActor:
    """Asks a model twice a turn and a tool once; every third turn the first call fails."""

    def __init__(self, hang_at: int = 0) -> None:
        self.hang_at = hang_at

    def propose(self, briefing: Briefing) -> AgentResponse:
        if briefing.turn == self.hang_at:
            time.sleep(600)
        command = COMMANDS[briefing.turn % len(COMMANDS)]
        if briefing.turn % 3 == 0:
            try:
                model().invoke("This one is not answered.", stop=["\n"])
            except RuntimeError:
                command = "wait"
        recall.invoke({"thing": "lamp"})
        answer = model(command).invoke(
            [("system", f"Never tell {KEY}."), ("user", briefing.observation.text)],
            config={"metadata": {"prompt_hash": "3a7f"}, "tags": ["actor"]},
        )
        return AgentResponse(thinking="The model said so.", action=str(answer.content))


class PickyCritic:
    """Objects to the first proposal of every turn and accepts the second."""

    def judge(self, briefing: Briefing) -> dict[str, Any]:
        return {"accept": briefing.attempt > 1, "reason": f"attempt {briefing.attempt}"}


class FailingCritic:
    """Breaks off the episode at turn 2, with a secret in the message."""

    def judge(self, briefing: Briefing) -> dict[str, Any]:
        if briefing.turn == 2:
            raise ConnectionError(f"refused: Authorization: Bearer {KEY}")
        return {"accept": True}


class SilentModel(GenericFakeChatModel):
    """Raises instead of answering."""

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("no answer")


def model(*answers: str) -> GenericFakeChatModel:
    """A chat model that gives the answers with their token counts, or fails without any."""
    usage = {"input_tokens": 40, "output_tokens": 2, "total_tokens": 42}
    messages = [AIMessage(answer, usage_metadata=usage) for answer in answers]
    kind = GenericFakeChatModel if answers else SilentModel
    return kind(messages=iter(messages))
