"""A story told by hand: replies go through the real extractor and the real learner."""

from __future__ import annotations

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from environments.game import Observation
from managers.candidates import Candidate, rank
from managers.candidates.stance import Stance
from managers.deliberation import Advice
from managers.faculties import ALL, Faculties
from managers.learning.learner import Lesson, learn
from managers.memory.recalling import Recalled, recall
from managers.objectives import Objective
from managers.planning import with_plans
from managers.reflection import Experience, reflect
from managers.situation import Situation, situation


class Told:
    """What is known after the replies told so far."""

    def __init__(
        self, opening: str, faculties: Faculties = ALL, recalled: Recalled | None = None
    ) -> None:
        recalled = recalled or recall({})
        self.turn = 0
        self.stance = Stance(1, faculties, past=recalled.past)
        self.knowledge = recalled.knowledge
        self.outlook = recalled.outlook
        self._take_in("", opening, None)

    def say(
        self, command: str, reply: str, score: int | None = None, advice: Advice | None = None
    ) -> Told:
        """The next turn: what was played, what the game said, what an oracle said before."""
        self.turn += 1
        self._take_in(command, reply, score, advice)
        return self

    def candidates(self, objectives: tuple[Objective, ...] = (), seed: int = 1) -> list[Candidate]:
        if self.stance.faculties.chaining:
            objectives = with_plans(objectives, self.knowledge)
        ranked = rank(self.knowledge, objectives, self.stance._replace(seed=seed), limit=200)
        return list(ranked)

    def commands(self) -> list[str]:
        """The last commands of all candidates, best first."""
        return [candidate.route[-1] for candidate in self.candidates()]

    def situation(self) -> Situation:
        return situation(self.knowledge)

    def _take_in(
        self, command: str, reply: str, score: int | None, advice: Advice | None = None
    ) -> None:
        observation = Observation(text=reply, score=score)
        briefing = Briefing(
            turn=self.turn,
            seed=1,
            command=command,
            observation=observation,
            extraction=None,
            situation=self.situation(),
            recent=(),
            objectives=(),
            candidates=(),
        )
        reading = RuleExtractor().extract(briefing)
        lesson = Lesson(self.turn, command, observation, reading)
        before, self.knowledge = (
            self.knowledge,
            learn(self.knowledge, lesson, self.stance),
        )
        experience = Experience(*lesson, before, self.knowledge, (), advice)
        self.outlook = reflect(self.outlook, experience)
