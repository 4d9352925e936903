"""The agent of the statechart oracle's contract: a social media user browses a feed.

Run it with `python -m examples.social_agent`; `--model ollama:llama3.1:8b` lets a real model
choose, without it an embedded one does.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from enum import Enum

from langchain_core.language_models import BaseChatModel

from agents.models import ModelConfig, make_model
from agents.models.embedded import FunctionModel
from agents.models.scripts import ModelQuestion
from agents.statechart_oracle import StatechartOracle
from managers.core.statechart import Statechart, StateTransition


class AgentState(Enum):
    """What a social media user is doing."""

    IDLE = "idle"
    SCROLLING = "scrolling"
    EVALUATING = "evaluating"
    COMPOSING = "composing"
    ENGAGING_LIKE = "engaging_like"
    ENGAGING_REPLY = "engaging_reply"
    ENGAGING_RESHARE = "engaging_reshare"
    RESTING = "resting"

    @property
    def description(self) -> str:
        """What the state means, for the oracle."""
        return STATE_DESCRIPTIONS[self]


STATE_DESCRIPTIONS = {
    AgentState.IDLE: "Put the phone away until the next round",
    AgentState.SCROLLING: "Go on browsing, this one is not for you",
    AgentState.EVALUATING: "Take a closer look at the post",
    AgentState.COMPOSING: "Write something yourself",
    AgentState.ENGAGING_LIKE: "Like the post",
    AgentState.ENGAGING_REPLY: "Reply to the post",
    AgentState.ENGAGING_RESHARE: "Share the post with your followers",
    AgentState.RESTING: "Take a break, you have had enough",
}


@dataclass(frozen=True)
class Post:
    """Something in the feed."""

    author: str
    text: str
    likes: int = 0


@dataclass
class SocialAgent:
    """Somebody with a profile, a state and a little energy."""

    name: str
    interests: tuple[str, ...]
    personality: str
    state: AgentState = AgentState.IDLE
    energy: int = 6


def is_awake(agent: SocialAgent, _post: Post | None) -> bool:
    """Whether there is energy left."""
    return agent.energy > 0


def is_tired(agent: SocialAgent, _post: Post | None) -> bool:
    """Whether there is none."""
    return agent.energy <= 0


def feed_chart() -> Statechart[AgentState]:
    """How one browses: what may follow what, and where it is a matter of taste."""
    s = AgentState
    engaged = (s.COMPOSING, s.ENGAGING_LIKE, s.ENGAGING_REPLY, s.ENGAGING_RESHARE)
    transitions = [
        StateTransition(s.IDLE, "wakes", s.SCROLLING),
        StateTransition(s.SCROLLING, "sees_post", s.EVALUATING, is_awake),
        StateTransition(s.SCROLLING, "sees_post", s.RESTING, is_tired),
        StateTransition(s.EVALUATING, "decides", s.SCROLLING),
        *(StateTransition(s.EVALUATING, "decides", state) for state in engaged),
        *(StateTransition(state, "finishes", s.SCROLLING) for state in engaged),
        StateTransition(s.RESTING, "recovers", s.IDLE),
    ]
    return Statechart(s.IDLE, transitions)


async def step(
    agent: SocialAgent,
    chart: Statechart[AgentState],
    oracle: StatechartOracle,
    trigger: str,
    post: Post | None = None,
) -> AgentState:
    """Let one event happen: the chart decides, or the oracle where the chart leaves it open."""
    targets = chart.valid_targets(agent.state, trigger, agent=agent, context=post)
    if len(targets) > 1:
        agent.state = await oracle.decide(agent, agent.state, trigger, targets, post)
        agent.energy -= agent.state is not AgentState.SCROLLING  # What one does costs energy.
    else:
        agent.state = chart.fire(agent, trigger, post) or agent.state
    return agent.state


async def browse(agent: SocialAgent, feed: list[Post], client: BaseChatModel) -> list[str]:
    """One round through the feed, as lines of text."""
    chart, oracle = feed_chart(), StatechartOracle(client)
    await step(agent, chart, oracle, "wakes")
    lines = []
    for post in feed:
        seen = await step(agent, chart, oracle, "sees_post", post)
        if seen is AgentState.EVALUATING:
            seen = await step(agent, chart, oracle, "decides", post)
            await step(agent, chart, oracle, "finishes", post)
        lines.append(f"{post.author}: {post.text!r} -> {agent.name}: {seen.description}")
    return lines


def enthusiast(question: ModelQuestion) -> dict[str, str]:
    """The embedded model: replies to what it cares for, likes questions, scrolls past the rest."""
    about = question.text.partition("What it is about:")[2].partition("Choose")[0].lower()
    interests = question.text.partition("Your interests: ")[2].partition("\n")[0].split(", ")
    if any(interest in about for interest in interests):
        return {"next_state": "engaging_reply"}
    return {"next_state": "engaging_like" if "?" in about else "scrolling"}


FEED = [
    Post("Noor", "Repotted the ferns, they look happier already.", likes=12),
    Post("Sam", "Which bicycle lock survives a winter by the sea?", likes=3),
    Post("Ada", "My parser now understands IT and THEM.", likes=40),
]


def main() -> None:
    """Browse the feed once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="provider:name of a real model")
    model = parser.parse_args().model
    client = make_model(ModelConfig(model=model)) if model else FunctionModel(function=enthusiast)
    agent = SocialAgent("Mira", ("parser", "maps"), "curious, a little shy")
    for line in asyncio.run(browse(agent, FEED, client)):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
