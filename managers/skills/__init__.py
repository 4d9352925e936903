"""What the agent is capable of, a file each; no skill imports another one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from managers.core.skill import Skill, Skills
from managers.skills.always import AlwaysSkill
from managers.skills.carrying import CarryingSkill
from managers.skills.emulator import EmulatorSkill
from managers.skills.fights import FightsSkill
from managers.skills.giving import GivingSkill
from managers.skills.grammar import GrammarSkill
from managers.skills.hypotheses import HypothesesSkill
from managers.skills.light import LightSkill
from managers.skills.notes import NotesSkill
from managers.skills.orders import OrdersSkill
from managers.skills.plans import PlansSkill
from managers.skills.remembered import RememberedSkill
from managers.skills.requests import RequestsSkill
from managers.skills.things import ThingsSkill
from managers.skills.treasures import TreasuresSkill
from managers.skills.ways import WaysSkill

SHIPPED: Mapping[str, type[Skill]] = {
    "plans": PlansSkill,
    "emulator": EmulatorSkill,
    "things": ThingsSkill,
    "ways": WaysSkill,
    "light": LightSkill,
    "hypotheses": HypothesesSkill,
    "fights": FightsSkill,
    "giving": GivingSkill,
    "orders": OrdersSkill,
    "requests": RequestsSkill,
    "grammar": GrammarSkill,
    "treasures": TreasuresSkill,
    "carrying": CarryingSkill,
    "always": AlwaysSkill,
    "remembered": RememberedSkill,
    "notes": NotesSkill,
}
"""By name, in the order in which they are asked: it decides between options of equal value."""


@cache
def all_skills() -> Skills:
    """All that are shipped, with their usual options."""
    return Skills({name: make() for name, make in SHIPPED.items()})
