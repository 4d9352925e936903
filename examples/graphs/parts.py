"""Parts of the graphs in this folder; they import nothing of the program that plays."""


class CarefulCritic:
    """Objects to commands that begin with certain verbs."""

    def __init__(self, *, forbidden=()):
        self.forbidden = tuple(forbidden)

    def judge(self, briefing):
        verb = briefing.proposal.action.split()[0]
        if verb in self.forbidden:
            return {"accept": False, "reason": f"I never {verb}"}
        return {"accept": True}


class Advocate:
    """Argues for the command that does most for one issue."""

    def propose(self, briefing):
        issue = briefing.item
        words = {word for word in issue.content.lower().split() if len(word) > 3}
        for one in briefing.options:
            if words & set(one.purpose.lower().split()):
                return {"thinking": f"for the issue: {issue.content}", "action": one.command}
        best = briefing.options[0].command if briefing.options else "look"
        return {"thinking": f"nothing helps: {issue.content}", "action": best}


class Wavering:
    """Draws one of the best options, another one whenever it is asked."""

    def propose(self, briefing):
        options = [one.command for one in briefing.options[:3]] or ["look"]
        return {"thinking": "one of the best", "action": briefing.rng("waver").choice(options)}


class Reflection:
    """A node of its own: notes the verbs that failed in every one of the last commands."""

    needs = ("recent",)
    writes = ("reflections",)

    def __call__(self, state):
        worked = {_verb(turn.command) for turn in state["recent"] if turn.result != "failure"}
        failed = {_verb(turn.command) for turn in state["recent"] if turn.result == "failure"}
        return {"reflections": sorted(failed - worked)}


class Mindful:
    """Plays the best option whose verb the last reflection does not speak against."""

    def propose(self, briefing):
        idle = briefing.shown.get("reflections", [])  # nothing before the first reflection
        commands = [one.command for one in briefing.options if _verb(one.command) not in idle]
        return {"thinking": f"not now: {', '.join(idle)}", "action": (commands or ["look"])[0]}


def _verb(command):
    return command.split()[0]
