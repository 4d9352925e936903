"""A critic of one's own: `python examples/gallery/own_critic.py`.

Anything with the method of its role will do; a graph file could name it as well.
"""

from orchestrator import play


class HomebodyCritic:
    """Objects to going north, and counts how often."""

    def __init__(self) -> None:
        self.objections = 0

    def judge(self, briefing):
        north = briefing.proposal.action == "north"
        self.objections += north
        return {"accept": not north, "reason": "it is cold there", "confidence": 0.9}


critic = HomebodyCritic()
result = play("hollow", critic=critic, seed=7, steps=30)
print(f"{result.score} points in {result.steps} turns, {critic.objections} objections")
