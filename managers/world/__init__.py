"""The world model: things, where and how they are, what failed, what may help."""

from managers.world.enrichment import Enriched, enrich_issue_context, enriched
from managers.world.failures import FailedAction
from managers.world.goals import Blocker
from managers.world.hypotheses import SUPPOSED, Hypothesis
from managers.world.issues import Issue, maybe_create_object_issue, world_issues
from managers.world.objects import UNKNOWN, GameObject
from managers.world.plans import Plan, PlanStep, backward_chain, confidence_of
from managers.world.puzzles import puzzle_graph
from managers.world.resolvers import Resolver
from managers.world.view import WorldModel

__all__ = [
    "SUPPOSED",
    "UNKNOWN",
    "Blocker",
    "Enriched",
    "FailedAction",
    "GameObject",
    "Hypothesis",
    "Issue",
    "Plan",
    "PlanStep",
    "Resolver",
    "WorldModel",
    "backward_chain",
    "confidence_of",
    "enrich_issue_context",
    "enriched",
    "maybe_create_object_issue",
    "puzzle_graph",
    "world_issues",
]
