"""A story told by hand: replies go through the real extractor and the real learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from agents.shown.situation import Situation
from environments.game import Observation, ValidAction
from managers.belief.deliberation import Advice
from managers.core.handover import Recalled, recall
from managers.core.learner import learn
from managers.core.option import Option
from managers.core.ranking import rank
from managers.core.reflection import Choice, reflect
from managers.core.scene import WHOLE, Mind, Scene, Stance
from managers.core.skill import Skill, Skills
from managers.planning.objectives import Objective
from managers.planning.progress import with_plans
from managers.skills import all_skills
from managers.world.transition import Intention, Transition


class Told:
    """What is known after the replies told so far."""

    def __init__(
        self,
        opening: str,
        mind: Mind = WHOLE,
        recalled: Recalled | None = None,
        skills: Skills | None = None,
    ) -> None:
        recalled = recalled or recall({})
        self.turn = 0
        self.skills = all_skills() if skills is None else skills
        self.stance = Stance(1, mind, past=recalled.past)
        self.knowledge = recalled.knowledge
        self.outlook = recalled.outlook
        self.objectives: tuple[Objective, ...] = ()
        self.transition = self._take_in("", opening, None)

    def say(
        self,
        command: str,
        reply: str,
        score: int | None = None,
        advice: Advice | None = None,
        actions: Sequence[ValidAction] | None = None,
        awaiting: Literal["line", "key"] = "line",
        intention: Intention | None = None,
    ) -> Told:
        """The next turn: what was played, what the game said, what an oracle said before.

        `actions` is what the emulator says would change something now, `awaiting` what it waits
        for, `intention` what was meant by the command, if not what its words say.
        """
        self.turn += 1
        self.transition = self._take_in(command, reply, score, advice, actions, awaiting, intention)
        return self

    def options(self, objectives: Sequence[Objective] = (), seed: int = 1) -> list[Option]:
        """All options, best first; what every room offers is known from now on."""
        objectives = with_plans(objectives, self.knowledge)
        stance = self.stance._replace(seed=seed)
        ranked = rank(
            Scene(self.knowledge, self.skills, objectives, stance, self.outlook.beliefs), limit=200
        )
        self.knowledge = self.knowledge._replace(frontier=ranked.frontier)
        return list(ranked.options)

    def commands(self) -> list[str]:
        """The last commands of all options, best first."""
        return [option.goal for option in self.options()]

    def situation(self) -> Situation:
        """What the roles are told of it."""
        return Situation(Scene(self.knowledge, self.skills))

    def proposing(self, command: str) -> Briefing:
        """What a critic is asked of a command."""
        briefing = self._briefing("", self.transition.observation)
        return replace(briefing, proposal=AgentResponse(thinking="", action=command))

    def _briefing(self, command: str, observation: Observation) -> Briefing:
        return Briefing(
            turn=self.turn,
            seed=1,
            command=command,
            observation=observation,
            extraction=None,
            situation=self.situation(),
            recent=(),
            objectives=(),
            options=(),
        )

    def _take_in(
        self,
        command: str,
        reply: str,
        score: int | None,
        advice: Advice | None = None,
        actions: Sequence[ValidAction] | None = None,
        awaiting: Literal["line", "key"] = "line",
        intention: Intention | None = None,
    ) -> Transition:
        told = None if actions is None else tuple(actions)
        observation = Observation(text=reply, score=score, actions=told, awaiting=awaiting)
        reading = RuleExtractor().extract(self._briefing(command, observation))
        mind = self.stance.mind
        transition = learn(
            self.knowledge,
            self.turn,
            command,
            observation,
            reading,
            self.skills,
            intention=intention,
            past=self.stance.past,
            counting=mind.statistics,
            remembering=mind.failures,
        )
        choice = Choice(self.objectives, advice=advice)
        self.outlook, self.reward = reflect(self.outlook, transition, choice)
        self.knowledge = transition.after
        return transition


def without(*names: str) -> Skills:
    """All skills but some."""
    return Skills({name: one for name, one in all_skills().by_name.items() if name not in names})


def with_skill(name: str, skill: Skill) -> Skills:
    """All skills with one more, or another one of that name."""
    return Skills({**all_skills().by_name, name: skill})
