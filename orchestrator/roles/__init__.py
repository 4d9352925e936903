"""The roles that a graph file may name, and those that it describes itself."""

from __future__ import annotations

from agents.council import causes as worth_arguing
from orchestrator import nodes
from orchestrator.roles.judge import Judge
from orchestrator.roles.rater import Rater
from orchestrator.roles.role import BRIEFED, ModelPart, Role, role_of
from orchestrator.roles.vote import Vote
from orchestrator.state import WRITES, State, Update
from orchestrator.turns.context import Context, Post
from orchestrator.turns.current import knowledge_of

__all__ = ["ROLES", "ModelPart", "Role", "role_of"]


def issues(state: State, context: Context, _post: Post) -> Update:
    """What calls for attention, the most important first."""
    views = context.views
    return {"issues": [one.issue for one in views.issues(knowledge_of(state, views))]}


def causes(state: State, context: Context, _post: Post) -> Update:
    """What is worth arguing for, exploration first, then the most important."""
    views = context.views
    return {
        "causes": worth_arguing(
            state.get("objectives", ()), views.issues(knowledge_of(state, views))
        )
    }


_ROLES = (
    Role(
        "game",
        WRITES["game"],
        node=nodes.game,
        needs_open=frozenset({"proposal"}),
        shows=("turn", "proposal", "decisions"),
    ),
    Role(
        "extractor",
        WRITES["extractor"],
        node=nodes.extractor,
        needs=frozenset({"observation"}),
        shows=("turn", "observation"),
        method="extract",
        parts={
            "rules": "agents.extractor:RuleExtractor",
            "llm": "agents.llm_extractor:LLMExtractor",
        },
        answer="extraction",
    ),
    Role(
        "learner",
        WRITES["learner"],
        node=nodes.learner,
        needs=frozenset({"turn", "command", "observation", "score", "extraction"}),
        shows=("turn", "extraction"),
    ),
    Role(
        "objective_manager",
        WRITES["objective_manager"],
        node=nodes.objective_manager,
        shows=("turn", "world", "map", "objectives"),
        method="review",
        parts={
            "rules": "agents.objective_manager:RuleObjectiveManager",
            "llm": "agents.llm_objective_manager:LLMObjectiveManager",
            "own": "agents.objective_manager:OwnObjectives",
        },
    ),
    Role(
        "mode",
        WRITES["mode"],
        node=nodes.mode,
        needs=BRIEFED,
        shows=("turn", "objectives", "mode"),
    ),
    Role(
        "planner",
        WRITES["planner"],
        node=nodes.planner,
        shows=("turn", "objectives", "mode"),
    ),
    Role("issues", WRITES["issues"], shows=("turn", "world", "map"), node=issues),
    Role("causes", WRITES["causes"], shows=("turn", "world", "objectives"), node=causes),
    Role(
        "oracle",
        WRITES["oracle"],
        node=nodes.oracle,
        sometimes=frozenset({"advice"}),
        shows=("turn", "beliefs", "objectives", "options", "advice"),
        method="analyse_situation",
        parts={
            "llm": "agents.oracle:LLMOracle",
            "walkthrough": "testing.oracles:WalkthroughOracle",
            "sometimes": "testing.oracles:SometimesOracle",
            "useless": "testing.oracles:UselessOracle",
        },
        answer="advice",
        settings=frozenset({"tokens", "price"}),
    ),
    Role(
        "actor",
        WRITES["actor"],
        node=nodes.actor,
        shows=(
            *("turn", "world", "beliefs", "mode"),
            *("objectives", "options", "judgements", "decisions"),
        ),
        method="propose",
        parts={
            "llm": "agents.llm_actor:LLMActor",
            "solo": "agents.solo_actor:SoloActor",
            "transcript": "agents.chat_actor:ChatActor",
            "choice": "agents.choosing_actor:ChoosingActor",
            "advocate": "agents.council:Advocate",
            "recalled": "agents.recalled:RecalledActor",
            "bayesian": "agents.bayesian:BayesianActor",
            "random": "agents.actor:RandomActor",
            "idle": "agents.actor:IdleActor",
            "walkthrough": "agents.actor:WalkthroughActor",
            "human": "agents.actor:HumanActor",
        },
        answer="proposal",
    ),
    role_of(Rater, "rater", "rater"),
    role_of(Judge, "judge", "judge"),
    Role(
        "critic",
        WRITES["critic"],
        node=nodes.critic,
        needs=frozenset({"proposal"}),
        shows=("turn", "proposal", "judgements"),
        method="judge",
        parts={"rules": "agents.critic:RuleCritic", "llm": "agents.llm_critic:LLMCritic"},
        answer="judgements",
    ),
    role_of(Vote, "vote", "vote"),
    Role(
        "approval",
        WRITES["approval"],
        node=nodes.approval,
        needs=frozenset({"proposal"}),
        shows=("turn", "proposal", "decisions"),
    ),
)
ROLES = {role.name: role for role in _ROLES}
"""By name. A node that is named like a role has that role."""
