"""The world model: things, where and how they are, what failed, what may help."""

from managers.world.failures import FailedAction
from managers.world.objects import GameObject
from managers.world.view import WorldModel

__all__ = ["FailedAction", "GameObject", "WorldModel"]
