"""A skill of one's own: with something to dig with in hand, dig where the ground is soft.

Try it: zork play --game hollow --graph examples/skills/digging.toml --trust
"""

from managers.core.skill import Draft, Skill

SOFT = {"sand", "earth", "soil", "dirt", "mud", "gravel"}


class Digging(Skill):
    """Digs with a tool where the text speaks of soft ground."""

    def __init__(self, *, tool="shovel"):
        self.tool = tool

    def offer(self, scene):
        for thing in scene.around:
            if thing.noun in SOFT and self.tool in scene.held_nouns:
                yield Draft(scene.here, f"dig {thing.noun} with {self.tool}", "use", thing.name)

    def weigh(self, scene, draft):
        return 3.0 if draft.command.startswith("dig ") else 1.0
