"""The candidate actions: generators of prospects, one utility function, a ranked list."""

from managers.candidates.candidate import Candidate
from managers.candidates.ranking import agenda, rank

__all__ = ["Candidate", "agenda", "rank"]
