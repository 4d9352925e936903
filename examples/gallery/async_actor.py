"""A role that waits for something: `python examples/gallery/async_actor.py`.

The method of a role may be `async def`; the turn goes on when its answer is there.
"""

import asyncio

from orchestrator import play


class SlowActor:
    """Thinks for a moment, as a model on a network would, then takes the best option."""

    async def propose(self, briefing):
        await asyncio.sleep(0.01)
        options = briefing.options
        return {
            "thinking": "I have slept on it.",
            "action": options[0].command if options else "look",
        }


result = play("morning", actor=SlowActor(), seed=7, steps=15)
print(f"{result.score} of {result.max_score} points in {result.steps} turns")
