"""Commands that do something here: tried in the emulator, rolled back, told apart by effect."""

from environments.game import ValidAction
from environments.valid_actions.finder import BUDGET, ActionFinder, ValidActions

__all__ = ["BUDGET", "ActionFinder", "ValidAction", "ValidActions"]
