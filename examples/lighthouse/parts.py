"""An actor, a critic and a node of one's own. They import nothing of the program that plays."""


class Curious:
    """Takes the best option that it has not tried too often in this room.

    It keeps nothing between turns: what was tried stands in the briefing.
    """

    def __init__(self, *, patience=2):
        self.patience = patience

    def propose(self, briefing):
        tried = [turn.command for turn in briefing.recent]
        objected = {objection.command for objection in briefing.objections}
        for option in briefing.options:
            fresh = tried.count(option.command) < self.patience
            if fresh and option.command not in objected:
                chance = f"{option.probability:.0%}"
                thinking = f"{option.purpose}; it works with {chance}, worth {option.value:.2f}"
                return {"thinking": thinking, "action": option.command}
        return {"thinking": "nothing is left that I have not tried", "action": "look"}


class Careful:
    """Objects to whatever failed in the last turns, once a turn."""

    def judge(self, briefing):
        failed = {turn.command for turn in briefing.recent if turn.result == "failure"}
        if briefing.proposal.action in failed and not briefing.objections:
            return {"accept": False, "reason": "that has just failed", "confidence": 0.8}
        return {"accept": True}


class Diary:
    """A node: it is called with the state, and returns what it writes."""

    needs = ("extraction", "score")
    writes = ("diary",)

    def __call__(self, state):
        score = state["score"].last.score
        line = f"turn {state['turn']}: {state['command'] or 'arrived'}, {score} points"
        return {"diary": [*state.get("diary", []), line]}
